"""Find numbers that count or measure something: the number, its bound, and its unit where it has one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from planloom.reading.numbers import number, scale_of, value_of
from planloom.reading.tables.units import MEASURES
from planloom.reading.wording import any_of

Bound = Literal["exactly", "at_least", "at_most", "about"]

_SAID: dict[Bound, str] = {
    "at_least": """
        at_least (?:wider|larger|higher|longer|greater|better)_than a_minimum_of minimum_of no_fewer_than
        not_fewer_than no_less_than not_less_than more_than over above minimum mindestens mindst al_menos
        au_moins
    """,
    "at_most": """
        at_most (?:narrower|smaller|lower|cheaper|shorter|lighter)_than up_to no_more_than not_more_than
        fewer_than less_than under below a_maximum_of maximum_of maximum max\\.? within not_exceed(?:ing)?
        höchstens højst como_máximo
    """,
    "about": """
        about around approximately roughly some nearly almost circa ca\\.? an_estimated etwa rund omkring
        environ unas unos
    """,
}
_PREPOSITION = re.compile(r"under|over|within|above|below|some|around|about", re.IGNORECASE)
_SIGNS: dict[str, Bound] = {"≥": "at_least", ">": "at_least", "≤": "at_most", "<": "at_most", "~": "about"}
_LONG = "|".join(
    re.escape(unit).replace(r"\ ", r"[\s-]") for unit in sorted(MEASURES, key=len, reverse=True) if len(unit) > 1
)
#: Single letters are units only right after digits: 5 m, but "plan B".
_UNIT = rf"(?:[\s-]?(?P<unit>(?i:{_LONG})(?![^\W_])|%|(?<=\d)[mgtWV](?![\w'/])|(?<=\d[\s-])[mgt](?![\w'/]))(?!\d))?"
_SCALE = r"(?:\s(?P<scale>(?i:hundred|thousand|million|billion|lakh|crore))\b|(?P<short>[kKM])(?!\w))?"
_TO = r"(?:\s?-\s?|\s(?:to|and|or|bis|til|a|à|y)\s)"


@dataclass(frozen=True)
class Count:
    """A number at a span of the text, its bound word included; ``unit`` as planloom prints it, or empty.

    ``words_only`` where the number is written in words; ``end`` is the end of the number and its unit.
    """

    start: int
    at: int
    end: int
    low: float
    high: float
    unit: str
    bound: Bound
    words_only: bool


#: Nobody counts so many; hundreds of digits would be infinite, which no fact can keep.
MOST = 1e18


def find_counts(text: str, language: str) -> Iterator[Count]:
    """Yield the numbers of *text* in order, whatever they are for."""
    for found in _pattern(language).finditer(text):
        factor = scale_of(found["scale"] or found["short"])
        high = round(value_of(found["high"], language) * factor, 6)
        low = high
        if found["low"]:
            low = value_of(found["low"], language)
            low *= factor if low < high / factor else 1.0
        words_only = not found["high"][0].isdigit()
        start = found.start()
        if words_only and not found["unit"] and _PREPOSITION.fullmatch(found["bound"] or ""):
            # "under three associations", "over four seasons": where and when, not how many.
            start, said = found.start("body"), None
        else:
            said = found["bound"]
        bound = _SIGNS.get((found["sign"] or "")[:1]) or _bound(said, text[found.end() : found.end() + 12])
        low, high = sorted((low, high))
        unit = MEASURES.get((found["unit"] or "").lower().replace("-", " "), found["unit"] or "")
        if high >= MOST:
            continue
        yield Count(start, found.start("body"), found.end(), low, high, unit, bound, words_only)


def _bound(said: str | None, after: str) -> Bound:
    if said:
        for bound, pattern in _bounds():
            if pattern.fullmatch(said):
                return bound
    if re.match(r"\+|\sor\smore\b|\splus\b", after):
        return "at_least"
    return "at_most" if re.match(r"\sor\s(?:fewer|less)\b", after) else "exactly"


@cache
def _bounds() -> tuple[tuple[Bound, re.Pattern[str]], ...]:
    return tuple((bound, re.compile(any_of(said), re.IGNORECASE)) for bound, said in _SAID.items())


@cache
def _pattern(language: str) -> re.Pattern[str]:
    bounds = any_of(" ".join(_SAID.values()))
    return re.compile(
        rf"(?:\b(?P<bound>(?i:{bounds}))\s(?:the\s|a\s|an?\sadditional\s)?|(?P<sign>[≥≤<>~]=?)\s?|(?<![\w.,$€£/:#-]))"
        rf"(?P<body>(?:(?P<low>{number('l', language)})(?:%|\s?°C)?{_TO})?(?P<high>{number('h', language)})(?![:/]\d)"
        rf"{_SCALE}{_UNIT})(?!\s?(?:am|pm|a\.m|p\.m|o'clock)\b)"
    )
