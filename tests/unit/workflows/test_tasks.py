"""Workflows as tasks: who waits for a run polls it, and people are asked for their approvals on the way."""

from dataclasses import dataclass
from typing import Any

import pytest

from planloom.approvals.errors import NotAnApprover
from planloom.core.errors import InvalidArgument
from planloom.core.tasks import Task, TaskCall
from planloom.planes.workflows.requests import WaitForRun
from planloom.planes.workflows.responses import RunChanged, changed
from planloom.planes.workflows.states import Execution
from planloom.planes.workflows.tasks import LONG_TOOLS
from tests.unit.operations.test_tasks import modern
from tests.unit.workflows.drafts import launch
from tests.unit.workflows.fakes import Services
from tests.unit.workflows.test_service import brief

WAIT = LONG_TOOLS["waitForExecution"]


@dataclass
class Caller:
    account: str = "ann"
    key: str = "0" * 64
    base_url: str = ""


@pytest.fixture
def services() -> Services:
    return Services()


def look(services: Services, run: Execution, *, can_ask: bool = True) -> Task:
    return WAIT.look(TaskCall(run.run_id, can_ask), "ann", services.workflows)


def answer(services: Services, run: Execution, answers: dict[str, Any]) -> None:
    assert WAIT.answer
    WAIT.answer(TaskCall(run.run_id, answers=answers), Caller(), services.workflows)


def waiting(services: Services) -> Execution:
    run = services.workflows.create("ann", launch())
    return services.workflows.submit("ann", run.run_id, "draft-brief", brief()).run


def test_who_waits_for_the_end_gets_a_task_and_who_waits_for_a_version_does_not(services: Services) -> None:
    run = services.workflows.create("ann", launch())
    response = changed(run, services.workflows.spec(run))
    asked = WaitForRun(run_id=run.run_id)
    assert WAIT.key(asked, response) == run.run_id
    assert WAIT.key(asked.model_copy(update={"version": 1}), response) == ""
    assert look(services, run).state == "working"


def test_a_person_is_asked_and_the_answer_counts_as_theirs(services: Services) -> None:
    run = waiting(services)
    task = look(services, run)
    (key,) = task.questions
    assert task.state == "asking"
    assert task.questions[key].answer["properties"]["approver"]["enum"] == ["founder"]
    with pytest.raises(NotAnApprover):
        answer(services, run, {key: {"decision": "approve", "approver": "somebody"}})
    with pytest.raises(InvalidArgument):
        answer(services, run, {key: {"decision": "perhaps", "approver": "founder"}})
    answer(services, run, {"another": {"decision": "approve", "approver": "founder"}})
    answer(services, run, {key: {"decision": "approve", "approver": "founder"}})
    ended = look(services, run)
    assert isinstance(ended.response, RunChanged)
    assert (ended.state, ended.response.status) == ("ended", "completed")


def test_a_client_that_cannot_ask_gets_the_run_as_it_waits(services: Services) -> None:
    run = waiting(services)
    task = look(services, run, can_ask=False)
    assert isinstance(task.response, RunChanged)
    assert (task.state, task.response.status) == ("ended", "awaiting-human")


def test_a_run_that_is_aborted_is_a_cancelled_task_and_waiting_no_longer_aborts_nothing(services: Services) -> None:
    run = services.workflows.create("ann", launch())
    WAIT.cancel(TaskCall(run.run_id))
    assert look(services, run).state == "working"
    services.workflows.stop("ann", run.run_id, "late")
    assert look(services, run).state == "cancelled"


def over_mcp(method: str, **params: Any) -> Any:
    return modern(method, "acme", "/mcp/workflows", asks=True, **params)


def test_a_person_is_asked_by_the_client_that_polls_and_the_result_of_the_tool_is_the_end_of_the_task(
    served: Services,
) -> None:
    run = served.workflows.create("acme", launch())
    arguments = {"runId": run.run_id, "timeoutSec": 0}
    task = over_mcp("tools/call", name="waitForExecution", arguments=arguments)
    assert (task["resultType"], task["status"], task["pollIntervalMs"]) == ("task", "working", 5_000)
    served.workflows.submit("acme", run.run_id, "draft-brief", brief())

    asking = over_mcp("tasks/get", taskId=task["taskId"])
    assert (asking["resultType"], asking["status"], asking["pollIntervalMs"]) == ("complete", "input_required", 30_000)
    ((key, asked),) = asking["inputRequests"].items()
    assert (asked["method"], asked["params"]["mode"]) == ("elicitation/create", "form")
    assert asked["params"]["requestedSchema"]["properties"]["approver"]["enum"] == ["founder"]
    # it is asked under the same key until it is answered
    assert list(over_mcp("tasks/get", taskId=task["taskId"])["inputRequests"]) == [key]

    content = {"decision": "approve", "approver": "founder"}
    for responses in (
        {"unknown": {"action": "accept", "content": content}},
        {key: {"action": "decline"}},
        {key: "yes"},
    ):
        over_mcp("tasks/update", taskId=task["taskId"], inputResponses=responses)
    assert over_mcp("tasks/get", taskId=task["taskId"])["status"] == "input_required"
    answers = {key: {"action": "accept", "content": content}}
    for _ in range(2):
        found = over_mcp("tasks/update", taskId=task["taskId"], inputResponses=answers)
        assert {name for name in found if name != "_meta"} == {"resultType"}
    ended = over_mcp("tasks/get", taskId=task["taskId"])
    assert (ended["status"], ended["result"]["structuredContent"]["status"]) == ("completed", "completed")
    assert not {"inputRequests", "error"} & ended.keys()
    # a task that has ended stays as it is
    over_mcp("tasks/cancel", taskId=task["taskId"])
    assert over_mcp("tasks/get", taskId=task["taskId"])["status"] == "completed"


def test_a_client_without_forms_gets_a_result_instead_of_a_question(served: Services) -> None:
    run = served.workflows.create("acme", launch())
    arguments = {"runId": run.run_id, "timeoutSec": 0}
    task = modern("tools/call", "acme", "/mcp/workflows", name="waitForExecution", arguments=arguments)
    served.workflows.submit("acme", run.run_id, "draft-brief", brief())
    ended = modern("tasks/get", "acme", "/mcp/workflows", taskId=task["taskId"])
    assert (ended["status"], ended["result"]["structuredContent"]["status"]) == ("completed", "awaiting-human")
