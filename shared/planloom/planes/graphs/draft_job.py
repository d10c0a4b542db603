"""The drafting of a graph as a run: one step asks the planner; then the run ends, or continues with the graph."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from planloom.core.errors import PlanloomError
from planloom.core.step_graph import StepGraph
from planloom.core.usage import Usage
from planloom.planes.graphs.document import Graph, Step
from planloom.planes.graphs.draft import DraftInvalid, Planner, draft, with_variables
from planloom.planes.graphs.ports import GraphRevision, GraphStore
from planloom.planes.graphs.validate import tools_used
from planloom.planes.graphs.work import GraphWork
from planloom.runs.job import Revision, RevisionFailed, StepCalls, StepEnd
from planloom.runs.records import Run, RunWork, StepRecord
from planloom.tools.tool import Catalog, Tool, schema_hash

STEP = "draft"
#: Seconds for a draft and its repair, of the fifteen minutes that a worker has.
LONGEST_DRAFT = 240.0
#: What a run works from while its graph is drafted.
DRAFTING = Graph(steps=(Step(index=STEP, title="Draft the graph", tool="draft_graph", result_variable="graph"),))


@dataclass(frozen=True)
class Drafts:
    """What drafting needs. *make_planner* makes a planner for the running event loop.

    It raises ModelProfilesUnavailable.
    """

    make_planner: Callable[[], Planner]
    store: GraphStore
    now: Callable[[], datetime]

    async def end_of(self, drafting: Awaitable[tuple[Graph, Usage]], tool: str) -> StepEnd:
        """Return how the step or part ended that *drafting* is; a model that fails, fails it."""
        detail: dict[str, Any] = {"tool": tool}
        try:
            async with asyncio.timeout(LONGEST_DRAFT):
                graph, usage = await drafting
        except TimeoutError:
            said = f"The model took longer than {LONGEST_DRAFT / 60:g} minutes to draft. Resume the run later."
            return StepEnd("failed", error=said, code="DRAFT_TIMED_OUT", detail=detail)
        except PlanloomError as error:
            return StepEnd("failed", error=error.message, code=error.code, detail=detail)
        except DraftInvalid as error:
            return StepEnd("failed", error=str(error), code="DRAFT_INVALID", detail=detail)
        detail["usage"] = usage.model_dump(mode="json")
        return StepEnd("completed", value=graph.model_dump(mode="json", exclude_defaults=True), detail=detail)

    def save(self, run: Run, graph: Graph, tools: Iterable[Tool], *, note: str, first: bool) -> int:
        """Store *graph* as the next revision of the run's graph and return its number.

        *first*: it is the first one, which a worker that was lost may have stored. Raises RevisionFailed where the
        graph was deleted.
        """
        used = tools_used(graph, Catalog(tools))
        hashes = {key: schema_hash(tool) for key, tool in used.items()}
        while True:
            view = self.store.get(run.subject)
            if view is None:
                raise RevisionFailed("GRAPH_NOT_FOUND", "The graph of this run was deleted.")
            if first and view.revision:
                return view.revision
            revision = view.revision + 1
            changed = {"steps": len(graph.steps), "revision": revision, "updated_at": self.now()}
            document = graph.model_dump(mode="json", exclude_defaults=True) | {"id": view.graph_id}
            saved = GraphRevision(graph=document, tools=hashes, note=note)
            if self.store.save(view.model_copy(update=changed | {"title": graph.title or view.title}), saved):
                return revision


class DraftJob:
    """One worker's view of a run that drafts its graph. See planloom.runs.job.Job."""

    max_concurrency = 1
    on_unknown = "retry"

    def __init__(self, run: Run, work: GraphWork, drafted: Any, drafts: Drafts) -> None:
        assert work.draft is not None
        self.graph = StepGraph.of([(STEP, ())])
        self._run = run
        self._work = work
        self._draft = work.draft
        self._drafted = drafted
        self._drafts = drafts

    def title(self, step: str) -> str:  # noqa: ARG002 - there is one
        """Return what the log calls the step."""
        return DRAFTING.steps[0].title

    def ended(self, record: StepRecord, value: Any) -> None:
        """Keep the drafted graph."""
        if record.state == "completed":
            self._drafted = value

    async def execute(self, step: str, calls: StepCalls) -> StepEnd:  # noqa: ARG002 - it makes no call of a tool
        """Ask the planner."""
        return await self._drafts.end_of(self._made(), DRAFTING.steps[0].tool)

    async def _made(self) -> tuple[Graph, Usage]:
        planner = self._drafts.make_planner()
        given = self._work.variables
        graph = await draft(planner, with_variables(self._draft.goal, given), Catalog(self._work.tools), given)
        titled = graph.model_copy(update={"title": graph.title or self._run.title})
        return titled, getattr(planner, "usage", Usage())

    async def revise(self, failed: StepRecord | None, calls: StepCalls | None) -> Revision | None:  # noqa: ARG002
        """Store the graph; return it as what the run continues with, where the run is to execute it."""
        if failed is not None:
            return None
        try:
            graph = Graph.model_validate(self._drafted)
        except ValidationError as error:
            # a caller's resume gave it as the result of the step
            raise RevisionFailed("DRAFT_INVALID", f"What the step came to is no graph: {error}") from error
        work = self._work
        revision = self._drafts.save(self._run, graph, work.tools, note="Drafted by a model", first=True)
        if not self._draft.execute:
            return None
        limited = work.limited_to(tools_used(graph, Catalog(work.tools)).values())
        following = work.model_copy(update={"graph": graph, "draft": None} | limited)
        return Revision(RunWork(document=following.model_dump(mode="json")), steps=len(graph.steps), revision=revision)

    def to_undo(self) -> list[str]:
        """Nothing is undone."""
        return []

    async def undo(self, step: str, calls: StepCalls) -> StepEnd:
        """Never called."""
        raise NotImplementedError

    async def close(self) -> None:
        """There is nothing to close."""
