"""The schedule as what the Gantt chart of the report draws."""

from collections.abc import Iterable
from datetime import date, timedelta

from planloom.core.wording import day_text
from planloom.planes.strategic.calendars import closes
from planloom.planes.strategic.facts.fact import Closure
from planloom.planes.strategic.report.gantt import Arrow, Bar, Line, Shade
from planloom.planes.strategic.stages.computed_plan import ComputedPlan
from planloom.planes.strategic.stages.results import Schedule

GATES = "Gates and dated demands"


def bars(schedule: Schedule) -> tuple[Bar, ...]:
    """Return gates and dated demands as milestones, then the packages by deliverable in order of their start."""
    plan = ComputedPlan(schedule.spine, schedule.computed)
    return (*_milestones(plan), *_packages(plan))


def arrows(schedule: Schedule) -> tuple[Arrow, ...]:
    """Return an arrow for each need between packages; critical where both are on the path."""
    path = set(schedule.computed.path)
    bars = {package.id for package in schedule.spine.packages}
    return tuple(
        Arrow(need.id, package.id, need.id in path and package.id in path)
        for package in schedule.spine.packages
        for need in package.needs
        if need.id in bars
    )


def lines(schedule: Schedule) -> tuple[Line, ...]:
    """Return the date of the whole where one was found, and the day at 80%."""
    plan = ComputedPlan(schedule.spine, schedule.computed)
    found = []
    if schedule.spine.frame.end:
        due = schedule.spine.frame.end
        found.append(Line(due, f"Due {day_text(due)}", "deadline"))
    if plan.end:
        found.append(Line(plan.end.p80, f"80% by {day_text(plan.end.p80)}", "confidence"))
    return tuple(found)


def shades(schedule: Schedule, closures: Iterable[Closure]) -> tuple[Shade, ...]:
    """Return the closed stretches of the goal's calendar within the plan; closed weekdays are too many to draw."""
    computed = schedule.computed
    days = [computed.start + timedelta(days=n) for n in range((computed.end - computed.start).days + 1)]
    found = []
    for closure in closures:
        if not closure.weekdays:
            found += [Shade(first, last, closure.text) for first, last in _stretches(closure, days)]
    return tuple(sorted(found, key=lambda shade: (shade.first, shade.last)))


def _stretches(closure: Closure, days: list[date]) -> list[tuple[date, date]]:
    found: list[tuple[date, date]] = []
    for day in days:
        if closes(closure, day):
            extends = found and found[-1][1] == day - timedelta(days=1)
            found[-1:] = [(found[-1][0], day)] if extends else [*found[-1:], (day, day)]
    return found


def _milestones(plan: ComputedPlan) -> Iterable[Bar]:
    for gate in plan.computed.gates:
        yield Bar(gate.id, plan.named(gate.id), GATES, gate.day, gate.day, "milestone", notes=(day_text(gate.day),))
    for odds in plan.computed.odds:
        if odds.due and odds.what.startswith("N"):
            notes = (day_text(odds.computed), f"due {day_text(odds.due)}")
            late = odds.computed > odds.due
            title = plan.named(odds.what)
            yield Bar(odds.what, title, GATES, odds.computed, odds.computed, "milestone", late=late, notes=notes)


def _packages(plan: ComputedPlan) -> Iterable[Bar]:
    for package in plan.in_order:
        if dated := plan.dated.get(package.id):
            slack = "on the critical path" if dated.critical else f"{dated.slack} working days of slack"
            days = f"{day_text(dated.start)} to {day_text(dated.end)}"
            yield Bar(
                id=package.id,
                title=package.title,
                group=plan.title(package.deliverable) or "Packages",
                start=dated.start,
                end=dated.end,
                critical=dated.critical,
                outdoor=package.outdoor,
                slack=dated.slack,
                notes=tuple(note for note in (days, slack, plan.title(package.owner), package.done_when) if note),
            )
