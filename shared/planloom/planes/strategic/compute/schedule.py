"""The schedule of a spine: levelled by role, on its calendars, with slack, drivers and the path that drives the end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from planloom.planes.strategic.compute.calendars import Calendars, calendars, day_of
from planloom.planes.strategic.compute.computed import Dated
from planloom.planes.strategic.compute.effort import effort, uses
from planloom.planes.strategic.compute.levelling import Levelled
from planloom.planes.strategic.compute.levelling import level as levelled
from planloom.planes.strategic.compute.network import (
    ApprovalNode,
    FixedNode,
    GateNode,
    Network,
    PackageNode,
    mean_days,
    network_of,
    whole_days,
)
from planloom.planes.strategic.facts.fact import Closure
from planloom.planes.strategic.spine.rows import Package
from planloom.planes.strategic.spine.spine import Spine

#: The length of an approval that is not needed.
NOT_NEEDED = -1


@dataclass(frozen=True)
class Schedule:
    """When everything in *spine* is. ``end`` is the last day of the last package, ``start`` the first day of the first.

    ``approvals`` are the days of the answers, without those that are needed only if something is found; ``gates`` the
    effective days: the gate's own, or the end of what it needs where that is later (gates with neither are left out);
    ``decisions`` the days by which those with a day are made. What a day of these frees starts after it. ``path`` are
    the ids of the packages that drive the end, in order.

    ``network`` has, beside what the rows wait for, what the levelling decided: who takes people over from whom, and
    when roles are there. Placed with other ``lengths`` (by position) it keeps that order of work:
    simulations and variations use it, and a longer package never makes the end earlier.
    """

    spine: Spine
    calendars: Calendars
    packages: dict[str, Dated]
    path: tuple[str, ...]
    start: date
    end: date
    approvals: dict[str, date]
    gates: dict[str, date]
    decisions: dict[str, date]
    network: Network
    lengths: tuple[int, ...]
    led_by: Mapping[str, str]

    def path_to(self, name: str) -> tuple[str, ...]:
        """Return the ids from the first package, approval, gate or decision that drives *name* up to *name* itself.

        Each would be earlier if the one before it ended earlier.
        """
        path = [name]
        while before := self.led_by.get(path[-1]):
            path.append(before)
        return tuple(reversed(path))

    def end_if(self, days: Mapping[str, float]) -> date:
        """Return the end if the packages and approvals in *days* (by id) take that long, in the same order of work."""
        lengths = list(self.lengths)
        for name, length in days.items():
            if name in self.network.at:
                lengths[self.network.at[name]] = whole_days(length) if name in self.packages else round(length)
        _, ends = self.network.forward(lengths)
        return max((day_of(ends[self.network.at[name]] - 1) for name in self.packages), default=self.end)


def schedule(
    spine: Spine,
    closures: tuple[Closure, ...] = (),
    *,
    level: bool = True,
    factor: float = 1.0,
    days: Mapping[str, float] | None = None,
    without: tuple[str, date, int] | None = None,
) -> Schedule:
    """Return the schedule of *spine*; any spine has one.

    A package takes the PERT mean of its estimate, or *days* by its id, times *factor*; an approval its likely time, or
    *days*, times *factor*; one with ``only_if`` is not waited for unless *days* names it. With *level*, packages wait
    until their roles have people free. *without* is a role that is not there from a day on for a number of working
    days: its own packages rest meanwhile, in the same order of work.
    """
    dates = calendars(spine.frame.start, closures, spine.frame.closed, spine.frame.worked)
    network = network_of(spine, dates)
    lengths = _lengths(spine, network, factor, days or {})
    starts, ends = network.forward(lengths)
    held: dict[int, tuple[int, str]] = {}
    if level:
        done = _level(spine, network, lengths, starts, ends)
        relinked = network.with_links(done.links, done.openings)
        order = [network.at[node.id] for node in relinked.nodes]
        lengths, starts, ends = ([values[at] for at in order] for values in (lengths, done.starts, done.ends))
        held = {relinked.at[network.nodes[n].id]: found for n, found in done.held.items()}
        network = relinked
    if without:
        network = resting(spine, network, *without)
        starts, ends = network.forward(lengths)
    return _Reading(spine, dates, network, lengths, starts, ends, held).schedule()


def resting(spine: Spine, network: Network, role: str, first: date, days: int) -> Network:
    """Return *network* in which the packages that *role* owns rest from *first* on for *days* working days."""
    begin = network.ours.place(first.toordinal(), 1)[0]
    closed = range(begin, network.ours.finish(begin, days))
    roles = {r.id: r for r in spine.roles}
    owned = {p.id for p in spine.packages if p.owner == role and any(u.role == role for u in uses(p, 1, roles))}
    return network.closing(owned, closed)


def _lengths(spine: Spine, network: Network, factor: float, days: Mapping[str, float]) -> list[int]:
    lengths = [0] * len(network.nodes)
    for package in spine.packages:
        lengths[network.at[package.id]] = whole_days(days.get(package.id, mean_days(package)) * factor)
    for approval in spine.approvals:
        needed = not approval.only_if or approval.id in days
        length = round(days.get(approval.id, approval.likely) * factor)
        lengths[network.at[approval.id]] = length if needed else NOT_NEEDED
    return lengths


def _level(
    spine: Spine, network: Network, lengths: Sequence[int], starts: Sequence[int], ends: Sequence[int]
) -> Levelled:
    roles = {role.id: role for role in spine.roles}
    late, _ = network.backward(lengths, ends, dues(spine, network))
    slack = [(network.ours.count(start, last), last) for start, last in zip(starts, late, strict=True)]
    taken = {network.at[p.id]: uses(p, lengths[network.at[p.id]], roles) for p in spine.packages}
    return levelled(network, lengths, slack, {n: found for n, found in taken.items() if found}, roles)


def dues(spine: Spine, network: Network) -> dict[int, int]:
    """Return the day after that by which positions must have ended: for dated demands, and for the end of the goal.

    The end binds what meets a demand of that day, or where there is none, all but closing packages: other work may go
    on after it.
    """
    found: dict[int, int] = {}
    if spine.frame.end:
        met = {name for d in spine.demands if d.due == spine.frame.end and not d.begins for name in d.met_by}
        bound = [p for p in spine.packages if (p.id in met if met else p.kind != "closing")]
        found = {network.at[p.id]: spine.frame.end.toordinal() + 1 for p in bound}
    for demand in spine.demands:
        for name in demand.met_by if demand.due and not demand.begins else ():
            if demand.due and (at := network.at.get(name)) is not None:
                found[at] = min(found.get(at, demand.due.toordinal() + 1), demand.due.toordinal() + 1)
    return found


class _Reading:
    """The schedule of the packages of a placed network."""

    def __init__(
        self, spine: Spine, dates: Calendars, network: Network, lengths: list[int], starts: list[int], ends: list[int],
        held: Mapping[int, tuple[int, str]],
    ) -> None:  # fmt: skip
        self._spine, self._dates, self._network, self._held = spine, dates, network, held
        self._lengths, self._starts, self._ends = lengths, starts, ends
        self._late_starts, self._late_ends = network.backward(lengths, ends, dues(spine, network))
        self._roles = {role.id: role for role in spine.roles}
        self._positions = {p.id: network.at[p.id] for p in spine.packages}
        led_by = ((node.id, self._before(at)) for at, node in enumerate(network.nodes))
        self._led_by = {name: network.nodes[at].id for name, at in led_by if at >= 0}

    def schedule(self) -> Schedule:
        packages = {p.id: self._dated(p, self._positions[p.id]) for p in self._spine.packages}
        start = self._spine.frame.start
        return Schedule(
            spine=self._spine,
            calendars=self._dates,
            packages=packages,
            path=tuple(name for name in self._path() if name in packages),
            start=min((p.start for p in packages.values()), default=start),
            end=max((p.end for p in packages.values()), default=start),
            approvals={
                a.id: self._day(a.id) for a in self._spine.approvals if self._lengths[self._network.at[a.id]] >= 0
            },
            gates={g.id: self._day(g.id) for g in self._spine.gates if g.day or g.needs},
            decisions={d.id: d.by for d in self._spine.decisions if d.by},
            network=self._network,
            lengths=tuple(self._lengths),
            led_by=self._led_by,
        )

    def _day(self, name: str) -> date:
        return day_of(self._ends[self._network.at[name]] - 1)

    def _dated(self, package: Package, at: int) -> Dated:
        slack = self._slack(at)
        return Dated(
            id=package.id,
            start=day_of(self._starts[at]),
            end=day_of(self._ends[at] - 1),
            days=self._lengths[at],
            effort=effort(package, self._lengths[at], self._roles),
            slack=slack,
            critical=slack <= 0,
            driver=self._driver(at)[0],
            held_by_role=self._held.get(at, (0, ""))[0],
        )

    def _slack(self, at: int) -> int:
        """Return the days that a package can slip; of a fixed one by its end, since its start is its latest start."""
        if isinstance(self._network.nodes[at], FixedNode):
            return self._network.ours.count(self._ends[at], self._late_ends[at])
        return self._network.ours.count(self._starts[at], self._late_starts[at])

    def _driver(self, at: int) -> tuple[str, int]:
        """Return the id that a package waited for last and its position, -1 for a role that only came later."""
        node = self._network.nodes[at]
        if isinstance(node, FixedNode):
            return "", -1
        bounds = [*self._network.bounds(at, self._starts, self._ends), (node.opening, -1)]
        # of two that end on the same day, the one without slack drives
        ready, by = max(bounds, key=lambda b: (b[0], b[1] >= 0, -self._slack(b[1]) if b[1] >= 0 else 0))
        if at in self._held:
            return self._held[at][1], by
        return (self._network.nodes[by].id if by >= 0 and ready > self._spine.frame.start.toordinal() else ""), by

    def _path(self) -> tuple[str, ...]:
        """Return what drives the package that ends last, with it."""
        last = max(self._positions.values(), key=lambda at: (self._ends[at], -at), default=-1)
        path = [self._network.nodes[last].id] if last >= 0 else []
        while path and (before := self._led_by.get(path[-1])):
            path.append(before)
        return tuple(reversed(path))

    def _before(self, at: int) -> int:
        """Return the position that drives the one *at*, or -1."""
        node = self._network.nodes[at]
        if isinstance(node, PackageNode):
            return self._driver(at)[1]
        bounds = list(self._network.bounds(at, self._starts, self._ends))
        if not bounds or max(bounds)[0] < node.opening:
            return -1
        if isinstance(node, ApprovalNode) and not node.driven(self._starts[at], self._ends[at], self._lengths[at]):
            return -1
        return max(bounds)[1] if isinstance(node, ApprovalNode | GateNode) else -1
