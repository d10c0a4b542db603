"""Read when work is not possible, or only then: months, weekdays, dated periods, monsoon and winter."""

import re
from collections.abc import Iterator
from datetime import date
from itertools import islice
from typing import Any

from planloom.domain.facts import Closure
from planloom.reading import closure_words as words
from planloom.reading import periods
from planloom.reading.clauses import clauses_of
from planloom.reading.page import MOST_FACTS, Page
from planloom.reading.tables.months import MONTHS, WEEKDAYS

#: "only" binds what follows within so many characters.
_REACH = 110
#: A permission for no more months than this is read wide: half a September still counts as one.
_FEW = 2


def read_closures(page: Page) -> tuple[Closure, ...]:
    """Return the closures in order.

    A plan stops for what stops its work: that deliveries come on weekdays only is no closure. A period with years is
    given by dates; one without, by months: all that a ban touches, those that a permission
    covers whole.
    """
    found = (c for s in page.sentences for a, b in clauses_of(page, s) for c in _in_clause(page, a, b))
    return tuple(islice(found, MOST_FACTS))


def _in_clause(page: Page, start: int, end: int) -> Iterator[Closure]:
    for reason in words.REASON.finditer(page.text, start, end):
        yield from _one(page, start, reason.start())
        start = reason.end()
    yield from _one(page, start, end)


def _one(page: Page, start: int, end: int) -> Iterator[Closure]:
    text = page.text[start:end]
    period = words.RANGE.search(text)
    if period and words.LISTED.search(period.group()) and not words.BETWEEN.search(text[: period.start()]):
        period = None
    at = period.start() if period else _first_time(text)
    outdoor = bool(words.OUTDOOR.search(text))
    if at is None:
        yield from _festive(page, start, end, outdoor=outdoor)
        return
    allowed = _only_then(text, at, period.end() if period else at)
    if allowed and not (outdoor or words.WORK.search(text)):
        return
    if not allowed and not (words.CLOSED.search(text) or words.SEASON.search(text[:at])):
        return
    when = _dated(period, forbidden=not allowed) if period else _named(text)
    if when:
        yield Closure(**page.span(start, end), forbidden=not allowed, outdoor=outdoor, **when)


def _only_then(text: str, at: int, last: int) -> bool:
    """Return whether the time from *at* to *last* is the only one: "may only X between", "possible from", "X only"."""
    if words.POSSIBLE.search(text[:at]):
        return True
    if not words.ABLE.search(text):
        return False
    only = words.ONLY.search(text)
    return only is not None and (0 <= at - only.end() <= _REACH or 0 <= only.start() - last <= 1)


def _first_time(text: str) -> int | None:
    day, months = words.DAYS.search(text), _months(text)
    return min([m.start() for m in (*months[:1], *([day] if day else []))], default=None)


def _months(text: str) -> list[re.Match[str]]:
    """Return the months named in *text*: with a capital, since deliveries may take place in May."""
    return [m for m in words.MONTH.finditer(text) if m["month"][0].isupper()]


def _named(text: str) -> dict[str, Any]:
    """Return the months or weekdays that *text* names one by one."""
    months = sorted({MONTHS[m["month"].lower()] for m in _months(text)})
    days: set[int] = set()
    for found in words.DAYS.finditer(text):
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
    if not forbidden and len(months) > _FEW:
        months = months[_late(found["d1"], found["p1"]) :]
        months = months[: len(months) - _early(found["d2"], found["p2"])]
    return {"months": tuple(months)}


def _late(day: str | None, part: str | None) -> int:
    """Return 1 where a range begins within its first month."""
    return int(int(day) > 1 if day else (part or "").lower() in {"mid", "late", "end of"})


def _early(day: str | None, part: str | None) -> int:
    """Return 1 where a range ends within its last month."""
    return int(int(day) < 28 if day else (part or "").lower() in {"mid", "early", "beginning of", "start of"})


def _festive(page: Page, start: int, end: int, *, outdoor: bool) -> Iterator[Closure]:
    """Yield the days between Christmas and New Year that come next."""
    year = page.today.year
    meant = words.FESTIVE.search(page.text, start, end) and words.CLOSED.search(page.text, start, end)
    if meant and year < date.max.year:
        first, last = date(year, 12, 25), date(year + 1, 1, 1)
        yield Closure(**page.span(start, end), outdoor=outdoor, first=first, last=last)
