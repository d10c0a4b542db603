"""Findings on people: more work than people, two packages at once, work or pay when nobody is there, hired late."""

from collections.abc import Iterator
from itertools import combinations

from planloom.core.wording import day_text
from planloom.planes.strategic.compute.cash import span_of
from planloom.planes.strategic.compute.computed import Dated, Finding
from planloom.planes.strategic.compute.effort import ASIDE, SHORT_DAYS, TOLERANCE, at_once
from planloom.planes.strategic.compute.found import Place, content_words, ends, finding, named, starts
from planloom.planes.strategic.compute.schedule import schedule as scheduled
from planloom.planes.strategic.compute.view import PlanView
from planloom.planes.strategic.quality_score import Severity
from planloom.planes.strategic.spine.rows import Package, Role

#: Working days from which waiting for a busy person matters.
HELD_DAYS = 5
#: By how many calendar days pay may miss work before it matters: a month's end is not a package's end.
PAY_DAYS = 7


def role_findings(view: PlanView) -> Iterator[Finding]:
    """Yield the findings."""
    before = scheduled(view.spine, view.schedule.calendars.closures, level=False).packages
    for role in view.spine.roles:
        for check in (_overloaded, _short, _needs_more, _absent, _hired_late, _pay_misses_work):
            yield from check(view, role)
        yield from _at_once(view, role, before)


def _overloaded(view: PlanView, role: Role) -> Iterator[Finding]:
    """A month needs more of a role than there is; months in which it comes or leaves are another finding."""
    partly = {day.replace(day=1) for day in (role.first, role.last) if day}
    # a share of a person is an average: in one month it may be a whole one
    share = min(1.0, role.people) or 1.0
    months = [load for load in view.loads if load.role == role.id and load.there and load.first not in partly]
    over = [load for load in months if load.needed > load.there / share * TOLERANCE + SHORT_DAYS]
    if not over:
        return
    worst = sorted(over, key=lambda load: (load.there - load.needed, load.first))[:3]
    said = ", ".join(f"{load.first:%B %Y} {load.needed:.0f} of {load.there:.0f}" for load in worst)
    month = worst[0].first
    places: list[Place] = [(role, f"{_people(role)}; person-days needed of those there: {said}")]
    dated = view.schedule.packages
    if work := [w for w in view.taken[role.id] if dated[w[0].id].start.replace(day=1) <= month <= dated[w[0].id].end]:
        package, rate = max(work, key=lambda pair: pair[1])
        places.append((package, f"takes {rate:.1f} of it a day in {month:%B %Y}"))
    yield finding(
        "time.role_overloaded",
        "high" if worst[0].needed > 1.5 * worst[0].there else "medium",
        f"A role has more work than people in {len(over)} months.",
        f"Give {role.id} more people, move work to another role, or lower the effort of its packages.",
        *places,
    )


def _short(view: PlanView, role: Role) -> Iterator[Finding]:
    """A share of a person has, over all the time that it is there, fewer days than its packages need."""
    first, last = view.schedule.start, view.schedule.end
    first, last = max(role.first or first, first), min(role.last or last, last)
    there = view.schedule.network.ours.count(first.toordinal(), last.toordinal() + 1) * role.people
    needed, work = sum(load.needed for load in view.loads if load.role == role.id), view.taken[role.id]
    if not work or not 0 < role.people < 1 or needed <= there * TOLERANCE + SHORT_DAYS:
        return
    days, _, largest = max((rate * view.schedule.packages[p.id].days, -n, p) for n, (p, rate) in enumerate(work))
    yield finding(
        "time.role_short",
        "medium",
        f"A role has fewer person-days from {day_text(first)} to {day_text(last)} than its packages need.",
        f"Give {role.id} more time, move work to another role, or lower the effort of its packages.",
        (role, f"{there:.0f} person-days in all"),
        (largest, f"{days:.0f} of the {needed:.0f} that are needed"),
    )


def _needs_more(view: PlanView, role: Role) -> Iterator[Finding]:
    """A single package needs more of a role than there is."""
    for package, rate in view.taken[role.id]:
        if rate > at_once(role) * TOLERANCE:
            days = view.schedule.packages[package.id].days
            yield finding(
                "time.package_needs_more_people",
                "medium",
                f"A package needs {rate:.1f} people of a role at once.",
                f"Lengthen {package.id}, lower its effort, or give {role.id} more people.",
                (package, f"{rate * days:.0f} person-days of {role.id} in {days} days"),
                (role, _people(role)),
            )


def _absent(view: PlanView, role: Role) -> Iterator[Finding]:
    """A role works before its first day or after its last one."""
    work = [(package, view.schedule.packages[package.id]) for package, _ in view.taken[role.id]]
    if not work:
        return
    package, dated = min(work, key=lambda pair: pair[1].start)
    if role.first and dated.start < role.first:
        yield finding(
            "time.role_not_there_yet",
            "medium",
            "A role has work before it is there.",
            f"Have {role.id} there from {day_text(dated.start)}, or give {package.id} to another role.",
            (role, f"there from {day_text(role.first)}"),
            (package, starts(dated)),
        )
    package, dated = max(work, key=lambda pair: pair[1].end)
    if role.last and dated.end > role.last:
        yield finding(
            "time.role_gone",
            "medium",
            "A role has work after it is gone.",
            f"Keep {role.id} until {day_text(dated.end)}, or give {package.id} to another role.",
            (role, f"there until {day_text(role.last)}"),
            (package, ends(dated)),
        )


def _at_once(view: PlanView, role: Role, before: dict[str, Dated]) -> Iterator[Finding]:
    """One person is in two packages at once: with days that cannot move, or until one of them waits."""
    if role.people > 1:
        return
    most = at_once(role) * TOLERANCE
    single = [(p, rate) for p, rate in view.taken[role.id] if ASIDE <= rate <= most]
    pairs = [
        (one, other)
        for (one, rate), (other, more) in combinations(single, 2)
        if rate + more > most and _together(one, other, before)
    ]
    stuck = [pair for pair in pairs if _together(*pair, view.schedule.packages) and _crowded(view, role, pair)]
    dated = view.schedule.packages
    waits = [
        (dated[p.id].held_by_role, p.id, pair)
        for pair in pairs
        for p in pair
        if dated[p.id].driver == role.id and dated[p.id].held_by_role >= HELD_DAYS
    ]
    if stuck:
        yield _pair(role, stuck[0], dated, "high", "and neither can move")
    elif waits:
        held, id, pair = max(waits, key=lambda row: row[:2])
        severity: Severity = "medium" if dated[id].critical else "low"
        yield _pair(role, pair, before, severity, f"so {id} waits {held} working days for it")


def _crowded(view: PlanView, role: Role, pair: tuple[Package, Package]) -> bool:
    """Return whether two packages need more of *role*, from the first day of both to the last, than there is."""
    dated = [view.schedule.packages[package.id] for package in pair]
    first, last = min(d.start for d in dated).toordinal(), max(d.end for d in dated).toordinal() + 1
    rates = {package.id: rate for package, rate in view.taken[role.id]}
    needed = sum(rates[d.id] * d.days for d in dated)
    return needed > at_once(role) * view.schedule.network.ours.count(first, last) * TOLERANCE


def _pair(role: Role, pair: tuple[Package, Package], dated: dict[str, Dated], severity: Severity, rest: str) -> Finding:
    days = ((p, f"{day_text(dated[p.id].start)} to {day_text(dated[p.id].end)}") for p in pair)
    return finding(
        "time.two_packages_at_once",
        severity,
        f"One person is in two packages at once, {rest}.",
        f"Give one of them to another role, or let {pair[1].id} need {pair[0].id}.",
        (role, _people(role)),
        *days,
    )


def _hired_late(view: PlanView, role: Role) -> Iterator[Finding]:
    """A hiring whose title names a role ends after the role's first package starts."""
    words = content_words(role.title)
    for hiring, hired in view.packages("hiring"):
        if not words or not words <= content_words(hiring.title):
            continue
        earlier = view.before.of(hiring.id)
        work = [pair for pair in view.work(role.id) if pair[0].id not in earlier and pair[0].kind != "hiring"]
        package, first = min(work, key=lambda pair: (pair[1].start, pair[0].id), default=(None, None))
        if package and first and first.start <= hired.end:
            yield finding(
                "order.hired_late",
                "medium",
                f"Somebody works before being hired: {named(role)}.",
                f"Let {package.id} need {hiring.id}, or say who does it until then.",
                (hiring, ends(hired)),
                (package, f"{starts(first)}, with {role.id}"),
            )


#: Days of work that pay in arrears may follow.
ARREARS = 45


def _pay_misses_work(view: PlanView, role: Role) -> Iterator[Finding]:
    """The staff lines of a role, one of them with own days, end before its last package or begin after its first.

    Roles whose lines have no days are paid with their packages.
    """
    lines = [line for line in view.spine.lines if line.kind == "staff" and line.role == role.id]
    work = view.work(role.id)
    if not work or not any(line.first or line.last for line in lines):
        return
    spans = [(*span_of(line, view.schedule), line) for line in lines]
    first, _, early = min(spans, key=lambda span: (span[0], span[2].id))
    _, last, late = max(spans, key=lambda span: (span[1], span[2].id))
    begun, begins = min(work, key=lambda pair: (pair[1].start, pair[0].id))
    ended, stops = max(work, key=lambda pair: (pair[1].end, pair[0].id))
    rows = (
        (late.last and stops.end > last, "ends_before", late, f"until {day_text(last)}", ended, ends(stops),
         (stops.end - last).days, f"until {day_text(stops.end)}"),
        # pay in arrears is paid after the first month of work
        (early.first and (first - begins.start).days > ARREARS, "begins_after", early, f"from {day_text(first)}", begun,
         starts(begins),
         (first - begins.start).days, f"from {day_text(begins.start)}"),
    )  # fmt: skip
    for wrong, check, line, paid, package, works, days, needed in rows:
        if wrong:
            yield finding(
                f"order.pay_{check}_work",
                "medium" if days > PAY_DAYS else "low",
                f"Pay misses work of {named(role)} by {days} calendar days.",
                f"Pay {role.id} {needed}, or give {package.id} to another role.",
                (line, f"paid {paid}"),
                (package, f"{works}, with {role.id}"),
            )


def _people(role: Role) -> str:
    return f"{role.people:g} {'person' if role.people == 1 else 'people'}"


def _together(one: Package, other: Package, dated: dict[str, Dated]) -> bool:
    return dated[one.id].start <= dated[other.id].end and dated[other.id].start <= dated[one.id].end
