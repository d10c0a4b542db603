"""What callers can do with graphs, their runs and their tool servers. Three tools are the specification's, by name."""

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

from planloom.core.endpoint import DELETE, GET, POST, PUT, Caller, Effect, Endpoint
from planloom.core.errors import InvalidArgument, ModelProfilesUnavailable
from planloom.core.listing import page_of
from planloom.core.problems import Problem
from planloom.planes.graphs import approve, requests, responses
from planloom.planes.graphs.compare import difference
from planloom.planes.graphs.document import Graph
from planloom.planes.graphs.errors import (
    GraphConflict,
    GraphNotFound,
    GraphNotReady,
    InvalidGraph,
    ScheduleNotFound,
    StepNotRecorded,
)
from planloom.planes.graphs.options import RunOptions
from planloom.runs.errors import (
    BudgetNotFound,
    OutcomeUnknown,
    RunActive,
    RunNotFound,
    RunNotResumable,
    StepNotWaiting,
    TooManyRuns,
)
from planloom.runs.records import ENDED, Run, RunState, from_json
from planloom.tools.errors import InvalidToolServer, ToolServerNotFound, ToolServerUnreachable

if TYPE_CHECKING:
    from planloom.approvals.service import Approvals
    from planloom.planes.graphs.schedules import Schedules
    from planloom.planes.graphs.service import Graphs
    from planloom.runs.budgets import Budgets
    from planloom.runs.control import Runs
    from planloom.tools.servers import AccountServers

GRAPHS, RUNS, SERVERS, BUDGETS = "/v1/graphs", "/v1/runs", "/v1/tool-servers", "/v1/budgets"
SCHEDULES = "/v1/schedules"
EXAMPLE: dict[str, Any] = {
    "title": "Sum and report",
    "variables": {"first": 1},
    "steps": [
        {
            "index": "1",
            "title": "Add",
            "tool": "add",
            "args": {"a": "${first}", "b": 2},
            "depends_on": [],
            "result_variable": "sum",
        },
        {"index": "2", "title": "Report", "tool": "report", "args": {"text": "It is ${sum}."}, "depends_on": ["1"]},
    ],
}
TO_RUN = (GraphNotFound, GraphNotReady, InvalidGraph, TooManyRuns, BudgetNotFound, ModelProfilesUnavailable)
TO_DRAFT = (InvalidGraph, ToolServerNotFound, ModelProfilesUnavailable, TooManyRuns)
#: Seconds that plan_create waits for a model: the gateway gives up after 29.
LONGEST_DRAFT = 12.0


def _format() -> responses.GraphFormat:
    return responses.GraphFormat(json_schema=Graph.model_json_schema(), example=EXAMPLE)


def _validate(request: requests.ValidateGraph, account: str, graphs: "Graphs") -> responses.Validation:
    graph, problems = graphs.validate(account, request.graph, request.variables)
    valid = graph is not None and all(problem.severity != "error" for problem in problems)
    return responses.Validation(
        is_valid=valid, problems=problems, batches=graphs.batches(graph) if graph is not None and valid else []
    )


def _create(request: requests.CreateGraph, account: str, graphs: "Graphs", runs: "Runs") -> responses.GraphSaved:
    document = _document(request)
    if document is None:
        run = graphs.draft(account, request.goal, request.servers, request.variables)
        runs.wait(account, run.run_id, LONGEST_DRAFT)
        return _drafted(account, graphs, run.subject)
    view, problems = graphs.create(account, document)
    return _saved(view, problems, document)


def _document(request: requests.CreateGraph | requests.CreateAndExecute) -> dict[str, Any] | None:
    """Return the graph that was passed; None where a goal was."""
    if bool(request.goal.strip()) == (request.graph is not None):
        raise InvalidArgument("Pass goal, for which a model drafts a graph, or graph, a graph that you have written.")
    return request.graph


def _drafted(account: str, graphs: "Graphs", plan_id: str) -> responses.GraphSaved:
    view = graphs.view(account, plan_id)
    draft = responses.DraftInfo.of(graphs.drafting(view))
    if draft is not None:
        saved: responses.GraphSaved = responses.GraphSaved.of(view, problems=[], steps=[], draft=draft)
        return saved
    return _saved(view, [], graphs.read(account, plan_id)[1].graph)


def _update(request: requests.ReviseGraph, account: str, graphs: "Graphs") -> responses.GraphSaved:
    view, problems = graphs.revise(account, request.plan_id, request.graph, request.revision, request.note)
    return _saved(view, problems, request.graph)


def _get(request: requests.CompareGraph, account: str, graphs: "Graphs") -> responses.GraphRead:
    read: responses.GraphRead
    view = graphs.view(account, request.plan_id)
    if draft := responses.DraftInfo.of(graphs.drafting(view)):
        read = responses.GraphRead.of(view, graph=None, text="", mermaid="", draft=draft)
        return read
    view, found = graphs.read(account, request.plan_id, request.revision)
    text, mermaid = graphs.drawn(found.graph)
    shown = view.model_copy(update={"revision": request.revision or view.revision})
    compared = None
    if request.compare_with:
        before = graphs.read(account, request.plan_id, request.compare_with)[1]
        compared = difference(before.graph, found.graph, request.compare_with)
    read = responses.GraphRead.of(
        shown, graph=found.graph, text=text, mermaid=mermaid, note=found.note, difference=compared
    )
    return read


def _list(request: requests.Page, account: str, graphs: "Graphs") -> responses.GraphList:
    found = graphs.newest(account, request.limit, request.before)
    after = found[-1][0] if len(found) == request.limit else None
    return responses.GraphList(plans=[responses.GraphInfo.of(view) for _, view in found], next=after)


def _delete(request: requests.GraphRequest, account: str, graphs: "Graphs") -> responses.Deleted:
    graphs.delete(account, request.plan_id)
    return responses.Deleted(deleted=request.plan_id)


def _dry_run(request: requests.SimulateRun, account: str, graphs: "Graphs") -> responses.DryRun:
    view, steps, problems = graphs.dry_run(account, request.plan_id, request.variables, request.revision)
    shown = [responses.SimulatedStepInfo.model_validate(asdict(step)) for step in steps]
    return responses.DryRun(
        plan_id=view.graph_id, revision=request.revision or view.revision, steps=shown, problems=problems
    )


def _quote(request: requests.QuoteRun, account: str, graphs: "Graphs") -> responses.QuoteInfo:
    view, found = graphs.quote(account, request.plan_id, request.variables, request.max_concurrency, request.revision)
    fields = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(found).items()}
    return responses.QuoteInfo(plan_id=view.graph_id, revision=request.revision or view.revision, **fields)


def _trace(request: requests.RunRequest, account: str, graphs: "Graphs") -> responses.TraceInfo:
    return responses.TraceInfo.model_validate(graphs.trace(account, request.run_id))


def _execute(request: requests.ExecuteGraph, account: str, graphs: "Graphs", runs: "Runs") -> responses.RunResult:
    return _executed(request, request.plan_id, request.revision, account, graphs, runs)


def _create_and_execute(
    request: requests.CreateAndExecute, account: str, graphs: "Graphs", runs: "Runs"
) -> responses.RunResult:
    document = _document(request)
    if document is None:
        options = _options(request)
        run = graphs.draft(account, request.goal, request.servers, request.variables, options, request.deadline_sec)
        return _awaited(run, [], request, account, graphs, runs)
    view, _ = graphs.create(account, document)
    return _executed(request, view.graph_id, None, account, graphs, runs)


def _executed(
    how: requests.HowToRun, plan_id: str, revision: int | None, account: str, graphs: "Graphs", runs: "Runs"
) -> responses.RunResult:
    run, problems = graphs.run(account, plan_id, how.variables, _options(how), how.deadline_sec, revision)
    return _awaited(run, problems, how, account, graphs, runs)


def _options(how: requests.HowToRun) -> RunOptions:
    return RunOptions(**{name: getattr(how, name) for name in RunOptions.model_fields})


def _awaited(
    run: Run, problems: list[Problem], how: requests.HowToRun, account: str, graphs: "Graphs", runs: "Runs"
) -> responses.RunResult:
    return run_result(runs.wait(account, run.run_id, how.wait_sec), problems, account, graphs)


def run_result(run: Run, problems: list[Problem], account: str, graphs: "Graphs") -> responses.RunResult:
    """Return a run with its first results where it has ended."""
    steps = []
    if run.state in ENDED:
        _, found, _ = graphs.steps(account, run.run_id, 0, 50)
        steps = [responses.StepInfo.of(step, record, run) for step, record in found]
    result: responses.RunResult = responses.RunResult.of(run, problems=problems, steps=steps)
    return result


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


def _add_server(request: requests.AddServer, account: str, tool_servers: "AccountServers") -> responses.ServerInfo:
    server, why = tool_servers.add(account, request.name, request.url, request.headers, request.trusted)
    return responses.ServerInfo.of(server, error=why)


def _servers(account: str, tool_servers: "AccountServers") -> responses.ServerList:
    return responses.ServerList(servers=[responses.ServerInfo.of(each) for each in tool_servers.all(account)])


def _server(request: requests.ServerRequest, account: str, tool_servers: "AccountServers") -> responses.ServerInfo:
    server = tool_servers.get(account, request.name)
    return responses.ServerInfo.of(server, tool_servers.tools(server))


def _test_server(request: requests.ServerRequest, account: str, tool_servers: "AccountServers") -> responses.ServerInfo:
    server = tool_servers.test(account, request.name)
    return responses.ServerInfo.of(server, tool_servers.tools(server))


def _remove_server(request: requests.ServerRequest, account: str, tool_servers: "AccountServers") -> responses.Deleted:
    tool_servers.remove(account, request.name)
    return responses.Deleted(deleted=request.name)


def _set_budget(request: requests.SetBudget, account: str, budgets: "Budgets") -> responses.BudgetInfo:
    return responses.BudgetInfo.of(budgets.set(account, request.name, request.calls))


def _budgets(account: str, budgets: "Budgets") -> responses.BudgetList:
    return responses.BudgetList(budgets=[responses.BudgetInfo.of(each) for each in budgets.all(account)])


def _budget(request: requests.BudgetRequest, account: str, budgets: "Budgets") -> responses.BudgetInfo:
    return responses.BudgetInfo.of(budgets.get(account, request.name))


def _delete_budget(request: requests.BudgetRequest, account: str, budgets: "Budgets") -> responses.Deleted:
    budgets.delete(account, request.name)
    return responses.Deleted(deleted=request.name)


def _set_schedule(request: requests.SetSchedule, account: str, schedules: "Schedules") -> responses.ScheduleInfo:
    found = schedules.set(
        account,
        request.name,
        request.plan_id,
        request.when,
        request.timezone,
        request.variables,
        request.options,
    )
    return responses.ScheduleInfo.of(found, schedules.now())


def _schedules(account: str, schedules: "Schedules") -> responses.ScheduleList:
    now = schedules.now()
    return responses.ScheduleList(schedules=[responses.ScheduleInfo.of(each, now) for each in schedules.all(account)])


def _schedule(request: requests.ScheduleRequest, account: str, schedules: "Schedules") -> responses.ScheduleInfo:
    return responses.ScheduleInfo.of(schedules.get(account, request.name), schedules.now())


def _delete_schedule(request: requests.ScheduleRequest, account: str, schedules: "Schedules") -> responses.Deleted:
    schedules.delete(account, request.name)
    return responses.Deleted(deleted=request.name)


def _info(run: Any) -> responses.RunInfo:
    info: responses.RunInfo = responses.RunInfo.of(run)
    return info


def _saved(view: Any, problems: list[Any], document: dict[str, Any]) -> responses.GraphSaved:
    steps = [
        f"{step.get('index', number)}. {step.get('title') or step.get('tool', '')}"
        for number, step in enumerate(document["steps"][:100], 1)
    ]
    saved: responses.GraphSaved = responses.GraphSaved.of(view, problems=problems, steps=steps)
    return saved


ENDPOINTS = (
    Endpoint(
        name="plan_format",
        title="Graph format",
        description="Returns the JSON Schema of graphs and an example. Call it before you write a graph.",
        group="graphs",
        http=GET(f"{GRAPHS}/schema"),
        response=responses.GraphFormat,
        handler=_format,
    ),
    Endpoint(
        name="plan_validate",
        title="Check a graph",
        description="""\
Checks a graph against its schema, its order, its variables and the tools of your servers, without storing it. Each
problem has path (a JSON Pointer), code, message and hint. batches says which steps may run at the same time.""",
        group="graphs",
        http=POST(f"{GRAPHS}/validate"),
        request=requests.ValidateGraph,
        response=responses.Validation,
        handler=_validate,
    ),
    Endpoint(
        name="plan_create",
        title="Create a graph",
        description="""\
Drafts a graph of tool calls for a goal, from the tools of your servers, or stores one that you have written, and
returns its plan_id and its steps. A model drafts it: where that takes longer than this call waits, draft says when to
call plan_get. Nothing runs yet: plan_dry_run shows what a run would call, plan_execute runs it.""",
        group="graphs",
        http=POST(GRAPHS, status=201, location=f"{GRAPHS}/{{plan_id}}"),
        request=requests.CreateGraph,
        response=responses.GraphSaved,
        errors=TO_DRAFT,
        effect=Effect.CHANGES,
        idempotent_by="client_request_id",
        handler=_create,
    ),
    Endpoint(
        name="plan_update",
        title="Change a graph",
        description="Stores the whole changed graph as the next revision. Active runs keep the revision they have.",
        group="graphs",
        http=PUT(f"{GRAPHS}/{{plan_id}}"),
        request=requests.ReviseGraph,
        response=responses.GraphSaved,
        errors=(GraphNotFound, InvalidGraph, GraphConflict),
        effect=Effect.CHANGES,
        handler=_update,
    ),
    Endpoint(
        name="plan_get",
        title="Read a graph",
        description="""\
Returns a graph with its steps, drawn as text and as Mermaid; with compare_with, how it differs from another revision.
While a model drafts it, draft says when to call again.""",
        group="graphs",
        http=GET(f"{GRAPHS}/{{plan_id}}"),
        request=requests.CompareGraph,
        response=responses.GraphRead,
        errors=(GraphNotFound,),
        handler=_get,
    ),
    Endpoint(
        name="plan_list",
        title="List graphs",
        description="Lists your graphs, last saved first.",
        group="graphs",
        http=GET(GRAPHS),
        request=requests.Page,
        response=responses.GraphList,
        handler=_list,
    ),
    Endpoint(
        name="plan_delete",
        title="Delete a graph",
        description="Deletes a graph with all its revisions; ask the user before. Its runs stay.",
        group="graphs",
        http=DELETE(f"{GRAPHS}/{{plan_id}}"),
        request=requests.GraphRequest,
        response=responses.Deleted,
        errors=(GraphNotFound,),
        effect=Effect.DESTROYS,
        repeatable=True,
        handler=_delete,
    ),
    Endpoint(
        name="plan_dry_run",
        title="Try a graph without calls",
        description="""\
Returns every step as a run would call it, in order: arguments with variables in place, results simulated, references
that name nothing. No tool is called.""",
        group="graphs",
        http=POST(f"{GRAPHS}/{{plan_id}}/dry-run"),
        request=requests.SimulateRun,
        response=responses.DryRun,
        errors=(GraphNotFound, GraphNotReady),
        handler=_dry_run,
    ),
    Endpoint(
        name="plan_quote",
        title="Quote a run",
        description="""\
Returns what a run would take: calls of tools, destructive steps, and its time by the last completed runs of this graph.
No tool is called.""",
        group="graphs",
        http=POST(f"{GRAPHS}/{{plan_id}}/quote"),
        request=requests.QuoteRun,
        response=responses.QuoteInfo,
        errors=(GraphNotFound, GraphNotReady),
        handler=_quote,
    ),
    Endpoint(
        name="plan_execute",
        title="Run a graph",
        description="""\
Runs a graph that was created before, by its plan_id. The run continues while you are away; steps start as soon as what
they need has ended, and no finished step is ever run again. Returns the run, with the results where it ended
within wait_sec; else call run_wait with its run_id. problems reports tools whose schema changed since it was saved.""",
        group="runs",
        http=POST(f"{GRAPHS}/{{plan_id}}/runs", status=201, location=f"{RUNS}/{{run_id}}"),
        request=requests.ExecuteGraph,
        response=responses.RunResult,
        errors=TO_RUN,
        effect=Effect.CHANGES,
        idempotent_by="client_request_id",
        handler=_execute,
    ),
    Endpoint(
        name="plan_create_and_execute",
        title="Create and run a graph",
        description="""\
Drafts a graph of tool calls for a goal, or stores one that you have written, and runs it. See plan_create and
plan_execute. For a task of a single call, call the tool itself.""",
        group="runs",
        http=POST(RUNS, status=201, location=f"{RUNS}/{{run_id}}"),
        request=requests.CreateAndExecute,
        response=responses.RunResult,
        errors=(*TO_DRAFT, GraphNotFound, BudgetNotFound),
        effect=Effect.CHANGES,
        idempotent_by="client_request_id",
        handler=_create_and_execute,
    ),
    Endpoint(
        name="run_list",
        title="List runs",
        description="Lists your runs, newest first: all, or those of a graph, in a state, or since a time.",
        group="runs",
        http=GET(RUNS),
        request=requests.ListRuns,
        response=responses.RunList,
        handler=_runs,
    ),
    Endpoint(
        name="run_status",
        title="Look at a run",
        description="Returns where a run is, and what to do next.",
        group="runs",
        http=GET(f"{RUNS}/{{run_id}}"),
        request=requests.RunRequest,
        response=responses.RunInfo,
        errors=(RunNotFound,),
        handler=_status,
    ),
    Endpoint(
        name="run_wait",
        title="Wait for a run",
        description="Returns the run when it has ended or waits for an approval, or as it is after timeout_sec.",
        group="runs",
        http=GET(f"{RUNS}/{{run_id}}/wait"),
        request=requests.WaitForRun,
        response=responses.RunInfo,
        errors=(RunNotFound,),
        handler=_wait,
    ),
    Endpoint(
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
    ),
    Endpoint(
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
    ),
    Endpoint(
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
    ),
    Endpoint(
        name="run_events",
        title="Events of a run",
        description="Returns what happened after a cursor, oldest first; waits up to timeout_sec for the first.",
        group="runs",
        http=GET(f"{RUNS}/{{run_id}}/events"),
        request=requests.ReadEvents,
        response=responses.EventList,
        errors=(RunNotFound,),
        handler=_events,
    ),
    Endpoint(
        name="run_steps",
        title="Steps of a run",
        description="Returns what each step came to, in the order of the graph; results of up to 32 KB are included.",
        group="runs",
        http=GET(f"{RUNS}/{{run_id}}/steps"),
        request=requests.ReadSteps,
        response=responses.StepList,
        errors=(RunNotFound,),
        handler=_steps,
    ),
    Endpoint(
        name="run_step",
        title="Result of a step",
        description="Returns what one step, or one item of it, came to, with its result whole up to 4 MB.",
        group="runs",
        http=GET(f"{RUNS}/{{run_id}}/steps/{{step}}"),
        request=requests.ReadStep,
        response=responses.StepInfo,
        errors=(RunNotFound, StepNotRecorded),
        handler=_step,
    ),
    Endpoint(
        name="run_trace",
        title="Trace of a run",
        description="Returns a run as an OpenTelemetry trace (OTLP as JSON): a span for the run, each step, each item.",
        group="runs",
        http=GET(f"{RUNS}/{{run_id}}/trace"),
        request=requests.RunRequest,
        response=responses.TraceInfo,
        errors=(RunNotFound,),
        handler=_trace,
    ),
    Endpoint(
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
    ),
    Endpoint(
        name="budget_set",
        title="Set a budget of calls",
        description="""\
Sets how many calls of tools may be made by all runs together that name this budget (shared_budget of plan_execute).
What was taken before stays taken; calls is the new limit.""",
        group="budgets",
        http=PUT(f"{BUDGETS}/{{name}}"),
        request=requests.SetBudget,
        response=responses.BudgetInfo,
        effect=Effect.CHANGES,
        repeatable=True,
        handler=_set_budget,
    ),
    Endpoint(
        name="budget_list",
        title="List budgets",
        description="Lists your budgets of calls with what was taken.",
        group="budgets",
        http=GET(BUDGETS),
        response=responses.BudgetList,
        handler=_budgets,
    ),
    Endpoint(
        name="budget_get",
        title="Look at a budget",
        description="Returns a budget of calls and what was taken.",
        group="budgets",
        http=GET(f"{BUDGETS}/{{name}}"),
        request=requests.BudgetRequest,
        response=responses.BudgetInfo,
        errors=(BudgetNotFound,),
        handler=_budget,
    ),
    Endpoint(
        name="budget_delete",
        title="Delete a budget",
        description="Deletes a budget of calls: runs that name it make no further call.",
        group="budgets",
        http=DELETE(f"{BUDGETS}/{{name}}"),
        request=requests.BudgetRequest,
        response=responses.Deleted,
        errors=(BudgetNotFound,),
        effect=Effect.DESTROYS,
        repeatable=True,
        handler=_delete_budget,
    ),
    Endpoint(
        name="schedule_set",
        title="Schedule a graph",
        description="""\
Runs a graph at times to come: again and again with cron(...), once with at(...). A run that did not start when it was
due, such as while the service was down, is reported in missed and is not made up for.""",
        group="schedules",
        http=PUT(f"{SCHEDULES}/{{name}}"),
        request=requests.SetSchedule,
        response=responses.ScheduleInfo,
        errors=(GraphNotFound,),
        effect=Effect.CHANGES,
        repeatable=True,
        handler=_set_schedule,
    ),
    Endpoint(
        name="schedule_list",
        title="List schedules",
        description="Lists your schedules with when each is due, what it ran, and what it missed.",
        group="schedules",
        http=GET(SCHEDULES),
        response=responses.ScheduleList,
        handler=_schedules,
    ),
    Endpoint(
        name="schedule_get",
        title="Look at a schedule",
        description="Returns when a schedule is due, what it ran, and what it missed.",
        group="schedules",
        http=GET(f"{SCHEDULES}/{{name}}"),
        request=requests.ScheduleRequest,
        response=responses.ScheduleInfo,
        errors=(ScheduleNotFound,),
        handler=_schedule,
    ),
    Endpoint(
        name="schedule_delete",
        title="Delete a schedule",
        description="Deletes a schedule; runs that it started stay.",
        group="schedules",
        http=DELETE(f"{SCHEDULES}/{{name}}"),
        request=requests.ScheduleRequest,
        response=responses.Deleted,
        errors=(ScheduleNotFound,),
        effect=Effect.DESTROYS,
        repeatable=True,
        handler=_delete_schedule,
    ),
    Endpoint(
        name="tool_server_add",
        title="Add a tool server",
        description="""\
Adds an MCP server whose tools graphs may call, or replaces the one of that name, and lists its tools. It must be public
and use https. error says why its tools could not be listed; it is added nevertheless.""",
        group="tool servers",
        http=POST(SERVERS, status=201, location=f"{SERVERS}/{{name}}"),
        request=requests.AddServer,
        response=responses.ServerInfo,
        errors=(InvalidToolServer,),
        effect=Effect.CHANGES,
        repeatable=True,
        handler=_add_server,
    ),
    Endpoint(
        name="tool_server_list",
        title="List tool servers",
        description="Lists the servers whose tools your graphs may call.",
        group="tool servers",
        http=GET(SERVERS),
        response=responses.ServerList,
        handler=_servers,
    ),
    Endpoint(
        name="tool_server_get",
        title="Tools of a server",
        description="Returns a server with its tools and their input schemas, as they were listed last.",
        group="tool servers",
        http=GET(f"{SERVERS}/{{name}}"),
        request=requests.ServerRequest,
        response=responses.ServerInfo,
        errors=(ToolServerNotFound,),
        handler=_server,
    ),
    Endpoint(
        name="tool_server_test",
        title="Test a tool server",
        description="Lists a server's tools now and returns them.",
        group="tool servers",
        http=POST(f"{SERVERS}/{{name}}/test"),
        request=requests.ServerRequest,
        response=responses.ServerInfo,
        errors=(ToolServerNotFound, ToolServerUnreachable),
        effect=Effect.CHANGES,
        repeatable=True,
        handler=_test_server,
    ),
    Endpoint(
        name="tool_server_remove",
        title="Remove a tool server",
        description="Removes a server and the secret of its headers; ask the user before.",
        group="tool servers",
        http=DELETE(f"{SERVERS}/{{name}}"),
        request=requests.ServerRequest,
        response=responses.Deleted,
        errors=(ToolServerNotFound,),
        effect=Effect.DESTROYS,
        repeatable=True,
        handler=_remove_server,
    ),
)
