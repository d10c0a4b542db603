"""Put the work breakdown on the calendar: tasks, their slack, milestones and how sure the end is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from planloom.domain.calendars import closes
from planloom.domain.confidence import Confidence, simulate
from planloom.domain.critical_path import CriticalPath, Network, Task
from planloom.domain.pert import ThreePoint
from planloom.knowledge.brief import Brief
from planloom.knowledge.just_in_time import held_back, set_up
from planloom.knowledge.sequence import ACCEPTANCE, Order
from planloom.knowledge.targets import LOOKS_BACK, FixedDay, Step, Target, fixed_day, goals, targets, upstream
from planloom.knowledge.work_calendars import WorkCalendars, work_calendars
from planloom.knowledge.work_network import network_tasks, on_the_day
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.schedule_result import ClosedPeriod, Link, Milestone, ScheduledLeaf, ScheduledTask
from planloom.stages.task_dependencies import TaskDependencies
from planloom.stages.task_durations import TaskDurations
from planloom.stages.wbs import Wbs
from planloom.stages.wbs_level3 import WbsLevel3


@dataclass(frozen=True)
class Dated:
    """The work with its dates: ``early`` as soon as can be, ``solved`` with what is ``held`` back.

    ``goals`` are the packages that the deadline asks for, ``leading`` they and all before them; ``path`` is the chain
    that drives the end.
    """

    wbs: Wbs
    orders: tuple[Order, ...]
    estimates: Mapping[str, ThreePoint]
    calendars: WorkCalendars
    tasks: Mapping[str, Task]
    early: CriticalPath
    solved: CriticalPath
    sure: Confidence
    goals: tuple[str, ...]
    leading: frozenset[str]
    path: tuple[str, ...]
    held: Mapping[str, date]
    phases: Mapping[str, str]
    targets: tuple[Target, ...]
    on_day: FixedDay | None


def dated(brief: Brief, wbs: Wbs, dependencies: TaskDependencies, durations: TaskDurations) -> Dated:
    """Compute all dates. Raises CycleFound or UnknownTask where an edited file made the network impossible."""
    phases = {p.id: d.phase for d in wbs.deliverables for p in d.packages}
    steps = [Step(p.id, p.key, p.title, phases[p.id], p.kind, p.outdoor, p.fixed) for p in wbs.packages]
    orders = tuple(Order(d.task, d.after, d.lag, d.why) for d in dependencies.dependencies)
    on_day = fixed_day(brief)
    estimates = on_the_day({e.task: e.points for e in durations.estimates}, steps, on_day)
    calendars = work_calendars(brief)
    ends = goals(brief, steps, orders)
    tasks = network_tasks(steps, orders, calendars, estimates, on_day)
    early = Network(tasks, brief.start).solve(ends)
    held = held_back(steps, orders, early, ends)
    loose = _network(brief, tasks, held)
    # a set-up can begin earlier than planned, so that its late start is no cause of lateness
    last = set_up(steps, early, ends) if on_day else {}
    network = _network(brief, tasks, held | last)
    solved = network.solve(ends)
    path = _tightest(early, network.tasks) if on_day else solved.path
    return Dated(
        wbs=wbs,
        orders=orders,
        estimates=estimates,
        calendars=calendars,
        tasks=network.tasks,
        early=early,
        solved=solved,
        sure=simulate(loose, estimates, ends),
        goals=ends,
        leading=upstream(orders, ends),
        path=path,
        held=held | last,
        phases=_phases_of_work(brief, steps, orders, solved, held | last),
        targets=targets(brief, steps, orders),
        on_day=on_day,
    )


def _network(brief: Brief, tasks: Sequence[Task], held: Mapping[str, date]) -> Network:
    return Network([replace(t, not_before=held.get(t.id, t.not_before)) for t in tasks], brief.start)


def _tightest(early: CriticalPath, tasks: Mapping[str, Task]) -> tuple[str, ...]:
    """Return the chain with the least slack to what takes place on a fixed day: the day itself alone has none."""
    path = [early.path[-1]]
    while after := tasks[path[-1]].after:
        path.append(min((wait.task for wait in after), key=lambda name: (early.tasks[name].total_slack, name)))
    return tuple(reversed(path))


def _phases_of_work(
    brief: Brief, steps: Sequence[Step], orders: Sequence[Order], solved: CriticalPath, held: Mapping[str, date]
) -> dict[str, str]:
    """Return by package the id of the phase in which it is worked, which its deliverable's need not be.

    An inspection among the permissions waits for the building; a decision to open among what is handed over comes
    before closing. So: its deliverable's phase, not before its predecessors', and before closing where acceptance
    waits for it. What is held back belongs to the last phase that is under way when it starts.
    """
    names = [phase.id for phase in brief.phases]
    accepting = upstream(orders, [step.id for step in steps if step.key == ACCEPTANCE])
    own = {
        s.id: min(names.index(s.phase) if s.phase in names else 0, len(names) - (2 if s.id in accepting else 1))
        for s in steps
    }
    at = {s.id: max(own[name] for name in upstream(orders, [s.id])) for s in steps}
    begun = {n: min(solved.tasks[i].start for i in at if at[i] == n and i not in held) for n in _under_way(at, held)}
    at |= {i: max((n for n, day in begun.items() if day <= solved.tasks[i].start), default=at[i]) for i in held}
    return {name: names[n] for name, n in at.items()}


def _under_way(at: Mapping[str, int], held: Mapping[str, date]) -> list[int]:
    return sorted({n for name, n in at.items() if name not in held})


def scheduled_tasks(brief: Brief, plan: Dated) -> tuple[ScheduledTask, ...]:
    """Return every package with its dates, in order of the work breakdown."""
    made = []
    for deliverable in plan.wbs.deliverables:
        for package in deliverable.packages:
            placed, estimate = plan.solved.tasks[package.id], plan.estimates[package.id]
            plain = plan.calendars.others.next_open(placed.ready.toordinal())
            made.append(
                ScheduledTask(
                    id=package.id,
                    key=package.key,
                    title=package.title,
                    deliverable=deliverable.id,
                    deliverable_title=deliverable.title,
                    phase=brief.phase(plan.phases[package.id]).title,
                    owner=package.owner,
                    start=placed.start,
                    end=placed.end,
                    duration=estimate.days,
                    optimistic=estimate.optimistic,
                    likely=estimate.likely,
                    pessimistic=estimate.pessimistic,
                    predecessors=tuple(o.after for o in plan.orders if o.task == package.id),
                    total_slack=placed.total_slack,
                    free_slack=placed.free_slack,
                    critical=package.id in plan.path or (placed.critical and package.id in plan.leading),
                    outdoor=package.outdoor,
                    fixed=package.fixed,
                    waits_for_season=placed.start.toordinal() > plain,
                    held_back=package.id in plan.held,
                    test=package.test,
                )
            )
    return tuple(made)


def scheduled_leaves(plan: Dated, level3: WbsLevel3) -> tuple[ScheduledLeaf, ...]:
    """Return the level-3 tasks one after the other within the dates of their packages, on the same calendar."""
    made: list[ScheduledLeaf] = []
    for package in plan.wbs.packages:
        placed, days = plan.solved.tasks[package.id], plan.estimates[package.id].days
        calendar = plan.tasks[package.id].calendar
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
        Link(source=o.after, target=o.task, lag=o.lag, driving=plan.solved.tasks[o.task].driver == o.after)
        for o in plan.orders
    )


def days_to_spare(plan: Dated, deadline: date | None) -> int | None:
    """Return the working days from the end to *deadline*, negative where it is late; None without a deadline.

    What takes place on a day ends on it: then it is the least slack of what leads to it.
    """
    if deadline is None:
        return None
    end = plan.solved.end
    if plan.on_day and end <= deadline:
        leading = [plan.early.tasks[name] for name in plan.leading]
        return min((t.total_slack for t in leading if t.end < plan.on_day.first), default=0)
    return working_days_between(plan, end, deadline)


def working_days_between(plan: Dated, day: date, target: date) -> int:
    """Return the working days from *day* to *target*, negative where *day* is later."""
    first, last = sorted((day, target))
    count = plan.calendars.ours.count(first.toordinal() + 1, last.toordinal() + 1)
    return count if day <= target else -count


def milestones(brief: Brief, plan: Dated, project_plan: ProjectPlan) -> tuple[Milestone, ...]:
    """Return the days to hold in order of date: the prompt's, the phase ends beside the project plan's, the end."""
    found = sorted(
        (*_demanded(plan), *_phase_ends(brief, plan, project_plan), *_ends(plan)),
        key=lambda m: (m.day, m.kind, m.title),
    )
    return tuple(m.model_copy(update={"id": f"M{n}"}) for n, m in enumerate(found, 1))


def _demanded(plan: Dated) -> Iterator[Milestone]:
    for target in plan.targets:
        last = _last(plan, target.tasks)
        day = plan.solved.tasks[last].end
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
    looking_back = {o.task for o in plan.orders if o.lag >= LOOKS_BACK}
    for phase in brief.phases:
        packages = [name for name, at in plan.phases.items() if at == phase.id and name not in looking_back]
        if not packages:
            continue
        last = _last(plan, packages)
        day = plan.solved.tasks[last].end
        yield Milestone(
            id="M0", title=f"{phase.title}: done", kind="phase", day=day, planned=windows.get(phase.id), task=last,
            source="stage:schedule",
        )  # fmt: skip


def _ends(plan: Dated) -> Iterator[Milestone]:
    """The last of all is a milestone where it looks back after the last phase, or where no deadline is set."""
    last = _last(plan, tuple(plan.solved.tasks))
    looks_back = any(order.task == last and order.lag >= LOOKS_BACK for order in plan.orders)
    if looks_back or not any(target.final for target in plan.targets):
        title = "Last look back at the success figures" if looks_back else "All work done"
        yield Milestone(id="M0", title=title, kind="end", day=plan.solved.last_day, task=last, source="stage:schedule")


def _last(plan: Dated, ids: Sequence[str]) -> str:
    return max(ids, key=lambda name: plan.solved.tasks[name].end)


def closed_periods(brief: Brief, plan: Dated) -> tuple[ClosedPeriod, ...]:
    """Return the closed stretches of the prompt's calendar within the plan; closed weekdays are too many to list."""
    last = plan.solved.last_day
    days = [brief.start + timedelta(days=n) for n in range((last - brief.start).days + 1)]
    found = []
    for closure in plan.calendars.closures:
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
