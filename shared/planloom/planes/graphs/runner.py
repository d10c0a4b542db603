"""Run a graph in this process: the same scheduler and the same steps as the service, without any service."""

import inspect
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic_core import to_jsonable_python

from planloom.planes.graphs.backend import McpToolBackend
from planloom.planes.graphs.context import Checkpoint, PlanningContext
from planloom.planes.graphs.document import Graph, Step, ToolCall
from planloom.planes.graphs.draft import DraftInvalid, draft, merged, what_is_left
from planloom.planes.graphs.execute import Bindings, StepEnd, execute_step, simulate_step
from planloom.planes.graphs.validate import load, step_graph, validate_graph
from planloom.runs.errors import OutcomeUnknown
from planloom.runs.scheduler import Outcome, run_steps
from planloom.tools.tool import Catalog

#: What the error of a run with *enable_replan* says where nobody can revise its graph.
NO_PLANNER = (
    "The graph was not revised: the context has no planner. Pass planner=planloom.graphs.planner_of_environment() "
    "to PlanningContext."
)


@dataclass(frozen=True)
class StepResult:
    """What one step came to. ``duration`` is in seconds; ``dry_run``: nothing was called.

    ``state``: completed, failed, skipped, simulated, or unknown where nobody knows whether the call was made.
    """

    step_index: str
    step_title: str
    tool_name: str
    success: bool
    result: Any = None
    error: str | None = None
    duration: float = 0.0
    state: str = "completed"
    args: Any = None
    attempts: int = 0
    unresolved: tuple[str, ...] = ()
    dry_run: bool = False


@dataclass
class PlanExecutionResult:
    """What a run came to. ``steps`` are in the order in which they ended; ``total_duration`` is in seconds.

    ``unresolved`` are references that named nothing, ``compensated`` the steps whose compensating call was made.
    """

    plan_id: str
    plan_title: str
    success: bool
    steps: list[StepResult] = field(default_factory=list)
    variables: dict[str, Any] = field(default_factory=dict)
    total_duration: float = 0.0
    error: str | None = None
    replanned: bool = False
    compensated: list[str] = field(default_factory=list)

    @property
    def unresolved(self) -> tuple[str, ...]:
        """References of all steps that named nothing, each once."""
        return tuple(dict.fromkeys(path for step in self.steps for path in step.unresolved))


class GraphInvalid(ValueError):
    """The graph cannot run; the message lists what is wrong, with places."""


class PlanRunner:
    """Runs graphs with the tools of *context*.

    *on_step_start* is called with index, title and tool, *on_step_complete* with the StepResult; both may be async.
    At most *max_concurrency* steps run at once. With *enable_replan* a failure asks the context's planner for a new
    graph of what is left, at most *max_replans* times; a revised graph that fails, fails. Without a planner the error
    of the run says so.
    """

    def __init__(
        self,
        context: PlanningContext,
        on_step_start: Callable[[str, str, str], Any] | None = None,
        on_step_complete: Callable[[StepResult], Any] | None = None,
        enable_guards: bool = True,
        max_concurrency: int = 4,
        enable_replan: bool = False,
        max_replans: int = 2,
    ) -> None:
        self.context = context
        self.backend = McpToolBackend(context.tool_manager, enable_guards, context.guards)
        self._on_start = on_step_start
        self._on_complete = on_step_complete
        self._max_concurrency = max_concurrency
        self._max_replans = max_replans if enable_replan else 0

    async def execute_plan(
        self,
        plan: Mapping[str, Any] | Graph,
        variables: Mapping[str, Any] | None = None,
        dry_run: bool = False,
        checkpoint: bool = True,
    ) -> PlanExecutionResult:
        """Run *plan*; *variables* override its own. With *checkpoint* a run that ends early can be resumed.

        Raises GraphInvalid before anything runs; failures of steps are in the result.
        """
        graph, catalog = await self._checked(plan, variables or {})
        run = _Run(self, graph, catalog, {**graph.variables, **(variables or {})}, dry_run)
        if checkpoint and graph.id and not dry_run:
            run.checkpoint = self.context.checkpoint(graph.id)
            run.keeps_graph = not self.context.is_saved(graph.id, plan)
        return await self._finished(run)

    async def resume_plan(
        self,
        plan_id: str,
        variables: Mapping[str, Any] | None = None,
        on_unknown: Literal["retry", "skip", "value"] | None = None,
        value: Any = None,
    ) -> PlanExecutionResult:
        """Continue the last run of *plan_id*: completed steps are not run again.

        A saved plan may have been changed since; what was run without being saved, or was revised, continues as it
        was. *on_unknown* says what to do with steps whose outcome is unknown; *value* is their result with "value".

        Raises PlanNotFound, GraphInvalid where no run of it was kept, and OutcomeUnknown where *on_unknown* is needed.
        """
        kept = self.context.last_run(plan_id)
        if kept is None:
            raise GraphInvalid(f"No run of “{plan_id}” was kept. Run it with execute_plan and a checkpoint.")
        own = kept.get("graph")
        plan = own or self.context.load_plan(kept["plan_id"])
        graph, catalog = await self._checked(plan, {**kept["variables"], **(variables or {})})
        run = _Run(self, graph, catalog, {**kept["variables"], **(variables or {})}, dry_run=False)
        known = {step.index for step in graph.steps}
        run.done = {index: Outcome.DONE for index in kept["completed_steps"] if index in known}
        run.kept = {index: result for index, result in kept["results"].items() if index in run.done}
        run.skipped = {index for index, result in run.kept.items() if result["state"] == "skipped"}
        run.keeps_graph = own is not None
        run.checkpoint = self.context.checkpoint(kept["plan_id"])
        unknown = [index for index, result in kept["results"].items() if result["state"] == "unknown"]
        run.decide([index for index in unknown if index in known], on_unknown, value)
        return await self._finished(run)

    async def _checked(self, plan: Mapping[str, Any] | Graph, variables: Mapping[str, Any]) -> tuple[Graph, Catalog]:
        catalog = await self.context.catalog()
        graph, problems = (plan, []) if isinstance(plan, Graph) else load(plan)
        if graph is not None:
            problems = validate_graph(graph, catalog or None, variables)
        errors = [problem for problem in problems if problem.severity == "error"]
        if errors or graph is None:
            said = "; ".join(f"{each.path}: {each.message} {each.hint}".strip() for each in errors[:10])
            raise GraphInvalid(f"The graph cannot run. {said}")
        return graph, catalog

    async def _finished(self, run: "_Run") -> PlanExecutionResult:
        started = time.perf_counter()
        await run.work()
        if run.has_failed:
            # once: a revised graph that fails, fails
            await self._replanned(run)
        if run.has_failed:
            await run.compensate()
        if run.unknown:
            run.add_to_error(_not_known(run.unknown))
        result = run.result()
        result.total_duration = time.perf_counter() - started
        return result

    async def _replanned(self, run: "_Run") -> None:
        """Ask for a graph of what is left, until one is valid, and run it with the variables of *run*."""
        if not self._max_replans:
            return
        if self.context.planner is None:
            run.add_to_error(NO_PLANNER)
            return
        try:
            graph = await draft(
                self.context.planner,
                run.what_is_left(),
                await self.context.catalog(),
                run.bindings.values,
                rounds=self._max_replans,
                complete=lambda document: merged(run.graph, run.completed, document),
            )
        except DraftInvalid as error:
            run.add_to_error(str(error))
        else:
            await run.continue_with(graph)

    async def started(self, step: Step) -> None:
        """Call the caller's callback for a step that starts."""
        await _notify(self._on_start, step.index, step.title, step.tool)

    async def completed(self, result: StepResult) -> None:
        """Call the caller's callback for a step that ended."""
        await _notify(self._on_complete, result)


class _Run:
    """One run of one graph, and of its revisions."""

    def __init__(
        self, runner: PlanRunner, graph: Graph, catalog: Catalog, variables: dict[str, Any], dry_run: bool
    ) -> None:
        self.runner = runner
        self.graph = graph
        self.catalog = catalog
        self.bindings = Bindings(variables)
        self.dry_run = dry_run
        self.done: dict[str, Outcome] = {}
        self.kept: dict[str, Any] = {}
        self.unknown: dict[str, Any] = {}  # as kept; empty without a checkpoint
        self.checkpoint: Checkpoint | None = None
        self.keeps_graph = False  # the checkpoint keeps it: the folder has none or another one
        self.results: list[StepResult] = []
        self.failed: StepResult | None = None
        self.compensated: list[str] = []
        self.skipped: set[str] = set()
        self.replanned = False
        self._steps = {step.index: step for step in graph.steps}

    async def work(self) -> None:
        """Run every step that is left."""
        if self.checkpoint:
            self.checkpoint.start(self._state("running"))
        try:
            await run_steps(
                step_graph(self.graph),
                self._execute,
                max_concurrency=self.runner._max_concurrency,
                done=self.done,
            )
        finally:
            if self.checkpoint:
                self.checkpoint.end(self._state(self._status()))

    async def _execute(self, index: str) -> Outcome:
        step = self._steps[index]
        await self.runner.started(step)
        started = time.perf_counter()
        end = self._skipped(step) or (
            simulate_step(step, self.bindings.values)
            if self.dry_run
            else await execute_step(step, self.bindings.values, self._call, may_repeat=self._repeatable(step))
        )
        result = _result(step, end, time.perf_counter() - started)
        self.bindings.bind(step, end)
        self.results.append(result)
        if result.state == "skipped":
            self.skipped.add(index)
        if not result.success:
            self.failed = self.failed or result
        if self.checkpoint and (result.success or result.state == "unknown"):
            self._keep(step, result)
        await self.runner.completed(result)
        return Outcome.DONE if result.success else Outcome.FAILED

    def _skipped(self, step: Step) -> StepEnd | None:
        """Return the end of a step that needs only skipped steps; None where it is to be executed."""
        if step.depends_on and self.skipped.issuperset(step.depends_on):
            return StepEnd("skipped")
        return None

    def _repeatable(self, step: Step) -> bool:
        if step.idempotent is not None:
            return step.idempotent
        tools = self.catalog.find(step.tool, step.server)
        return len(tools) == 1 and tools[0].repeatable

    def _call(self, step: Step, args: dict[str, Any], _item: int | None) -> Any:
        return self.runner.backend.call(step.tool, args, step.server)

    def _keep(self, step: Step, result: StepResult) -> None:
        assert self.checkpoint
        bound = {step.result_variable: _json(result.result)} if step.result_variable and result.success else {}
        kept = {"state": result.state, "duration": result.duration, "attempts": result.attempts}
        if result.success:
            self.done[step.index] = Outcome.DONE
            self.kept[step.index] = kept
        else:
            self.unknown[step.index] = kept
        self.checkpoint.add(step.index, bound, kept)

    def decide(self, unknown: list[str], on_unknown: str | None, value: Any) -> None:
        """Do with steps whose outcome is unknown as the caller says. Raises OutcomeUnknown where nothing is said."""
        if not unknown or on_unknown == "retry":
            return
        end = {"skip": StepEnd("skipped"), "value": StepEnd("completed", value=value)}.get(on_unknown or "")
        if end is None:
            raise OutcomeUnknown(_not_known(unknown), steps=unknown)
        for index in unknown:
            self.bindings.bind(self._steps[index], end)
            self.done[index] = Outcome.DONE
            self.kept[index] = {"state": end.state, "duration": 0.0, "attempts": 1}
            if end.state == "skipped":
                self.skipped.add(index)

    @property
    def has_failed(self) -> bool:
        """Whether the run failed; with an unknown outcome it is blocked, and continues as the caller says."""
        return self.failed is not None and not self.dry_run and not self.unknown

    def _status(self) -> str:
        if self.unknown:
            return "blocked"
        if self.failed is not None:
            return "failed"
        return "completed" if len(self.done) == len(self.graph.steps) else "interrupted"

    def _state(self, status: str) -> dict[str, Any]:
        graph = self.graph.model_dump(mode="json", exclude_defaults=True, fallback=str) if self.keeps_graph else None
        return ({"graph": graph} if graph else {}) | {
            "plan_id": self.graph.id,
            "status": status,
            "completed_steps": list(self.done),
            "variables": _json(self.bindings.values),
            "results": self.kept | self.unknown,
        }

    async def compensate(self) -> None:
        """Make the compensating calls of completed steps, the last completed first; their failures are recorded.

        Steps that an earlier process completed are among them.
        """
        for index in reversed([index for index, state in self.completed.items() if state == "completed"]):
            step = self._steps.get(index)
            if step is None or step.on_failure is None:
                continue
            undo: ToolCall = step.on_failure
            title = f"Undo {step.title}".strip()
            as_step = Step(index=step.index, title=title, tool=undo.tool, args=undo.args, server=undo.server)
            end = await execute_step(as_step, self.bindings.values, self._call)
            self.results.append(_result(as_step, end, 0.0))
            if end.state == "completed":
                self.compensated.append(step.index)
                # what was undone is run again by a resume
                self.done.pop(step.index, None)
                self.kept.pop(step.index, None)
        if self.checkpoint and self.compensated:
            self.checkpoint.end(self._state(self._status()))

    @property
    def completed(self) -> dict[str, str]:
        """The steps that need no further call, with their state, in the order in which they ended."""
        ended = {each.step_index: each.state for each in self.results if each.success}
        return {index: kept["state"] for index, kept in self.kept.items()} | ended

    def add_to_error(self, message: str) -> None:
        """Add *message* to the error of the run."""
        assert self.failed is not None
        self.failed = replace(self.failed, error=f"{(self.failed.error or '').rstrip('.')}. {message}")

    def what_is_left(self) -> str:
        """Return what a planner needs after a failure."""
        assert self.failed is not None
        known = self.bindings.values
        return what_is_left(self.graph, self.completed, self.failed.step_index, self.failed.error or "", known)

    async def continue_with(self, graph: Graph) -> None:
        """Run the revised *graph*, which has the completed steps; results are added to those of the first one."""
        completed = self.completed
        self.replanned, self.keeps_graph, self.failed = True, True, None
        self.graph = graph
        self._steps = {step.index: step for step in graph.steps}
        self.done = dict.fromkeys(completed, Outcome.DONE)
        self.kept = {index: kept for index, kept in self.kept.items() if index in completed}
        self.skipped = {index for index, state in completed.items() if state == "skipped"}
        self.bindings.values.update({**graph.variables, **self.bindings.values})
        await self.work()

    def result(self) -> PlanExecutionResult:
        """Return what the run came to."""
        return PlanExecutionResult(
            plan_id=self.graph.id,
            plan_title=self.graph.title,
            success=self.failed is None,
            steps=self.results,
            variables={name: getattr(value, "text", value) for name, value in self.bindings.values.items()},
            error=self.failed.error if self.failed else None,
            replanned=self.replanned,
            compensated=self.compensated,
        )


def _result(step: Step, end: StepEnd, duration: float) -> StepResult:
    dry = end.state == "simulated"
    return StepResult(
        step_index=step.index,
        step_title=step.title,
        tool_name=step.tool,
        success=end.state != "failed",
        result=getattr(end.value, "text", end.value) if dry else end.value,
        error=end.error or None,
        duration=duration,
        state="unknown" if end.uncertain else end.state,
        args=end.args,
        attempts=end.attempts,
        unresolved=end.unresolved,
        dry_run=dry,
    )


def _not_known(steps: Iterable[str]) -> str:
    return (
        f"Whether the call of step {', '.join(steps)} was made is not known. Look, then call resume_plan with "
        "on_unknown: retry, skip, or value with its result."
    )


async def _notify(callback: Callable[..., Any] | None, *args: Any) -> None:
    if callback is None:
        return
    said = callback(*args)
    if inspect.isawaitable(said):
        await said


def _json(value: Any) -> Any:
    return to_jsonable_python(value, fallback=str)
