"""Workflows as tasks: what a client polls that waits for a run, with the approvals that people are asked for."""

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from planloom.approvals.approval import Approval, Decision, people
from planloom.core.endpoint import Caller
from planloom.core.errors import InvalidArgument
from planloom.core.tasks import LongTool, Question, Task, TaskCall
from planloom.planes.workflows import responses
from planloom.planes.workflows.endpoints import respond
from planloom.planes.workflows.requests import RespondToNodeApproval
from planloom.planes.workflows.states import RunStatus

if TYPE_CHECKING:
    from planloom.planes.workflows.service import Workflows

POLL, POLL_WAITING = timedelta(seconds=5), timedelta(seconds=30)


def _run(request: Any, response: responses.RunChanged) -> str:
    waits = response.status in (RunStatus.RUNNING, RunStatus.AWAITING_HUMAN)
    # with a version the caller waits for the next change, and not for the end
    return response.run_id if waits and request.version is None else ""


def _look(request: TaskCall, account: str, workflows: "Workflows") -> Task:
    run = workflows.get(account, request.key)
    done = ", ".join(f"{count} {status}" for status, count in run.counts().items() if count)
    known: dict[str, Any] = {"created_at": run.created_at, "changed_at": run.updated_at, "message": done}
    if run.status is RunStatus.ABORTED:
        return Task("cancelled", **known)
    if run.status is RunStatus.RUNNING:
        return Task("working", poll=POLL, **known)
    if run.status is RunStatus.AWAITING_HUMAN and run.approvals and request.can_ask:
        questions = {key: _question(each) for key, each in run.approvals.items()}
        return Task("asking", questions=questions, poll=POLL_WAITING, **known)
    return Task("ended", response=responses.changed(run, workflows.spec(run)), **known)


def _question(approval: Approval) -> Question:
    subject = approval.subject
    properties = {
        "decision": {"type": "string", "title": "Decision", "enum": [str(each) for each in Decision]},
        "approver": {"type": "string", "title": "Who decides", "enum": list(people(approval))},
        "comment": {"type": "string", "title": "Comment"},
    }
    schema = {"type": "object", "properties": properties, "required": ["decision", "approver"]}
    shown = (subject.title, subject.objective, subject.instructions, subject.content)
    return Question("\n\n".join(filter(None, shown)), schema)


def _answer(request: TaskCall, caller: Caller, workflows: "Workflows") -> None:
    run = workflows.get(caller.account, request.key)
    for key, answer in request.answers.items():
        if approval := run.approvals.get(key):
            respond(_response(approval, answer), caller, workflows)


def _response(approval: Approval, answer: Mapping[str, Any]) -> RespondToNodeApproval:
    """Return an answer as the response to the version that was shown. Raises InvalidArgument."""
    given = {name: value for name, value in answer.items() if name in ("decision", "approver", "comment")}
    seen = {"approval_id": approval.approval_id, "sha256": approval.subject.sha256}
    try:
        return RespondToNodeApproval.model_validate({**given, **seen}, by_name=True)
    except ValidationError as error:
        fields = [str(each["loc"][0]) for each in error.errors()]
        raise InvalidArgument("Answer with decision and approver, as the question says.", fields=fields) from None


def _stop_waiting(request: TaskCall) -> None:
    """Do nothing: a run is only aborted by stopExecutionRun, since that is permanent."""


LONG_TOOLS = {"waitForExecution": LongTool(key=_run, look=_look, cancel=_stop_waiting, answer=_answer)}
