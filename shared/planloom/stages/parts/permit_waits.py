"""Set each permit against the day on which the work that needs it starts."""

from datetime import date

from planloom.stages.parts.plan_answer import PermitRow
from planloom.stages.parts.schedule_result import Schedule, ScheduledTask
from planloom.stages.project_plan import ProjectPlan


def waiting_permits(plan: ProjectPlan, schedule: Schedule) -> list[tuple[PermitRow, ScheduledTask]]:
    """Return each permit with the package that cannot start without it, as far as the schedule knows it."""
    # the project plan may name the package with its day: "Tender and award (24 June 2027)"
    pairs = [(p, t) for p in plan.plan.permits for t in schedule.tasks if p.needed_for.startswith(t.title)]
    return [(p, t) for p, t in pairs if not any(p is q and len(u.title) > len(t.title) for q, u in pairs)]


def days_short(permit: PermitRow, start: date) -> int:
    """Return by how many working days the pessimistic answer to *permit* misses *start*; 0 or less: it is in time."""
    room = (start - permit.apply_by).days * 5 // 7
    return permit.pessimistic - room
