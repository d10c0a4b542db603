"""Findings on time: days that are missed, fixed days and gates out of order, meetings, the form of packages."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import chain

from planloom.core.wording import day_text
from planloom.planes.strategic.compute.calendars import day_of
from planloom.planes.strategic.compute.computed import Finding, Odds
from planloom.planes.strategic.compute.effort import ASIDE, BESIDE
from planloom.planes.strategic.compute.found import all_of, chance_text, named, verdict
from planloom.planes.strategic.compute.network import ApprovalNode, FixedNode, network_of
from planloom.planes.strategic.compute.view import PlanView
from planloom.planes.strategic.quality_score import Severity
from planloom.planes.strategic.spine.figures import full_dates
from planloom.planes.strategic.spine.rows import Gate, Row, Stream, Upkeep

#: The largest number of rows that are named as drivers of a date.
PATH = 10
#: Working days beyond which nobody can say how far a package is.
LONG_DAYS = 60
#: The share of estimates that may be without a range.
NO_RANGE = 1 / 3
#: Kinds that serve other work: if nothing waits for them, it is a mistake.
SERVING = frozenset({"research", "design", "application", "tender", "contract", "order", "hiring"})
#: Calendar days from which an approval is waited for, and by what share of them a package may differ and be the same.
LEAST_WAIT, SAME_WAIT = 14, 0.1

_REQUIRED = re.compile(r"\b[AP]\d{1,5}\b")
_YEAR = re.compile(r"\b20\d\d\b")


def _missed(view: PlanView) -> Iterator[Finding]:
    """A demand, a gate or the end is computed after its day, or more likely missed than reached."""
    for one in view.odds:
        if one.due and one.chance is not None and (one.computed > one.due or not _held(one)):
            row, last = view.rows.get(one.what), _last(view, one)
            check = "time.missed" if one.computed > one.due else "time.unlikely"
            chance, late, move = chance_text(one.chance), (one.computed - one.due).days, ""
            said = f"Its chance is {chance} ({verdict(one.chance)})."
            said = f"It is computed {late} days late. {said}" if late > 0 else said
            if isinstance(row, Gate):
                said = f"{named(row)} has {chance} to have its papers on its day."
                move = f"Move {row.id} to {day_text(one.p80)} for 80%. "
            places = [row or "end asked by the goal", *([view.rows[last]] if last in view.rows else [])]
            yield view.finding(
                check,
                *places,
                severity=_severity(view, row, check),
                said=said,
                move=move,
                driven=_driven(view, last),
                odds=one,
            )


def _held(one: Odds) -> bool:
    return verdict(one.chance or 0) in ("holds", "likely")


def _severity(view: PlanView, row: Row | None, check: str) -> Severity:
    """Return how severe it is that *row* is late: the day of a gate was chosen freely, what counts comes after it."""
    late = check == "time.missed"
    if isinstance(row, Gate) and (_leads_to_held(view, row) or (late and not row.frees)):
        return "medium" if late else "low"
    return "high" if late else "medium"


def _leads_to_held(view: PlanView, gate: Gate) -> bool:
    """Return whether *gate* leads to demands or to the end, and all of these are more likely held than not."""
    later = [
        one
        for one in view.odds
        if one.chance is not None
        and not isinstance(view.rows.get(one.what), Gate)
        and gate.id in view.before.of_all(one.of)
    ]
    return bool(later) and all(map(_held, later))


def _last(view: PlanView, one: Odds) -> str:
    """Return the id of what ends last of what counts."""
    days = {name: view.schedule.packages[name].end for name in one.of if name in view.schedule.packages}
    days |= {name: view.schedule.approvals[name] for name in one.of if name in view.schedule.approvals}
    return max(days, key=lambda name: days[name]) if days else one.of[0]


def _driven(view: PlanView, last: str) -> str:
    """Return what drives the end of *last*."""
    path = view.schedule.path_to(last)[-PATH:]
    waits = sum(dated.held_by_role for name in path if (dated := view.dated(name)))
    held = f" {waits} working days of it wait until roles are there and free." if waits else ""
    return f"Driven by {', '.join(path)}.{held}"


def _fixed_too_early(view: PlanView) -> Iterator[Finding]:
    """A fixed package starts before a package or gate that it waits for has ended."""
    # the levelled order binds no fixed package, so the rows' own waits are what counts
    network, placed = network_of(view.spine, view.schedule.calendars), view.schedule.network
    order = [placed.at[node.id] for node in network.nodes]
    begun, ended = ([days[at] for at in order] for days in placed.forward(view.schedule.lengths))
    for position, node in enumerate(network.nodes):
        if not isinstance(node, FixedNode):
            continue
        waits = ((day, network.nodes[by]) for day, by in network.bounds(position, begun, ended) if by >= 0)
        bounds = [bound for bound in waits if not isinstance(bound[1], ApprovalNode)]
        ready, by = max(bounds, key=lambda bound: bound[0], default=(0, None))
        if by is not None and ready > node.opening:
            yield view.finding(
                "time.fixed_before_need",
                view.rows[node.id],
                view.rows[by.id],
                opening=day_of(node.opening),
                ready=day_of(ready),
            )


def _missed_meetings(view: PlanView) -> Iterator[Finding]:
    """Papers are complete too late for the meeting that decides on them."""
    for approval, answer in view.answers():
        days = {name: dated.end for name in approval.papers if (dated := view.dated(name))}
        if not approval.meeting or not days or answer <= approval.meeting:
            continue
        last = max(days, key=lambda name: days[name])
        before = getattr(view.rows.get(approval.party), "papers_days", 0)
        due = approval.meeting - timedelta(min(before, approval.meeting.toordinal() - 1))
        critical = any(dated.critical for name in approval.frees if (dated := view.dated(name)))
        yield view.finding(
            "time.papers_miss_meeting", approval, view.rows[last], severity="high" if critical else None,
            answer=answer, due=due, end=days[last],
        )  # fmt: skip


def _gates_too_early(view: PlanView) -> Iterator[Finding]:
    """The conditions of a gate name an approval or package that is there only after the gate."""
    for gate in view.spine.gates:
        words = " ".join(f"{condition.measure} {condition.value}" for condition in gate.conditions)
        for id in dict.fromkeys(_REQUIRED.findall(words)):
            dated = view.dated(id)
            day = dated.end if dated else view.schedule.approvals.get(id)
            # what it needs is found with the odds of its day
            if gate.day and day and day > gate.day and id not in gate.needs:
                done = "ends" if dated else "answered"
                yield view.finding("time.gate_before_condition", gate, view.rows[id], day=day, done=done)


def _waited_twice(view: PlanView) -> Iterator[Finding]:
    """A package that waits as long as an approval takes goes before its papers are complete, or after its answer."""
    for approval, _ in view.answers():
        for id in (*approval.papers, *approval.frees):
            package, dated = view.rows.get(id), view.dated(id)
            if not package or not dated or dated.effort or not (package.every_day or package.kind == "application"):
                continue
            days = (dated.end - dated.start).days + 1
            if approval.likely >= LEAST_WAIT and abs(days - approval.likely) <= SAME_WAIT * approval.likely:
                yield view.finding("time.waited_twice", package, approval, days=days)


def _before_allowed(view: PlanView) -> Iterator[Finding]:
    """A package with a fixed day starts before the day that the demand which it meets allows."""
    for demand in view.spine.demands:
        for id in demand.met_by:
            dated = view.dated(id)
            if dated and demand.not_before and dated.start < demand.not_before:
                yield view.finding("time.before_allowed", demand, view.rows[id], start=dated.start)


def _typed_days(view: PlanView) -> Iterator[Finding]:
    """A text of a package names a day for its result before its computed end, or for what precedes it after its start.

    ISO dates and days in English are read; other forms depend on the language.
    """
    for package, dated in view.packages():
        late = [("done_when", day) for day in _days(package.done_when) if day < dated.end]
        early = [("before", day) for day in _days(package.before) if day > dated.start]
        if late or early:
            named_days = ((package, f"{field} names {day_text(day)}") for field, day in (*late[:1], *early[:1]))
            yield view.finding("time.typed_day", *named_days, "schedule", dated=dated)


def _days(text: str) -> Iterator[date]:
    if _YEAR.search(text):
        yield from (found.latest for found in full_dates(text, "en"))


def _without_range(view: PlanView) -> Iterator[Finding]:
    """More than NO_RANGE of the judged estimates have the same low and high."""
    estimated = [p for p in view.spine.packages if not p.fixed and not p.every_day and p.high > 1]
    without = [p for p in estimated if p.low == p.high]
    if len(without) >= 3 and len(without) > NO_RANGE * len(estimated):
        ranges = ((p, f"{p.low:g} to {p.high:g} days") for p in without[:8])
        yield view.finding("time.no_range", *ranges, without=len(without), estimated=len(estimated))


def _long(view: PlanView) -> Iterator[Finding]:
    """A package is so long that nobody sees in time that it is late.

    Not where little of anybody's time goes into it, where somebody outside the team owns it, or where the undertaking
    already runs: that is waiting, monitoring and operation.
    """
    running: tuple[Stream | Upkeep, ...] = (*view.spine.streams, *view.spine.upkeep)
    opening = min((row.first for row in running if row.first), default=date.max)
    for package, dated in view.packages():
        waits = package.every_day or package.kind in BESIDE or dated.effort < ASIDE * dated.days
        others = bool(package.owner) and package.owner not in view.roles
        if dated.days > LONG_DAYS and not waits and not others and dated.start < opening:
            yield view.finding("time.long_package", package, "schedule", most=LONG_DAYS, dated=dated)


def _without_owner(view: PlanView) -> Iterator[Finding]:
    owners = {row.id for row in (*view.spine.roles, *view.spine.parties)}
    for package in view.spine.packages:
        if package.owner not in owners:
            owner, roles = package.owner or "none", len(view.roles)
            yield view.finding("time.no_owner", package, "roles", owner=owner, roles=roles)


def _needed_by_nothing(view: PlanView) -> Iterator[Finding]:
    """Nothing needs a package of a kind that serves other work, and it meets nothing."""
    spine = view.spine
    used = {
        *(need.id for package in spine.packages for need in package.needs),
        *chain.from_iterable(gate.needs for gate in spine.gates),
        *chain.from_iterable(approval.papers for approval in spine.approvals),
        *chain.from_iterable(demand.met_by for demand in spine.demands),
        *chain.from_iterable(constraint.kept_by for constraint in spine.constraints),
        *(risk.package for risk in spine.risks),
        *chain.from_iterable(assumption.touches for assumption in spine.assumptions),
        # a decision may rest on it in words alone
        *chain.from_iterable(_REQUIRED.findall(d.model_dump_json(exclude={"frees"})) for d in spine.decisions),
    }
    for package, dated in view.packages(*SERVING):
        if package.id not in used:
            yield view.finding("time.needed_by_nothing", package, "needs", end=dated.end)


time_findings = all_of(
    _missed, _fixed_too_early, _missed_meetings, _gates_too_early, _waited_twice, _before_allowed, _typed_days,
    _without_range, _long, _without_owner, _needed_by_nothing,
)  # fmt: skip
