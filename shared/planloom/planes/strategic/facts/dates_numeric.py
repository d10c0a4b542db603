"""Dates in figures: ISO, day and month in either order, month and year, and those of East Asia."""

import re
from collections.abc import Iterator
from datetime import date

from planloom.planes.strategic.facts import dates_periods as periods
from planloom.planes.strategic.facts import dates_table as table
from planloom.planes.strategic.facts.dates_forms import Dated
from planloom.planes.strategic.facts.dates_periods import Period

_SIDES = (r"(?<![\w.,/:-])", r"(?![\w/:-]|[.,]\d)")
_ISO = re.compile(
    r"(?<![\d./-])(?P<year>(?:19|20|21)\d\d)(?:(?P<s>[-/.])(?P<m>\d\d?)(?P=s)(?P<d>\d\d?)"
    r"|\. ?(?P<m2>\d\d?)\. ?(?P<d2>\d\d?))(?!\d|[-/]\d)"
)
_NUMERIC = re.compile(
    r"(?<![\d./,:-])(?P<a>\d\d?)(?:\u200f?(?P<s>[/.-])(?P<b>\d\d?)\u200f?(?P=s)(?P<year>(?:19|20|21)\d\d|(?<=[/.])\d\d)"
    r"|\. (?P<b2>\d\d?)\. ?(?P<year2>(?:19|20|21)\d\d))(?!\d|[/-]\d|\.\d)"
)
_MONTH = re.compile(r"(?<![\w.,/-])(?P<m>0?[1-9]|1[0-2])[/.](?P<year>(?:19|20|21)\d\d)(?![\w/]|[.,-]\d)")
_DOTTED = re.compile(
    r"(?<![\d.,/])(?P<d>\d\d)\. ?(?P<m>\d\d)\.(?! ?\d)|(?<=[ap]m )(?P<d2>\d\d?)\. ?(?P<m2>\d\d?)\.(?! ?\d)"
)
_DOT_LANGUAGES = frozenset({"de", "cs", "fi", "da", "nb", "pl", "ru", "uk", "tr", "ro"})
#: A day and month before the date that has their year: from 03/07 to 12/08/2028.
_OPEN = re.compile(
    r"(?<![\d./,:-])(?P<a>\d\d?)(?P<s>[/.-])(?P<b>\d\d?)\.?(?=[^\d\n]{1,8}\d\d?(?P=s)\d\d?(?P=s)(?:20)?\d\d(?!\d))"
)
_EAST = re.compile(
    r"(?:(?P<year>(?:19|20|21)\d\d) ?[年년]|(?P<era>令和) ?(?P<n>\d{1,2}|元)年)? ?(?P<m>1[0-2]|0?[1-9]) ?[月월]"
    r"(?: ?(?P<d>3[01]|[12]\d|0?[1-9]) ?[日일号號])?(?: ?(?P<part>[底末초말中初]|下旬|中旬|上旬|중순))?"
)
_ERA = re.compile(r"令和 ?(?P<n>\d{1,2}|元)年(?:度)?(?P<part>[末底])?(?! ?\d)")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(rf"\b(?P<day>{'|'.join(_WEEKDAYS)})[a-z]{{0,6}}\.?,?\s(?:the\s)?\Z", re.IGNORECASE)
#: Before the second month of a range: 2028年5月から8月.
_TO = frozenset("ら至到~-")
_PART = {
    "底": "end",
    "末": "end",
    "말": "end",
    "下": "late",
    "中": "mid",
    "중": "mid",
    "初": "early",
    "上": "early",
    "초": "early",
}


def find_numeric(text: str, language: str, country: str | None) -> Iterator[Dated]:
    """Yield the dates in figures of *text*, which is plain."""
    for found in _ISO.finditer(text):
        month, day = int(found["m"] or found["m2"]), int(found["d"] or found["d2"])
        yield from _day(found, month, day, int(found["year"]))
    for found in _MONTH.finditer(text):
        month = int(found["m"])
        yield Dated(*found.span(), lambda year, m=month: periods.months(year, m, m), int(found["year"]))  # type: ignore[misc]
    yield from _in_either_order(text, language, country)
    for found in _DOTTED.finditer(text) if language in _DOT_LANGUAGES else ():
        yield from _day(found, int(found["m"] or found["m2"]), int(found["d"] or found["d2"]), None)
    if language in ("ja", "zh", "ko"):
        yield from _of_east_asia(text)


def _day(found: re.Match[str], month: int, day: int, year: int | None) -> Iterator[Dated]:
    if periods.day(year or 2028, month, day):
        yield Dated(*found.span(), lambda in_: periods.day(in_, month, day), year)


def _in_either_order(text: str, language: str, country: str | None) -> Iterator[Dated]:
    full = list(_NUMERIC.finditer(text))
    day_first = _day_first(full, language, country)
    for found in (*full, *_OPEN.finditer(text)):
        groups = found.groupdict()
        a, b = int(found["a"]), int(groups["b"] or groups["b2"])
        written = groups.get("year") or groups.get("year2")
        year = int(written) + (2000 if len(written) == 2 else 0) if written else None
        if written and len(written) == 2 and groups["s"] == "." and (len(groups["b"]) < 2 or len(found["a"]) < 2):
            continue
        dotted = groups["s"] in (".", None)
        yield from _read(found, (a, b), year, True if dotted else day_first)


def _read(found: re.Match[str], pair: tuple[int, int], year: int | None, day_first: bool | None) -> Iterator[Dated]:
    orders = [(pair[1], pair[0]), (pair[0], pair[1])]
    real = [(month, day) for month, day in orders if periods.day(year or 2028, month, day)]
    if not real:
        return
    if day_first is None and len(real) == 2 and year and (named := _weekday(found)) is not None:
        # "Monday 5/4/2027": one of the readings is no Monday
        real = [each for each in real if date(year, *each).weekday() == named] or real
    if day_first is None and len(real) == 2 and real[0] != real[1]:
        other = periods.day(year or 2028, *real[1])
        yield from (_with_other(each, other) for each in _day(found, *real[0], year))
        return
    yield from _day(found, *(real[-1] if day_first is False else real[0]), year)


def _weekday(found: re.Match[str]) -> int | None:
    """Return the day of the week that is right before a date in figures, in English, Monday as 0."""
    before = _WEEKDAY.search(found.string, max(0, found.start() - 20), found.start())
    return _WEEKDAYS.index(before["day"].lower()) if before else None


def _with_other(dated: Dated, other: Period | None) -> Dated:
    return Dated(dated.start, dated.end, dated.in_year, dated.year, other)


def _day_first(found: list[re.Match[str]], language: str, country: str | None) -> bool | None:
    """Return the order of day and month: as dates of the goal prove, else by language and country, else None."""
    pairs = [(int(each["a"]), int(each["b"])) for each in found if each["b"] and each["s"] != "."]
    proofs = {a > 12 for a, b in pairs if (a > 12) != (b > 12)}
    if len(proofs) == 1:
        return proofs.pop()
    if proofs or country in table.COUNTRIES_EITHER:
        return None
    if country in table.COUNTRIES_MONTH_FIRST:
        return False if language == "en" else None
    return True if country or language not in ("en", "ja", "zh", "ko") else None


def _of_east_asia(text: str) -> Iterator[Dated]:
    for found in _EAST.finditer(text):
        year = int(found["year"]) if found["year"] else _era(found["n"]) if found["era"] else None
        month, day, part = int(found["m"]), found["d"], _PART.get((found["part"] or " ")[0], "")
        start = found.start() + (len(found.group()) - len(found.group().lstrip()))
        if day:
            yield from (Dated(start, e.end, e.in_year, year) for e in _day(found, month, int(day), year))
        elif year or part or text[start - 1 : start] in _TO:
            yield Dated(
                start,
                found.end(),
                lambda in_, m=month, p=part: periods.part_of(periods.months(in_, m, m), p),  # type: ignore[misc]
                year,
            )
    for found in _ERA.finditer(text):
        part = _PART.get(found["part"] or "", "")
        whole = lambda in_, p=part: periods.part_of(periods.months(in_, 1, 12), p)  # noqa: E731
        yield Dated(*found.span(), whole, _era(found["n"]), weak=True)


def _era(number: str) -> int:
    return 2018 + (1 if number == "元" else int(number))
