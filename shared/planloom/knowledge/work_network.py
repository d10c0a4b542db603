"""The work as a network of tasks: each on its calendar, what takes place on a day on that day."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from planloom.domain.pert import ThreePoint
from planloom.domain.tasks import Task, Wait
from planloom.knowledge.sequence import Order
from planloom.knowledge.targets import FixedDay, Step, takes_place
from planloom.knowledge.work_breakdown import Work
from planloom.knowledge.work_calendars import WorkCalendars


def network_tasks(
    steps: Iterable[Step],
    orders: Sequence[Order],
    calendars: WorkCalendars,
    estimates: Mapping[str, ThreePoint],
    on_day: FixedDay | None = None,
    held: Mapping[str, FixedDay] | None = None,
) -> list[Task]:
    """Return the steps as tasks, with the PERT means as durations; what takes place *on_day* not before it.

    *held* are days for packages by id: what is collected on them does not begin earlier, and keeps its calendar.
    """
    waits: dict[str, list[Wait]] = {}
    for order in orders:
        waits.setdefault(order.task, []).append(Wait(order.after, order.lag))
    made = []
    for step in steps:
        task = Task(
            id=step.id,
            days=estimates[step.id].days,
            calendar=calendars.of(step.kind, outdoor=step.outdoor, fixed=step.fixed),
            after=tuple(waits.get(step.id, ())),
            starts_on=calendars.starts(step.kind, outdoor=step.outdoor, fixed=step.fixed),
            lags_on=calendars.others,
        )
        if on_day and takes_place(step):
            task = replace(task, calendar=calendars.daily, starts_on=calendars.daily, not_before=on_day.first)
        elif held and step.id in held:
            task = replace(task, not_before=held[step.id].first)
        made.append(task)
    return made


def on_the_day(
    estimates: Mapping[str, ThreePoint], steps: Iterable[Step], on_day: FixedDay | None
) -> dict[str, ThreePoint]:
    """Return *estimates*, those of what takes place *on_day* replaced by its length."""
    if on_day is None:
        return dict(estimates)
    length = ThreePoint(on_day.days, on_day.days, on_day.days)
    return {**estimates, **{step.id: length for step in steps if takes_place(step)}}


def step_of(work: Work) -> Step:
    """Return what the dates of *work* depend on."""
    row = work.row
    return Step(work.id, row.id, row.title, work.phase, row.kind, row.outdoor, row.fixed)
