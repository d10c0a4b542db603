"""What a run of a graph works from: the same for all workers of one number."""

from collections.abc import Iterable
from typing import Any

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.planes.graphs.document import Graph
from planloom.planes.graphs.options import RunOptions
from planloom.tools.tool import Tool


class DraftRequest(Frozen):
    """What a graph is drafted for. ``execute``: the run continues with it."""

    goal: str
    execute: bool = False


class GraphWork(Frozen):
    """What a run of a graph works from: the graph, the caller's variables, and its tools as they were at the start.

    ``draft`` is there while the graph is to be drafted. ``replanned``: the graph was revised after a failure.
    """

    graph: Graph
    variables: dict[str, Any] = Field(default_factory=dict)
    options: RunOptions = RunOptions()
    tools: tuple[Tool, ...] = ()
    draft: DraftRequest | None = None
    replanned: bool = False

    def limited_to(self, used: Iterable[Tool]) -> dict[str, tuple[Tool, ...]]:
        """Return the tools that a run needs: those that its graph uses, all where it may be re-planned."""
        return {} if self.options.enable_replan else {"tools": tuple(used)}
