"""Calendar arithmetic: the first and last day of a month, quarter, season, year, or of its early or late part."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from planloom.reading.tables.months import OPPOSITE, SEASONS


@dataclass(frozen=True)
class Period:
    """The days that a date in a text can mean, first and last; of two readings, the earlier and the later."""

    earliest: date
    latest: date
    ambiguous: bool = False


def day(year: int, month: int, number: int) -> Period | None:
    """Return one day, or None where the calendar has no such day."""
    try:
        found = date(year, month, number)
    except ValueError:
        return None
    return Period(found, found)


def month(year: int, number: int) -> Period:
    """Return a month."""
    return Period(date(year, number, 1), date(year, number, monthrange(year, number)[1]))


def months(year: int, first: int, last: int) -> Period:
    """Return the months from *first* to *last*; a last month before the first one is in the next year."""
    return Period(month(year, first).earliest, month(year + (last < first), last).latest)


def quarter(year: int, number: int) -> Period:
    """Return a quarter, 1 to 4."""
    return months(year, 3 * number - 2, 3 * number)


def half(year: int, number: int) -> Period:
    """Return a half year, 1 or 2."""
    return months(year, 6 * number - 5, 6 * number)


def season(year: int, name: str, *, southern: bool) -> Period:
    """Return a season; the northern winter of *year* begins in its December."""
    first, last = SEASONS[OPPOSITE[name] if southern else name]
    return months(year, first, last)


def year(number: int) -> Period:
    """Return a calendar year."""
    return Period(date(number, 1, 1), date(number, 12, 31))


def part_of(period: Period, part: str) -> Period:
    """Return the first, middle or last third of *period*, of a year the quarter: *part* is early, mid or late."""
    days = (period.latest - period.earliest).days + 1
    third = days // 3 if days < 300 else 91
    if part == "early":
        return Period(period.earliest, period.earliest + timedelta(days=third - 1))
    if part == "late":
        return Period(period.latest - timedelta(days=third - 1), period.latest)
    return Period(period.earliest + timedelta(days=third), period.latest - timedelta(days=third))


def two_readings(first: Period | None, second: Period | None) -> Period | None:
    """Return the one reading that exists, or both as an ambiguous period."""
    if first is None or second is None or first == second:
        return first or second
    return Period(min(first.earliest, second.earliest), max(first.latest, second.latest), ambiguous=True)
