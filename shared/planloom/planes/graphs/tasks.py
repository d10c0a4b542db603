"""Runs of graphs as tasks: what a client polls that called a tool which waits for a run."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from planloom.core.endpoint import Caller
from planloom.core.tasks import LongTool, Question, Task, TaskCall
from planloom.planes.graphs import approve, responses
from planloom.planes.graphs.endpoints.execute import run_result
from planloom.runs.records import ENDED, Run, RunState

if TYPE_CHECKING:
    from planloom.approvals.service import Approvals
    from planloom.planes.graphs.service import Graphs
    from planloom.runs.control import Runs

APPROVED = {
    "type": "object",
    "properties": {"approved": {"type": "boolean", "title": "Approve this call"}},
    "required": ["approved"],
}
POLL, POLL_WAITING = timedelta(seconds=5), timedelta(seconds=30)


def _run_of_execution(request: Any, response: responses.RunResult) -> str:
    # wait_sec 0: the caller does not wait for the run
    return response.run_id if request.wait_sec and response.state not in ENDED else ""


def _run_of_wait(_: Any, response: responses.RunInfo) -> str:
    return response.run_id if response.state not in ENDED else ""


def _execution(request: TaskCall, account: str, runs: "Runs", graphs: "Graphs", approvals: "Approvals") -> Task:
    run = runs.get(account, request.key)
    return _task(run, request, approvals, lambda: run_result(run, [], account, graphs))


def _wait(request: TaskCall, account: str, runs: "Runs", approvals: "Approvals") -> Task:
    run = runs.get(account, request.key)
    return _task(run, request, approvals, lambda: responses.RunInfo.of(run))


def _task(run: Run, asked: TaskCall, approvals: "Approvals", response: Any) -> Task:
    times: dict[str, Any] = {"created_at": run.created_at, "changed_at": run.ended_at or run.created_at}
    done = f"{run.progress.ended} of {run.steps} steps"
    if run.state is RunState.STOPPED:
        return Task("cancelled", message=done, **times)
    if run.state is RunState.WAITING:
        questions = {
            each.approval_id: Question(f"{each.subject.title}\n\n{each.subject.content}", APPROVED)
            for each in approve.pending(approvals, run)
        }
        if questions and asked.can_ask:
            return Task("asking", message=done, questions=questions, poll=POLL_WAITING, **times)
    elif run.state not in ENDED:
        return Task("working", message=done, poll=POLL, **times)
    # an approval that nobody can be asked for here is one of the next steps of the response
    return Task("ended", message=done, response=response(), **times)


def _answer(request: TaskCall, caller: Caller, runs: "Runs", approvals: "Approvals") -> None:
    run = runs.get(caller.account, request.key)
    for each in approve.pending(approvals, run):
        approved = request.answers.get(each.approval_id, {}).get("approved")
        if isinstance(approved, bool):
            approve.answer(approvals, runs, caller, run.run_id, each.subject.node_id, approved)


def _stop(request: TaskCall, account: str, runs: "Runs", approvals: "Approvals") -> None:
    if runs.stop(account, request.key).state is RunState.STOPPED:
        approve.withdraw(approvals, runs.get(account, request.key))


def _stop_waiting(request: TaskCall) -> None:
    """Do nothing: who waited for a run need not be who started it."""


_RUNS = LongTool(key=_run_of_execution, look=_execution, cancel=_stop, answer=_answer)
LONG_TOOLS = {
    "plan_execute": _RUNS,
    "plan_create_and_execute": _RUNS,
    "run_wait": LongTool(key=_run_of_wait, look=_wait, cancel=_stop_waiting, answer=_answer),
}
