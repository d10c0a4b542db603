"""Turn a matched date into the days it means; the day of reading supplies what the text leaves out."""

import re
from dataclasses import dataclass
from datetime import date

from planloom.reading import periods
from planloom.reading.periods import Period
from planloom.reading.tables.months import FEASTS, MONTHS

_NUMBERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_EARLY = ("ear", "beg", "sta", "anf", "pri", "déb")
_MID = ("mid", "mit", "med")
#: Month names that are words: in lower case they are no month on their own.
_WORDS = frozenset({"may", "march", "mar", "august"})
_RANGE_END = re.compile(
    r"\s(?:to|until|and|till|through|-|bis|und|til|og|al|y)\s(?:the\s)?(?:\d\d?(?:st|nd|rd|th|\.)?\s(?:of\s)?)?"
    r"(?P<month>[^\W\d_]{3,10})\s(?P<year>(?:20|21)\d\d)\b"
)


@dataclass(frozen=True)
class Today:
    """What a date without a year or with a season needs: the day of reading, and the half of the globe."""

    date: date
    southern: bool = False

    def year_for(self, month: int, day: int = 28) -> int:
        """Return the year in which that day comes next."""
        return self.date.year + ((month, day) < (self.date.month, self.date.day))


def month_day(found: re.Match[str], today: Today) -> Period | None:
    """Read 1 May 2027, May 1, 4-6 June 2027."""
    month, number = MONTHS[found["month"].lower()], int(found["day"])
    year = int(found["year"]) if found["year"] else _borrowed(found, month) or today.year_for(month, number)
    first = periods.day(year, month, number)
    last = periods.day(year, month, int(found["last"])) if found["last"] else first
    if first is None or last is None or last.latest < first.earliest:
        return first
    return Period(first.earliest, last.latest)


def _borrowed(found: re.Match[str], month: int) -> int | None:
    """Return the year of the date that ends the range: 1 March in "from 1 March to 30 June 2029"."""
    end = _RANGE_END.match(found.string, found.end())
    last = MONTHS.get(end["month"].lower()) if end else None
    return int(end["year"]) - (month > last) if end and last else None


def numeric(found: re.Match[str], _: Today) -> Period | None:
    """Read 01.05.2027 as day and month, 03/04/2027 both ways."""
    a, b, year = int(found["a"]), int(found["b"]), int(found["year"])
    year += 2000 if year < 100 else 0
    day_first = periods.day(year, b, a)
    return day_first if found["sep"] == "." else periods.two_readings(day_first, periods.day(year, a, b))


def iso(found: re.Match[str], _: Today) -> Period | None:
    """Read 2027-05-01 and 2027-May-01."""
    name = found["month"].lower()
    month = MONTHS.get(name) or (int(name) if name.isdigit() else 0)
    return periods.day(int(found["year"]), month, int(found["day"]))


def month_year(found: re.Match[str], _: Today) -> Period:
    """Read May 2027, end of May 2027."""
    return _part(periods.month(int(found["year"]), MONTHS[found["month"].lower()]), found["part"])


def month_alone(found: re.Match[str], today: Today) -> Period | None:
    """Read "by May": the next one."""
    name = found["month"]
    if name in _WORDS:
        return None
    month = MONTHS[name.lower()]
    return _part(periods.month(today.year_for(month), month), found["part"])


def month_before(found: re.Match[str], _: Today) -> Period:
    """Read March in "from March to June 2027"."""
    month, last = MONTHS[found["month"].lower()], MONTHS[found["last"].lower()]
    return periods.month(int(found["year"]) - (last < month), month)


def month_range(found: re.Match[str], _: Today) -> Period:
    """Read March to June 2027."""
    first, last = MONTHS[found["first"].lower()], MONTHS[found["month"].lower()]
    return periods.months(int(found["year"]) - (last < first), first, last)


def quarter(found: re.Match[str], _: Today) -> Period:
    """Read Q3 2027, 2027-Q3, third quarter of 2027."""
    number = found["q"] or found["q2"]
    return periods.quarter(int(found["year"] or found["year2"]), int(number or _NUMBERS[found["word"].lower()]))


def half(found: re.Match[str], _: Today) -> Period:
    """Read H1 2027, second half of 2027."""
    return periods.half(int(found["year"]), int(found["h"] or _NUMBERS[found["word"].lower()]))


def season(found: re.Match[str], today: Today) -> Period:
    """Read spring 2027, in the south as the south has it."""
    return periods.season(int(found["year"]), found["season"].lower(), southern=today.southern)


def season_next(found: re.Match[str], today: Today) -> Period:
    """Read next spring, this summer."""
    name, step = found["season"].lower(), found["which"].lower() == "next"
    this = periods.season(today.date.year, name, southern=today.southern)
    passed = this.latest < today.date or (step and this.earliest <= today.date)
    return periods.season(today.date.year + passed, name, southern=today.southern)


def year(found: re.Match[str], _: Today) -> Period:
    """Read 2027, end of 2027, 2027-2028."""
    first = periods.year(int(found["year"]))
    until = found.groupdict().get("until")
    last = periods.year(int(until)) if until else first
    return _part(Period(first.earliest, max(first.latest, last.latest)), found["part"])


def feast(found: re.Match[str], today: Today) -> Period | None:
    """Read by Christmas, New Year's Eve 2027."""
    month, day = FEASTS[found["feast"].lower()]
    return periods.day(int(found["year"]) if found["year"] else today.year_for(month, day), month, day)


def year_end(found: re.Match[str], today: Today) -> Period:
    """Read end of the year, end of next year, next year."""
    step = (found["which"] or "").lower() == "next"
    return _part(periods.year(today.date.year + step), found["part"])


def _part(period: Period, part: str | None) -> Period:
    if not part:
        return period
    start = part.lower().removeprefix("the ")[:3]
    return periods.part_of(period, "early" if start in _EARLY else "mid" if start in _MID else "late")
