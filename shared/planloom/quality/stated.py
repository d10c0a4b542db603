"""Dates and numbers as plans print them, found in a passage; lean, since a plan has some three thousand passages."""

import re
from collections.abc import Iterator
from datetime import date

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_MONTH = {name.lower(): n for n, name in enumerate(_MONTHS, 1)} | {
    name[:3].lower(): n for n, name in enumerate(_MONTHS, 1)
}
_NAME = "|".join(sorted((*_MONTHS, *(name[:3] for name in _MONTHS)), key=len, reverse=True))
#: A date as ``1 May 2027``, ``May 1, 2027`` or ``2027-05-01``.
DATE = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|\.)? (?:{_NAME})\.?,? \d{{4}}"
    rf"|(?:{_NAME})\.? \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}|\d{{4}}-\d{{2}}-\d{{2}})"
)
_FIND_DATE = re.compile(rf"\b{DATE}\b")
_PARTS = re.compile(r"\d+|[A-Za-z]{3,}")


def dates(text: str) -> Iterator[tuple[int, date]]:
    """Yield where each full date of *text* starts, and the date; what names no day of a calendar is passed over."""
    for found in _FIND_DATE.finditer(text):
        day = date_of(found.group())
        if day:
            yield found.start(), day


def date_of(text: str) -> date | None:
    """Return the date that *text* (as :data:`DATE` matches it) names, or None where there is no such day."""
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    try:
        if len(numbers) == 3:
            return date(*numbers)
        month = next(_MONTH[word.lower()[:3]] for word in _PARTS.findall(text) if word[:3].lower() in _MONTH)
        day, year = numbers
        return date(year, month, day)
    except (ValueError, StopIteration):
        return None


def says_day(text: str, day: date) -> bool:
    """Return whether *text* holds *day* in one of its forms, those of other languages included.

    Of a month whose name is not English only its place is seen: ``16. Oktober 2029``, ``16 de outubro de 2029``.
    """
    if any(found == day for _, found in dates(text)):
        return True
    d, m, y = day.day, day.month, day.year
    named = rf"(?<!\d){d}\.?[ºª]? (?:de |d['’])?[^\W\d]{{3,}}\.? (?:de |del )?{y}(?!\d)"
    numbers = rf"(?<!\d)0?{d}([./-]) ?0?{m}\1 ?{y}(?!\d)|(?<!\d){y}[./] ?0?{m}[./] ?0?{d}(?!\d)"
    return re.search(rf"{named}|{numbers}|(?<!\d){y} ?[年년] ?{m} ?[月월] ?{d} ?[日일]", text) is not None
