"""Stage 026: the critical path over the work breakdown, its dates, and what they say of the deadline."""

from collections.abc import Iterator, Mapping

from planloom.domain.claims import Claim
from planloom.domain.wording import day_text
from planloom.knowledge.brief import Brief
from planloom.stages.desk import Desk
from planloom.stages.parts.schedule_dates import (
    Dated,
    closed_periods,
    dated,
    days_to_spare,
    links,
    milestones,
    scheduled_leaves,
    scheduled_tasks,
)
from planloom.stages.parts.schedule_files import csv_text, mermaid_text
from planloom.stages.parts.schedule_result import ClosedPeriod as ClosedPeriod
from planloom.stages.parts.schedule_result import Link as Link
from planloom.stages.parts.schedule_result import Milestone as Milestone
from planloom.stages.parts.schedule_result import Schedule as Schedule
from planloom.stages.parts.schedule_result import ScheduledLeaf as ScheduledLeaf
from planloom.stages.parts.schedule_result import ScheduledTask as ScheduledTask
from planloom.stages.parts.schedule_words import advice, verdict_of, verdict_text
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.stage import Stage
from planloom.stages.task_dependencies import TaskDependencies
from planloom.stages.task_durations import TaskDurations
from planloom.stages.text import bullets, table
from planloom.stages.wbs import Wbs
from planloom.stages.wbs_level3 import WbsLevel3

_METHOD = """\
Critical path method over finish-to-start links, durations as PERT means in whole working days, each package on its \
own calendar, as early as its predecessors allow; hiring, training, announcements and proofs are held back to end \
30 working days before they are needed. Confidence comes from 1000 simulated runs of the whole network with durations \
drawn from the three-point estimates, so that paths that meet count. Runs draw each package independently: what delays \
many at once is not in them, nor is that one role cannot do everything at once, so the true spread is wider."""


async def draft(desk: Desk) -> Schedule:
    """No call: dates follow from the work breakdown, its links, its durations and the prompt's calendar."""
    plan = dated(
        desk.brief,
        desk.read("wbs", Wbs),
        desk.read("task_dependencies", TaskDependencies),
        desk.read("task_durations", TaskDurations),
    )
    durations = desk.read("task_durations", TaskDurations)
    return computed(
        desk.brief, plan, desk.read("wbs_level3", WbsLevel3), desk.read("project_plan", ProjectPlan), durations.method
    )


def computed(brief: Brief, plan: Dated, level3: WbsLevel3, project_plan: ProjectPlan, durations: str) -> Schedule:
    """Return the schedule of the dated *plan*; *durations* says how its estimates were made."""
    tasks = scheduled_tasks(brief, plan)
    end, p50, p80, deadline = plan.times.solved.end, plan.times.sure.p50, plan.times.sure.p80, brief.deadline
    spare = days_to_spare(plan, deadline)
    chance = plan.times.sure.chance(deadline) if deadline else None
    verdict = verdict_of(deadline, end, p80)
    schedule = Schedule(
        start=min(task.start for task in tasks),
        deadline=deadline,
        end=end,
        last_day=plan.times.solved.last_day,
        p50=p50,
        p80=p80,
        chance=chance,
        spare=spare,
        verdict=verdict,
        verdict_text=verdict_text(deadline, end, p50, p80, chance, spare, on_day=plan.times.on_day is not None),
        advice=advice(brief, tasks, plan.times.path, verdict, p80),
        tasks=tasks,
        leaves=scheduled_leaves(plan, level3),
        milestones=milestones(brief, plan, project_plan),
        critical_path=plan.times.path,
        links=links(plan),
        closed=closed_periods(brief, plan),
        calendar_notes=plan.times.calendars.notes,
        method=f"{_METHOD} {durations}",
    )
    return schedule.model_copy(update={"claims": tuple(_claims(schedule))})


def _claims(schedule: Schedule) -> Iterator[Claim]:
    test = "Recomputed from the durations when the first package is done"
    for slug, day, text in (
        ("end", schedule.end, "What the deadline asks for is computed to be done on"),
        ("p50", schedule.p50, "Half of the simulated runs end by"),
        ("p80", schedule.p80, "Four of five simulated runs end by"),
        ("last-day", schedule.last_day, "The last package, closing and looking back included, ends on"),
    ):
        yield _claim(slug, f"{text} {day_text(day)}", day.isoformat(), "date", test)
    if schedule.spare is not None:
        text = f"The deadline is held with {schedule.spare} working days to spare (negative: late by so many)"
        yield _claim("deadline_slack", text, str(schedule.spare), "working days", test)
    days = sum(task.duration for task in schedule.tasks if task.id in schedule.critical_path)
    yield _claim(
        "critical-path", f"The critical path holds {days} working days of work", str(days), "working days", test
    )
    for milestone in schedule.milestones:
        text = f"{milestone.title}: {day_text(milestone.day)}"[:400]
        yield _claim(f"milestone-{milestone.id.lower()}", text, milestone.day.isoformat(), "date", test)


def _claim(slug: str, text: str, value: str, unit: str, test: str) -> Claim:
    return Claim(
        id=f"schedule.{slug}", text=text, kind="computed", value=value, unit=unit, source="stage:schedule", test=test
    )


def markdown(result: Schedule) -> str:
    """The verdict first, then milestones, the critical path, all packages, the calendar and the method."""
    by_id = {task.id: task for task in result.tasks}
    path = [by_id[name] for name in result.critical_path]
    parts = [
        "# Schedule",
        f"**{result.verdict_text}**",
        bullets(result.advice),
        "## Milestones",
        table(
            ("", "Milestone", "Computed", "Demanded", "Working days to spare", "In the project plan"),
            [_milestone_row(m) for m in result.milestones],
        ),
        f"## Critical path: {sum(t.duration for t in path)} working days in {len(path)} packages",
        table(
            ("", "Package", "Owner", "Start", "End", "Working days"),
            [(t.id, t.title, t.owner, t.start, t.end, t.duration) for t in path],
        ),
        "## All packages",
        table(
            ("", "Package", "Start", "End", "Working days", "o / m / p", "After", "Slack", "Free", ""),
            [_task_row(t) for t in result.tasks],
        ),
        "## Days on which work is done",
        bullets(result.calendar_notes),
        "## How the dates were computed",
        result.method,
    ]
    return "\n\n".join(part.rstrip() for part in parts if part.strip())


def _milestone_row(m: Milestone) -> tuple[object, ...]:
    spare = "" if m.spare is None else f"{m.spare}" if m.spare >= 0 else f"late by {-m.spare}"
    return (m.id, m.title, m.day, m.target or "", spare, m.planned or "")


def _task_row(t: ScheduledTask) -> tuple[object, ...]:
    flags = (
        ("critical", t.critical),
        ("outdoors", t.outdoor),
        ("time set by others", t.fixed),
        ("waits for open days", t.waits_for_season),
        ("held back", t.held_back),
    )
    points = f"{t.optimistic:g} / {t.likely:g} / {t.pessimistic:g}"
    marks = ", ".join(word for word, is_so in flags if is_so)
    after = ", ".join(t.predecessors)
    return (t.id, t.title, t.start, t.end, t.duration, points, after, t.total_slack, t.free_slack, marks)


def extra_files(result: Schedule) -> Mapping[str, str]:
    """Return the schedule for spreadsheets and as a Gantt chart."""
    return {"026-3-schedule.csv": csv_text(result), "026-4-gantt.mmd": mermaid_text(result)}


STAGE = Stage(
    number=26,
    name="schedule",
    title="Schedule",
    needs=("project_plan", "wbs", "task_dependencies", "task_durations", "wbs_level3"),
    version=2,
    asks_model=False,
    result=Schedule,
    draft=draft,
    markdown=markdown,
    extra_files=extra_files,
)
