"""The days on which phases end as the schedule computed them: what the last sections print instead of planned gates."""

from datetime import date

from planloom.domain.wording import day_text
from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import gate_day
from planloom.stages.parts.schedule_result import Milestone, Schedule


def phase_end(brief: Brief, schedule: Schedule, phase_id: str) -> date:
    """Return the computed end of the phase *phase_id*; its planned gate where no package is worked in it."""
    title = brief.phase(phase_id).title
    return next((m.day for m in phase_ends(schedule) if m.title.startswith(title)), gate_day(brief, phase_id))


def phase_end_text(brief: Brief, schedule: Schedule, phase_id: str) -> str:
    """Return the gate with its computed day: ``the end of Design, computed for 12 March 2027``."""
    return f"the end of {brief.phase(phase_id).title}, computed for {day_text(phase_end(brief, schedule, phase_id))}"


def phase_ends(schedule: Schedule) -> tuple[Milestone, ...]:
    """Return the milestones that end phases, in order of date."""
    return tuple(milestone for milestone in schedule.milestones if milestone.kind == "phase")
