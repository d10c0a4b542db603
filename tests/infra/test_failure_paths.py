"""How a run ends when a stage does not: on moto, which distinguishes errors by class and fails fast, as AWS does."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws
from moto.awslambda.models import LambdaBackend
from moto.core.exceptions import JsonRESTError

from planloom.planes.strategic.stages.pipeline import PIPELINE
from tests.infra import asl

PATIENCE = 30.0
ROLE = "arn:aws:iam::123456789012:role/any"

Behaviour = Callable[[str, int], None]


class Throttled(JsonRESTError):
    """What Lambda answers when too many run at once."""

    code = 429

    def __init__(self) -> None:
        super().__init__("TooManyRequestsException", "Rate Exceeded.")


class Raised(Exception):
    """A stage's exception, by the name that Lambda reports."""


class Lambdas:
    """Fakes of the stage Lambdas: they count their calls and behave as configured."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.behave: Behaviour = lambda stage, call: None
        self._lock = threading.Lock()

    def invoke(self, stage: str, headers: dict[str, str]) -> str:
        with self._lock:
            self.calls[stage] += 1
            call = self.calls[stage]
        try:
            self.behave(stage, call)
        except Raised as error:
            headers["x-amz-function-error"] = "Unhandled"
            return json.dumps({"errorType": str(error), "errorMessage": "as asked"})
        return "null"


@pytest.fixture
def lambdas(monkeypatch: pytest.MonkeyPatch) -> Lambdas:
    stand_ins = Lambdas()

    def invoke(self: Any, function_name: str, qualifier: Any, body: Any, headers: Any, response_headers: Any) -> str:
        return stand_ins.invoke(function_name, response_headers)

    monkeypatch.setattr(LambdaBackend, "invoke", invoke)
    return stand_ins


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    with mock_aws(config={"stepfunctions": {"execute_state_machine": True}}):
        yield boto3.client("stepfunctions", region_name="us-east-1")


def start(machine: Any, target: str = "build_plan") -> str:
    definition = json.dumps(asl.load()).replace("${stage_", "").replace('}", "Payload"', '", "Payload"')
    # A test has no time for the pauses before a retry
    definition = definition.replace('"IntervalSeconds": 2', '"IntervalSeconds": 1')
    definition = definition.replace('"IntervalSeconds": 5', '"IntervalSeconds": 1')
    arn = machine.create_state_machine(name="pipeline", definition=definition, roleArn=ROLE)["stateMachineArn"]
    state = {"plan_id": "p1", "run": 1, "target": target}
    return str(machine.start_execution(stateMachineArn=arn, name="p1-1", input=json.dumps(state))["executionArn"])


def end_of(machine: Any, execution: str) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = machine.describe_execution(executionArn=execution)
        if found["status"] != "RUNNING":
            return dict(found)
        time.sleep(0.02)
    raise AssertionError(f"still running after {PATIENCE} s")


def until_threads_are(count: int) -> None:
    """Wait until nothing works in the background any more: what was to start has started."""
    deadline = time.monotonic() + PATIENCE
    while threading.active_count() > count:
        assert time.monotonic() < deadline, threading.enumerate()
        time.sleep(0.02)


def raising(stage: str, error: Exception, times: int = 1000) -> Behaviour:
    def behave(name: str, call: int) -> None:
        if name == stage and call <= times:
            raise error

    return behave


def test_without_trouble_every_stage_runs_once(machine: Any, lambdas: Lambdas) -> None:
    end = end_of(machine, start(machine))

    assert end["status"] == "SUCCEEDED"
    assert lambdas.calls == Counter(stage.name for stage in PIPELINE)


def test_a_stages_own_error_is_not_retried_and_fails_the_run_by_its_name(machine: Any, lambdas: Lambdas) -> None:
    lambdas.behave = raising("choice", Raised("StageFailed"))

    end = end_of(machine, start(machine))

    assert (end["status"], end["error"]) == ("FAILED", "StageFailed")
    assert json.loads(end["cause"])["errorMessage"] == "as asked"
    assert lambdas.calls["choice"] == 1
    assert lambdas.calls["spine"] == 0


@pytest.mark.parametrize("lost", ["Sandbox.Timedout", "Runtime.ExitError", "Lambda.Unknown"])
def test_a_lost_worker_is_replaced_once(machine: Any, lambdas: Lambdas, lost: str) -> None:
    lambdas.behave = raising("main_document", Raised(lost), times=1)

    end = end_of(machine, start(machine))

    assert end["status"] == "SUCCEEDED"
    assert lambdas.calls == Counter(stage.name for stage in PIPELINE) + Counter({"main_document": 1})


def test_a_worker_that_is_lost_again_and_again_fails_the_run(machine: Any, lambdas: Lambdas) -> None:
    lambdas.behave = raising("start", Raised("Runtime.ExitError"))

    end = end_of(machine, start(machine))

    assert (end["status"], end["error"]) == ("FAILED", "Runtime.ExitError")
    assert lambdas.calls == {"start": 2}


def test_a_throttled_stage_is_tried_again(machine: Any, lambdas: Lambdas) -> None:
    lambdas.behave = raising("screening", Throttled(), times=2)

    end = end_of(machine, start(machine))

    assert end["status"] == "SUCCEEDED"
    assert lambdas.calls["screening"] == 3


def test_a_failure_deep_in_a_branch_fails_the_whole_run_and_starts_no_later_stage(
    machine: Any, lambdas: Lambdas
) -> None:
    lambdas.behave = raising("self_audit", Raised("StageFailed"))

    end = end_of(machine, start(machine))

    assert (end["status"], end["error"]) == ("FAILED", "StageFailed")
    assert "report" not in lambdas.calls


def test_a_stopped_run_starts_no_further_stage(machine: Any, lambdas: Lambdas) -> None:
    reached, released = threading.Event(), threading.Event()

    def wait_in_draft(stage: str, call: int) -> None:
        if stage == "draft":
            reached.set()
            released.wait(PATIENCE)

    lambdas.behave = wait_in_draft
    before = threading.active_count()
    execution = start(machine)
    assert reached.wait(PATIENCE)

    machine.stop_execution(executionArn=execution, cause="plan_stop")
    released.set()

    assert end_of(machine, execution)["status"] == "ABORTED"
    until_threads_are(before)
    assert set(lambdas.calls) == {"start", "screening", "premise_attack", "draft"}
