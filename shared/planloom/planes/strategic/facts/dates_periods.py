"""Calendar arithmetic: the first and last day of a month, quarter, season or year, and of a part of it."""

from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple


class Period(NamedTuple):
    """The days that a date can mean, first and last."""

    earliest: date
    latest: date


#: What a date is in a given year; None where that year has no such day.
InYear = Callable[[int], Period | None]


#: What parts of a year mean, in months.
_OF_YEAR = {"early": (1, 3), "mid": (5, 8), "late": (10, 12)}


def day(year: int, month: int, number: int, last: int | None = None) -> Period | None:
    """Return one day, or the days up to *last* of the same month; None where the calendar has no such day."""
    try:
        first, until = date(year, month, number), date(year, month, last or number)
    except ValueError:
        return None
    return Period(first, until) if first <= until else None


def months(year: int, first: int, last: int) -> Period:
    """Return the months from *first* to *last*; a last month before the first one is in the next year."""
    end = year + (last < first)
    return Period(date(year, first, 1), date(end, last, monthrange(end, last)[1]))


def season(year: int, number: int, *, southern: bool) -> Period:
    """Return a season, 0 spring to 3 winter; a winter runs into the next year."""
    first = 3 + 3 * ((number + 2) % 4 if southern else number)
    return months(year, first, (first + 1) % 12 + 1)


def part_of(period: Period, part: str) -> Period:
    """Return the part of *period* that ``end`` (its last day), ``late``, ``mid`` or ``early`` means, in thirds."""
    days = (period.latest - period.earliest).days + 1
    if days > 300 and part in _OF_YEAR:
        return months(period.latest.year, *_OF_YEAR[part])
    third = timedelta(days=days // 3 - 1)
    match part:
        case "end":
            return Period(period.latest, period.latest)
        case "late":
            return Period(period.latest - third, period.latest)
        case "early":
            return Period(period.earliest, period.earliest + third)
        case "mid":
            step = third + timedelta(days=1)
            return Period(period.earliest + step, period.latest - step)
    return period
