"""What callers can do with runs: watched, stopped, resumed, answered, read, deleted."""

from functools import partial
from typing import TYPE_CHECKING, Any

from planloom.core.endpoint import DELETE, GET, POST, Caller, Effect, Endpoint
from planloom.core.listing import page_of
from planloom.planes.graphs import approve, requests, responses
from planloom.planes.graphs.errors import (
    StepNotRecorded,
)
from planloom.runs.errors import (
    OutcomeUnknown,
    RunActive,
    RunNotFound,
    RunNotResumable,
    StepNotWaiting,
    TooManyRuns,
)
from planloom.runs.records import Run, RunState, from_json

if TYPE_CHECKING:
    from planloom.approvals.service import Approvals
    from planloom.planes.graphs.service import Graphs
    from planloom.runs.control import Runs

RUNS = "/v1/runs"


def _trace(request: requests.RunRequest, account: str, graphs: "Graphs") -> responses.TraceInfo:
    return responses.TraceInfo.model_validate(graphs.trace(account, request.run_id))


def _runs(request: requests.ListRuns, account: str, runs: "Runs") -> responses.RunList:
    def wanted(run: Run) -> bool:
        # what runs for other planes is listed there
        own = run.plane == approve.PLANE
        return own and request.state in (None, run.state) and request.plan_id in (None, run.subject)

    def too_old(run: Run) -> bool:
        return request.since is not None and run.created_at < request.since

    found, after = page_of(partial(runs.newest, account), request.limit, request.before, wanted, too_old)
    return responses.RunList(runs=[responses.RunInfo.of(run) for run in found], next=after)


def _status(request: requests.RunRequest, account: str, runs: "Runs") -> responses.RunInfo:
    return _info(runs.get(account, request.run_id))


def _wait(request: requests.WaitForRun, account: str, runs: "Runs") -> responses.RunInfo:
    return _info(runs.wait(account, request.run_id, request.timeout_sec))


def _stop(request: requests.RunRequest, account: str, runs: "Runs", approvals: "Approvals") -> responses.RunInfo:
    if runs.stop(account, request.run_id).state is RunState.STOPPED:
        # it waited: no worker ends it
        approve.withdraw(approvals, runs.get(account, request.run_id))
    return _info(runs.wait(account, request.run_id, 5))


def _resume(request: requests.ResumeRun, account: str, runs: "Runs") -> responses.RunInfo:
    return _info(runs.resume_as(account, request.run_id, request.on_unknown, request.value, request.deadline_sec))


def _approve(request: requests.AnswerStep, caller: Caller, runs: "Runs", approvals: "Approvals") -> responses.RunInfo:
    return _info(approve.answer(approvals, runs, caller, request.run_id, request.step, request.approved))


def _events(request: requests.ReadEvents, account: str, runs: "Runs") -> responses.EventList:
    found = runs.events_after(account, request.run_id, request.after, request.limit, request.timeout_sec)
    return responses.events(runs.get(account, request.run_id), request.after, found)


def _steps(request: requests.ReadSteps, account: str, graphs: "Graphs") -> responses.StepList:
    run, found, total = graphs.steps(account, request.run_id, request.after, request.limit)
    end = request.after + len(found)
    return responses.StepList(
        run_id=run.run_id,
        state=run.state,
        steps=[responses.StepInfo.of(step, record, run) for step, record in found],
        total=total,
        next=end if end < total else None,
    )


def _step(request: requests.ReadStep, account: str, graphs: "Graphs", runs: "Runs") -> responses.StepInfo:
    record, value = graphs.step(account, request.run_id, request.step, request.item)
    step = next(each for each in graphs.work(account, request.run_id).graph.steps if each.index == request.step)
    shown = responses.StepInfo.of(step, record, runs.get(account, request.run_id))
    small = value is not None and record.value_bytes <= responses.MOST_VALUE_BYTES
    return shown.model_copy(update={"value": from_json(value) if small and value is not None else None})


def _delete_run(request: requests.RunRequest, account: str, runs: "Runs", approvals: "Approvals") -> responses.Deleted:
    asked = approve.ids(runs.get(account, request.run_id), runs)
    runs.delete(account, request.run_id)
    approvals.delete(account, asked)
    return responses.Deleted(deleted=request.run_id)


def _info(run: Any) -> responses.RunInfo:
    info: responses.RunInfo = responses.RunInfo.of(run)
    return info


RUN_LIST = Endpoint(
    name="run_list",
    title="List runs",
    description="Lists your runs, newest first: all, or those of a graph, in a state, or since a time.",
    group="runs",
    http=GET(RUNS),
    request=requests.ListRuns,
    response=responses.RunList,
    handler=_runs,
)


RUN_STATUS = Endpoint(
    name="run_status",
    title="Look at a run",
    description="Returns where a run is, and what to do next.",
    group="runs",
    http=GET(f"{RUNS}/{{run_id}}"),
    request=requests.RunRequest,
    response=responses.RunInfo,
    errors=(RunNotFound,),
    handler=_status,
)


RUN_WAIT = Endpoint(
    name="run_wait",
    title="Wait for a run",
    description="Returns the run when it has ended or waits for an approval, or as it is after timeout_sec.",
    group="runs",
    http=GET(f"{RUNS}/{{run_id}}/wait"),
    request=requests.WaitForRun,
    response=responses.RunInfo,
    errors=(RunNotFound,),
    handler=_wait,
)


RUN_STOP = Endpoint(
    name="run_stop",
    title="Stop a run",
    description="""\
Stops a run within five seconds: calls in flight are cancelled, finished steps are kept. run_resume continues it.""",
    group="runs",
    http=POST(f"{RUNS}/{{run_id}}/stop"),
    request=requests.RunRequest,
    response=responses.RunInfo,
    errors=(RunNotFound,),
    effect=Effect.DESTROYS,
    repeatable=True,
    handler=_stop,
)


RUN_RESUME = Endpoint(
    name="run_resume",
    title="Resume a run",
    description="""\
Continues a run that failed, was stopped or is blocked; what completed is not run again. Where it is not known
whether a call was made, find out, and say with on_unknown what to do: retry, skip or value. Without it the error is
OUTCOME_UNKNOWN, whose details name the steps.""",
    group="runs",
    http=POST(f"{RUNS}/{{run_id}}/resume", status=202),
    request=requests.ResumeRun,
    response=responses.RunInfo,
    errors=(RunNotFound, RunActive, RunNotResumable, OutcomeUnknown, TooManyRuns),
    effect=Effect.CHANGES,
    idempotent_by="client_request_id",
    handler=_resume,
)


RUN_APPROVE = Endpoint(
    name="run_approve",
    title="Approve a step",
    description="Approves a step that waits for an approval, or rejects it; ask the user before.",
    group="runs",
    http=POST(f"{RUNS}/{{run_id}}/approve"),
    request=requests.AnswerStep,
    response=responses.RunInfo,
    errors=(RunNotFound, StepNotWaiting),
    effect=Effect.CHANGES,
    handler=_approve,
)


RUN_EVENTS = Endpoint(
    name="run_events",
    title="Events of a run",
    description="Returns what happened after a cursor, oldest first; waits up to timeout_sec for the first.",
    group="runs",
    http=GET(f"{RUNS}/{{run_id}}/events"),
    request=requests.ReadEvents,
    response=responses.EventList,
    errors=(RunNotFound,),
    handler=_events,
)


RUN_STEPS = Endpoint(
    name="run_steps",
    title="Steps of a run",
    description="Returns what each step came to, in the order of the graph; results of up to 32 KB are included.",
    group="runs",
    http=GET(f"{RUNS}/{{run_id}}/steps"),
    request=requests.ReadSteps,
    response=responses.StepList,
    errors=(RunNotFound,),
    handler=_steps,
)


RUN_STEP = Endpoint(
    name="run_step",
    title="Result of a step",
    description="Returns what one step, or one item of it, came to, with its result whole up to 4 MB.",
    group="runs",
    http=GET(f"{RUNS}/{{run_id}}/steps/{{step}}"),
    request=requests.ReadStep,
    response=responses.StepInfo,
    errors=(RunNotFound, StepNotRecorded),
    handler=_step,
)


RUN_TRACE = Endpoint(
    name="run_trace",
    title="Trace of a run",
    description="Returns a run as an OpenTelemetry trace (OTLP as JSON): a span for the run, each step, each item.",
    group="runs",
    http=GET(f"{RUNS}/{{run_id}}/trace"),
    request=requests.RunRequest,
    response=responses.TraceInfo,
    errors=(RunNotFound,),
    handler=_trace,
)


RUN_DELETE = Endpoint(
    name="run_delete",
    title="Delete a run",
    description="Deletes a run that has ended, with all results; ask the user before.",
    group="runs",
    http=DELETE(f"{RUNS}/{{run_id}}"),
    request=requests.RunRequest,
    response=responses.Deleted,
    errors=(RunNotFound, RunActive),
    effect=Effect.DESTROYS,
    repeatable=True,
    handler=_delete_run,
)
