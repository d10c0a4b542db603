"""Levelling by role: packages wait until the people they need are free (serial schedule generation).

Source: Kelley 1963, The critical path method: resources planning and scheduling.
"""

from bisect import insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise

from planloom.compute.effort import Use, at_once
from planloom.compute.network import FixedNode, Network, PackageNode
from planloom.spine.references import reached
from planloom.spine.rows import Role

_EPSILON = 1e-6

#: Days from one working day to the next over a weekend with a holiday; a longer gap is a closure.
WEEKEND = 5


@dataclass(frozen=True)
class Levelled:
    """Starts and ends by position; *held* the working days that a role kept a position waiting, with that role.

    *links* are pairs of ids: the second takes people over from the first. With them and *openings* (when roles are
    there, by id) the network without roles gives these dates again (an earlier one where links would close a circle),
    and keeps their order with other lengths.
    """

    starts: list[int]
    ends: list[int]
    held: dict[int, tuple[int, str]]
    links: tuple[tuple[str, str], ...]
    openings: dict[str, int]


class _Profiles:
    """How many people of each role are taken on each day."""

    def __init__(self, roles: Mapping[str, Role]) -> None:
        self._people = {role.id: at_once(role) + _EPSILON for role in roles.values()}
        self._taken: dict[str, dict[int, float]] = {name: defaultdict(float) for name in roles}

    def waits_for(self, uses: Sequence[Use]) -> list[Use]:
        """Return the *uses* that can be levelled: one that needs more than there is would never start."""
        return [use for use in uses if use.rate <= self._people[use.role]]

    def busy(self, use: Use, days: Sequence[int]) -> int | None:
        """Return the last of *days* on which too few of the role are free."""
        taken, free = self._taken[use.role], self._people[use.role] - use.rate
        return next((day for day in reversed(days) if taken.get(day, 0) > free), None)

    def take(self, uses: Sequence[Use], days: Sequence[int]) -> None:
        """Take people on *days* and on the weekends between: nobody does on Saturday what waits for the week."""
        weeks = list(_with_weekends(days)) if uses else []
        for role, rate in uses:
            taken = self._taken[role]
            for day in weeks:
                taken[day] += rate


def _with_weekends(days: Sequence[int]) -> Iterator[int]:
    yield days[0]
    for day, following in pairwise(days):
        yield from range(day + 1, following) if following - day <= WEEKEND else ()
        yield following


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
        self._profiles = _Profiles(roles)
        for position, node in enumerate(network.nodes):
            if isinstance(node, FixedNode):
                days = [node.opening, *node.grid.days(node.opening + 1, lengths[position] - 1)]
                self._profiles.take(uses.get(position, ()), days)

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
        self._profiles.take(self._uses.get(position, ()), node.grid.days(start, length))

    def _first_gap(self, position: int, node: PackageNode, ready: int) -> tuple[int, int]:
        length = self._lengths[position]
        uses = self._profiles.waits_for(self._uses.get(position, ()))
        start, end = first, _ = node.grid.place(ready, length)
        role = ""
        for use in uses:
            there = self._roles[use.role].first
            if there and there.toordinal() > start:
                self._openings[node.id] = there.toordinal()
                start, end = node.grid.place(there.toordinal(), length)
                role = use.role
        while uses:
            days = node.grid.days(start, length)
            busy = max(
                ((day, use.role) for use in uses if (day := self._profiles.busy(use, days)) is not None), default=None
            )
            if busy is None:
                break
            role = busy[1]
            start, end = node.grid.place(busy[0] + 1, length)
        if start > first:
            self._held[position] = (self._network.ours.count(first, start), role)
        return start, end

    def result(self) -> Levelled:
        return Levelled(self._starts, self._ends, self._held, tuple(self._links()), self._openings)

    def _links(self) -> list[tuple[str, str]]:
        """Return who takes people over from whom: for each role, as in a relay, in the order of starts."""
        by_start = sorted(self._uses, key=lambda n: (self._starts[n], n))
        nodes = self._network.nodes
        links: dict[tuple[int, int], None] = {}
        for role in self._roles.values():
            free: list[tuple[int, int, float]] = [(0, -1, at_once(role))]
            for position in by_start:
                rate = min(sum(u.rate for u in self._uses[position] if u.role == role.id), at_once(role))
                for giver in self._take_over(free, position, rate):
                    links[giver, position] = None
        for position, (_, name) in self._held.items():
            # it may wait for more than it takes over: for a gap that is long enough, or for all of a role
            users = [n for n, taken in self._uses.items() if any(use.role == name for use in taken)]
            ended = [(self._ends[n], n) for n in users if n != position and self._ends[n] <= self._starts[position]]
            if ended:
                links[max(ended)[1], position] = None
        return [(nodes[a].id, nodes[b].id) for a, b in self._open(links) if not isinstance(nodes[b], FixedNode)]

    def _open(self, links: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
        """Return *links* without those that would close a circle."""
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

    def _take_over(self, free: list[tuple[int, int, float]], position: int, rate: float) -> list[int]:
        """Take *rate* from those who are *free* (since, position, people) and return the positions it comes from."""
        if rate <= _EPSILON:
            return []
        before = set(self._network.after_end_of(position))
        ready = [chunk for chunk in free if chunk[0] <= self._starts[position]]
        givers = []
        left = rate
        # whom it waits for already first: that adds no new dependency
        for chunk in sorted(ready, key=lambda c: (c[1] not in before and c[1] >= 0, c[0])):
            if left <= _EPSILON:
                break
            free.remove(chunk)
            since, giver, people = chunk
            if people > left + _EPSILON:
                insort(free, (since, giver, people - left))
            left -= people
            givers.append(giver)
        insort(free, (self._ends[position], position, rate - max(left, 0)))
        return [giver for giver in givers if giver >= 0 and giver not in before]
