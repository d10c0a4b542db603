"""What a program would do: its nodes and their order, what it reads, calls and changes, its bounds and its verdict."""

from functools import cached_property
from typing import Any, Literal

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.core.step_graph import StepGraph

VERSION = 1
#: Rows of the page that a list has where a program asks for no number.
PAGE_ROWS = 25
Verdict = Literal["ok", "review", "deny", "needs_fix"]
Op = Literal[
    "read",
    "get",
    "page",
    "filter",
    "project",
    "sort",
    "limit",
    "aggregate",
    "distinct",
    "combine",
    "related",
    "call",
    "for_each",
]
#: Operations that reach a backend; the others work on rows that are there.
BACKEND_OPS = frozenset({"read", "get", "page", "related", "call", "for_each"})


class PlanNode(Frozen):
    """One operation. ``inputs`` are nodes whose rows it takes, the first one its source; ``after`` only come before it.

    Values in ``args`` refer to inputs by their place: ``{"$ref": [1, "id"]}``; conditions name them ``_1.id``.
    """

    id: str
    op: Op
    args: dict[str, Any] = Field(default_factory=dict)
    inputs: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class Pushed(Frozen):
    """A comparison that the backend makes: *parameter* is the value, or that of a field of another node's row.

    ``relative`` names a time relative to now, which is the value then.
    """

    field: str
    sign: str
    parameter: str
    value: Any = None
    node: str = ""
    path: str = ""
    relative: str = ""


class Fetch(Frozen):
    """How much a ``read`` or ``related`` node reads; it follows from the nodes that take its rows.

    ``page``: one page of the usual size. ``rows``: it stops after so many; None: it reads all. ``where`` holds
    conditions on each row; in them other nodes are named by their id after an underscore. ``fields`` None: all.
    ``complete``: the backend makes every comparison. ``absorbed`` are the nodes whose work is done while reading.
    """

    page: bool = False
    rows: int | None = None
    where: tuple[str, ...] = ()
    pushed: tuple[Pushed, ...] = ()
    complete: bool = True
    fields: tuple[str, ...] | None = None
    absorbed: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


class ProgramProblem(Frozen):
    """Why a program cannot run: where in its text, and the name that may be meant."""

    message: str
    line: int = 1
    column: int = 1
    nearest: str = ""


class ProgramPlan(Frozen):
    """What a program would do.

    ``reads``, ``calls`` and ``changes`` are lines for people. ``bounds`` has the number of rows that each returned node
    has at most, None where it is not known. ``expensive``: it should run without anybody waiting for it. ``labels``
    say what a node does, ``names`` what the program calls it.
    """

    version: int = VERSION
    nodes: tuple[PlanNode, ...] = ()
    topological_order: tuple[str, ...] = ()
    returns: tuple[str, ...] = ()
    names: dict[str, str] = Field(default_factory=dict)
    labels: dict[str, str] = Field(default_factory=dict)
    fetches: dict[str, Fetch] = Field(default_factory=dict)
    reads: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    bounds: dict[str, int | None] = Field(default_factory=dict)
    verdict: Verdict = "ok"
    reasons: tuple[str, ...] = ()
    problems: tuple[ProgramProblem, ...] = ()
    expensive: bool = False

    @cached_property
    def by_id(self) -> dict[str, PlanNode]:
        """The nodes by their id."""
        return {node.id: node for node in self.nodes}

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Pairs of a node and one that comes before it, in the order of the nodes."""
        return tuple((needed, node.id) for node in self.nodes for needed in dict.fromkeys((*node.inputs, *node.after)))

    @cached_property
    def graph(self) -> StepGraph:
        """The nodes as steps that run."""
        return StepGraph.of((node.id, (*node.inputs, *node.after, *self._fetch_needs(node.id))) for node in self.nodes)

    def _fetch_needs(self, node: str) -> tuple[str, ...]:
        fetch = self.fetches.get(node)
        return fetch.needs if fetch else ()
