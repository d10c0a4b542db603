"""Pieces of work and their places in time: what the critical path method takes, and what it gives."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from planloom.domain.calendars import WorkCalendar

#: Start and end (exclusive) as ordinals.
Span = tuple[int, int]


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
