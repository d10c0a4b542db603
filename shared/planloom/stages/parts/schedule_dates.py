"""Put the work breakdown on the calendar: tasks, their slack, milestones and how sure the end is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from planloom.domain.calendars import closes
from planloom.knowledge.brief import Brief
from planloom.knowledge.sequence import Order
from planloom.knowledge.targets import LOOKS_BACK, Step
from planloom.knowledge.timetable import Timetable, timetable
from planloom.stages.parts.schedule_result import ClosedPeriod, Link, Milestone, ScheduledLeaf, ScheduledTask
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.task_dependencies import TaskDependencies
from planloom.stages.task_durations import TaskDurations
from planloom.stages.wbs import Wbs
from planloom.stages.wbs_level3 import WbsLevel3


@dataclass(frozen=True)
class Dated:
    """The work breakdown and its dates."""

    wbs: Wbs
    times: Timetable


def dated(brief: Brief, wbs: Wbs, dependencies: TaskDependencies, durations: TaskDurations) -> Dated:
    """Compute all dates. Raises CycleFound or UnknownTask where an edited file made the network impossible."""
    phases = {p.id: d.phase for d in wbs.deliverables for p in d.packages}
    steps = [Step(p.id, p.key, p.title, phases[p.id], p.kind, p.outdoor, p.fixed) for p in wbs.packages]
    links = [Order(d.task, d.after, d.lag, d.why) for d in dependencies.dependencies]
    return Dated(wbs, timetable(brief, steps, links, {e.task: e.points for e in durations.estimates}))


def scheduled_tasks(brief: Brief, plan: Dated) -> tuple[ScheduledTask, ...]:
    """Return every package with its dates, in order of the work breakdown."""
    made = []
    for deliverable in plan.wbs.deliverables:
        for package in deliverable.packages:
            placed, estimate = plan.times.solved.tasks[package.id], plan.times.estimates[package.id]
            plain = plan.times.calendars.others.next_open(placed.ready.toordinal())
            made.append(
                ScheduledTask(
                    id=package.id,
                    key=package.key,
                    title=package.title,
                    deliverable=deliverable.id,
                    deliverable_title=deliverable.title,
                    phase=brief.phase(plan.times.phases[package.id]).title,
                    owner=package.owner,
                    start=placed.start,
                    end=placed.end,
                    duration=estimate.days,
                    optimistic=estimate.optimistic,
                    likely=estimate.likely,
                    pessimistic=estimate.pessimistic,
                    predecessors=tuple(o.after for o in plan.times.orders if o.task == package.id),
                    total_slack=placed.total_slack,
                    free_slack=placed.free_slack,
                    critical=package.id in plan.times.path or (placed.critical and package.id in plan.times.leading),
                    outdoor=package.outdoor,
                    fixed=package.fixed,
                    waits_for_season=placed.start.toordinal() > plain,
                    held_back=package.id in plan.times.held,
                    test=package.test,
                )
            )
    return tuple(made)


def scheduled_leaves(plan: Dated, level3: WbsLevel3) -> tuple[ScheduledLeaf, ...]:
    """Return the level-3 tasks one after the other within the dates of their packages, on the same calendar."""
    made: list[ScheduledLeaf] = []
    for package in plan.wbs.packages:
        placed, days = plan.times.solved.tasks[package.id], plan.times.estimates[package.id].days
        calendar = plan.times.network.tasks[package.id].calendar
        done = 0.0
        for leaf in (leaf for leaf in level3.leaves if leaf.package == package.id):
            first = min(days - 1, round(done * days))
            done += leaf.share
            last = max(first, min(days, round(done * days)) - 1)
            start, end = calendar.add(placed.start, first), calendar.add(placed.start, last)
            made.append(
                ScheduledLeaf(
                    id=leaf.id,
                    task=package.id,
                    title=leaf.title,
                    owner=leaf.owner,
                    start=start,
                    end=end,
                    test=leaf.test,
                )
            )
    return tuple(made)


def links(plan: Dated) -> tuple[Link, ...]:
    """Return the arrows of the Gantt chart."""
    return tuple(
        Link(source=o.after, target=o.task, lag=o.lag, driving=plan.times.solved.tasks[o.task].driver == o.after)
        for o in plan.times.orders
    )


def days_to_spare(plan: Dated, deadline: date | None) -> int | None:
    """Return the working days from the end to *deadline*, negative where it is late; None without a deadline.

    What takes place on a day ends on it: then it is the least slack of what leads to it.
    """
    if deadline is None:
        return None
    end = plan.times.solved.end
    if plan.times.on_day and end <= deadline:
        leading = [plan.times.early.tasks[name] for name in plan.times.leading]
        return min((t.total_slack for t in leading if t.end < plan.times.on_day.first), default=0)
    return working_days_between(plan, end, deadline)


def working_days_between(plan: Dated, day: date, target: date) -> int:
    """Return the working days from *day* to *target*, negative where *day* is later."""
    first, last = sorted((day, target))
    count = plan.times.calendars.ours.count(first.toordinal() + 1, last.toordinal() + 1)
    return count if day <= target else -count


def milestones(brief: Brief, plan: Dated, project_plan: ProjectPlan) -> tuple[Milestone, ...]:
    """Return the days to hold in order of date: the prompt's, the phase ends beside the project plan's, the end."""
    found = sorted(
        (*_demanded(plan), *_phase_ends(brief, plan, project_plan), *_ends(plan)),
        key=lambda m: (m.day, m.kind, m.title),
    )
    return tuple(m.model_copy(update={"id": f"M{n}"}) for n, m in enumerate(found, 1))


def _demanded(plan: Dated) -> Iterator[Milestone]:
    for target in plan.times.targets:
        last = _last(plan, target.tasks)
        day = plan.times.solved.tasks[last].end
        yield Milestone(
            id="M0",
            title=target.title,
            kind="end" if target.final else "prompt",
            day=day,
            target=target.day,
            spare=working_days_between(plan, day, target.day),
            task=last,
            source=target.source,
        )


def _phase_ends(brief: Brief, plan: Dated, project_plan: ProjectPlan) -> Iterator[Milestone]:
    windows = {window.id: window.last for window in project_plan.phases}
    for phase in brief.phases:
        if phase.id in plan.times.gates:
            day, last = plan.times.gates[phase.id]
            yield Milestone(
                id="M0",
                title=f"{phase.title}: done",
                kind="phase",
                day=day,
                planned=windows.get(phase.id),
                task=last,
                source="stage:schedule",
            )


def _ends(plan: Dated) -> Iterator[Milestone]:
    """The last of all is a milestone where it looks back after the last phase, or where no deadline is set."""
    last = _last(plan, tuple(plan.times.solved.tasks))
    looks_back = any(order.task == last and order.lag >= LOOKS_BACK for order in plan.times.orders)
    if looks_back or not any(target.final for target in plan.times.targets):
        title = "Last look back at the success figures" if looks_back else "All work done"
        yield Milestone(
            id="M0", title=title, kind="end", day=plan.times.solved.last_day, task=last, source="stage:schedule"
        )


def _last(plan: Dated, ids: Sequence[str]) -> str:
    return max(ids, key=lambda name: plan.times.solved.tasks[name].end)


def closed_periods(brief: Brief, plan: Dated) -> tuple[ClosedPeriod, ...]:
    """Return the closed stretches of the prompt's calendar within the plan; closed weekdays are too many to list."""
    last = plan.times.solved.last_day
    days = [brief.start + timedelta(days=n) for n in range((last - brief.start).days + 1)]
    found = []
    for closure in plan.times.calendars.closures:
        if closure.weekdays:
            continue
        shut = [day for day in days if closes(closure, day)]
        starts = [day for day in shut if day - timedelta(days=1) not in shut]
        ends = [day for day in shut if day + timedelta(days=1) not in shut]
        found += [
            ClosedPeriod(first=first, last=end, outdoor=closure.outdoor, reason=closure.text)
            for first, end in zip(starts, ends, strict=True)
        ]
    return tuple(sorted(found, key=lambda period: (period.first, period.last)))
