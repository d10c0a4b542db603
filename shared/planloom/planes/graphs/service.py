"""Graphs of an account: checked, stored with revisions, tried without calls, and run durably."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from planloom.core.errors import ModelProfilesUnavailable
from planloom.core.problems import Problem
from planloom.planes.graphs.document import Graph, Step
from planloom.planes.graphs.draft_job import DRAFTING
from planloom.planes.graphs.errors import (
    GraphConflict,
    GraphNotFound,
    GraphNotReady,
    InvalidGraph,
    StepNotRecorded,
)
from planloom.planes.graphs.execute import Bindings, StepEnd, simulate_step
from planloom.planes.graphs.options import RunOptions
from planloom.planes.graphs.ports import GraphRevision, GraphStore, GraphView
from planloom.planes.graphs.quote import Quote, quote
from planloom.planes.graphs.render import mermaid, render_plan_dag
from planloom.planes.graphs.validate import load, step_graph, tools_used, validate_graph
from planloom.planes.graphs.work import DraftRequest, GraphWork
from planloom.runs.budgets import Budgets
from planloom.runs.control import Runs
from planloom.runs.errors import RunNotFound, TooManyRuns
from planloom.runs.records import ACTIVE, Run, RunState, RunWork, StepRecord, Unit
from planloom.runs.trace import trace
from planloom.tools.own import OWN
from planloom.tools.servers import AccountServers
from planloom.tools.tool import Catalog, Tool, schema_hash

#: Bytes of JSON that the variables of a run have at most.
VARIABLE_BYTES = 1_000_000
#: The records of so many steps are read at once; of more, those of the page that is asked for.
ALL_AT_ONCE = 500
#: A quote looks at so many of the newest runs, and measures so many of them.
LOOKED_AT, MEASURED = 50, 3
#: What does not prevent a graph from being stored: tools and variables may come before it runs.
MAY_COME_LATER = frozenset({"UNKNOWN_TOOL", "AMBIGUOUS_TOOL", "INVALID_ARGUMENTS", "UNBOUND_VARIABLE"})


@dataclass(frozen=True)
class SimulatedStep:
    """What a dry run says of one step."""

    step: str
    title: str
    tool: str
    args: Any
    depends_on: tuple[str, ...]
    unresolved: tuple[str, ...]


@dataclass(frozen=True)
class Graphs:
    """The graphs of all accounts; every method checks the account."""

    store: GraphStore
    runs: Runs
    servers: AccountServers
    budgets: Budgets
    now: Callable[[], datetime]
    new_id: Callable[[], str]
    #: Says what must be set up before a model can draft graphs; an empty text where nothing must.
    lacks_model: Callable[[], str] = lambda: "this deployment has none"

    def validate(self, account: str, document: Any, given: Iterable[str] = ()) -> tuple[Graph | None, list[Problem]]:
        """Return the graph that *document* is, None where it is none, and what is wrong with it."""
        graph, problems = load(document)
        if graph is None:
            return None, problems
        return graph, validate_graph(graph, self._catalog(account), given)

    def create(self, account: str, document: Any) -> tuple[GraphView, list[Problem]]:
        """Store a graph as revision 1 and return it with what to consider. Raises InvalidGraph.

        Tools and variables that are missing are no error here: they may come before it runs.
        """
        graph, problems = self._storable(account, document)
        now = self.now()
        view = GraphView(
            graph_id=self.new_id(),
            account=account,
            title=graph.title,
            steps=len(graph.steps),
            created_at=now,
            updated_at=now,
        )
        assert self.store.save(view, self._revision(account, graph, view.graph_id)), "a new id is free"
        return view, problems

    def draft(
        self,
        account: str,
        goal: str,
        servers: Sequence[str] | None = None,
        variables: Mapping[str, Any] | None = None,
        options: RunOptions | None = None,
        deadline_seconds: float | None = None,
    ) -> Run:
        """Start a run that drafts a graph for *goal* from the tools of *servers*, by default all, and return it.

        Its subject is the id of the graph. With *options* it continues with the graph that it drafted. Raises
        ModelProfilesUnavailable, ToolServerNotFound, InvalidGraph, TooManyRuns, BudgetNotFound.
        """
        given = _bounded(variables)
        self._check_model()
        self._check_budget(account, options)
        added = [server.name for server in self.servers.all(account)]
        for name in {*(servers or ())} - {OWN}:
            self.servers.get(account, name)
        self.servers.refresh(account, servers or None)
        named = servers or added
        tools = [tool for tool in self._catalog(account).tools if tool.server in named]
        if not tools:
            raise InvalidGraph("There are no tools to draft a graph with. Add a tool server with tool_server_add.")
        now = self.now()
        title = goal.strip().splitlines()[0][:200]
        run = Run(
            run_id=self.new_id(),
            plane="graphs",
            account=account,
            subject=self.new_id(),
            title=title,
            work="000001",
            created_at=now,
            steps=len(DRAFTING.steps),
            deadline=now + timedelta(seconds=deadline_seconds) if deadline_seconds else None,
        )
        self.store.reserve(
            GraphView(
                graph_id=run.subject,
                account=account,
                title=title,
                revision=0,
                created_at=now,
                updated_at=now,
                drafted_by=run.run_id,
            )
        )
        work = GraphWork(
            graph=DRAFTING,
            variables=given,
            options=options or RunOptions(),
            tools=tuple(tools),
            draft=DraftRequest(goal=goal, execute=options is not None),
        )
        try:
            return self.runs.start(run, RunWork(document=work.model_dump(mode="json")))
        except TooManyRuns:
            self.store.delete(run.subject)
            raise

    def _check_model(self) -> None:
        if why := self.lacks_model():
            raise ModelProfilesUnavailable(
                f"No model is set up to draft graphs: {why}. Set one up as docs/models.md says, such as with "
                "OPENAI_API_KEY, or write the graph yourself: plan_format has its schema."
            )

    def _check_budget(self, account: str, options: RunOptions | None) -> None:
        if options and options.shared_budget is not None:
            self.budgets.get(account, options.shared_budget)

    def drafting(self, view: GraphView) -> Run | None:
        """Return the run that drafts a graph which has no revision yet; None where it has one."""
        if view.revision:
            return None
        return self.runs.get(view.account, view.drafted_by)

    def revise(
        self, account: str, graph_id: str, document: Any, revision: int, note: str = ""
    ) -> tuple[GraphView, list[Problem]]:
        """Store the revision after *revision*. Raises GraphNotFound, GraphConflict, InvalidGraph."""
        view = self.view(account, graph_id)
        graph, problems = self._storable(account, document)
        said = f"The graph was changed since you read it: revision {view.revision} is current. Read it, then repeat."
        if view.revision != revision:
            raise GraphConflict(said, current_revision=view.revision)
        changed = view.model_copy(
            update={
                "title": graph.title,
                "steps": len(graph.steps),
                "revision": revision + 1,
                "updated_at": self.now(),
            }
        )
        if not self.store.save(changed, self._revision(account, graph, graph_id, note)):
            raise GraphConflict(said, current_revision=view.revision)
        return changed, problems

    def view(self, account: str, graph_id: str) -> GraphView:
        """Return what is known of a graph. Raises GraphNotFound, also where it is another account's."""
        view = self.store.get(graph_id)
        if view is None or view.account != account:
            raise GraphNotFound(f"No graph has the id {graph_id[:80]}. plan_list names your graphs.")
        return view

    def read(self, account: str, graph_id: str, revision: int | None = None) -> tuple[GraphView, GraphRevision]:
        """Return a graph and one of its revisions, by default the current one. Raises GraphNotFound, GraphNotReady."""
        view = self.view(account, graph_id)
        if run := self.drafting(view):
            active = run.state in ACTIVE
            said = "is drafted at the moment. Call plan_get in a few seconds" if active else "was not drafted"
            why = f" {run.failure.message}" if run.failure else ""
            raise GraphNotReady(f"The graph {said}.{why}", run_id=run.run_id, state=str(run.state))
        found = self.store.revision(graph_id, revision or view.revision)
        if found is None:
            raise GraphNotFound(f"The graph has no revision {revision}. Its current one is {view.revision}.")
        return view, found

    def newest(self, account: str, limit: int, before: str | None = None) -> list[tuple[str, GraphView]]:
        """Return the account's graphs, last saved first, each with the position for *before*."""
        return self.store.newest_of(account, limit, before)

    def delete(self, account: str, graph_id: str) -> None:
        """Delete a graph; its runs continue with their own copy. Raises GraphNotFound."""
        self.view(account, graph_id)
        self.store.delete(graph_id)

    def dry_run(
        self, account: str, graph_id: str, variables: Mapping[str, Any], revision: int | None = None
    ) -> tuple[GraphView, list[SimulatedStep], list[Problem]]:
        """Return what a run would call, in order, with results simulated; nothing is called."""
        view, found = self.read(account, graph_id, revision)
        graph, problems = self.validate(account, found.graph, variables)
        assert graph is not None, "a stored graph can be read"
        bindings = Bindings({**graph.variables, **variables})
        by_index = {step.index: step for step in graph.steps}
        steps = []
        for index in step_graph(graph).order():
            step = by_index[index]
            end: StepEnd = simulate_step(step, bindings.values)
            bindings.bind(step, end)
            steps.append(
                SimulatedStep(
                    index, step.title, step.tool, end.args, step.depends_on, tuple(dict.fromkeys(end.unresolved))
                )
            )
        return view, steps, problems

    def run(
        self,
        account: str,
        graph_id: str,
        variables: Mapping[str, Any] | None = None,
        options: RunOptions = RunOptions(),  # noqa: B008 - frozen
        deadline_seconds: float | None = None,
        revision: int | None = None,
        run_id: str = "",
        wakes: str = "",
    ) -> tuple[Run, list[Problem]]:
        """Start a run of a graph and return it with what to consider, such as tools whose schema changed.

        *run_id* is a new one by default, *wakes* the run that is woken when this one has ended. Raises GraphNotFound,
        GraphNotReady, InvalidGraph, TooManyRuns, BudgetNotFound, ModelProfilesUnavailable, and RunActive where there is
        a run of that id.
        """
        view, found = self.read(account, graph_id, revision)
        given = _bounded(variables)
        if options.enable_replan:
            self._check_model()
        self._check_budget(account, options)
        graph, _ = load(found.graph)
        assert graph is not None, "a stored graph can be read"
        silent = self.servers.refresh(account, {step.server for step in graph.steps if step.server} or None)
        catalog = self._catalog(account)
        problems = validate_graph(graph, catalog, given)
        _refuse([each for each in problems if each.severity == "error"], "The graph cannot run")
        tools = tools_used(graph, catalog)
        problems += _changed(found, tools)
        problems += [Problem(path="", code="SERVER_NOT_REACHED", message=why, severity="warning") for why in silent]
        now = self.now()
        run = Run(
            run_id=run_id or self.new_id(),
            plane="graphs",
            account=account,
            subject=graph_id,
            revision=revision or view.revision,
            title=view.title,
            work="000001",
            created_at=now,
            steps=len(graph.steps),
            deadline=now + timedelta(seconds=deadline_seconds) if deadline_seconds else None,
            wakes=wakes,
        )
        work = GraphWork(graph=graph, variables=given, options=options, tools=catalog.tools)
        work = work.model_copy(update=work.limited_to(tools.values()))
        return self.runs.start(run, RunWork(document=work.model_dump(mode="json"))), problems

    def quote(
        self, account: str, graph_id: str, variables: Mapping[str, Any], max_concurrency: int, revision: int | None
    ) -> tuple[GraphView, Quote]:
        """Return what a run would take, its time by the last completed runs. Raises GraphNotFound, GraphNotReady."""
        view, found = self.read(account, graph_id, revision)
        graph, _ = load(found.graph)
        assert graph is not None, "a stored graph can be read"
        runs = [run for _, run in self.runs.newest(account, LOOKED_AT) if run.subject == graph_id]
        completed = [run for run in runs if run.state is RunState.COMPLETED][:MEASURED]
        history = [
            {unit.step: record for unit, record in self.runs.records(account, run.run_id, parts=False).items()}
            for run in completed
        ]
        return view, quote(graph, self._catalog(account), variables, history, max_concurrency)

    def trace(self, account: str, run_id: str) -> dict[str, Any]:
        """Return a run as a trace of OpenTelemetry. Raises RunNotFound."""
        run = self.runs.get(account, run_id)
        steps = {step.index: step for step in self.work(account, run_id).graph.steps}

        def title(index: str) -> str:
            step = steps.get(index)
            return step.title or step.tool if step else index

        return trace(run, self.runs.records(account, run_id).values(), title, self.now())

    def batches(self, graph: Graph) -> list[list[str]]:
        """Return the steps of a valid graph in batches that may run at the same time."""
        return [list(batch) for batch in step_graph(graph).batches()]

    def drawn(self, document: Mapping[str, Any]) -> tuple[str, str]:
        """Return a stored graph drawn as text and as Mermaid."""
        return render_plan_dag(document), mermaid(document)

    def work(self, account: str, run_id: str) -> GraphWork:
        """Return what a run works from. Raises RunNotFound, also where it is no run of a graph."""
        run = self.runs.get(account, run_id)
        if run.plane != "graphs":
            raise RunNotFound(f"Run {run_id[:80]} is not one of a graph, but of {run.plane}. Ask there for its steps.")
        return GraphWork.model_validate(self.runs.files.work(run_id, run.work).document)

    def steps(
        self, account: str, run_id: str, after: int, limit: int
    ) -> tuple[Run, list[tuple[Step, StepRecord | None]], int]:
        """Return the run, *limit* of its steps from number *after* on, with what they came to, and how many it has."""
        run = self.runs.get(account, run_id)
        graph = self.work(account, run_id).graph
        page = graph.steps[after : after + limit]
        if len(graph.steps) <= ALL_AT_ONCE:
            records = self.runs.records(account, run_id, parts=False)
        else:
            with ThreadPoolExecutor(8) as pool:
                each = pool.map(lambda step: self.runs.records(account, run_id, step.index, parts=False), page)
                records = {unit: record for found in each for unit, record in found.items()}
        return run, [(step, records.get(Unit(step.index))) for step in page], len(graph.steps)

    def step(self, account: str, run_id: str, step: str, item: int | None = None) -> tuple[StepRecord, str | None]:
        """Return what a step or one of its items came to, and its whole value as JSON. Raises StepNotRecorded."""
        unit = Unit(step, "" if item is None else f"items/{item}")
        record = self.runs.records(account, run_id, step).get(unit)
        if record is None:
            raise StepNotRecorded(f"Step {step[:64]} of this run has no result yet. run_status says where the run is.")
        return record, self.runs.value(account, run_id, record)

    def _storable(self, account: str, document: Any) -> tuple[Graph, list[Problem]]:
        graph, problems = self.validate(account, document)
        _refuse(
            [each for each in problems if each.severity == "error" and each.code not in MAY_COME_LATER],
            "The graph cannot be stored",
        )
        assert graph is not None, "what is no graph has a problem"
        if not graph.steps:
            problems.append(Problem(path="/steps", code="NO_STEPS", message="It has no steps.", severity="warning"))
        return graph, problems

    def _revision(self, account: str, graph: Graph, graph_id: str, note: str = "") -> GraphRevision:
        document = graph.model_dump(mode="json", exclude_defaults=True) | {"id": graph_id}
        tools = tools_used(graph, self._catalog(account))
        return GraphRevision(graph=document, tools={key: schema_hash(tool) for key, tool in tools.items()}, note=note)

    def _catalog(self, account: str) -> Catalog:
        return self.servers.catalog(account)


def _bounded(variables: Mapping[str, Any] | None) -> dict[str, Any]:
    given = dict(variables or {})
    if len(json.dumps(given).encode()) > VARIABLE_BYTES:
        raise InvalidGraph(f"The variables have more than {VARIABLE_BYTES:,} bytes. Let a step read them.")
    return given


def _refuse(errors: list[Problem], what: str) -> None:
    if errors:
        said = "; ".join(f"{each.path or '/'}: {each.message}" for each in errors[:3])
        raise InvalidGraph(f"{what}. {said}", problems=[each.model_dump(mode="json") for each in errors])


def _changed(revision: GraphRevision, tools: Mapping[str, Tool]) -> list[Problem]:
    """Return a warning for each tool whose schema is another than when the graph was saved."""
    return [
        Problem(
            path="",
            code="TOOL_CHANGED",
            message=f"The schema of the tool “{key}” changed since the graph was saved.",
            hint="Look whether the arguments still mean what they did, and save the graph again.",
            severity="warning",
        )
        for key, tool in tools.items()
        if revision.tools.get(key, schema_hash(tool)) != schema_hash(tool)
    ]
