"""Execute all nodes of a plan here and now; a run executes them one by one with planloom.planes.programs.execute."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.planes.programs.execute import Evaluation
from planloom.planes.programs.node_values import (
    Limits,
    NodeCalls,
    NodeFailed,
    NodeProgress,
    NodeValue,
    NothingKept,
    Stopped,
)
from planloom.planes.programs.plan import ProgramPlan
from planloom.planes.programs.sources import Sources
from planloom.runs.scheduler import Outcome, run_steps


class Returned(Frozen):
    """What the program returns at one place: ``name`` is what it calls it, empty where it does not."""

    node: str
    name: str = ""
    value: NodeValue


class Result(Frozen):
    """How an evaluation ended. ``values`` has every node that ended, ``partial`` the rows of those that did not."""

    state: Literal["succeeded", "failed", "cancelled"]
    returns: tuple[Returned, ...] = ()
    values: dict[str, NodeValue] = Field(default_factory=dict)
    partial: dict[str, list[Any]] = Field(default_factory=dict)
    error: str = ""
    code: str = ""
    uncertain: bool = False

    @property
    def rows(self) -> int:
        """How many rows are returned."""
        return sum(len(each.value.rows) for each in self.returns)


async def evaluate(
    plan: ProgramPlan,
    sources: Sources,
    now: datetime,
    on_progress: Callable[[NodeProgress], None] = lambda _: None,
    limits: Limits | None = None,
    *,
    stopped: Callable[[], bool] = lambda: False,
    known: Mapping[str, NodeValue] | None = None,
    calls: Callable[[str], NodeCalls] = lambda _: NothingKept(),
) -> Result:
    """Execute *plan* and return what it came to; errors of its nodes are in the result.

    Times in it are relative to *now*. *known* are values of nodes that ended before: they are not executed again.
    *calls* returns what keeps the parts of a node. While *stopped* returns True nothing new is read or called, and the
    result is cancelled with what there is.
    """
    evaluation = Evaluation(plan, sources, now, limits or Limits(), on_progress, stopped)
    values = dict(known or {})
    failed: list[NodeFailed | Stopped] = []

    async def execute(node: str) -> Outcome:
        try:
            values[node] = await evaluation.execute(node, values, calls(node))
        except (NodeFailed, Stopped) as error:
            failed.append(error)
            return Outcome.FAILED
        return Outcome.DONE

    done = dict.fromkeys(values, Outcome.DONE)
    await run_steps(plan.graph, execute, max_concurrency=evaluation.limits.nodes_at_once, done=done)
    if not failed:
        returned = tuple(
            Returned(node=node, name=plan.names.get(node, ""), value=values[node]) for node in plan.returns
        )
        return Result(state="succeeded", returns=returned, values=values)
    left = {node: rows for node, rows in evaluation.partial.items() if node not in values}
    error = next((each for each in failed if isinstance(each, NodeFailed)), None)
    if error is None:
        return Result(state="cancelled", values=values, partial=left)
    return Result(
        state="failed", values=values, partial=left, error=str(error), code=error.code, uncertain=error.uncertain
    )
