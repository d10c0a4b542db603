"""Days for gates and due dates: gates as the schedule computes them, due days open to work."""

from datetime import date, timedelta
from functools import lru_cache

from planloom.domain.facts import Closure
from planloom.domain.wording import day_text
from planloom.knowledge.brief import BRIEFS, Brief
from planloom.knowledge.timetable import outline_timetable


@lru_cache(maxsize=BRIEFS * 8)
def gate_day(brief: Brief, phase_id: str) -> date:
    """Return the day on which the schedule ends the phase *phase_id*; an unknown id means the first phase.

    It is the computed day, also where it lies after the deadline. A phase without a package of its own ends with the
    one before it.
    """
    gates, day = outline_timetable(brief).gates, brief.start
    for phase in brief.phases:
        day = gates[phase.id][0] if phase.id in gates else day
        if phase.id == brief.phase(phase_id).id:
            break
    return day


def gate_text(brief: Brief, phase_id: str) -> str:
    """Return the gate as plans name it: ``the gate after Design (12 March 2027)``."""
    return f"the gate after {brief.phase(phase_id).title} ({day_text(gate_day(brief, phase_id))})"


def due_day(brief: Brief, working_days: int) -> date:
    """Return the day *working_days* open days after the start; 0 is the first open day on or after the start."""
    day = _next_open(brief, brief.start)
    for _ in range(working_days):
        day = _next_open(brief, day + timedelta(days=1))
    return day


def open_day(brief: Brief, day: date) -> date:
    """Return *day*, or the last open day before it; never a day before the first open day of the work."""
    first = due_day(brief, 0)
    while day > first and not _is_open(brief, day):
        day -= timedelta(days=1)
    return max(day, first)


def closed_days(brief: Brief, first: date, last: date, *, outdoor: bool) -> int:
    """Return how many calendar days from *first* to *last* (both counted) the prompt closes to work.

    *outdoor* True counts the closures of outdoor work; weekends are not closures.
    """
    span = range((last - first).days + 1)
    closures = [c for c in brief.facts.closures if outdoor or not c.outdoor]
    return sum(any(_shuts(c, first + timedelta(days=n)) for c in closures) for n in span)


def _next_open(brief: Brief, day: date) -> date:
    # a prompt may close every day of the week; then the closures say nothing about a due date
    days = (day + timedelta(days=n) for n in range(366))
    return next((d for d in days if _is_open(brief, d)), day)


def _is_open(brief: Brief, day: date) -> bool:
    closures = [c for c in brief.facts.closures if not c.outdoor]
    weekend_work = any(not c.forbidden and day.weekday() in c.weekdays for c in closures)
    return (day.weekday() < 5 or weekend_work) and not any(_shuts(c, day) for c in closures)


def _shuts(closure: Closure, day: date) -> bool:
    named = bool(closure.months or closure.weekdays or closure.first or closure.last)
    inside = (
        (not closure.months or day.month in closure.months)
        and (not closure.weekdays or day.weekday() in closure.weekdays)
        and (closure.first is None or day >= closure.first)
        and (closure.last is None or day <= closure.last)
    )
    return named and inside == closure.forbidden
