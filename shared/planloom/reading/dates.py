"""Find dates and dated periods in a text: days, months, quarters, seasons, years and feasts, as people write them."""

import re
from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass

from planloom.reading.date_forms import Reader, forms
from planloom.reading.date_readings import Today
from planloom.reading.periods import Period

#: "every March", "each year in May" come back and are no date.
_RECURRING = re.compile(r"\b(?:every|each|once a year|annually|yearly)\s(?:\w+\s){0,2}$", re.IGNORECASE)


@dataclass(frozen=True, order=True)
class Found:
    """A date at a span of the text."""

    start: int
    end: int
    period: Period


def find_dates(text: str, today: Today, most: int) -> Iterator[Found]:
    """Yield the dates in *text* in order, *most* of each form at most; no span is read twice."""
    found: list[Found] = []
    for pattern, read in forms():
        fresh = 0
        for match in pattern.finditer(text):
            start = match.start("lead_end") if "lead_end" in pattern.groupindex else match.start()
            if (
                fresh >= most
                or _taken(found, start, match.end())
                or _RECURRING.search(text[max(0, start - 24) : start])
            ):
                continue
            period = _read(read, match, today)
            if period is not None:
                insort(found, Found(start, match.end(), period), key=lambda f: f.start)
                fresh += 1
    yield from found


def _read(reader: Reader, match: re.Match[str], today: Today) -> Period | None:
    try:
        return reader(match, today)
    except ValueError:
        # Python's calendar ends with the year 9999.
        return None


def _taken(found: list[Found], start: int, end: int) -> bool:
    at = bisect_left(found, start, key=lambda f: f.start)
    return any(f.start < end and f.end > start for f in found[max(0, at - 1) : at + 1])
