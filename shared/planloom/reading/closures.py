"""Read when work is not possible, or only then: months, weekdays, dated periods, monsoon and winter."""

import re
from collections.abc import Iterator
from datetime import date
from itertools import islice
from typing import Any

from planloom.domain.facts import Closure
from planloom.reading import periods
from planloom.reading.clauses import clauses_of
from planloom.reading.page import MOST_FACTS, Page
from planloom.reading.tables.months import MONTHS, WEEKDAYS
from planloom.reading.wording import any_of

_M = "(?:" + "|".join(sorted((m for m in MONTHS if len(m) > 2), key=len, reverse=True)) + r")\b"
_RANGE = re.compile(
    rf"(?<![\w-])(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th|\.)?\s)?(?:of\s)?(?P<first>{_M})(?:\s(?P<y1>20\d\d))?"
    rf"\s?(?:and|to|until|till|through|-|und|bis|og|til|y|a)\s?(?:(?:the\s)?(?P<d2>\d{{1,2}})(?:st|nd|rd|th|\.)?\s)?(?:of\s)?(?P<last>{_M})(?:\s(?P<y2>20\d\d))?",
    re.IGNORECASE,
)
_MONTH = re.compile(rf"(?<![\w-])(?<!\d )(?P<month>{_M})(?!\s?\d)", re.IGNORECASE)
_DAYS = re.compile(r"\b(" + "|".join(WEEKDAYS) + r")s?\b|\b(weekends?)\b|\b(weekdays)\b", re.IGNORECASE)
#: No work then.
_CLOSED = re.compile(
    r"\b"
    + any_of("""
    closed(?!_by) closes shut shuts stops? halts? pauses?
    not_(?:work|build|operate|open|possible|allowed|permitted) off-limits
    no_(?:\\w+_){0,2}?(?:work|works|construction|building|access|deliveries|piling|drilling|digging|operations?|events?|service|
    classes|noise) cannot_(?:work|build|be_done|be_worked|start) impassable unavailable forbidden geschlossen
    lukket cerrado (?:must|may)_not_(?:work|disturb|start|take_place) (?:summer|staff|company|school)_holidays
""")
    + r"\b",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\b(?:only|nur|kun|solo|sólo)\b", re.IGNORECASE)
_SEASON = re.compile(
    r"\b"
    + any_of("monsoon rainy_season wet_season winter breeding_season nesting_season (?:hurricane|typhoon)_season")
    + r"\b",
    re.IGNORECASE,
)
_OUTDOOR = re.compile(
    r"\b"
    + any_of("""
    construction shore site outdoor dig\\w* excavat\\w* pil(?:e|es|ing) plant\\w* field\\w* earthworks?
    river\\w* roads? bird\\w* nesting monsoon snow frost weather sea marine drilling concrete roof\\w*
    building_work beach forest\\w* harvest\\w* trail\\w*
""")
    + r"\b",
    re.IGNORECASE,
)
_FESTIVE = re.compile(r"\bbetween\sChristmas\sand\sNew\sYear", re.IGNORECASE)
#: "only" binds what follows within so many characters.
_REACH = 70


def read_closures(page: Page) -> tuple[Closure, ...]:
    """Return the closures in order.

    A period with years is given by dates; one without, by months: all that a ban touches, those that a permission
    covers whole.
    """
    found = (c for s in page.sentences for a, b in clauses_of(page, s) for c in _in_clause(page, a, b))
    return tuple(islice(found, MOST_FACTS))


def _in_clause(page: Page, start: int, end: int) -> Iterator[Closure]:
    text = page.text[start:end]
    only, closed = _ONLY.search(text), _CLOSED.search(text) or _SEASON.search(text)
    if not (only or closed):
        return
    outdoor = bool(_OUTDOOR.search(text))
    period = _RANGE.search(text)
    at = period.start() if period else _first_time(text)
    if at is None:
        yield from _festive(page, start, end, closed=bool(closed), outdoor=outdoor)
        return
    bound = bool(only and 0 <= at - only.end() <= _REACH)
    if not bound and not closed:
        return
    when = _dated(period, forbidden=not bound) if period else _named(text)
    if when:
        yield Closure(**page.span(start, end), forbidden=not bound, outdoor=outdoor, **when)


def _first_time(text: str) -> int | None:
    day, months = _DAYS.search(text), _months(text)
    return min([m.start() for m in (*months[:1], *([day] if day else []))], default=None)


def _months(text: str) -> list[re.Match[str]]:
    """Return the months named in *text*: with a capital, since deliveries may take place in May."""
    return [m for m in _MONTH.finditer(text) if m["month"][0].isupper()]


def _named(text: str) -> dict[str, Any]:
    """Return the months or weekdays that *text* names one by one."""
    months = sorted({MONTHS[m["month"].lower()] for m in _months(text)})
    days: set[int] = set()
    for found in _DAYS.finditer(text):
        days |= {WEEKDAYS[found[1].lower()]} if found[1] else {5, 6} if found[2] else set(range(5))
    return {k: v for k, v in (("months", tuple(months)), ("weekdays", tuple(sorted(days)))) if v}


def _dated(found: re.Match[str], *, forbidden: bool) -> dict[str, Any]:
    first, last = MONTHS[found["first"].lower()], MONTHS[found["last"].lower()]
    if found["y2"]:
        year = int(found["y2"])
        start = int(found["y1"]) if found["y1"] else year - (last < first)
        begin, finish = periods.month(start, first), periods.month(year, last)
        a = periods.day(start, first, int(found["d1"])) if found["d1"] else begin
        b = periods.day(year, last, int(found["d2"])) if found["d2"] else finish
        return {"first": a.earliest, "last": b.latest} if a and b and a.earliest <= b.latest else {}
    months = [(first - 1 + i) % 12 + 1 for i in range((last - first) % 12 + 1)]
    if not forbidden and len(months) > 2:
        months = months[bool(found["d1"] and int(found["d1"]) > 1) :]
        months = months[: -1 if found["d2"] and int(found["d2"]) < 28 else None]
    return {"months": tuple(months)}


def _festive(page: Page, start: int, end: int, *, closed: bool, outdoor: bool) -> Iterator[Closure]:
    """Yield the days between Christmas and New Year that come next."""
    if closed and _FESTIVE.search(page.text, start, end):
        year = page.today.year
        first, last = date(year, 12, 25), date(year + 1, 1, 1)
        yield Closure(**page.span(start, end), outdoor=outdoor, first=first, last=last)
