"""How callers simulate, price and start runs of graphs. Three tools are the specification's, by name."""

from dataclasses import asdict
from typing import TYPE_CHECKING

from planloom.core.endpoint import POST, Effect, Endpoint
from planloom.core.errors import ModelProfilesUnavailable
from planloom.core.problems import Problem
from planloom.planes.graphs import requests, responses
from planloom.planes.graphs.endpoints.documents import GRAPHS, TO_DRAFT, written_document
from planloom.planes.graphs.endpoints.runs import RUNS
from planloom.planes.graphs.errors import (
    GraphNotFound,
    GraphNotReady,
    InvalidGraph,
)
from planloom.planes.graphs.options import RunOptions
from planloom.runs.errors import (
    BudgetNotFound,
    TooManyRuns,
)
from planloom.runs.records import ENDED, Run

if TYPE_CHECKING:
    from planloom.planes.graphs.service import Graphs
    from planloom.runs.control import Runs

TO_RUN = (GraphNotFound, GraphNotReady, InvalidGraph, TooManyRuns, BudgetNotFound, ModelProfilesUnavailable)


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


def _execute(request: requests.ExecuteGraph, account: str, graphs: "Graphs", runs: "Runs") -> responses.RunResult:
    return _executed(request, request.plan_id, request.revision, account, graphs, runs)


def _create_and_execute(
    request: requests.CreateAndExecute, account: str, graphs: "Graphs", runs: "Runs"
) -> responses.RunResult:
    document = written_document(request)
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


PLAN_DRY_RUN = Endpoint(
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
)


PLAN_QUOTE = Endpoint(
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
)


PLAN_EXECUTE = Endpoint(
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
)


PLAN_CREATE_AND_EXECUTE = Endpoint(
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
)
