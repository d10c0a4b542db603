"""Findings on time: dates that are missed, fixed days before what they need, meetings that papers miss."""

from collections.abc import Iterator
from datetime import timedelta

from planloom.compute.calendars import day_of
from planloom.compute.computed import Finding, Load, Odds
from planloom.compute.found import chance_text, finding, named
from planloom.compute.network import network_of
from planloom.compute.nodes import ApprovalNode, FixedNode
from planloom.compute.plan_findings import plan_findings
from planloom.compute.role_findings import role_findings
from planloom.compute.schedule import Schedule
from planloom.domain.quality import Severity
from planloom.domain.wording import day_text
from planloom.spine.rows import Row

#: A day that is reached in fewer of two runs is not planned.
LIKELY = 0.5


#: As much of what drives a date is named.
PATH = 10


def time_findings(schedule: Schedule, odds: tuple[Odds, ...], loads: tuple[Load, ...]) -> tuple[Finding, ...]:
    """Return the findings on time, on roles and on the form of the packages.

    Each names the rows that disagree; what a package without owner, days or demands lacks is among them. Approvals that
    free fixed packages too late, and demands that nothing meets, are found with the order and with missing parts.
    """
    return (
        *_missed(schedule, odds),
        *_fixed_too_early(schedule),
        *_missed_meetings(schedule),
        *role_findings(schedule, loads),
        *plan_findings(schedule),
    )


def _missed(schedule: Schedule, odds: tuple[Odds, ...]) -> Iterator[Finding]:
    """A demand, a gate or the end is computed after its day, or more likely missed than reached."""
    rows = schedule.spine.by_id()
    for one in odds:
        if one.due is None or one.chance is None:
            continue
        row: Row | str = rows.get(one.what, "end of the goal")
        said = named(row) if isinstance(row, Row) else "The end that the goal sets"
        last = rows.get(_last(schedule, one), None)
        late = (one.computed - one.due).days
        if late > 0:
            check, severity = "time.missed", _severity(schedule, one)
            text = f"{said} is due {day_text(one.due)} and computed for {day_text(one.computed)}: {late} days late."
        elif one.chance < LIKELY:
            check, severity = "time.unlikely", "medium"
            text = (
                f"{said} is due {day_text(one.due)}; its chance is {chance_text(one.chance)}. Half of the runs end by "
                f"{day_text(one.p50)}, four of five by {day_text(one.p80)}."
            )
        else:
            continue
        places: list[tuple[Row | str, str]] = [(row, f"due {day_text(one.due)}")]
        if last is not None:
            places.append((last, f"ends {day_text(one.computed)}; four of five runs by {day_text(one.p80)}"))
        yield finding(check, severity, places, text, _advice(schedule, one))


def _last(schedule: Schedule, one: Odds) -> str:
    """Return the id of what ends last of what counts."""
    ends = {name: schedule.packages[name].end for name in one.of if name in schedule.packages}
    ends |= {name: schedule.approvals[name] for name in one.of if name in schedule.approvals}
    return max(ends, key=lambda name: ends[name]) if ends else one.of[0]


def _severity(schedule: Schedule, one: Odds) -> Severity:
    gates = {gate.id: gate for gate in schedule.spine.gates}
    return "medium" if one.what in gates and not gates[one.what].frees else "high"


def _advice(schedule: Schedule, one: Odds) -> str:
    """Return what drives the day, the last of it."""
    path = schedule.path_to(_last(schedule, one))[-PATH:]
    waits = sum(schedule.packages[name].held_by_role for name in path if name in schedule.packages)
    held = f" {waits} working days of it wait for busy roles." if waits else ""
    return f"Driven by {', '.join(path)}.{held}"


def _fixed_too_early(schedule: Schedule) -> Iterator[Finding]:
    """A fixed package starts before a package or gate that it waits for has ended."""
    # the levelled order binds no fixed package, so the rows' own waits are what counts
    network, placed = network_of(schedule.spine, schedule.calendars), schedule.network
    starts, ends = placed.forward(schedule.lengths)
    order = [placed.at[node.id] for node in network.nodes]
    starts, ends = [starts[at] for at in order], [ends[at] for at in order]
    rows = schedule.spine.by_id()
    for position, node in enumerate(network.nodes):
        if not isinstance(node, FixedNode):
            continue
        bounds = [
            (day, network.nodes[by])
            for day, by in network.bounds(position, starts, ends)
            if not isinstance(network.nodes[by], ApprovalNode)
        ]
        ready, by = max(bounds, key=lambda bound: bound[0], default=(0, None))
        if by is None or ready <= node.opening:
            continue
        package, need = rows[node.id], rows[by.id]
        begins, allowed = day_text(day_of(node.opening)), day_text(day_of(ready))
        yield finding(
            "time.fixed_before_need",
            "high",
            [(package, f"fixed on {begins}"), (need, f"lets it start on {allowed}")],
            f"{named(package)} is fixed on {begins}; {named(need)}, which it waits for, lets it start on {allowed}.",
            f"Bring {need.id} forward, or say what {package.id} does without it.",
        )


def _missed_meetings(schedule: Schedule) -> Iterator[Finding]:
    """Papers are complete too late for the meeting that decides on them."""
    rows = schedule.spine.by_id()
    for approval in schedule.spine.approvals:
        answer = schedule.approvals.get(approval.id)
        ends = {name: schedule.packages[name].end for name in approval.papers if name in schedule.packages}
        if not answer or not approval.meeting or not ends or answer <= approval.meeting:
            continue
        last = max(ends, key=lambda name: ends[name])
        before = getattr(rows.get(approval.party), "papers_days", 0)
        due = approval.meeting - timedelta(min(before, approval.meeting.toordinal() - 1))
        freed = [schedule.packages[name] for name in approval.frees if name in schedule.packages]
        yield finding(
            "time.papers_miss_meeting",
            "high" if any(package.critical for package in freed) else "medium",
            [
                (approval, f"decided on {day_text(approval.meeting)}, papers due {day_text(due)}"),
                (rows[last], f"ends {day_text(ends[last])}"),
            ],
            f"{named(approval)} is decided on {day_text(approval.meeting)} and its papers are due {day_text(due)}; "
            f"{named(rows[last])} ends {day_text(ends[last])}. The next answer is on {day_text(answer)}.",
            f"Finish {last} by {day_text(due)}, or set the meeting of {approval.id} after {day_text(ends[last])}.",
        )
