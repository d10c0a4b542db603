"""Approvals of destructive steps: in one inbox with those of workflows, answered once, withdrawn with their run."""

import json

import pytest

from planloom.approvals.approval import Approval, ApprovalState, Decision, Response, pin
from planloom.planes.graphs.approve import OWNER, answer, ids, withdraw
from planloom.planes.graphs.responses import StepApproval, StepInfo
from planloom.runs.errors import StepNotWaiting
from planloom.runs.records import Run, RunState
from planloom.tools.tool import Tool
from tests.unit.approvals.fakes import Caller
from tests.unit.graphs.services import Services
from tests.unit.graphs.tools import graph, step


def waiting(*steps: dict[str, object], variables: dict[str, object] | None = None) -> tuple[Services, Run]:
    """A run whose destructive steps call ``erase``, after its first worker."""
    services = Services()
    services.client.tools[services.URL].append(Tool(name="erase", destructive=True, input_schema={"type": "object"}))
    services.servers.add("acme", "web", services.URL, trusted=True)
    document = graph(*(steps or [step("1"), step("2", "1", tool="erase", args={"path": "${where}"})]), where="/tmp")
    document["variables"] = {"where": "/data"} | (variables or {})
    del document["where"]
    view, _ = services.graphs.create("acme", document)
    run, _ = services.graphs.run("acme", view.graph_id)
    return services, services.work(run.run_id)


def pending(services: Services) -> list[Approval]:
    return services.approvals.newest("acme", plane="graphs")[0]


def respond(services: Services, approval: Approval, decision: Decision, comment: str = "") -> None:
    response = Response(by=OWNER, decision=decision, comment=comment, key="bob")
    services.approvals.respond("acme", approval.approval_id, response)


def test_a_step_that_waits_is_in_the_inbox_with_the_call_that_would_be_made() -> None:
    services, run = waiting()

    (found,) = pending(services)

    call = {"tool": "erase", "server": None, "args": {"path": "/data"}}
    assert run.state is RunState.WAITING
    assert (found.subject.run_id, found.subject.node_id) == (run.run_id, "2")
    assert (json.loads(found.subject.content), found.subject.sha256) == (call, pin(call))
    # a worker that looks again asks for nothing new
    services.runs.wake(run.run_id)
    assert services.work(run.run_id).state is RunState.WAITING
    assert len(pending(services)) == 1


@pytest.mark.parametrize(
    ("decision", "state", "calls"),
    [
        (Decision.APPROVE, RunState.COMPLETED, ["tool1", "erase"]),
        (Decision.REJECT, RunState.FAILED, ["tool1"]),
        (Decision.REQUEST_CHANGES, RunState.FAILED, ["tool1"]),
    ],
)
def test_an_answer_in_the_inbox_wakes_the_run(decision: Decision, state: RunState, calls: list[str]) -> None:
    services, run = waiting()
    services.runs.park(run.run_id, 1, "token", seen=0)

    respond(services, pending(services)[0], decision, "not on a Friday")

    assert services.engine.woken == ["token"]
    ended = services.work(run.run_id)
    assert (ended.state, services.called.names()) == (state, calls)
    if ended.failure:
        assert (ended.failure.code, ended.failure.message) == (
            "REJECTED",
            "Step 2: The call was rejected. not on a Friday",
        )
    answered = {
        event.name: event.data
        for event in services.runs.events_after("acme", run.run_id, 0, 100)
        if event.name in ("step_approved", "step_rejected")
    }
    said = {"approval_id": f"{run.run_id}:1:2", "by": OWNER, "key": "pex_bob", "comment": "not on a Friday"}
    assert answered == {"step_approved" if decision is Decision.APPROVE else "step_rejected": said}
    shown = StepInfo.of(*services.graphs.steps("acme", run.run_id, 1, 1)[1][0], ended)
    assert shown.approval == StepApproval.model_validate(said)


def test_the_first_answer_counts_and_an_equal_one_is_no_error() -> None:
    services, run = waiting()
    services.runs.park(run.run_id, 1, "token", seen=0)

    answer(services.approvals, services.runs, Caller(), run.run_id, "2", True)
    answer(services.approvals, services.runs, Caller(key="bob"), run.run_id, "2", True)

    with pytest.raises(StepNotWaiting):
        answer(services.approvals, services.runs, Caller(), run.run_id, "2", False)
    with pytest.raises(StepNotWaiting):
        answer(services.approvals, services.runs, Caller(), run.run_id, "1", True)
    (found,) = services.approvals.newest("acme", pending=False, plane="graphs")[0]
    assert [(each.by, each.key, each.key_shown) for each in found.responses] == [(OWNER, "ann", "pex_ann")]
    assert services.work(run.run_id).state is RunState.COMPLETED
    assert services.called.names() == ["tool1", "erase"]
    with pytest.raises(StepNotWaiting):
        answer(services.approvals, services.runs, Caller(), run.run_id, "2", True)


def test_a_step_that_its_condition_skips_needs_no_approval() -> None:
    services, run = waiting(step("1", tool="erase", when="go = true"), variables={"go": False})

    assert (run.state, pending(services)) == (RunState.COMPLETED, [])


def test_a_run_that_ended_leaves_no_approval_and_a_resume_asks_anew() -> None:
    services, run = waiting()
    stopped = services.runs.stop("acme", run.run_id)
    withdraw(services.approvals, stopped)
    assert pending(services) == []

    services.runs.resume("acme", run.run_id)
    assert services.work(run.run_id).state is RunState.WAITING
    (asked,) = pending(services)
    respond(services, asked, Decision.APPROVE)
    assert services.work(run.run_id).state is RunState.COMPLETED

    named = ids(services.runs.get("acme", run.run_id), services.runs)
    states = [services.approvals.get("acme", each).state for each in named]
    assert states == [ApprovalState.WITHDRAWN, ApprovalState.APPROVED]


def test_a_run_that_still_waits_keeps_its_approvals() -> None:
    services, run = waiting()
    withdraw(services.approvals, run)
    assert len(pending(services)) == 1
