"""Findings on roles: more work in a month than people, two packages at once, work when nobody is there."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from itertools import combinations

from planloom.compute.computed import Dated, Finding, Load
from planloom.compute.effort import SHORT_DAYS, TOLERANCE, at_once, uses
from planloom.compute.found import finding, named
from planloom.compute.schedule import Schedule
from planloom.compute.schedule import schedule as scheduled
from planloom.domain.quality import Severity
from planloom.domain.wording import day_text
from planloom.spine.rows import Package, Role, Row

#: Working days from which waiting for a busy person matters.
HELD_DAYS = 5

#: A package in which a role has less than this in a day does not keep anybody from other work.
ASIDE = 0.2

#: A package with the people that it takes of a role.
Work = tuple[Package, float]


def role_findings(schedule: Schedule, loads: tuple[Load, ...]) -> Iterator[Finding]:
    """Yield the findings."""
    roles = {role.id: role for role in schedule.spine.roles}
    work: dict[str, list[Work]] = defaultdict(list)
    for package in schedule.spine.packages:
        for name, rate in uses(package, schedule.packages[package.id].days, roles):
            work[name].append((package, rate))
    before = scheduled(schedule.spine, schedule.calendars.closures, level=False).packages
    for role in schedule.spine.roles:
        mine = work[role.id]
        months = [load for load in loads if load.role == role.id]
        yield from _overloaded(role, months, mine, schedule)
        yield from _short(role, months, mine, schedule)
        yield from _needs_more(role, mine, schedule)
        yield from _absent(role, mine, schedule)
        yield from _at_once(role, mine, schedule, before)


def _overloaded(role: Role, loads: list[Load], work: list[Work], schedule: Schedule) -> Iterator[Finding]:
    """A month needs more of a role than there is; months in which it comes or leaves are another finding."""
    partly = {day.replace(day=1) for day in (role.first, role.last) if day}
    # a share of a person is an average: in one month it may be a whole one
    share = min(1.0, role.people) or 1.0
    over = [
        load
        for load in loads
        if load.there and load.first not in partly and load.needed > load.there / share * TOLERANCE + SHORT_DAYS
    ]
    if not over:
        return
    worst = sorted(over, key=lambda load: (load.there - load.needed, load.first))[:3]
    said = ", ".join(f"{load.first:%B %Y} {load.needed:.0f} of {load.there:.0f}" for load in worst)
    month = worst[0].first
    largest = max(
        (pair for pair in work if _in_month(schedule.packages[pair[0].id], month)), key=lambda p: p[1], default=None
    )
    places: list[tuple[Row | str, str]] = [(role, f"{_people(role)}; person-days needed of those there: {said}")]
    if largest:
        places.append((largest[0], f"takes {largest[1]:.1f} of it a day in {month:%B %Y}"))
    yield finding(
        "time.role_overloaded",
        "high" if worst[0].needed > 1.5 * worst[0].there else "medium",
        places,
        f"{named(role)} has more work than people in {len(over)} months; person-days needed of those there: {said}.",
        f"Give {role.id} more people, move work to another role, or lower the effort of its packages.",
    )


def _short(role: Role, loads: list[Load], work: list[Work], schedule: Schedule) -> Iterator[Finding]:
    """A share of a person has, over all the time that it is there, fewer days than its packages need."""
    first, last = max(role.first or schedule.start, schedule.start), min(role.last or schedule.end, schedule.end)
    there = schedule.network.ours.count(first.toordinal(), last.toordinal() + 1) * role.people
    needed = sum(load.needed for load in loads)
    if not work or not 0 < role.people < 1 or needed <= there * TOLERANCE + SHORT_DAYS:
        return
    largest, rate = max(work, key=lambda pair: pair[1] * schedule.packages[pair[0].id].days)
    days = rate * schedule.packages[largest.id].days
    yield finding(
        "time.role_short",
        "medium",
        [(role, f"{there:.0f} person-days in all"), (largest, f"{days:.0f} of the {needed:.0f} that are needed")],
        f"{named(role)} has {there:.0f} person-days from {day_text(first)} to {day_text(last)}, its packages need "
        f"{needed:.0f}.",
        f"Give {role.id} more time, move work to another role, or lower the effort of its packages.",
    )


def _people(role: Role) -> str:
    return f"{role.people:g} {'person' if role.people == 1 else 'people'}"


def _in_month(dated: Dated, month: date) -> bool:
    return dated.start.replace(day=1) <= month <= dated.end


def _needs_more(role: Role, work: list[Work], schedule: Schedule) -> Iterator[Finding]:
    """A single package needs more of a role than there is."""
    for package, rate in work:
        if rate > at_once(role) * TOLERANCE:
            dated = schedule.packages[package.id]
            yield finding(
                "time.package_needs_more_people",
                "medium",
                [
                    (package, f"{rate * dated.days:.0f} person-days of {role.id} in {dated.days} days"),
                    (role, _people(role)),
                ],
                f"{named(package)} needs {rate * dated.days:.0f} person-days of {named(role)} in {dated.days} days: "
                f"{rate:.1f} at once, of {_people(role)}.",
                f"Lengthen {package.id}, lower its effort, or give {role.id} more people.",
            )


def _absent(role: Role, work: list[Work], schedule: Schedule) -> Iterator[Finding]:
    """A role works before its first day or after its last one."""
    if not work:
        return
    begins = min((package for package, _ in work), key=lambda p: schedule.packages[p.id].start)
    ends = max((package for package, _ in work), key=lambda p: schedule.packages[p.id].end)
    start, end = schedule.packages[begins.id].start, schedule.packages[ends.id].end
    if role.first and start < role.first:
        yield finding(
            "time.role_not_there_yet",
            "medium",
            [(role, f"there from {day_text(role.first)}"), (begins, f"starts {day_text(start)}")],
            f"{named(role)} is there from {day_text(role.first)}; {named(begins)} needs it from {day_text(start)}.",
            f"Have {role.id} there from {day_text(start)}, or give {begins.id} to another role.",
        )
    if role.last and end > role.last:
        yield finding(
            "time.role_gone",
            "medium",
            [(role, f"there until {day_text(role.last)}"), (ends, f"ends {day_text(end)}")],
            f"{named(role)} is there until {day_text(role.last)}; its work in {named(ends)} ends {day_text(end)}.",
            f"Keep {role.id} until {day_text(end)}, or give {ends.id} to another role.",
        )


def _at_once(role: Role, work: list[Work], schedule: Schedule, before: dict[str, Dated]) -> Iterator[Finding]:
    """One person is in two packages at once: with days that cannot move, or until one of them waits."""
    if role.people > 1:
        return
    single = [(p, rate) for p, rate in work if ASIDE <= rate <= at_once(role) * TOLERANCE]
    pairs = [
        (one, other)
        for (one, rate), (other, more) in combinations(single, 2)
        if rate + more > at_once(role) * TOLERANCE and _together(one, other, before)
    ]
    stuck = [pair for pair in pairs if _together(*pair, schedule.packages)]
    waits = [(pair, held) for pair in pairs if (held := _held(pair, schedule, role))]
    if stuck:
        yield _pair(role, stuck[0], schedule.packages, "high", "and neither can move.")
    elif waits:
        pair, held = max(waits, key=lambda row: (row[1].held_by_role, row[1].id))
        severity: Severity = "medium" if held.critical else "low"
        yield _pair(role, pair, before, severity, f"so {held.id} waits {held.held_by_role} working days for it.")


def _together(one: Package, other: Package, dated: dict[str, Dated]) -> bool:
    return dated[one.id].start <= dated[other.id].end and dated[other.id].start <= dated[one.id].end


def _held(pair: tuple[Package, Package], schedule: Schedule, role: Role) -> Dated | None:
    """Return the one of *pair* that waits for *role*, long enough to matter."""
    dated = [schedule.packages[package.id] for package in pair]
    found = [d for d in dated if d.driver == role.id and d.held_by_role >= HELD_DAYS]
    return max(found, key=lambda d: d.held_by_role, default=None)


def _pair(role: Role, pair: tuple[Package, Package], dated: dict[str, Dated], severity: Severity, rest: str) -> Finding:
    days = [f"{day_text(dated[p.id].start)} to {day_text(dated[p.id].end)}" for p in pair]
    return finding(
        "time.two_packages_at_once",
        severity,
        [(role, _people(role)), (pair[0], days[0]), (pair[1], days[1])],
        f"{named(role)} is in {named(pair[0])} ({days[0]}) and in {named(pair[1])} ({days[1]}) at once, {rest}",
        f"Give one of them to another role, or let {pair[1].id} need {pair[0].id}.",
    )
