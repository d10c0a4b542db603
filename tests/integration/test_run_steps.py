"""The state machine of runs on moto, with the worker's handler in this process: parks, wakes, retries, gives up."""

import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import boto3
import pytest
import yaml
from moto.awslambda.models import LambdaBackend

from functions.run_worker import handler as run_worker
from planloom import wiring
from planloom.adapters.dynamodb_approvals import DynamoApprovalStore
from planloom.adapters.dynamodb_runs import DynamoRunEvents, DynamoRunStore
from planloom.adapters.run_files import S3RunFiles
from planloom.adapters.step_functions_runs import StepFunctionsEngine
from planloom.approvals.service import Approvals
from planloom.planes.graphs.approve import answer, ask, wakes
from planloom.planes.graphs.job import GraphWork, graph_jobs
from planloom.planes.graphs.options import RunOptions
from planloom.planes.graphs.validate import load
from planloom.runs.control import Runs
from planloom.runs.records import Run, RunState, RunWork
from planloom.runs.work import Worker
from planloom.tools.tool import Tool
from planloom.wiring import approvals as wiring_approvals
from planloom.wiring import graphs as wiring_graphs
from planloom.wiring import notifications as wiring_notifications
from planloom.wiring import runs as wiring_runs
from tests.integration.conftest import BUCKET, TABLE, make_bucket, make_table, mocked_aws
from tests.unit.approvals.fakes import Caller
from tests.unit.functions.conftest import Context
from tests.unit.graphs.tools import DIAMOND, Tools, graph, step
from tests.unit.notifications.fakes import Setting
from tests.unit.runs.jobs import QUICK

DEFINITION = Path(__file__).parents[2] / "statemachine" / "run_steps.asl.yaml"
PATIENCE = 30.0


class Service:
    """Runs on moto, worked on by the real handler under the real state machine."""

    def __init__(self) -> None:
        definition = yaml.safe_load(DEFINITION.read_text())
        quick = json.dumps(definition).replace('"IntervalSeconds": 5', '"IntervalSeconds": 1')
        self.client = boto3.client("stepfunctions")
        arn = self.client.create_state_machine(
            name="run-steps", definition=quick, roleArn="arn:aws:iam::123456789012:role/any"
        )["stateMachineArn"]
        self.tools = Tools()
        self.notifications = Setting()
        self.notifications.add(account="ann")
        self.turns: list[str] = []
        self.before: Callable[[dict[str, Any]], None] = lambda event: None
        table = boto3.client("dynamodb")
        self.runs = Runs(
            store=DynamoRunStore(table, TABLE),
            files=S3RunFiles(boto3.client("s3"), BUCKET),
            events=DynamoRunEvents(table, TABLE),
            engine=StepFunctionsEngine(self.client, arn),
            now=lambda: datetime.now(UTC),
            new_id=lambda: str(uuid4()),
            sleep=time.sleep,
            monotonic=time.monotonic,
        )
        self.approvals = Approvals(
            DynamoApprovalStore(table, TABLE), (wakes(self.runs),), lambda: datetime.now(UTC), str
        )
        self.worker = Worker(
            store=self.runs.store,
            files=self.runs.files,
            events=self.runs.events,
            now=self.runs.now,
            open_job=graph_jobs(self.connect, partial(ask, self.approvals)),
            pace=QUICK,
        )
        # an event loop serves one call at a time, as in a Lambda
        self._one_at_a_time = threading.Lock()
        self._closed = False

    @asynccontextmanager
    async def connect(self, account: str) -> AsyncIterator[Any]:
        yield self.tools

    def invoke(self, event: dict[str, Any], headers: dict[str, str]) -> str:
        try:
            with self._one_at_a_time:
                assert not self._closed, "the test has ended"
                self.turns.append(event["action"])
                self.before(event)
                return json.dumps(run_worker.handler(event, Context()))  # type: ignore[arg-type]
        except Exception as error:
            headers["x-amz-function-error"] = "Unhandled"
            return json.dumps({"errorType": type(error).__name__, "errorMessage": str(error)})

    def close(self) -> None:
        """End the loop, which a Lambda keeps for its life: executions that still run call no more."""
        with self._one_at_a_time:
            self._closed = True
            run_worker._loop().close()
            run_worker._loop.cache_clear()

    def start(self, document: dict[str, Any], hints: tuple[Tool, ...] = (), **options: Any) -> Run:
        parsed, problems = load(document)
        assert parsed, problems
        work = GraphWork(graph=parsed, options=RunOptions(**options), tools=hints)
        run = Run(
            run_id=str(uuid4()),
            plane="graphs",
            account="ann",
            subject="g",
            work="000001",
            created_at=self.runs.now(),
            steps=len(parsed.steps),
        )
        return self.runs.start(run, RunWork(document=work.model_dump(mode="json")))

    def until(self, run: Run, *states: RunState) -> Run:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = self.runs.get("ann", run.run_id)
            if found.state in states:
                return found
            time.sleep(0.02)
        raise AssertionError(f"not {states} but {found.state} after {self.turns}")

    def execution(self, run: Run) -> str:
        arn = self.runs.engine._execution(run.run_id, run.number, run.part)  # type: ignore[attr-defined]
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            status = self.client.describe_execution(executionArn=arn)["status"]
            if status != "RUNNING":
                return str(status)
            time.sleep(0.02)
        return "RUNNING"


@pytest.fixture
def service(no_aws_account: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    def invoke(self: Any, name: str, qualifier: Any, body: Any, headers: Any, response_headers: Any) -> str:
        return made.invoke(json.loads(body), response_headers)

    monkeypatch.setattr(LambdaBackend, "invoke", invoke)
    monkeypatch.setattr(run_worker.metrics.provider, "namespace", "planloom")
    with mocked_aws(stepfunctions={"execute_state_machine": True}):
        make_table()
        make_bucket()
        made = Service()
        monkeypatch.setattr(wiring_runs, "runs", lambda: made.runs)
        monkeypatch.setattr(wiring_graphs, "worker", lambda: made.worker)
        monkeypatch.setattr(wiring_approvals, "approvals", lambda: made.approvals)
        monkeypatch.setattr(wiring_notifications, "webhooks", lambda: made.notifications.webhooks)
        monkeypatch.setattr(wiring, "CONNECTIONS", 4)
        yield made
        made.close()


def test_a_graph_runs_to_its_end_and_a_second_start_is_the_same_start(service: Service) -> None:
    run = service.start(DIAMOND)
    service.runs.engine.start(run.run_id, 1, 1)

    assert service.until(run, RunState.COMPLETED).progress.completed == 4
    assert service.execution(run) == "SUCCEEDED"
    assert sorted(service.tools.names()) == ["tool1", "tool2", "tool3", "tool4"]
    assert service.turns == ["work"]
    assert [(each.type, each.data["state"]) for each in service.notifications.queue.events] == [
        ("run.ended", "completed")
    ]


def test_a_run_that_fails_fails_its_execution_and_a_resume_completes_it(service: Service) -> None:
    service.tools = Tools(answers={"tool1": {"isError": True, "content": [{"type": "text", "text": "no"}]}})
    document = DIAMOND | {"steps": [*DIAMOND["steps"], step("5", tool="erase")]}
    run = service.start(document, (Tool(name="erase", server="s", destructive=True),))

    failed = service.until(run, RunState.FAILED)
    assert failed.failure
    assert (failed.failure.code, failed.failure.message) == ("TOOL_FAILED", "Step 1: no")
    assert service.execution(run) == "FAILED"
    assert service.approvals.newest("ann")[0] == []

    service.tools = Tools()
    resumed = service.runs.resume("ann", run.run_id)
    service.until(resumed, RunState.WAITING)
    answer(service.approvals, service.runs, Caller("ann"), run.run_id, "5", True)
    assert service.until(resumed, RunState.COMPLETED).number == 2
    assert service.execution(resumed) == "SUCCEEDED"


def test_a_parked_run_makes_no_turn_until_it_is_approved_and_then_goes_on_once(service: Service) -> None:
    run = service.start(graph(step("1"), step("2", "1")), (Tool(name="tool2", server="s", destructive=True),))
    service.until(run, RunState.WAITING)
    deadline = time.monotonic() + PATIENCE
    while service.runs.store.control(run.run_id).token is None and time.monotonic() < deadline:  # type: ignore[union-attr]
        time.sleep(0.02)
    assert service.turns == ["work", "park"]
    assert service.tools.names() == ["tool1"]

    answer(service.approvals, service.runs, Caller("ann"), run.run_id, "2", True)

    service.until(run, RunState.COMPLETED)
    assert service.execution(run) == "SUCCEEDED"
    assert service.turns == ["work", "park", "work"]
    assert service.tools.names() == ["tool1", "tool2"]


def test_a_stopped_run_ends_and_so_does_its_execution(service: Service) -> None:
    run = service.start(graph(step("1", args={"seconds": 60})))
    deadline = time.monotonic() + PATIENCE
    while not service.tools.calls and time.monotonic() < deadline:
        time.sleep(0.02)

    service.runs.stop("ann", run.run_id)
    service.until(run, RunState.STOPPED)
    assert service.execution(run) in ("SUCCEEDED", "ABORTED")


def test_a_lost_worker_is_followed_by_another(service: Service) -> None:
    def lose_first(event: dict[str, Any]) -> None:
        if len(service.turns) == 1:
            raise RuntimeError("lost")

    service.before = lose_first
    run = service.start(DIAMOND)

    service.until(run, RunState.COMPLETED)
    assert service.turns == ["work", "work"]


def test_a_run_whose_workers_always_fail_is_given_up_and_can_be_resumed(service: Service) -> None:
    def lose(event: dict[str, Any]) -> None:
        if event["action"] == "work":
            raise RuntimeError("lost")

    service.before = lose
    definition = yaml.safe_load(DEFINITION.read_text())
    definition["States"]["work"]["Retry"] = []
    arn = service.client.create_state_machine(
        name="impatient", definition=json.dumps(definition), roleArn="arn:aws:iam::123456789012:role/any"
    )["stateMachineArn"]
    service.runs = replace(service.runs, engine=StepFunctionsEngine(service.client, arn))
    run = service.start(DIAMOND)

    failed = service.until(run, RunState.FAILED)
    assert failed.failure
    assert failed.failure.code == "WORKER_FAILED"
    assert service.execution(run) == "FAILED"
    service.before = lambda event: None
    service.until(service.runs.resume("ann", run.run_id), RunState.COMPLETED)


def test_a_long_run_goes_on_in_a_further_execution(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_worker, "MOST_TURNS", 1)
    service.worker = replace(service.worker, pace=replace(QUICK, budget=0.5))
    run = service.start(graph(*(step(str(n), [str(n - 1)] if n else [], args={"seconds": 0.2}) for n in range(4))))

    ended = service.until(run, RunState.COMPLETED)

    assert ended.part > 1
    assert len(service.tools.calls) == 4
