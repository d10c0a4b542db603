"""Working days: weekends, closed weekdays, forbidden months, seasons and dated closures, and counting in them."""

from bisect import bisect_left
from collections.abc import Hashable, Iterable
from datetime import date
from functools import lru_cache

from planloom.core.errors import InvalidArgument
from planloom.planes.strategic.facts.fact import Closure

WEEKEND = frozenset({5, 6})

#: Far beyond any plan; a calendar that is asked for days after that has closures that leave too few.
HORIZON_YEARS = 60

#: So many days are computed at a time.
CHUNK = 366


class NoWorkingDay(InvalidArgument):
    """The closures together leave no working day, or too few; the message names them."""


class WorkCalendar:
    """The working days from *origin* on. Days are ordinals (``date.toordinal``); spans are half open.

    The *weekend* (weekdays, Monday 0) and the *holidays* (month, day) of every year are closed; a weekend is open where
    a closure says on which weekdays alone work is possible. A closure with several conditions (months and weekdays)
    binds where all of them hold. Closures that allow work *only* then add up where they are of one kind (April, or
    June) and bind together where they are not (April to June, on Mondays). Raises NoWorkingDay, at the first question,
    where nothing is left within HORIZON_YEARS.
    """

    def __init__(
        self,
        origin: date,
        closures: Iterable[Closure] = (),
        holidays: Iterable[tuple[int, int]] = (),
        weekend: frozenset[int] = WEEKEND,
    ) -> None:
        self.origin = origin
        self._holidays = frozenset(holidays)
        self.closures = tuple(c for c in closures if c.weekdays or c.months or c.first or c.last)
        self._forbidden = [c for c in self.closures if c.forbidden]
        allowed = [c for c in self.closures if not c.forbidden]
        kinds = ("weekdays", "months", "period")
        self._allowed = [g for kind in kinds if (g := [c for c in allowed if _kind(c) == kind])]
        self._weekend = frozenset[int]() if any(c.weekdays for c in allowed) else weekend
        self._open: list[int] = []
        self._chunks = _chunks(self.closures, self._holidays, self._weekend)
        self._known = origin.toordinal()
        self._limit = min(self._known + HORIZON_YEARS * CHUNK, date.max.toordinal() - CHUNK)

    def is_open(self, day: date) -> bool:
        """Return whether *day* is worked; any day, also before the origin."""
        if day.weekday() in self._weekend or (day.month, day.day) in self._holidays:
            return False
        if any(_within(c, day) for c in self._forbidden):
            return False
        return all(any(_within(c, day) for c in group) for group in self._allowed)

    def open_days(self, first: int) -> tuple[int, ...]:
        """Return the open days of the :data:`CHUNK` days from *first* on, up to the last date that there is."""
        if first not in self._chunks:
            chunk = range(first, min(first + CHUNK, date.max.toordinal()))
            self._chunks[first] = tuple(day for day in chunk if self.is_open(date.fromordinal(day)))
        return self._chunks[first]

    def finish(self, start: int, days: int) -> int:
        """Return the end, exclusive, of *days* open days from *start* on; *start* itself for none."""
        if days == 0:
            return start
        known = self._open if start < self._known else self._reach(start)
        index = bisect_left(known, start) + days - 1
        return (known[index] if index < len(known) else self._nth(index)) + 1

    def count(self, start: int, finish: int) -> int:
        """Return the number of open days in ``[start, finish)``; 0 where that is empty."""
        known = self._reach(finish)
        return max(0, bisect_left(known, finish) - bisect_left(known, start))

    def add(self, day: date, days: int) -> date:
        """Return the open day that is *days* open days after *day* (0: the first one at or after it)."""
        return date.fromordinal(self.finish(day.toordinal(), days + 1) - 1)

    def _nth(self, index: int) -> int:
        while index >= len(self._open):
            self._reach(self._known)
        return self._open[index]

    def _reach(self, day: int) -> list[int]:
        """Learn the open days up to and with *day*, and return all that are known."""
        while self._known <= day:
            if self._known > self._limit:
                said = "; ".join(f"“{c.text}”" for c in self.closures)
                raise NoWorkingDay(f"These leave too few working days to plan with: {said}")
            self._open += self.open_days(self._known)
            self._known += CHUNK
        return self._open


@lru_cache(maxsize=32)
def _chunks(*_: Hashable) -> dict[int, tuple[int, ...]]:
    """Return the open days that calendars of the same rules have computed, by the first day of their chunk.

    A plan is computed again after each repair, with the same rules.
    """
    return {}


def closes(closure: Closure, day: date) -> bool:
    """Return whether *closure* by itself forbids work on *day*."""
    return _within(closure, day) == closure.forbidden


def _kind(closure: Closure) -> str:
    return "weekdays" if closure.weekdays else "months" if closure.months else "period"


def _within(closure: Closure, day: date) -> bool:
    if closure.weekdays and day.weekday() not in closure.weekdays:
        return False
    if closure.months and day.month not in closure.months:
        return False
    return (closure.first or date.min) <= day <= (closure.last or date.max)
