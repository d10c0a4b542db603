"""Step Functions to plan state: each end of a batch for itself."""

from typing import Any

import pytest

from functions.on_run_ended.handler import handler
from planloom.core.artifacts import REPORT
from tests.fake_ports import PROMPT, Fakes
from tests.unit.functions.conftest import Context, Log, batch, failed
from tests.unit.strategic.services.walk import begin


def change(name: str, status: str) -> dict[str, Any]:
    """Return what Step Functions publishes on the default bus."""
    machine = "arn:aws:states:eu-west-1:123456789012:stateMachine:planloom"
    detail = {
        "executionArn": f"{machine}:{name}",
        "stateMachineArn": machine,
        "name": name,
        "status": status,
        "startDate": 1,
        "stopDate": 2,
        "input": "{}",
        "output": None,
    }
    return {
        "version": "0",
        "id": "e1",
        "detail-type": "Step Functions Execution Status Change",
        "source": "aws.states",
        "account": "123456789012",
        "time": "2026-11-02T09:00:00Z",
        "region": "eu-west-1",
        "resources": [],
        "detail": detail,
    }


def test_a_run_that_succeeded_completes_its_plan(fakes: Fakes, log: Log) -> None:
    plan = begin(fakes)
    fakes.files.write(plan.plan_id, REPORT, b"report", "text/html")

    assert handler(batch(change(f"{plan.plan_id}-1", "SUCCEEDED")), Context()) == failed()
    assert fakes.plans.plans[plan.plan_id].state == "completed"
    (line,) = [line for line in log.messages() if line["message"] == "run ended"]
    assert (line["plan_id"], line["run"], line["status"]) == (plan.plan_id, 1, "SUCCEEDED")
    assert PROMPT[:60] not in log.text()


@pytest.mark.parametrize("status", ["FAILED", "TIMED_OUT", "ABORTED"])
def test_a_run_that_ended_otherwise_fails_its_plan(fakes: Fakes, status: str) -> None:
    plan = begin(fakes)

    assert handler(batch(change(f"{plan.plan_id}-1", status)), Context()) == failed()
    ended = fakes.plans.plans[plan.plan_id]
    assert ended.state == "failed"
    assert ended.failure
    assert (ended.failure.failure_reason, ended.failure.recoverable) == ("worker_error", True)


def test_one_bad_record_does_not_block_the_others(fakes: Fakes) -> None:
    plan = begin(fakes)
    bad = change("not-one-of-ours", "FAILED")
    worse = change(f"{plan.plan_id}-1", "FAILED") | {"detail": {}}

    answer = handler(batch(bad, "no json", worse, change(f"{plan.plan_id}-1", "FAILED")), Context())

    assert answer == failed(0, 1, 2)
    assert fakes.plans.plans[plan.plan_id].state == "failed"


def test_the_end_of_an_older_run_and_an_end_that_comes_again_change_nothing(fakes: Fakes) -> None:
    plan = begin(fakes)
    fakes.plans.plans[plan.plan_id] = plan.model_copy(update={"run": 2})
    handler(batch(change(f"{plan.plan_id}-1", "FAILED")), Context())
    assert fakes.plans.plans[plan.plan_id].state == "pending"

    handler(batch(change(f"{plan.plan_id}-2", "FAILED")), Context())
    before = fakes.plans.plans[plan.plan_id]
    assert handler(batch(change(f"{plan.plan_id}-2", "SUCCEEDED")), Context()) == failed()
    assert fakes.plans.plans[plan.plan_id] == before
