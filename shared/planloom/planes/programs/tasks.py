"""Operations as tasks: what a client polls that ran a program which takes long."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from planloom.core.tasks import LongTool, Task, TaskCall
from planloom.planes.programs.endpoints import RunProgram
from planloom.planes.programs.errors import OperationFailed
from planloom.planes.programs.responses import RunResponse, run_response
from planloom.planes.programs.sessions import DEFAULT
from planloom.runs.records import ENDED

if TYPE_CHECKING:
    from planloom.planes.programs.service import Programs

#: Sessions that are not used for so long expire with their operations.
KEPT = timedelta(days=30)
POLL = timedelta(seconds=3)


def _operation(request: RunProgram, response: RunResponse) -> str:
    # wait=false, and wait(h) too, ask for a handle or a line
    asked_for_handle = request.wait is False or response.handle in request.program
    return f"{request.session or DEFAULT}.{response.handle}" if response.operation and not asked_for_handle else ""


def _look(request: TaskCall, account: str, programs: "Programs") -> Task:
    name, _, handle = request.key.partition(".")
    session = programs.sessions.get(account, name)
    operation, run, line = programs.operations.poll(session, handle)
    times: dict[str, Any] = {"created_at": operation.created_at, "changed_at": run.ended_at or operation.created_at}
    if run.state not in ENDED:
        return Task("working", message=line.text, kept=KEPT, poll=POLL, **times)
    if line.sign == "x":
        return Task("cancelled", message=line.text, kept=KEPT, **times)
    outcome = programs.outcome(session, operation, run, line)
    error = OperationFailed(line.message, handle=handle, run_id=run.run_id) if line.sign == "?" else None
    response = run_response(outcome)
    return Task("ended", message=line.text, response=response, error=error, kept=KEPT, **times)


def _cancel(request: TaskCall, account: str, programs: "Programs") -> None:
    name, _, handle = request.key.partition(".")
    programs.cancel(programs.sessions.get(account, name), handle)


LONG_TOOLS = {"plasm_run": LongTool(key=_operation, look=_look, cancel=_cancel)}
