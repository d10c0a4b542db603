"""When something recurs, as AWS writes it: ``cron(minute hour day-of-month month day-of-week year)``, ``at(time)``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Protocol
from zoneinfo import ZoneInfo

#: A time that recurs less often is not found.
LONGEST_GAP = timedelta(days=4 * 366)
_MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
_DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
#: Name, lowest and highest value of each field, and its names.
_FIELDS: tuple[tuple[str, int, int, list[str]], ...] = (
    ("minute", 0, 59, []),
    ("hour", 0, 23, []),
    ("day of month", 1, 31, []),
    ("month", 1, 12, _MONTHS),
    ("day of week", 1, 7, _DAYS),
    ("year", 1970, 2199, []),
)


class ExpressionInvalid(ValueError):
    """The text is no expression of a time; the message says why."""


class Recurrence(Protocol):
    """Times at which something happens."""

    def after(self, moment: datetime) -> datetime | None:
        """Return the first time after *moment*, in UTC; None where there is none within four years."""


@dataclass(frozen=True)
class Once:
    """One time, in UTC."""

    at: datetime

    def after(self, moment: datetime) -> datetime | None:
        """Return it where it is after *moment*."""
        return self.at if self.at > moment else None


@dataclass(frozen=True)
class Cron:
    """Times by the fields of a calendar, in the time zone *zone*. ``days`` are of the month; weekday 1 is Sunday."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int] | None
    months: frozenset[int]
    weekdays: frozenset[int] | None
    years: frozenset[int]
    zone: tzinfo

    def after(self, moment: datetime) -> datetime | None:
        """Return the first time after *moment*, in UTC."""
        first = moment.astimezone(self.zone).date()
        for number in range(LONGEST_GAP.days):
            day = first + timedelta(days=number)
            if self._has(day):
                found = next((each for each in self._times(day) if each > moment), None)
                if found is not None:
                    return found
        return None

    def _has(self, day: date) -> bool:
        if day.month not in self.months or day.year not in self.years:
            return False
        if self.days is not None:
            return day.day in self.days
        return self.weekdays is not None and day.isoweekday() % 7 + 1 in self.weekdays

    def _times(self, day: date) -> Iterator[datetime]:
        for hour in self.hours:
            for minute in self.minutes:
                yield datetime.combine(day, time(hour, minute), self.zone).astimezone(UTC)


def parse(text: str, zone: str = "UTC") -> Recurrence:
    """Return the times that *text* says, in the time zone *zone* (IANA). Raises ExpressionInvalid."""
    try:
        # a system without a time zone database knows this one
        where: tzinfo = UTC if zone == "UTC" else ZoneInfo(zone)
    except (ValueError, OSError, KeyError) as error:
        raise ExpressionInvalid(f"“{zone[:60]}” is no time zone. Write an IANA name: Europe/Lisbon.") from error
    found = re.fullmatch(r"\s*(cron|at)\((.*)\)\s*", text)
    if found is None:
        raise ExpressionInvalid(
            "Write cron(minute hour day-of-month month day-of-week year) or at(2027-01-31T08:00:00)."
        )
    return _at(found[2], where) if found[1] == "at" else _cron(found[2], where)


def _at(text: str, zone: tzinfo) -> Once:
    try:
        wall = datetime.strptime(text.strip(), "%Y-%m-%dT%H:%M:%S")  # noqa: DTZ007 - the zone is added below
    except ValueError as error:
        raise ExpressionInvalid(f"at({text[:40]}) is no time. Write at(2027-01-31T08:00:00).") from error
    return Once(wall.replace(tzinfo=zone).astimezone(UTC))


def _cron(text: str, zone: tzinfo) -> Cron:
    fields = text.upper().split()
    if len(fields) != len(_FIELDS):
        raise ExpressionInvalid(
            f"cron needs six fields, not {len(fields)}: minute hour day-of-month month day-of-week year."
        )
    if [fields[2], fields[4]].count("?") != 1:
        raise ExpressionInvalid("Write ? for the day of month or for the day of week, and for one of them only.")
    values = [
        None if field == "?" and name.startswith("day") else _values(field, name, low, high, names)
        for field, (name, low, high, names) in zip(fields, _FIELDS, strict=True)
    ]
    minutes, hours, days, months, weekdays, years = values
    assert minutes is not None
    assert hours is not None
    assert months is not None
    assert years is not None
    return Cron(tuple(sorted(minutes)), tuple(sorted(hours)), days, months, weekdays, years, zone)


def _values(field: str, name: str, low: int, high: int, names: list[str]) -> frozenset[int]:
    found: set[int] = set()
    for part in field.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        if span == "*":
            start, end = low, high
        else:
            start = _number(first, name, low, names)
            end = _number(last, name, low, names) if last else (high if step else start)
        every = _number(step, name, low, []) if step else 1
        if not (low <= start <= end <= high) or every < 1:
            raise ExpressionInvalid(f"{part[:20]} is no {name}: {low} to {high}.")
        found.update(range(start, end + 1, every))
    return frozenset(found)


def _number(text: str, name: str, low: int, names: list[str]) -> int:
    if text in names:
        return names.index(text) + low
    if not text.isdecimal():
        raise ExpressionInvalid(f"“{text[:20]}” is no {name}. L, W and # are not supported.")
    return int(text)
