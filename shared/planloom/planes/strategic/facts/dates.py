"""Dates in a text: the days that each can mean, and whether two readings exist."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from planloom.planes.strategic.facts import dates_table as table
from planloom.planes.strategic.facts import numbers_table
from planloom.planes.strategic.facts.dates_forms import Dated, Words, forms, month_names
from planloom.planes.strategic.facts.dates_numeric import find_numeric
from planloom.planes.strategic.facts.spans import MOST_READ, plain


@dataclass(frozen=True, slots=True)
class DateReading:
    """A date, or a period where the text names one, at ``text[start:end]``.

    ``ambiguous``: ``earliest`` and ``latest`` are two readings of one day, not bounds. ``yearless``: the text names no
    year, and the next such day after today is meant. ``weak``: no more than a bare year or a bare month.
    """

    start: int
    end: int
    earliest: date
    latest: date
    ambiguous: bool = False
    yearless: bool = False
    weak: bool = False


_LINK = re.compile(
    rf"\.?\s?(?:-|~|から|까지|부터|에서|至|到|,|/)\s?|\.?,?\s(?:{numbers_table.TO}|{numbers_table.AND})\s(?:the\s|le\s|el\s|il\s|den\s|zum\s|au\s)?"
    r"|\s(?:to|until|through)\s(?:the\s)?|\sau\s|\sal\s|\sпо\s|\sbis\s(?:zum\s)?",
    re.IGNORECASE,
)


# the same rows of a plan are read after each repair
@lru_cache(maxsize=1024)
def find_dates(text: str, language: str, today: date, country: str | None = None) -> tuple[DateReading, ...]:
    """Return the dates of *text*, in order and without overlaps.

    The order of 03/04/2027 is decided by other dates of the text, *language* and *country* (ISO 3166-1), in this order;
    *country* also says in which half of the globe a season is meant.
    """
    text = plain(text[:MOST_READ])
    found = _apart([*find_numeric(text, language, country), *_worded(text, language, country)])
    return tuple(reading for each in _with_years(text, found) if (reading := _reading(each, today)))


def _worded(text: str, language: str, country: str | None) -> Iterator[Dated]:
    words = Words(month_names(language), southern=country in table.SOUTHERN)
    for pattern, reader in forms(language):
        for match in pattern.finditer(text):
            yield from reader(match, words)


def _apart(found: list[Dated]) -> list[Dated]:
    """Return *found* in order without overlaps: the longer of two wins, a bare year only over nothing."""
    kept: list[Dated] = []
    for each in sorted(found, key=lambda d: (d.start, d.start - d.end)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
        elif (kept[-1].weak, kept[-1].start - kept[-1].end) > (each.weak, each.start - each.end):
            kept[-1] = each
    return kept


def _with_years(text: str, found: list[Dated]) -> Iterator[Dated]:
    """Yield *found*, each without a year with that of the date it is linked to: from 1 March to 30 June 2029."""
    ahead: list[Dated] = []
    for at in range(len(found) - 1, -1, -1):
        each, after = found[at], ahead[-1] if ahead else None
        if each.year is None and after and after.year is not None and _linked(text, each, after):
            each = _borrowed(each, after)
        ahead.append(each)
    before: Dated | None = None
    for each in reversed(ahead):
        before = _following(text, before, each)
        yield before


def _following(text: str, before: Dated | None, each: Dated) -> Dated:
    """Return *each* with the year of the date *before* it, if that is linked: from 3 July 2028 to 12 August."""
    if each.year is not None or before is None or before.year is None:
        return each
    if not _linked(text, before, each, listed=False):
        return each
    return replace(each, year=before.year + _earlier(each, before, before.year))


def _linked(text: str, first: Dated, second: Dated, *, listed: bool = True) -> bool:
    between = text[first.end : second.start]
    return len(between) < 20 and _LINK.fullmatch(between) is not None and (listed or "," not in between)


def _earlier(first: Dated, second: Dated, year: int) -> bool:
    mine, other = first.in_year(year), second.in_year(year)
    return mine is not None and other is not None and mine.earliest < other.earliest


def _borrowed(each: Dated, after: Dated) -> Dated:
    year = after.year or 0
    period = after.in_year(year)
    changed = replace(each, year=year - _earlier(after, each, year))
    if each.other and period:
        changed = replace(changed, other=None)
    return changed


def _reading(dated: Dated, today: date) -> DateReading | None:
    if dated.year is not None:
        period = dated.in_year(dated.year)
    else:
        options = (dated.in_year(year) for year in range(today.year, today.year + 5))
        period = next((each for each in options if each and each.latest > today), None)
    if period is None:
        return None
    days = sorted({*period, *(dated.other or ())})
    return DateReading(
        dated.start, dated.end, days[0], days[-1], dated.other is not None, dated.year is None, dated.weak
    )
