"""Levelling by role: packages wait until the people they need are free (serial schedule generation).

Source: Kelley 1963, The critical path method: resources planning and scheduling.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import inf

from planloom.planes.strategic.compute.calendars import Grid
from planloom.planes.strategic.compute.effort import Use, at_once
from planloom.planes.strategic.compute.network import FixedNode, Network, PackageNode
from planloom.planes.strategic.spine.references import reached
from planloom.planes.strategic.spine.rows import Role

_EPSILON = 1e-6


@dataclass(frozen=True)
class Levelled:
    """Starts and ends by position; *held* the working days that a role kept a position waiting, with that role.

    *links* are pairs of ids: the second takes people over from the first. With them and *openings* (when roles are
    there, by id) the network without roles gives these dates again (an earlier one where links would close a cycle),
    and keeps their order with other lengths.
    """

    starts: list[int]
    ends: list[int]
    held: dict[int, tuple[int, str]]
    links: tuple[tuple[str, str], ...]
    openings: dict[str, int]


class _Claims:
    """The person-days that packages need of each role, each within the days of its package.

    Their distribution over these days is not fixed: a package that takes a day a week leaves capacity for one that
    takes a whole week. They fit as long as, in every span of days, the packages within it need no more person-days
    than there are. What is done on days off alone, such as a meeting on a Saturday, takes no working day: it competes
    with what else is done on these days.
    """

    def __init__(self, roles: Mapping[str, Role], grid: Grid) -> None:
        self._people = {role.id: at_once(role) for role in roles.values()}
        self._claims: dict[str, list[tuple[int, int, float]]] = {name: [] for name in roles}
        self._off: dict[str, list[tuple[int, int, float]]] = {name: [] for name in roles}
        self._grid = grid

    def fits(self, use: Use, length: int) -> bool:
        """Return whether the role could ever do it: what needs more than there is would never start."""
        return use.rate <= self._people[use.role] + _EPSILON and length > 0

    def blocked_until(self, use: Use, start: int, end: int, length: int) -> int | None:
        """Return the day from which there may be capacity for *use* in ``[start, end)``; None if it fits there."""
        if self._capacity(use.role, start, end) >= self._needed(use, start, end, length) - _EPSILON:
            return None
        claims = self._claims if self._grid.count(start, end) else self._off
        return min((last for _, last, _ in claims[use.role] if last > start), default=None)

    def take(self, uses: Iterable[Use], start: int, end: int, length: int) -> None:
        """Claim what *uses* need in ``[start, end)``, at most the capacity: the rest is a finding."""
        claims = self._claims if self._grid.count(start, end) else self._off
        for use in uses:
            if self._people[use.role] < inf:
                capacity = max(0.0, self._capacity(use.role, start, end))
                claims[use.role].append((start, end, min(self._needed(use, start, end, length), capacity)))

    def _needed(self, use: Use, start: int, end: int, length: int) -> float:
        # of a package that works on more days than others, those are counted on which others work as well
        return use.rate * min(length, self._grid.count(start, end) or length)

    def _capacity(self, role: str, start: int, end: int) -> float:
        """Return how many person-days are left for a claim in ``[start, end)``: the least of all spans around it."""
        people = self._people[role]
        if people == inf:
            return inf
        if not self._grid.count(start, end):
            taken = sum(days for first, last, days in self._off[role] if first < end and last > start)
            return people * (end - start) - taken
        claims = self._claims[role]
        firsts = sorted({start, *(first for first, _, _ in claims if first < start)}, reverse=True)
        lasts = sorted({end, *(last for _, last, _ in claims if last > end)})
        least = inf
        for first in firsts:
            inside = [(last, days) for begun, last, days in claims if begun >= first]
            for until in lasts:
                taken = sum(days for last, days in inside if last <= until)
                least = min(least, people * self._grid.count(first, until) - taken)
        return least


def level(
    network: Network, lengths: Sequence[int], slack: Sequence[tuple[int, int]], uses: Mapping[int, tuple[Use, ...]],
    roles: Mapping[str, Role],
) -> Levelled:  # fmt: skip
    """Place all nodes, the ready package with the least *slack* (with its latest start) first, in its first gap.

    *uses* are by position. A role is there from its first day on (that it leaves is a finding, not a delay); a package
    that needs more of a role than there is does not wait for it; fixed packages do not move, others make way for them.
    """
    run = _Run(network, lengths, uses, roles)
    missing = [set(network.before(n)) for n in range(len(lengths))]
    followers: dict[int, list[int]] = defaultdict(list)
    for position, others in enumerate(missing):
        for other in others:
            followers[other].append(position)
    todo = [(*run.priority(n, slack), n) for n, others in enumerate(missing) if not others]
    heapify(todo)
    while todo:
        *_, position = heappop(todo)
        run.place(position)
        for follower in followers[position]:
            missing[follower].discard(position)
            if not missing[follower]:
                heappush(todo, (*run.priority(follower, slack), follower))
    return run.result()


class _Run:
    def __init__(
        self, network: Network, lengths: Sequence[int], uses: Mapping[int, tuple[Use, ...]], roles: Mapping[str, Role]
    ) -> None:
        self._network, self._lengths, self._uses, self._roles = network, lengths, uses, roles
        self._starts, self._ends = [0] * len(lengths), [0] * len(lengths)
        self._held: dict[int, tuple[int, str]] = {}
        self._openings: dict[str, int] = {}
        self._claims = _Claims(roles, network.ours)
        for position, node in enumerate(network.nodes):
            if isinstance(node, FixedNode):
                end = node.grid.finish(node.opening + 1, lengths[position] - 1)
                self._claims.take(uses.get(position, ()), node.opening, end, lengths[position])

    def priority(self, position: int, slack: Sequence[tuple[int, int]]) -> tuple[int, int, int]:
        """Return what orders the ready nodes: all but packages first."""
        node = self._network.nodes[position]
        levelled = isinstance(node, PackageNode) and not isinstance(node, FixedNode)
        return (1, *slack[position]) if levelled else (0, 0, 0)

    def place(self, position: int) -> None:
        node, length = self._network.nodes[position], self._lengths[position]
        ready = self._network.ready(position, self._starts, self._ends)
        if isinstance(node, FixedNode) or not isinstance(node, PackageNode):
            self._starts[position], self._ends[position] = node.place(ready, length, moves=False)
            return
        start, end = self._first_gap(position, node, ready)
        self._starts[position], self._ends[position] = start, end
        self._claims.take(self._uses.get(position, ()), start, end, length)

    def _first_gap(self, position: int, node: PackageNode, ready: int) -> tuple[int, int]:
        length = self._lengths[position]
        uses = [use for use in self._uses.get(position, ()) if self._claims.fits(use, length)]
        start, end = first, _ = node.grid.place(ready, length)
        role = ""
        for use in uses:
            there = self._roles[use.role].first
            if there and there.toordinal() > start:
                self._openings[node.id] = there.toordinal()
                start, end = node.grid.place(there.toordinal(), length)
                role = use.role
        while blocked := [
            (until, use.role)
            for use in uses
            if (until := self._claims.blocked_until(use, start, end, length)) is not None
        ]:
            until, role = max(blocked)
            start, end = node.grid.place(max(until, start + 1), length)
        if start > first:
            self._held[position] = (self._network.ours.count(first, start), role)
        return start, end

    def result(self) -> Levelled:
        return Levelled(self._starts, self._ends, self._held, tuple(self._links()), self._openings)

    def _links(self) -> list[tuple[str, str]]:
        """Return which node takes people over from which: for each role, from the last one that leaves no capacity."""
        nodes = self._network.nodes
        links: dict[tuple[int, int], None] = {}
        for role in self._roles.values():
            mine = [(n, sum(u.rate for u in taken if u.role == role.id)) for n, taken in self._uses.items()]
            for position, rate in mine:
                before = [
                    (self._ends[n], n)
                    for n, other in mine
                    if n != position and self._ends[n] <= self._starts[position] and self._clash(role, rate, other)
                ]
                if rate and before:
                    links[max(before)[1], position] = None
        for position, (_, name) in self._held.items():
            # it may wait for several that each leave capacity
            users = [n for n, taken in self._uses.items() if any(use.role == name for use in taken)]
            ended = [(self._ends[n], n) for n in users if n != position and self._ends[n] <= self._starts[position]]
            if ended:
                links[max(ended)[1], position] = None
        return [(nodes[a].id, nodes[b].id) for a, b in self._open(links) if not isinstance(nodes[b], FixedNode)]

    def _clash(self, role: Role, rate: float, other: float) -> bool:
        return bool(other) and rate + other > at_once(role) + _EPSILON

    def _open(self, links: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
        """Return *links* without those that would close a cycle."""
        before = {n: list(self._network.before(n)) for n in range(len(self._starts))}
        if all(self._starts[other] <= self._starts[n] for n, others in before.items() for other in others):
            # a link goes to a later start, so only what starts before what it needs can lead back
            return links
        kept = []
        for giver, taker in links:
            if taker != giver and taker not in reached(before, giver):
                before[taker].append(giver)
                kept.append((giver, taker))
        return kept
