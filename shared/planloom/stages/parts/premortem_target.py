"""The failure story of what was finished and not wanted: the first measure of success was missed."""

from datetime import date, timedelta
from typing import Any

from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first
from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import open_day
from planloom.stages.parts.countable import aim, grows, has_figure
from planloom.stages.parts.plan_answer import Criterion
from planloom.stages.parts.schedule_result import Schedule
from planloom.stages.project_plan import ProjectPlan

#: Words of measures that depend on people who may stay away; others depend on the work alone.
_BY_PEOPLE = ("customer", "user", "guest", "visitor", "member", "household", "patient", "nurse", "resident", "famil")


def missed_target(brief: Brief, plan: ProjectPlan, schedule: Schedule, launch: date) -> dict[str, Any] | None:
    """Return the story of the measure that depends most on others; None where the plan measures nothing."""
    measures = [c for c in plan.plan.criteria if has_figure(c.threshold)] or list(plan.plan.criteria)
    if not measures:
        return None
    measure = max(measures, key=lambda c: (_depends_on_people(c), grows(c.threshold), -measures.index(c)))
    passes = clip(measure.threshold, 110)
    count = open_day(brief, launch + timedelta(days=28))
    busy = [t for t in schedule.tasks if t.end <= launch] or list(schedule.tasks)
    last = max(busy, key=lambda t: (t.end, t.critical, t.id))
    return {
        "title": f"All was there on {day_text(launch)}, and this was not: {clip(measure.text, 90)}",
        "chain": [
            f"Nobody had asked those on whom “{passes}” depends.",
            f"Until {day_text(launch)} all attention went to {lower_first(last.title)}; no first count was made.",
            f"The count of {day_text(count)} was explained away as a slow start.",
            f"When the next one said the same, the money to change course had been spent; “{clip(measure.text, 90)}” "
            "was not reached.",
        ],
        "warning": f"No trial count before {day_text(launch)}. Counted is: {lower_first(clip(measure.measure, 200))}",
        "tripwire": f"Below two thirds of {clip(aim(measure.threshold), 110)} on {day_text(count)}"
        if grows(measure.threshold)
        else f"“{passes}” not seen in the first trial, held by {day_text(count)}",
        "containment": f"{measure.role}: ask ten of those whom it concerns within a week, stop spending on what they "
        "do not mention, and bring one change with its price to the next meeting",
        "watcher": measure.role,
        "look": f"weekly for twelve weeks from {day_text(launch)}",
    }


def _depends_on_people(criterion: Criterion) -> bool:
    return any(word in f"{criterion.text} {criterion.threshold}".lower() for word in _BY_PEOPLE)
