"""The critical path method: early and late dates, slack, and the chain that drives the end.

Source: Kelley and Walker 1959; each task may have a calendar of its own.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from graphlib import CycleError, TopologicalSorter

from planloom.domain.errors import InvalidArgument
from planloom.domain.tasks import CriticalPath, Placed, Span, Task


class CycleFound(InvalidArgument):
    """Tasks wait for one another in a circle; ``details["cycle"]`` lists them in order, the first one again last."""


class UnknownTask(InvalidArgument):
    """A task waits for one that is not there."""


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
        waits = ((task.waits_on.finish(early[wait.task][1], wait.lag), wait.task) for wait in task.after)
        return [(self._opening(task), None), *waits]

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
