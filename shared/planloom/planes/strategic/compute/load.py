"""How much work each role has in each month, against what is there; and what it costs when a role is missing."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date

from planloom.planes.strategic.compute.calendars import day_of
from planloom.planes.strategic.compute.computed import Load, WithoutRole
from planloom.planes.strategic.compute.effort import uses
from planloom.planes.strategic.compute.network import PackageNode
from planloom.planes.strategic.compute.schedule import Schedule, resting
from planloom.planes.strategic.spine.rows import Role

#: For how many working days a role is missing, and for how many of the roles with the most work that is computed.
MISSING_DAYS = 20
MOST_ROLES = 8


def loads(schedule: Schedule) -> tuple[Load, ...]:
    """Return the person-days of each role in each month in which it has work, in the order of roles and months.

    ``there`` are the person-days that the role has in that month (:func:`people_there`). A role of which nobody knows
    how many people it has is left out.
    """
    needed, beside = _needed(schedule), days_beside(schedule)
    return tuple(
        Load(role=role.id, first=month, needed=round(days, 2), there=_there(schedule, role, month, beside))
        for role in schedule.spine.roles
        if role.most
        for month, days in sorted(needed[role.id].items())
    )


def without_roles(schedule: Schedule) -> tuple[WithoutRole, ...]:
    """Return the end without each of the MOST_ROLES roles with the most work, that with the latest end first.

    A role is missing for MISSING_DAYS working days from the start of its largest package on the path (where it has none
    there, of that with the least slack); its own packages rest, in the same order of work.
    """
    needed = {role: sum(months.values()) for role, months in _needed(schedule).items()}
    busiest = sorted(needed, key=lambda role: (-needed[role], role))[:MOST_ROLES]
    found = []
    for role in busiest:
        if day := _worst_day(schedule, role):
            network = resting(schedule.spine, schedule.network, role, day, MISSING_DAYS)
            _, ends = network.forward(schedule.lengths)
            end = day_of(max(ends[network.at[name]] for name in schedule.packages) - 1)
            found.append(WithoutRole(role=role, end=end, days_later=(end - schedule.end).days))
    return tuple(sorted(found, key=lambda row: (-row.days_later, row.role)))


def months_of(start: int, end: int) -> Iterator[tuple[date, int, int]]:
    """Yield each month of ``[start, end)`` (ordinals) as its first day and its part of the span."""
    while start < end:
        day = day_of(start)
        first = day.replace(day=1)
        days = 31 if day.month == 12 else (day_of(first.toordinal() + 31).replace(day=1) - first).days
        after = first.toordinal() + days
        yield first, start, min(after, end)
        if day == date.max or after <= start:
            return
        start = after


def _needed(schedule: Schedule) -> dict[str, dict[date, float]]:
    roles = {role.id: role for role in schedule.spine.roles}
    needed: dict[str, dict[date, float]] = {name: defaultdict(float) for name in roles}
    for package in schedule.spine.packages:
        dated = schedule.packages[package.id]
        node = schedule.network.nodes[schedule.network.at[package.id]]
        used = uses(package, dated.days, roles)
        if not used or not isinstance(node, PackageNode):
            continue
        start, end = dated.start.toordinal(), dated.end.toordinal() + 1
        # the day of a fixed package counts where its calendar is closed
        beside = dated.days - node.grid.count(start, end)
        for month, first, after in months_of(start, end):
            days = node.grid.count(first, after) + (beside if first == start else 0)
            for role, rate in used:
                needed[role][month] += rate * max(0, days)
    return needed


def _there(schedule: Schedule, role: Role, month: date, beside: Mapping[str, frozenset[int]]) -> float:
    (_, first, after), *_ = months_of(month.toordinal(), month.toordinal() + 31)
    return round(people_there(schedule, role, first, after, beside), 2)


def people_there(schedule: Schedule, role: Role, first: int, after: int, beside: Mapping[str, frozenset[int]]) -> float:
    """Return the person-days of *role* in ``[first, after)``: its days there times its people, by its periods."""
    found = days_there(schedule, role, first, after, beside) * role.people
    for period in role.periods:
        if period.first and period.last:
            begin, end = max(first, period.first.toordinal()), min(after, period.last.toordinal() + 1)
            found += days_there(schedule, role, begin, end, beside) * (period.people - role.people)
    return found


def days_there(schedule: Schedule, role: Role, first: int, after: int, beside: Mapping[str, frozenset[int]]) -> int:
    """Return the days in ``[first, after)`` on which *role* works, from its first day to its last or those of the plan.

    These are the working days of everyone, and the other days on which one of its packages is worked: *beside*.
    """
    first = max(first, (role.first or schedule.start).toordinal())
    after = min(after, (role.last or schedule.end).toordinal() + 1)
    more = sum(first <= day < after for day in beside.get(role.id, ()))
    return max(0, schedule.network.ours.count(first, after)) + more


def days_beside(schedule: Schedule) -> Mapping[str, frozenset[int]]:
    """Return, by role, the ordinals of days on which one of its packages is worked and others are not."""
    roles = {role.id: role for role in schedule.spine.roles}
    found: dict[str, set[int]] = defaultdict(set)
    for package in schedule.spine.packages:
        if package.every_day or package.fixed:
            dated, ours = schedule.packages[package.id], schedule.network.ours
            node = schedule.network.nodes[schedule.network.at[package.id]]
            grid = node.grid if isinstance(node, PackageNode) else ours
            first, after = dated.start.toordinal(), dated.end.toordinal() + 1
            # the day of a fixed package counts where its calendar is closed
            worked = (day for day in range(first, after) if day == first or grid.count(day, day + 1))
            days = {day for day in worked if not ours.count(day, day + 1)}
            for use in uses(package, dated.days, roles) if days else ():
                found[use.role] |= days
    return {role: frozenset(days) for role, days in found.items()}


def _worst_day(schedule: Schedule, role: str) -> date | None:
    roles = {r.id: r for r in schedule.spine.roles}
    owned = [
        (p.id in schedule.path, -schedule.packages[p.id].slack, use.rate * schedule.packages[p.id].days, p.id)
        for p in schedule.spine.packages
        if p.owner == role
        for use in uses(p, schedule.packages[p.id].days, roles)
        if use.role == role
    ]
    if not owned:
        return None
    on_path = [row for row in owned if row[0]]
    worst = max(on_path, key=lambda row: row[2]) if on_path else max(owned)
    return schedule.packages[worst[3]].start
