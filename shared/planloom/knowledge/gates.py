"""Days for gates and due dates, before the schedule is computed: in proportion to the work, never on a closed day."""

from datetime import date, timedelta
from itertools import accumulate

from planloom.domain.facts import Closure
from planloom.knowledge.brief import Brief, day_text
from planloom.knowledge.tracing import stems


def gate_day(brief: Brief, phase_id: str) -> date:
    """Return the day of the gate that ends the phase *phase_id*; an unknown id means the first phase.

    Phases share the time from start to end by the likely days of their work packages, and a milestone of the prompt
    is the gate of the first phase that speaks of it. A deadline that the prompt sets by date is the day of
    launching, and closing comes after it; a time frame or an assumed end includes it.
    """
    phases = [phase.id for phase in brief.phases]
    at = phases.index(phase_id) if phase_id in phases else 0
    done = [0.0, *accumulate(_work_days(brief, phase) for phase in phases)]
    fixed = {-1: brief.start, **_milestones(brief), _phase_that_ends(brief, phases): brief.end_assumed}
    first = max((n for n in fixed if n < at), default=-1)
    last = min((n for n in fixed if n >= at), default=max(fixed))
    first = first if last >= at else -1
    part = (done[at + 1] - done[first + 1]) / ((done[last + 1] - done[first + 1]) or 1.0)
    return open_day(brief, fixed[first] + part * (fixed[last] - fixed[first]))


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


def _work_days(brief: Brief, phase_id: str) -> float:
    made = [d for d in brief.archetype.deliverables if d.phase == phase_id]
    return sum(package.days[1] for deliverable in made for package in deliverable.packages) or 5.0


def _milestones(brief: Brief) -> dict[int, date]:
    """The dated milestones of the prompt by the index of the first phase that speaks of them, in order of both."""
    phases = brief.phases
    texts = [stems(f"{phase.title}. {phase.purpose} {phase.exit}") for phase in phases]
    last = _phase_that_ends(brief, [phase.id for phase in phases])
    found: dict[int, date] = {}
    for day in sorted(brief.facts.days, key=lambda day: day.latest):
        shared = [len(text & stems(day.label)) if day.role == "milestone" else 0 for text in texts]
        at = shared.index(max(shared)) if any(shared) else last
        inside = max(found.values(), default=brief.start) < day.latest < brief.end_assumed
        if inside and max(found, default=-1) < at < last:
            found[at] = day.latest
    return found


def _phase_that_ends(brief: Brief, phases: list[str]) -> int:
    dated = any(day.role == "deadline" for day in brief.facts.days)
    if dated and "launch" in phases:
        return phases.index("launch")
    return len(phases) - 1
