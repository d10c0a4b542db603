"""The network of a plan: packages, approvals, gates and decisions in topological order, placed forwards and backwards.

Days are ordinals. The end of a node is exclusive: what waits for it starts on that day or later. ``opening`` is the day
before which a node cannot start, whatever it waits for. ``length`` is working days of a package (calendar days where
every day counts) and calendar days of an approval.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from heapq import heapify, heappop, heappush
from math import floor
from typing import NamedTuple

from planloom.planes.strategic.compute.calendars import Calendars, Grid
from planloom.planes.strategic.spine.rows import Approval, Decision, Gate, Need, Package, Party
from planloom.planes.strategic.spine.spine import Spine

#: Far later than any bound.
NEVER = 10**9


class Wait(NamedTuple):
    """What a node waits for: *lag* days after the end of *id* or after its start, working days or calendar days.

    It waits until the day *until* at most; 0: for as long as it takes.
    """

    id: str
    from_start: bool = False
    lag: int = 0
    calendar: bool = False
    until: int = 0

    @property
    def plain(self) -> bool:
        """Whether it ends with the end of *id*."""
        return not (self.from_start or self.lag or self.until)


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


class Network:
    """Nodes in topological order, to be placed again and again with other lengths.

    Values of nodes are lists in the order of ``nodes``; ``at`` is the position by id. Waits for ids that are no node,
    and waits that close a cycle, are left out, so that every spine can be placed.
    """

    def __init__(self, nodes: Iterable[Node], ours: Grid) -> None:
        self.ours = ours
        self.nodes = _ordered({node.id: node for node in nodes})
        self.at = {node.id: n for n, node in enumerate(self.nodes)}
        self._steps = [(node, node.opening, *self._waits(n, node)) for n, node in enumerate(self.nodes)]

    def _waits(self, position: int, node: Node) -> tuple[tuple[int, ...], tuple[tuple[int, Wait], ...]]:
        """Return the positions whose ends *node* waits for, and the other waits."""
        waits = [(self.at[w.id], w) for w in node.waits if self.at.get(w.id, position) < position]
        plain = dict.fromkeys(at for at, wait in waits if wait.plain)
        return tuple(plain), tuple((at, wait) for at, wait in waits if not wait.plain)

    def _shifted(self, day: int, wait: Wait, lag: int) -> int:
        return day + lag if wait.calendar else self.ours.shift(day, lag)

    def _bound(self, at: int, wait: Wait, starts: Sequence[int], ends: Sequence[int]) -> int:
        """Return the day before which *wait*, for the position *at*, lets nothing start."""
        day = self._shifted((starts if wait.from_start else ends)[at], wait, wait.lag)
        return min(day, wait.until) if wait.until else day

    def before(self, position: int) -> Iterator[int]:
        """Yield the positions that the node at *position* waits for."""
        _, _, plain, lagged = self._steps[position]
        yield from plain
        yield from (at for at, _ in lagged)

    def bounds(self, position: int, starts: Sequence[int], ends: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield each day before which a node cannot start, with the position of what says so; -1: a day says so."""
        _, _, plain, lagged = self._steps[position]
        yield from ((ends[at], at) for at in plain)
        for at, wait in lagged:
            day = self._bound(at, wait, starts, ends)
            yield day, -1 if wait.until and day == wait.until else at

    def ready(self, position: int, starts: Sequence[int], ends: Sequence[int]) -> int:
        """Return the day on which all that a node waits for lets it start."""
        _, ready, plain, lagged = self._steps[position]
        for at in plain:
            if ends[at] > ready:
                ready = ends[at]
        for at, wait in lagged:
            ready = max(ready, self._bound(at, wait, starts, ends))
        return ready

    def forward(
        self, lengths: Sequence[int], slips: Mapping[int, int] | None = None, *, moves: bool = False,
        least: Mapping[int, int] | None = None,
    ) -> tuple[list[int], list[int]]:  # fmt: skip
        """Return early starts and ends; *slips* are calendar days that nodes end later, *least* their earliest ends.

        With *moves*, fixed packages wait for what they need as others do.
        """
        starts: list[int] = []
        ends: list[int] = []
        for position, length in enumerate(lengths):
            start, end = self.nodes[position].place(self.ready(position, starts, ends), length, moves=moves)
            if slips and position in slips:
                end += slips[position]
            if least and position in least:
                end = max(end, least[position])
            starts.append(start)
            ends.append(end)
        return starts, ends

    def backward(
        self, lengths: Sequence[int], ends: Sequence[int], dues: Mapping[int, int]
    ) -> tuple[list[int], list[int]]:
        """Return the latest starts and ends with which nothing in *dues* (ends by position) and not the end slips."""
        last = max((ends[n] for n, node in enumerate(self.nodes) if isinstance(node, PackageNode)), default=0)
        late_ends = [
            last if isinstance(n, PackageNode) else max(last, end) for n, end in zip(self.nodes, ends, strict=True)
        ]
        late_starts = [NEVER] * len(ends)
        for position, due in dues.items():
            late_ends[position] = min(late_ends[position], due)
        for position in range(len(ends) - 1, -1, -1):
            node, _, plain, lagged = self._steps[position]
            latest = node.latest(late_ends[position], lengths[position], ends[position])
            latest = late_starts[position] = min(late_starts[position], latest)
            for at in plain:
                late_ends[at] = min(late_ends[at], latest)
            for at, wait in lagged:
                if wait.until and wait.until <= latest:
                    continue  # the day alone lets it start in time
                late = late_starts if wait.from_start else late_ends
                late[at] = min(late[at], self._shifted(latest, wait, -wait.lag))
        return late_starts, late_ends

    def ancestors(self, positions: Iterable[int]) -> set[int]:
        """Return *positions* and all that they wait for."""
        found: set[int] = set()
        todo = list(positions)
        while todo:
            if (position := todo.pop()) not in found:
                found.add(position)
                todo += self.before(position)
        return found

    def closing(self, names: Collection[str], days: Iterable[int]) -> "Network":
        """Return the network in which the packages *names* are not worked on *days*."""
        closed: dict[int, Grid] = {}
        nodes: list[Node] = []
        for node in self.nodes:
            if node.id in names and isinstance(node, PackageNode):
                grid = closed.setdefault(id(node.grid), node.grid.closing(days))
                nodes.append(replace(node, grid=grid))
            else:
                nodes.append(node)
        return Network(nodes, self.ours)

    def with_links(self, links: Iterable[tuple[str, str]], openings: Mapping[str, int]) -> "Network":
        """Return the network in which the second of each of *links* waits for the first; *openings* by id."""
        waits: dict[str, list[Wait]] = {}
        for first, second in links:
            waits.setdefault(second, []).append(Wait(first))
        return Network(
            (
                replace(
                    node,
                    waits=(*node.waits, *waits.get(node.id, ())),
                    opening=max(node.opening, openings.get(node.id, 0)),
                )
                for node in self.nodes
            ),
            self.ours,
        )


def network_of(spine: Spine, calendars: Calendars) -> Network:
    """Return the network of *spine*, without regard to roles."""
    grids = {id(c): Grid(c) for c in (calendars.ours, calendars.outdoor, calendars.every_day)}
    ours = grids[id(calendars.ours)]
    start = spine.frame.start.toordinal()
    freed = _freed(spine)
    nodes: list[Node] = [Node(d.id, d.by.toordinal() + 1) for d in spine.decisions if d.by]
    for gate in spine.gates:
        due = gate.day.toordinal() + 1 if gate.day else 0
        nodes.append(GateNode(gate.id, due or start, (*map(Wait, gate.needs), *freed.get(gate.id, ())), due))
    parties = {party.id: party for party in spine.parties}
    allowed: dict[str, int] = {}
    for demand in spine.demands:
        for name in demand.met_by if demand.not_before else ():
            allowed[name] = max(allowed.get(name, 0), demand.not_before.toordinal() if demand.not_before else 0)
    for approval in spine.approvals:
        party = parties.get(approval.party)
        waits = (*map(Wait, approval.papers), *freed.get(approval.id, ()))
        before = party.papers_days if party else 0
        nodes.append(ApprovalNode(approval.id, start, waits, _meetings(approval, party), before))
    brief = {p.id: p.not_before for p in spine.packages if p.not_before and whole_days(mean_days(p)) == 1}
    for package in spine.packages:
        needs = [_need(n, same_day=_on_one_day(package, n, brief)) for n in package.needs]
        # what frees it may also be what it waits for until a day at most
        bounded = {wait.id for wait in needs if wait.until}
        waits = (*needs, *(wait for wait in freed.get(package.id, ()) if wait.id not in bounded))
        first = max(start, allowed.get(package.id, 0))
        nodes.append(_package_node(package, first, waits, grids[id(calendars.of(package))]))
    return Network(nodes, ours)


def _on_one_day(package: Package, need: Need, brief: Mapping[str, date]) -> bool:
    """Return whether *package* is fixed on the one day of what it needs: a day has a morning and an evening."""
    plain = need.kind == "finish_start" and not need.lag
    return plain and package.fixed and package.not_before is not None and brief.get(need.id) == package.not_before


def _need(need: Need, *, same_day: bool) -> Wait:
    until = need.or_day.toordinal() if need.or_day else 0
    if same_day:
        return Wait(need.id, lag=-1, calendar=True, until=until)
    return Wait(need.id, need.kind == "start_start", need.lag, need.calendar_days, until)


def mean_days(package: Package) -> float:
    """Return the PERT mean of *package*, in days of its calendar."""
    return (package.low + 4 * package.likely + package.high) / 6


def whole_days(days: float) -> int:
    """Return *days* as a calendar counts them: at least one."""
    return max(1, floor(days + 0.5))


def _package_node(package: Package, start: int, waits: tuple[Wait, ...], grid: Grid) -> PackageNode:
    if package.fixed and package.not_before:
        return FixedNode(package.id, package.not_before.toordinal(), waits, grid=grid)
    first = package.not_before.toordinal() if package.not_before else 0
    return PackageNode(package.id, max(start, first), waits, grid=grid)


def _freed(spine: Spine) -> dict[str, list[Wait]]:
    """Return what is freed, by id, with what frees it."""
    freed: dict[str, list[Wait]] = {}
    rows: tuple[Decision | Gate | Approval, ...] = (*spine.decisions, *spine.gates, *spine.approvals)
    for row in rows:
        for name in row.frees:
            freed.setdefault(name, []).append(Wait(row.id))
    return freed


def _meetings(approval: Approval, party: Party | None) -> list[int]:
    """Return the meeting that decides and the later ones; none where no meeting is needed."""
    if not approval.meeting:
        return []
    later = [day for day in party.meeting_days if day > approval.meeting] if party else []
    return sorted({day.toordinal() for day in (approval.meeting, *later)})


def _ordered(nodes: dict[str, Node]) -> list[Node]:
    """Return *nodes* so that each is after what it waits for; in a cycle the first of *nodes* comes first."""
    place = {name: n for n, name in enumerate(nodes)}
    names = list(nodes)
    waiting = {name: {w.id for w in node.waits if w.id in nodes} - {name} for name, node in nodes.items()}
    followers: dict[str, list[str]] = {name: [] for name in nodes}
    for name, others in waiting.items():
        for other in others:
            followers[other].append(name)
    todo = [place[name] for name, others in waiting.items() if not others]
    heapify(todo)
    found: dict[str, Node] = {}
    while len(found) < len(nodes):
        name = names[heappop(todo)] if todo else next(name for name in names if name not in found)
        if name in found:
            continue
        found[name] = nodes[name]
        for follower in followers[name]:
            waiting[follower].discard(name)
            if not waiting[follower] and follower not in found:
                heappush(todo, place[follower])
    return list(found.values())
