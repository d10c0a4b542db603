"""Find lengths of time in a text: 18 months, 6 to 8 weeks, 18-month, within a year, the sixth month, month 6."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from planloom.reading.numbers import number, value_of
from planloom.reading.tables.number_words import ORDINALS
from planloom.reading.tables.units import TIME_UNITS, TimeUnit
from planloom.reading.wording import any_of


@dataclass(frozen=True, order=True)
class Length:
    """A length of time at a span of the text; ``point`` where it is counted from the start, as in the sixth month."""

    start: int
    end: int
    low: float
    high: float
    unit: TimeUnit
    point: bool = False


_UNITS = "|".join(sorted(TIME_UNITS, key=len, reverse=True))
# Recurrences and ages are no lengths: a 100-year storm, a 12-year-old, 5 hours a day.
_NOT_AFTER = (
    r"(?![\s-](?:old|olds|storm|flood|floods|return|event|anniversary|rain\w*|round)\b|s?[\s-]of[\s-](?:age|experience)\b"
    r"|\s(?:a|per|each|every)\s(?:day|week|month|year)\b|[-/]\w)"
)
_NTH = any_of(" ".join(ORDINALS))
_SINGLE = re.compile(
    r"\b(?P<lead>"
    + any_of("within over in for than takes? about lasts? after roughly around nearly under")
    + rf"\s)(?P<body>(?P<a>half\san?|an?)\s(?:(?:single|whole|full|calendar|school)\s)?"
    rf"(?P<unit>year|month|week|decade|fortnight|day))\b{_NOT_AFTER}",
    re.IGNORECASE,
)
_POINT = re.compile(
    rf"\b(?:the\s)?(?P<body>(?:(?P<nth>{_NTH}|\d{{1,2}}(?:st|nd|rd|th))\s(?P<unit>month|year|week)"
    r"|(?P<unit2>month|year|week)s?\s(?P<n>\d{1,2})(?!\d|[.,-]\d|\s?%))(?![\w-]))",
    re.IGNORECASE,
)


def find_lengths(text: str, language: str) -> Iterator[Length]:
    """Yield the lengths of time in *text*, each form in order; overlaps are left to the caller."""
    for found in _counted(language).finditer(text):
        high = value_of(found["high"], language)
        low = value_of(found["low"], language) if found["low"] else high
        yield from _length(found.start(), found.end(), low, high, found["unit"])
    for found in _SINGLE.finditer(text):
        value = 0.5 if found["a"].lower().startswith("half") else 1.0
        yield from _length(*found.span("body"), value, value, found["unit"])
    for found in _POINT.finditer(text):
        said = (found["nth"] or found["n"]).lower()
        value = float(ORDINALS.get(said) or said.rstrip("stndrh"))
        yield from _length(*found.span("body"), value, value, found["unit"] or found["unit2"], point=True)


def _length(start: int, end: int, low: float, high: float, unit: str, *, point: bool = False) -> Iterator[Length]:
    factor, name = TIME_UNITS[unit.lower()]
    low, high = sorted((low * factor, high * factor))
    if low > 0 and high < 1e5:
        yield Length(start, end, low, high, name, point)


@cache
def _counted(language: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w.,$€£/-])(?:(?P<low>{number('l', language)})(?:\s?-\s?|-?\s(?:to|or|and|bis|til|a|à|y)\s))?"
        rf"(?P<high>{number('h', language)})[\s-](?:(?:working|business|calendar|full|consecutive|more|whole)\s)?"
        rf"(?P<unit>{_UNITS})\b{_NOT_AFTER}",
        re.IGNORECASE,
    )
