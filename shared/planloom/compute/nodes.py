"""What the network of a plan is made of, and how each is placed: packages, approvals, gates, decisions.

Days are ordinals. The end of a node is exclusive: what waits for it starts on that day or later. ``opening`` is the day
before which a node cannot start, whatever it waits for. ``length`` is working days of a package (calendar days where
every day counts) and calendar days of an approval.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from planloom.compute.calendars import Grid

#: Far later than any bound.
NEVER = 10**9


class Wait(NamedTuple):
    """What a node waits for: *lag* days after the end of *id* or after its start, working days or calendar days."""

    id: str
    from_start: bool = False
    lag: int = 0
    calendar: bool = False


@dataclass(slots=True)
class Node:
    """A day: a gate or a decision. Its opening is the day after it."""

    id: str
    opening: int
    waits: tuple[Wait, ...] = ()

    def place(self, ready: int, length: int, *, moves: bool) -> tuple[int, int]:
        """Return start and end for what is *ready*; with *moves*, fixed packages wait for what they need."""
        del length, moves
        return ready, ready

    def latest(self, bound: int, length: int, end: int) -> int:
        """Return the latest day to be ready and to end on *bound* or before; *end* is the computed one."""
        del length, end
        return bound


@dataclass(slots=True)
class GateNode(Node):
    """A gate: ``due`` is the day after its day, 0 where it has none; what it needs is late after it."""

    due: int = 0

    def latest(self, bound: int, length: int, end: int) -> int:
        """Return the day after the gate's day, or *bound* where that is earlier."""
        del length, end
        return min(bound, self.due) if self.due else bound


@dataclass(slots=True)
class ApprovalNode(Node):
    """An approval: answered *length* days after its papers, or at a meeting that they reach *before* days ahead.

    With a negative length it is not needed: it ends before everything, so that nothing waits for it.
    """

    meetings: Sequence[int] = ()
    before: int = 0

    def place(self, ready: int, length: int, *, moves: bool) -> tuple[int, int]:
        """Return the day after the papers are complete, and the day after the answer."""
        del moves
        if length < 0:
            return 0, 0
        found = bisect_left(self.meetings, ready - 1 + self.before)
        if found < len(self.meetings):
            return ready, self.meetings[found] + 1
        return ready, ready + self.lead(length)

    def driven(self, ready: int, end: int, length: int) -> bool:
        """Return whether an answer a day later follows from papers a day later."""
        return self.place(ready + 1, length, moves=False)[1] > end

    def lead(self, length: int) -> int:
        """Return the lead time where no known meeting is left: at least what papers need before a meeting."""
        return max(length, self.before) if self.meetings else length

    def latest(self, bound: int, length: int, end: int) -> int:
        """Return the latest day on which papers are complete."""
        if length < 0:
            return NEVER
        if end - 1 not in self.meetings:
            return bound - self.lead(length)
        found = bisect_right(self.meetings, bound - 1)
        return (self.meetings[found - 1] + 1 if found else bound) - self.before


@dataclass(slots=True)
class PackageNode(Node):
    """A package in the grid of its calendar."""

    grid: Grid = field(kw_only=True)

    def place(self, ready: int, length: int, *, moves: bool) -> tuple[int, int]:
        """Return its first working day and the day after its last."""
        del moves
        return self.grid.place(ready, length)

    def latest(self, bound: int, length: int, end: int) -> int:
        """Return its latest start."""
        del end
        return self.grid.latest_start(bound, length)


@dataclass(slots=True)
class FixedNode(PackageNode):
    """A package that takes place on its opening; that day counts even where its calendar is closed."""

    def place(self, ready: int, length: int, *, moves: bool) -> tuple[int, int]:
        """Return its day and the day after its last; it is later only where it *moves*."""
        if moves and ready > self.opening:
            return self.grid.place(ready, length)
        return self.opening, self.grid.finish(self.opening + 1, length - 1)

    def latest(self, bound: int, length: int, end: int) -> int:
        """Return its day: what it needs is late after it."""
        del bound, length, end
        return self.opening
