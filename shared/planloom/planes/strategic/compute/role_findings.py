"""Findings on people: more work than people, two packages at once, work or pay when nobody is there, hired late."""

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import combinations

from planloom.planes.strategic.compute.cash import span_of
from planloom.planes.strategic.compute.computed import Dated, Finding
from planloom.planes.strategic.compute.effort import ASIDE, SHORT_DAYS, TOLERANCE, at_once
from planloom.planes.strategic.compute.found import content_words, named
from planloom.planes.strategic.compute.load import days_there, people_there
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
        for check in (_overloaded, _short, _needs_more, _absent, _comes_later, _hired_late, _pay_misses_work):
            yield from check(view, role)
        yield from _at_once(view, role, before)


def _overloaded(view: PlanView, role: Role) -> Iterator[Finding]:
    """A month needs more of a role than there is; months in which it comes or leaves are another finding."""
    partly = {day.replace(day=1) for day in (role.first, role.last) if day}
    months = [load for load in view.loads if load.role == role.id and load.there and load.first not in partly]
    over = [load for load in months if load.needed > load.there / _share(role, load.first) * TOLERANCE + SHORT_DAYS]
    if not over:
        return
    worst = sorted(over, key=lambda load: (load.there - load.needed, load.first))[:3]
    said = ", ".join(f"{load.first:%B %Y} {load.needed:.0f} of {load.there:.0f}" for load in worst)
    month, dated = worst[0].first, view.schedule.packages
    work = [w for w in view.taken[role.id] if dated[w[0].id].start.replace(day=1) <= month <= dated[w[0].id].end]
    package, rate = max(work, key=lambda pair: pair[1], default=(None, 0.0))
    yield view.finding(
        "time.role_overloaded", role, *([package] if package else []),
        severity="high" if worst[0].needed > 1.5 * worst[0].there else None,
        months=len(over), people=_people(role), worst=said, rate=rate, month=month,
    )  # fmt: skip


def _share(role: Role, month: date) -> float:
    """Return the part of a person that *role* is on average in *month*: in one month it may be a whole one."""
    after = month + timedelta(31)
    stated = any(p.first and p.last and p.first < after and p.last >= month for p in role.periods)
    return 1.0 if stated else min(1.0, role.people) or 1.0


def _short(view: PlanView, role: Role) -> Iterator[Finding]:
    """A share of a person has, over all the time that it is there, fewer days than its packages need."""
    first, last = view.schedule.start, view.schedule.end
    first, last = max(role.first or first, first), min(role.last or last, last)
    there = people_there(view.schedule, role, first.toordinal(), last.toordinal() + 1, view.beside)
    needed, work = sum(load.needed for load in view.loads if load.role == role.id), view.taken[role.id]
    if not work or not 0 < role.people < 1 or needed <= there * TOLERANCE + SHORT_DAYS:
        return
    most, _, largest = max((rate * view.schedule.packages[p.id].days, -n, p) for n, (p, rate) in enumerate(work))
    yield view.finding("time.role_short", role, largest, first=first, last=last, there=there, days=most, needed=needed)


def _needs_more(view: PlanView, role: Role) -> Iterator[Finding]:
    """A single package needs more of a role than there is."""
    for package, rate in view.taken[role.id]:
        if rate > at_once(role) * TOLERANCE:
            days = view.schedule.packages[package.id].days
            yield view.finding(
                "time.package_needs_more_people",
                package,
                role,
                rate=rate,
                effort=rate * days,
                days=days,
                people=_people(role),
            )


def _absent(view: PlanView, role: Role) -> Iterator[Finding]:
    """A role works before its first day or after its last one."""
    work = [(package, view.schedule.packages[package.id]) for package, _ in view.taken[role.id]]
    if not work:
        return
    package, dated = min(work, key=lambda pair: pair[1].start)
    if role.first and dated.start < role.first:
        yield view.finding("time.role_not_there_yet", role, package, start=dated.start)
    package, dated = max(work, key=lambda pair: pair[1].end)
    if role.last and dated.end > role.last:
        yield view.finding("time.role_gone", role, package, end=dated.end)


def _comes_later(view: PlanView, role: Role) -> Iterator[Finding]:
    """A package waits until a role that works on it beside its owner is there for the first time.

    That of an owner is meant: work starts when its owner comes.
    """
    for package, _ in view.taken[role.id]:
        dated = view.schedule.packages[package.id]
        waits = dated.driver == role.id != package.owner and dated.held_by_role >= HELD_DAYS
        if not waits or role.first is None or dated.start < role.first:
            continue
        severity: Severity | None = "medium" if dated.critical else None
        if not view.schedule.network.ours.count(role.first.toordinal(), dated.start.toordinal()):
            yield view.finding("time.waits_for_role", package, role, severity=severity, dated=dated)


def _at_once(view: PlanView, role: Role, before: dict[str, Dated]) -> Iterator[Finding]:
    """One person is in two packages at once: with days that cannot move, or until one of them waits."""
    if at_once(role) > 1:
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
        yield _pair(view, role, stuck[0], dated, "high", "and neither can move")
    elif waits:
        held, id, pair = max(waits, key=lambda row: row[:2])
        severity: Severity = "medium" if dated[id].critical else "low"
        yield _pair(view, role, pair, before, severity, f"so {id} waits {held} working days for it")


def _crowded(view: PlanView, role: Role, pair: tuple[Package, Package]) -> bool:
    """Return whether two packages need more of *role*, from the first day of both to the last, than there is."""
    dated = [view.schedule.packages[package.id] for package in pair]
    first, last = min(d.start for d in dated).toordinal(), max(d.end for d in dated).toordinal() + 1
    rates = {package.id: rate for package, rate in view.taken[role.id]}
    needed = sum(rates[d.id] * d.days for d in dated)
    worked = days_there(view.schedule, role, first, last, view.beside)
    return needed > at_once(role) * worked * TOLERANCE


def _pair(
    view: PlanView, role: Role, pair: tuple[Package, Package], dated: dict[str, Dated], severity: Severity, rest: str
) -> Finding:
    one, other = (dated[package.id] for package in pair)
    return view.finding(
        "time.two_packages_at_once",
        role,
        *pair,
        severity=severity,
        one=one,
        other=other,
        people=_people(role),
        rest=rest,
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
            yield view.finding(
                "order.hired_late", hiring, package, named=named(role), role=role, end=hired.end, start=first.start
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
    short, unpaid = (stops.end - last).days, (first - begins.start).days
    rows = (
        (late.last and short > 0, "order.pay_ends_before_work", late, last, ended, stops.end, short),
        # pay in arrears is paid after the first month of work
        (early.first and unpaid > ARREARS, "order.pay_begins_after_work", early, first, begun, begins.start, unpaid),
    )
    for wrong, check, line, paid, package, works, days in rows:
        if wrong:
            yield view.finding(
                check,
                line,
                package,
                severity=None if days > PAY_DAYS else "low",
                named=named(role),
                role=role,
                paid=paid,
                works=works,
                days=days,
            )


def _people(role: Role) -> str:
    most = f", {role.most:g} at most" if role.most > role.people else ""
    return f"{role.people:g} {'person' if role.people == 1 else 'people'}{most}"


def _together(one: Package, other: Package, dated: dict[str, Dated]) -> bool:
    return dated[one.id].start <= dated[other.id].end and dated[other.id].start <= dated[one.id].end
