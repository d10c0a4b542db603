"""Runs of graphs as tasks: where they are, what a person is asked, and what ends with them."""

from typing import Any

import pytest

from planloom.core.tasks import LongTool, Task, TaskCall
from planloom.planes.graphs.requests import ExecuteGraph, WaitForRun
from planloom.planes.graphs.responses import RunInfo, RunResult
from planloom.planes.graphs.tasks import LONG_TOOLS
from planloom.runs.records import Run, RunState
from tests.unit.approvals.fakes import Caller
from tests.unit.graphs.services import Services
from tests.unit.graphs.test_approve import waiting

EXECUTE, WAIT = LONG_TOOLS["plan_execute"], LONG_TOOLS["run_wait"]


def look(services: Services, run: Run, tool: LongTool = EXECUTE, *, can_ask: bool = True) -> Task:
    ports: dict[str, Any] = {"runs": services.runs, "approvals": services.approvals}
    ports |= {"graphs": services.graphs} if tool is EXECUTE else {}
    return tool.look(TaskCall(run.run_id, can_ask), "acme", **ports)


def answer(services: Services, run: Run, answers: dict[str, Any]) -> None:
    assert EXECUTE.answer
    EXECUTE.answer(TaskCall(run.run_id, answers=answers), Caller(), services.runs, services.approvals)


def test_who_waits_for_a_run_gets_a_task_while_it_runs() -> None:
    run = waiting()[1]
    asked = ExecuteGraph(plan_id=run.subject)
    response = RunResult.of(run, problems=[], steps=[])
    assert EXECUTE.key(asked, response) == run.run_id
    assert EXECUTE.key(asked.model_copy(update={"wait_sec": 0}), response) == ""
    ended = run.model_copy(update={"state": RunState.FAILED})
    assert EXECUTE.key(asked, RunResult.of(ended, problems=[], steps=[])) == ""
    assert WAIT.key(WaitForRun(run_id=run.run_id), RunInfo.of(run)) == run.run_id


def test_an_approval_is_a_question_and_its_answer_lets_the_run_go_on() -> None:
    services, run = waiting()
    task = look(services, run)
    (key,) = task.questions
    assert (task.state, task.message) == ("asking", "1 of 2 steps")
    assert "erase" in task.questions[key].text
    answer(services, run, {"another": {"approved": True}})
    answer(services, run, {key: {"approved": "yes"}})
    assert look(services, run).state == "asking"
    answer(services, run, {key: {"approved": True}})
    services.until_ended(run.run_id)
    ended = look(services, run)
    assert isinstance(ended.response, RunResult)
    assert (ended.state, ended.response.state, len(ended.response.steps)) == ("ended", "completed", 2)
    approval = ended.response.steps[1].approval
    assert approval
    assert (approval.by, approval.key) == ("owner", "pex_ann")
    # an answer that comes again changes nothing
    answer(services, run, {key: {"approved": False}})


@pytest.mark.parametrize("tool", [EXECUTE, WAIT])
def test_a_client_that_cannot_ask_gets_the_run_with_its_next_steps(tool: LongTool) -> None:
    services, run = waiting()
    task = look(services, run, tool, can_ask=False)
    assert isinstance(task.response, RunInfo)
    assert (task.state, task.response.state) == ("ended", "waiting")
    assert any("run_approve" in each for each in task.response.next_steps)


def test_a_cancelled_task_stops_its_run_and_a_cancelled_wait_does_not() -> None:
    services, run = waiting()
    WAIT.cancel(TaskCall(run.run_id))
    assert look(services, run).state == "asking"
    EXECUTE.cancel(TaskCall(run.run_id), "acme", services.runs, services.approvals)
    assert look(services, run).state == "cancelled"
    assert services.approvals.newest("acme", plane="graphs")[0] == []
