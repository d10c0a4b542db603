"""What nodes of a plan come to, how they fail, and what keeps their parts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.planes.programs import rows as operations
from planloom.planes.programs.conditions import TIMES
from planloom.planes.programs.plan import PlanNode
from planloom.planes.programs.rows import columns, value_in
from planloom.planes.programs.sources import Row


class Limits(Frozen):
    """How much one node may read, hold and call, and how many calls it makes at the same time."""

    rows: int = 100_000
    calls: int = 1_000
    parallel: int = 4
    nodes_at_once: int = 4


class NodeValue(Frozen):
    """What a node came to: rows, or ``one`` row. ``next`` is where the rows that follow begin, None if none do."""

    rows: list[Any] = Field(default_factory=list)
    one: bool = False
    next: dict[str, Any] | None = None


class NodeFailed(Exception):
    """A node could not do its work. ``uncertain``: a call may have been carried out, and nobody knows."""

    def __init__(self, message: str, code: str = "operation_failed", uncertain: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.uncertain = uncertain


class Stopped(Exception):
    """The evaluation was asked to stop."""


@dataclass(frozen=True)
class NodeProgress:
    """Node number *step* of *steps* has so many *rows* so far; numbers count from 1. ``ended``: it is done."""

    step: int
    steps: int
    label: str
    rows: int
    node: str
    ended: bool = False


class NodeCalls(Protocol):
    """What keeps the parts of a node (``pages/0``, ``items/3``), so that a crash repeats nothing that was done."""

    async def kept(self, part: str) -> Any | None:
        """Return what *part* came to before, as JSON; None where it has not ended."""

    async def keep(self, part: str, value: Any) -> None:
        """Keep what *part* came to."""

    async def intend(self, part: str) -> None:
        """Keep that a call that must not be made twice is about to be made."""


class NothingKept:
    """Keeps no parts: for evaluations that start over after a crash."""

    async def kept(self, part: str) -> Any | None:
        """Return None."""

    async def keep(self, part: str, value: Any) -> None:
        """Keep nothing."""

    async def intend(self, part: str) -> None:
        """Keep nothing."""


def as_row(result: Any) -> Row:
    """Return the result of a call as a row."""
    return result if isinstance(result, dict) else {"value": result}


def first_of(value: Any) -> Any:
    """Return the only item of a list that has one, anything else as it is."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def filled(value: Any, inputs: Sequence[NodeValue], each: Any, times: Mapping[str, str]) -> Any:
    """Return *value* with the values of its references; *times* are those relative to now."""
    if isinstance(value, list):
        return [filled(item, inputs, each, times) for item in value]
    if not isinstance(value, dict):
        return value
    if "$each" in value:
        return value_in(each, value["$each"])
    if "$ref" in value:
        place, path = value["$ref"]
        found = [value_in(row, path) for row in inputs[place].rows]
        return (found[0] if found else None) if inputs[place].one else found
    if "$time" in value:
        return times[value["$time"]]
    return {name: filled(item, inputs, each, times) for name, item in value.items()}


def on_rows(node: PlanNode, inputs: Sequence[NodeValue], times: Mapping[str, str]) -> NodeValue:
    """Return what an operation on rows that are there comes to; *times* are those relative to now."""
    args, rows, one = node.args, inputs[0].rows, inputs[0].one
    match node.op:
        case "filter":
            others: dict[str, Any] = {f"_{n}": columns(each.rows, each.one) for n, each in enumerate(inputs) if n}
            others[TIMES] = times
            return NodeValue(rows=operations.matching(rows, args["where"], others))
        case "project":
            return NodeValue(rows=operations.projected(rows, args["fields"]), one=one, next=inputs[0].next)
        case "sort":
            return NodeValue(rows=operations.ordered(rows, args["keys"]), one=one)
        case "limit":
            return NodeValue(rows=rows[: args["rows"]], one=one)
        case "aggregate":
            return NodeValue(rows=operations.aggregated(rows, args["by"], args["functions"]), one=not args["by"])
        case "distinct":
            return NodeValue(rows=operations.distinct(rows, args["fields"]), one=one)
        case _:
            return NodeValue(rows=operations.combined(rows, args["sign"], inputs[1].rows, args["key"]))
