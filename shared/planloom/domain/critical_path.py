"""The critical path method: early and late dates, slack, and the chain that drives the end.

Source: Kelley and Walker 1959; each task may have a calendar of its own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from graphlib import CycleError, TopologicalSorter

from planloom.domain.calendars import WorkCalendar
from planloom.domain.errors import InvalidArgument

#: Start and end (exclusive) as ordinals.
Span = tuple[int, int]


class CycleFound(InvalidArgument):
    """Tasks wait for one another in a circle; ``details["cycle"]`` lists them in order, the first one again last."""


class UnknownTask(InvalidArgument):
    """A task waits for one that is not there."""


@dataclass(frozen=True)
class Wait:
    """Finish-to-start: *lag* working days (of ``Task.lags_on``) pass after *task* has finished."""

    task: str
    lag: int = 0


@dataclass(frozen=True)
class Task:
    """A piece of work of at least one working day of *calendar*, in one go apart from closed days.

    *starts_on* differs from *calendar* where others do the work: a permit office works through our holidays,
    but we hand in the papers on a day of ours. *lags_on* is the calendar in which lags count, where it is not
    *calendar*: a season of observation runs on while we rest. *not_before* is a date that the start may not precede.
    """

    id: str
    days: int
    calendar: WorkCalendar
    after: tuple[Wait, ...] = ()
    not_before: date | None = None
    starts_on: WorkCalendar | None = None
    lags_on: WorkCalendar | None = None

    @property
    def opens(self) -> WorkCalendar:
        """The calendar that its first day is on."""
        return self.starts_on or self.calendar

    @property
    def waits_on(self) -> WorkCalendar:
        """The calendar in which its lags count."""
        return self.lags_on or self.calendar


@dataclass(frozen=True)
class Placed:
    """A task with its dates; *end* and *late_end* are last working days, inclusive.

    *ready* is the day on which its predecessors, *not_before* or the start of the work let it begin, open or not.
    *driver* is the predecessor that sets *ready*, if one does. *total_slack*: open days of its own calendar
    that it may slip before the end that it leads to moves; *free_slack*: before any other task moves;
    ``0 <= free_slack <= total_slack``.
    """

    id: str
    start: date
    end: date
    late_start: date
    late_end: date
    total_slack: int
    free_slack: int
    ready: date
    driver: str | None

    @property
    def critical(self) -> bool:
        """Whether a slip of one day moves the end."""
        return self.total_slack == 0


@dataclass(frozen=True)
class CriticalPath:
    """All tasks with their dates, in the order given.

    *end* is the last day of the tasks that finish the work, *last_day* that of all tasks. *path* is the chain of
    critical tasks that drives *end*, in order; it begins with a task that waits for no other, or where closed
    days or a fixed date decide rather than a predecessor.
    """

    tasks: Mapping[str, Placed]
    end: date
    last_day: date
    path: tuple[str, ...]


class Network:
    """Tasks in topological order, to be placed again and again with other durations.

    Raises CycleFound, UnknownTask, and later NoWorkingDay from the calendars.
    """

    def __init__(self, tasks: Iterable[Task], start: date) -> None:
        self.tasks = {task.id: task for task in tasks}
        self.start = start
        self._order = _order(self.tasks)
        self._followers: dict[str, list[tuple[Task, int]]] = {name: [] for name in self.tasks}
        for task in self._order:
            for wait in task.after:
                self._followers[wait.task].append((task, wait.lag))
        self._placing = [
            (
                task.id,
                self._opening(task),
                [(wait.task, wait.lag) for wait in task.after],
                task.waits_on.finish,
                task.opens.next_open,
                task.calendar.finish,
            )
            for task in self._order
        ]

    def early(self, days: Mapping[str, int]) -> dict[str, Span]:
        """Return early start and end (exclusive) as ordinals by id, where tasks take *days* working days."""
        placed: dict[str, Span] = {}
        # a simulation comes here thousands of times: what does not change was looked up before
        for name, opening, after, lagged, next_open, finish in self._placing:
            ready = opening
            for other, lag in after:
                ready = max(ready, lagged(placed[other][1], lag))
            begin = next_open(ready)
            placed[name] = (begin, finish(begin, days[name]))
        return placed

    def solve(self, finish: Iterable[str] = ()) -> CriticalPath:
        """Return the critical path towards the tasks *finish*: with their end the work counts as done.

        Other tasks that lead to none of them (closing, follow-up) have their slack against the last day of all.
        Without *finish*, all tasks count. ValueError without tasks.
        """
        goals = tuple(finish) or tuple(self.tasks)
        if unknown := sorted(set(goals) - self.tasks.keys()):
            raise UnknownTask(f"The work cannot end with what does not exist: {', '.join(unknown)}")
        early = self.early({task.id: task.days for task in self._order})
        late = self._late(early, goals)
        placed = {name: self._place(task, early, late) for name, task in self.tasks.items()}
        end = max(placed[name].end for name in goals)
        return CriticalPath(
            tasks=placed,
            end=end,
            last_day=max(task.end for task in placed.values()),
            path=_path(placed, next(name for name in self.tasks if name in goals and placed[name].end == end)),
        )

    def _opening(self, task: Task) -> int:
        """Return the day before which *task* cannot start, whatever it waits for."""
        return max(self.start, task.not_before or self.start).toordinal()

    def _bounds(self, task: Task, early: Mapping[str, Span]) -> list[tuple[int, str | None]]:
        """Return each day before which *task* cannot start, with the predecessor that says so."""
        bounds: list[tuple[int, str | None]] = [(self.start.toordinal(), None)]
        if task.not_before:
            bounds.append((task.not_before.toordinal(), None))
        bounds += [(task.waits_on.finish(early[w.task][1], w.lag), w.task) for w in task.after]
        return bounds

    def _late(self, early: Mapping[str, Span], goals: tuple[str, ...]) -> dict[str, Span]:
        """Return late start and end (exclusive) by id, backwards from the end of *goals* and the last of all."""
        bound = dict.fromkeys(self.tasks, max(end for _, end in early.values()))
        bound |= dict.fromkeys(goals, max(early[name][1] for name in goals))
        late: dict[str, Span] = {}
        for task in reversed(self._order):
            begin = task.opens.last_open(task.calendar.latest_start(bound[task.id], task.days))
            late[task.id] = (begin, bound[task.id])
            for wait in task.after:
                latest = task.waits_on.latest_start(begin, wait.lag)
                bound[wait.task] = min(bound[wait.task], latest)
        return late

    def _place(self, task: Task, early: Mapping[str, Span], late: Mapping[str, Span]) -> Placed:
        begin, end = early[task.id]
        latest, bound = late[task.id]
        limits = [f.waits_on.latest_start(early[f.id][0], lag) for f, lag in self._followers[task.id]]
        free = task.opens.last_open(task.calendar.latest_start(min((bound, *limits)), task.days))

        def weight(reason: tuple[int, str | None]) -> tuple[int, bool]:
            # where two predecessors end on the same day, the one without slack drives
            day, name = reason
            return day, name is not None and early[name][0] == late[name][0]

        ready, driver = max(self._bounds(task, early), key=weight)
        return Placed(
            id=task.id,
            start=date.fromordinal(begin),
            end=date.fromordinal(end - 1),
            late_start=date.fromordinal(latest),
            late_end=date.fromordinal(task.calendar.finish(latest, task.days) - 1),
            total_slack=task.calendar.count(begin, latest),
            free_slack=task.calendar.count(begin, free),
            ready=date.fromordinal(ready),
            driver=driver,
        )


def _path(placed: Mapping[str, Placed], last: str) -> tuple[str, ...]:
    path = [last]
    while (driver := placed[path[-1]].driver) and placed[driver].critical:
        path.append(driver)
    return tuple(reversed(path))


def _order(tasks: Mapping[str, Task]) -> list[Task]:
    unknown = sorted({f"{t.id} waits for {w.task}" for t in tasks.values() for w in t.after if w.task not in tasks})
    if unknown:
        raise UnknownTask(f"No such task: {', '.join(unknown)}")
    sorter = TopologicalSorter({task.id: [w.task for w in task.after] for task in tasks.values()})
    try:
        return [tasks[name] for name in sorter.static_order()]
    except CycleError as error:
        cycle = list(reversed(error.args[1]))
        raise CycleFound(f"These wait for one another: {' after '.join(cycle)}", cycle=cycle) from error
