"""Findings on time: days that are missed, fixed days and gates out of order, meetings, the form of packages."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import chain

from planloom.core.wording import day_text
from planloom.planes.strategic.compute.calendars import day_of
from planloom.planes.strategic.compute.computed import Finding, Odds
from planloom.planes.strategic.compute.effort import ASIDE, BESIDE
from planloom.planes.strategic.compute.found import Place, chance_text, ends, finding, named, starts, verdict
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


def time_findings(view: PlanView) -> Iterator[Finding]:
    """Yield the findings on dates and on the form of packages.

    Approvals that free fixed packages too late, and demands that nothing meets, are found with the order and with
    missing parts.
    """
    checks = (
        _missed, _fixed_too_early, _missed_meetings, _gates_too_early, _waited_twice, _before_allowed, _typed_days,
        _without_range, _long, _without_owner, _needed_by_nothing,
    )  # fmt: skip
    return chain.from_iterable(check(view) for check in checks)


def _missed(view: PlanView) -> Iterator[Finding]:
    """A demand, a gate or the end is computed after its day, or more likely missed than reached."""
    for one in view.odds:
        if one.due and one.chance is not None and (one.computed > one.due or not _held(one)):
            row, last = view.rows.get(one.what), _last(view, one)
            places: list[Place] = [(row or "end asked by the goal", f"due {day_text(one.due)}")]
            if last in view.rows:
                by = f"computed for {day_text(one.computed)}, in four of five runs by {day_text(one.p80)}"
                places.append((view.rows[last], by))
            check = "time.missed" if one.computed > one.due else "time.unlikely"
            late = f"It is computed {(one.computed - one.due).days} days late. " if one.computed > one.due else ""
            said, move = f"{late}Its chance is {chance_text(one.chance)} ({verdict(one.chance)}).", ""
            if isinstance(row, Gate):
                said = f"{named(row)} has {chance_text(one.chance)} to have its papers on its day."
                move = f"Move {row.id} to {day_text(one.p80)} for 80%. "
            yield finding(check, _severity(view, row, check), said, f"{move}{_driven(view, last)}", *places)


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
    held = f" {waits} working days of it wait for busy roles." if waits else ""
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
            yield finding(
                "time.fixed_before_need",
                "high",
                "A package has a fixed day before what it waits for.",
                f"Bring {by.id} forward, or say what {node.id} does without it.",
                (view.rows[node.id], f"fixed on {day_text(day_of(node.opening))}"),
                (view.rows[by.id], f"lets it start on {day_text(day_of(ready))}"),
            )


def _missed_meetings(view: PlanView) -> Iterator[Finding]:
    """Papers are complete too late for the meeting that decides on them."""
    for approval, answer in view.answers():
        days = {name: dated.end for name in approval.papers if (dated := view.dated(name))}
        if not approval.meeting or not days or answer <= approval.meeting:
            continue
        last = max(days, key=lambda name: days[name])
        before = getattr(view.rows.get(approval.party), "papers_days", 0)
        due = day_text(approval.meeting - timedelta(min(before, approval.meeting.toordinal() - 1)))
        freed = [dated for name in approval.frees if (dated := view.dated(name))]
        yield finding(
            "time.papers_miss_meeting",
            "high" if any(dated.critical for dated in freed) else "medium",
            f"Papers miss their meeting; the next answer is on {day_text(answer)}.",
            f"Finish {last} by {due}, or set the meeting of {approval.id} after {day_text(days[last])}.",
            (approval, f"decided on {day_text(approval.meeting)}, papers due {due}"),
            (view.rows[last], f"ends {day_text(days[last])}"),
        )


def _gates_too_early(view: PlanView) -> Iterator[Finding]:
    """The conditions of a gate name an approval or package that is there only after the gate."""
    for gate in view.spine.gates:
        words = " ".join(f"{condition.measure} {condition.value}" for condition in gate.conditions)
        for id in dict.fromkeys(_REQUIRED.findall(words)):
            dated = view.dated(id)
            day = dated.end if dated else view.schedule.approvals.get(id)
            # what it needs is found with the odds of its day
            if gate.day and day and day > gate.day and id not in gate.needs:
                yield finding(
                    "time.gate_before_condition",
                    "medium",
                    "A gate is held before what its conditions name.",
                    f"Move {gate.id} after {day_text(day)}, or take {id} out of its conditions.",
                    (gate, f"held on {day_text(gate.day)}"),
                    (view.rows[id], f"{'ends' if dated else 'answered'} {day_text(day)}"),
                )


def _waited_twice(view: PlanView) -> Iterator[Finding]:
    """A package that waits as long as an approval takes goes before its papers are complete, or after its answer."""
    for approval, _ in view.answers():
        for id in (*approval.papers, *approval.frees):
            package, dated = view.rows.get(id), view.dated(id)
            if not package or not dated or dated.effort or not (package.every_day or package.kind == "application"):
                continue
            days = (dated.end - dated.start).days + 1
            if approval.likely >= LEAST_WAIT and abs(days - approval.likely) <= SAME_WAIT * approval.likely:
                yield finding(
                    "time.waited_twice",
                    "medium",
                    "A package and an approval of the same length come one after the other: one wait counts twice.",
                    f"Delete {id} if it is the wait for {approval.id}, or say in {id} what else it waits for.",
                    (package, f"{days} calendar days without work"),
                    (approval, f"{approval.likely} calendar days from papers to answer"),
                )


def _before_allowed(view: PlanView) -> Iterator[Finding]:
    """A package with a fixed day starts before the day that the demand which it meets allows."""
    for demand in view.spine.demands:
        for id in demand.met_by:
            dated = view.dated(id)
            if dated and demand.not_before and dated.start < demand.not_before:
                yield finding(
                    "time.before_allowed",
                    "high",
                    "A package starts before the goal allows it.",
                    f"Move {id} to {day_text(demand.not_before)} or later.",
                    (demand, f"not before {day_text(demand.not_before)}"),
                    (view.rows[id], starts(dated)),
                )


def _typed_days(view: PlanView) -> Iterator[Finding]:
    """A text of a package names a day for its result before its computed end, or for what precedes it after its start.

    ISO dates and days in English are read; other forms depend on the language.
    """
    for package, dated in view.packages():
        late = [("done_when", day) for day in _days(package.done_when) if day < dated.end]
        early = [("before", day) for day in _days(package.before) if day > dated.start]
        if late or early:
            yield finding(
                "time.typed_day",
                "low",
                "A day in the texts of a package is not the computed one.",
                f"Take the day out of the text, or change what {package.id} waits for.",
                *((package, f"{field} names {day_text(day)}") for field, day in (*late[:1], *early[:1])),
                ("schedule", f"{package.id} {starts(dated)} and {ends(dated)}"),
            )


def _days(text: str) -> Iterator[date]:
    if _YEAR.search(text):
        yield from (found.latest for found in full_dates(text, "en"))


def _without_range(view: PlanView) -> Iterator[Finding]:
    """More than NO_RANGE of the judged estimates have the same low and high."""
    estimated = [p for p in view.spine.packages if not p.fixed and not p.every_day and p.high > 1]
    without = [p for p in estimated if p.low == p.high]
    if len(without) >= 3 and len(without) > NO_RANGE * len(estimated):
        yield finding(
            "time.no_range",
            "medium",
            f"{len(without)} of {len(estimated)} estimates have the same low and high: their odds say nothing.",
            "Give each the days that it takes if all goes well, and if much goes wrong.",
            *((p, f"{p.low:g} to {p.high:g} days") for p in without[:8]),
        )


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
            yield finding(
                "time.long_package",
                "low",
                f"A package takes more than {LONG_DAYS} working days: nobody sees in time that it is late.",
                f"Divide {package.id} at a result that can be checked.",
                (package, f"takes {dated.days} working days"),
                ("schedule", f"{day_text(dated.start)} to {day_text(dated.end)}, without a result between"),
            )


def _without_owner(view: PlanView) -> Iterator[Finding]:
    owners = {row.id for row in (*view.spine.roles, *view.spine.parties)}
    for package in view.spine.packages:
        if package.owner not in owners:
            yield finding(
                "time.no_owner",
                "medium",
                "A package has no owner among the roles.",
                f"Name the role that answers for {package.id}.",
                (package, f"owner: {package.owner or 'none'}"),
                ("roles", f"{len(view.roles)}, none of them owns it"),
            )


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
            yield finding(
                "time.needed_by_nothing",
                "low",
                "Nothing waits for a package that serves other work, and it meets no demand.",
                f"Say what waits for {package.id}, or leave it out.",
                (package, f"{package.kind}, {ends(dated)}"),
                ("needs", f"no package, gate, approval or demand names {package.id}"),
            )
