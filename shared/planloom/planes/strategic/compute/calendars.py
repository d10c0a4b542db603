"""The working days of packages: of everyone, of outdoor work, and where every day counts."""

from calendar import day_name, month_name
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import get_args

from planloom.core.wording import day_text
from planloom.planes.strategic.calendars import CHUNK, NoWorkingDay, WorkCalendar
from planloom.planes.strategic.facts.fact import Closure
from planloom.planes.strategic.spine.rows import Closed, Package, Weekday

#: Month and day; readers would take a start or an end on one of them for a mistake.
HOLIDAYS = ((12, 25), (1, 1))

_EVERY_DAY = Closure(text="every day", start=0, end=9, forbidden=False, weekdays=tuple(range(7)))

_WEEK: tuple[str, ...] = get_args(Weekday)
_USUAL = _WEEK[:5]

#: The calendars begin that many days before the plan: fixed days and meetings may be earlier than its start.
_BEFORE = 366

#: That many working days must fit in after the start, or the closures cannot be planned with.
_ENOUGH = 250


@dataclass(frozen=True)
class Calendars:
    """``ours``: everyone in the plan; ``outdoor``: ours less the outdoor closures; ``every_day``: all days.

    ``closures`` are those that bind; ``notes`` say in sentences which days are worked, and which words say so.
    """

    ours: WorkCalendar
    outdoor: WorkCalendar
    every_day: WorkCalendar
    closures: tuple[Closure, ...]
    notes: tuple[str, ...]

    def of(self, package: Package) -> WorkCalendar:
        """Return the calendar in which the days of *package* count."""
        if package.every_day:
            return self.every_day
        return self.outdoor if package.outdoor else self.ours


def calendars(
    spine_start: date,
    closures: tuple[Closure, ...] = (),
    closed: Iterable[Closed] = (),
    worked: Iterable[Weekday] = (),
) -> Calendars:
    """Return the calendars of a plan from *spine_start* on.

    The weekdays that are *worked* (none: Monday to Friday) without HOLIDAYS, less the *closures* of the goal and the
    days that the plan itself has *closed*. Closures that leave too few days to plan with are set aside, those of
    outdoor work by themselves, and noted.
    """
    origin = spine_start - timedelta(min(_BEFORE, (spine_start - date.min).days))
    own = [
        Closure(text=c.what, start=0, end=0, by="caller", first=c.first, last=c.last or c.first)
        for c in closed
        if c.first
    ]
    rest = (
        "and the plan's holidays (to verify)."
        if own
        else ("(assumed); other public holidays are not taken out: enter those of the place (to verify).")
    )
    days: set[str] = {*worked}
    week = [day for day in _WEEK if day in days] or [*_USUAL]
    weekend = frozenset(n for n, day in enumerate(_WEEK) if day not in week)
    notes = [f"{_week_text(week)}, without 25 December and 1 January {rest}"]
    closures = tuple(c for c in (*closures, *own) if c.weekdays or c.months or c.first or c.last)
    everyone = [c for c in closures if not c.outdoor]
    ours, everyone, lost = _open(origin, spine_start, [], everyone, weekend)
    notes += lost
    outdoor, under_the_sky, lost = _open(origin, spine_start, everyone, [c for c in closures if c.outdoor], weekend)
    notes += lost
    kept = (*everyone, *under_the_sky)
    notes += [_note(closure) for closure in kept]
    return Calendars(ours, outdoor if under_the_sky else ours, WorkCalendar(origin, [_EVERY_DAY]), kept, tuple(notes))


def _open(
    origin: date, start: date, kept: list[Closure], more: list[Closure], weekend: frozenset[int]
) -> tuple[WorkCalendar, list[Closure], list[str]]:
    """Return the calendar with *kept* and *more*, those of *more* that bind, and why they do not."""
    calendar = WorkCalendar(origin, [*kept, *more], HOLIDAYS, weekend)
    try:
        if more:
            calendar.add(start, _ENOUGH)
    except NoWorkingDay as none:
        note = f"{none.message}. The dates below ignore them: decide which of them is meant."
        return WorkCalendar(origin, kept, HOLIDAYS, weekend), [], [note]
    return calendar, more, []


def _week_text(days: list[str]) -> str:
    """Return the weekdays in words, from the first to the last where they follow each other."""
    if len(days) == len(_WEEK):
        return "Every day of the week"
    first, last = _WEEK.index(days[0]), _WEEK.index(days[-1])
    return f"{days[0]} to {days[-1]}" if len(days) > 2 and last - first == len(days) - 1 else ", ".join(days)


class Grid:
    """Working days by number, for what asks for them thousands of times; days are ordinals, spans half open.

    As :class:`WorkCalendar`, but it answers for all days: before the origin, and from LIMIT_YEARS after it, every day
    counts. *closed* are ordinals that are not worked either.
    """

    LIMIT_YEARS = 60

    def __init__(self, calendar: WorkCalendar, closed: Iterable[int] = ()) -> None:
        self._calendar = calendar
        self._closed = frozenset(closed)
        self._origin = self._known = calendar.origin.toordinal()
        self._limit = min(self._origin + self.LIMIT_YEARS * 366, date.max.toordinal())
        self._opens: list[int] = []
        self._rank: list[int] = []

    def closing(self, days: Iterable[int]) -> "Grid":
        """Return this grid without *days*."""
        return Grid(self._calendar, self._closed.union(days))

    def place(self, ready: int, days: int) -> tuple[int, int]:
        """Return the first open day at or after *ready*, and the end, exclusive, of *days* (at least 1) from it on."""
        offset = ready - self._origin
        try:
            if offset >= 0:
                first = self._rank[offset]
                return self._opens[first], self._opens[first + days - 1] + 1
        except IndexError:
            pass
        first = self.rank(ready)
        return self.nth(first), self.nth(first + days - 1) + 1

    def finish(self, start: int, days: int) -> int:
        """Return the end, exclusive, of *days* open days from *start* on; *start* itself for none."""
        return self.place(start, days)[1] if days else start

    def latest_start(self, end: int, days: int) -> int:
        """Return the latest day from which *days* open days end before *end*, exclusive."""
        return self.nth(self.rank(end) - days) if days else end

    def shift(self, day: int, days: int) -> int:
        """Return the day after *days* open days from *day* on; for a negative number the day that many before it."""
        return self.finish(day, days) if days >= 0 else self.latest_start(day, -days)

    def count(self, start: int, end: int) -> int:
        """Return the number of open days in ``[start, end)``, negative where *end* is before *start*."""
        return self.rank(end) - self.rank(start)

    def days(self, start: int, days: int) -> list[int]:
        """Return *days* open days from *start* on."""
        first = self.rank(start)
        self.nth(first + days)
        found = self._opens[first : first + days] if first >= 0 else []
        return found if len(found) == days else [self.nth(first + n) for n in range(days)]

    def rank(self, day: int) -> int:
        """Return how many open days there are from the origin to *day*, negative before the origin."""
        if day < self._origin:
            return day - self._origin
        while self._known <= day and self._known < self._limit:
            self._grow()
        return self._rank[day - self._origin] if day < self._known else len(self._opens) + day - self._known

    def nth(self, number: int) -> int:
        """Return the open day with that number, the inverse of :meth:`rank`."""
        if number < 0:
            return self._origin + number
        while len(self._opens) <= number and self._known < self._limit:
            self._grow()
        return self._opens[number] if number < len(self._opens) else self._known + number - len(self._opens)

    def _grow(self) -> None:
        end = min(self._known + CHUNK, self._limit)
        # the grids of one calendar share what it computed
        for day in self._calendar.open_days(self._known):
            if day < end and day not in self._closed:
                self._rank += [len(self._opens)] * (day + 1 - self._known)
                self._opens.append(day)
                self._known = day + 1
        self._rank += [len(self._opens)] * (end - self._known)
        self._known = end


def day_of(ordinal: int) -> date:
    """Return the date of *ordinal*, or the first or last that there is."""
    return date.fromordinal(max(1, min(ordinal, date.max.toordinal())))


def _note(closure: Closure) -> str:
    who = "Outdoor work" if closure.outdoor else "Everyone"
    days = ", ".join(f"{day_name[day]}s" for day in closure.weekdays)
    ends = (("from", closure.first), ("until", closure.last))
    period = " ".join(f"{word} {day_text(day)}" for word, day in ends if day)
    when = " and ".join(part for part in (f"on {days}" if days else "", _months(closure), period) if part)
    return f"{who}: {'no work' if closure.forbidden else 'work only'} {when}: “{closure.text}”."


def _months(closure: Closure) -> str:
    months = sorted(set(closure.months))
    if not months:
        return ""
    # a season may run over the turn of the year: November, December, January
    starts = [m for m in months if (m - 2) % 12 + 1 not in months]
    if len(months) > 2 and len(starts) == 1:
        last = (starts[0] + len(months) - 2) % 12 + 1
        return f"from {month_name[starts[0]]} to {month_name[last]}"
    return f"in {' and '.join(month_name[month] for month in months)}"
