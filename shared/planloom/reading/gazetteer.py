"""Look up place names in the tables: where in a text a known city, region or country is named, and is meant."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from planloom.reading.tables.cities import DOUBTFUL_CITIES, cities, namesakes
from planloom.reading.tables.countries import DOUBTFUL_COUNTRIES, countries
from planloom.reading.tables.regions import DOUBTFUL_REGIONS, regions

Kind = Literal["site", "city", "region", "country"]

_START = re.compile(r"(?<![\w@#/.])[^\W\d_a-z][^\W\d_]*")
_ADJECTIVES = (
    "the|rural|urban|northern|southern|eastern|western|central|greater|downtown|upper|lower|inner|coastal|north|south|"
    "east|west|mainland|old|new|metropolitan|city of|town of|municipality of|state of|region of|island of"
)
#: What makes a place of a name that could be something else.
PREPOSITION = re.compile(
    r"\b(?:in|at|near|from|to|around|across|outside|towards|throughout|visit|via|à|bei|nach|aus|en)\s+"
    rf"(?:(?:{_ADJECTIVES})\s+)*$",
    re.IGNORECASE,
)
_MAY_PRECEDE = re.compile(
    rf"(?:\b(?:in|at|near|from|to|around|across|for|visit|and|or|an?|our|my|this|{_ADJECTIVES})\s+|^\s*)$",
    re.IGNORECASE,
)
_PART_OF_NAME = re.compile(
    r"(?:\b[A-Z][\w.'&-]*\s|\b(?:University|Bank|College|Institute|Ministry|Church|House|Museum|Republic) of )$"
)
_GOES_ON = re.compile(
    r"(?: |-)(?!(?:City|County|Municipality|Province|Region|District|Island|Valley|Bay|Airport|Harbou?r|Port|Station|"
    r"Central|Waterfront|Fjord|Forest|Coast|January|February|March|April|May|June|July|August|September|October|November|"
    r"December|I|We|The|It|Our|Budget|Q[1-4]|USD|EUR|GBP|DKK)\b)[A-Z][a-z]+"
)


@dataclass(frozen=True)
class Known:
    """A known name at a span of the text; ``codes`` are the countries that it can lie in, the likeliest first."""

    name: str
    kind: Kind
    codes: tuple[str, ...]
    start: int
    end: int


def find_known(text: str) -> Iterator[Known]:
    """Yield the places of the tables that *text* names, in order, the longest name at each point."""
    index, last = _index(), 0
    for word in _START.finditer(text):
        if word.start() < last:
            continue
        for name, kind, codes in index.get(word.group(), ()):
            end = word.start() + len(name)
            if text.startswith(name, word.start()) and _whole(text, end) and _meant(text, word.start(), end, name):
                yield Known(name, kind, codes, word.start(), end)
                last = end
                break


def _whole(text: str, end: int) -> bool:
    after = text[end : end + 2]
    return not after or not (after[0].isalnum() or after[0] == "_" or (after[0] == "-" and after[1:].isupper()))


def _meant(text: str, start: int, end: int, name: str) -> bool:
    before = text[max(0, start - 40) : start]
    if _GOES_ON.match(text, end):
        return False
    if name in _doubtful():
        return bool(PREPOSITION.search(before)) or _country_follows(text, end)
    return bool(_MAY_PRECEDE.search(before)) or not _PART_OF_NAME.search(_sentence_part(before))


def _sentence_part(before: str) -> str:
    """Return what follows the last sentence end in *before*: a capital there is no name."""
    part = re.split(r"[.!?:\n]\s+", before)[-1]
    return part if len(part) == len(before) or " " in part.strip() else ""


def _country_follows(text: str, end: int) -> bool:
    if not text.startswith(", ", end):
        return False
    word = _START.match(text, end + 2)
    names = _index().get(word.group(), ()) if word else ()
    return any(kind != "city" and text.startswith(name, end + 2) for name, kind, _ in names)


@cache
def _doubtful() -> frozenset[str]:
    return DOUBTFUL_CITIES | DOUBTFUL_REGIONS | DOUBTFUL_COUNTRIES


@cache
def _index() -> dict[str, tuple[tuple[str, Kind, tuple[str, ...]], ...]]:
    """Return the names by their first letters, the longest first; a city hides a country of the same name."""
    shared = namesakes()
    rows: dict[str, tuple[str, Kind, tuple[str, ...]]] = {}
    for name, code in countries().items():
        rows[name] = (name, "country", (code,))
    for name, code in regions().items():
        rows.setdefault(name, (name, "region", (code,) if code else ()))
    for name, code in cities().items():
        rows[name] = (name, "city", (code, *(c for c in shared.get(name, ()) if c != code)))
    found: dict[str, list[tuple[str, Kind, tuple[str, ...]]]] = {}
    for name in sorted(rows, key=lambda n: (-len(n), n)):
        first = re.match(r"[^\W\d_]+", name)
        found.setdefault(first.group() if first else name, []).append(rows[name])
    return {first: tuple(names) for first, names in found.items()}
