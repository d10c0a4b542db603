"""Find the rows of tables of a plan in free form that its spine lacks.

Amounts in its prose are not looked for: of those that no row has, nearly all are parts, sums or options of others.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any, NamedTuple

from pydantic import BaseModel

from planloom.core.frozen import Frozen
from planloom.planes.strategic.facts.language import guess_language
from planloom.planes.strategic.facts.numbers import find_numbers
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.fields import title, words
from planloom.planes.strategic.spine.references import references
from planloom.planes.strategic.spine.spine import Spine


class DraftRow(Frozen):
    """A data row of a table of the draft, under its last heading, with the head of its table."""

    heading: str
    head: tuple[str, ...]
    cells: tuple[str, ...]


#: The rows that are asked for where a table of the draft holds them, each with the others that such a table mixes in.
_ASKED: Mapping[type[r.Row], tuple[type[r.Row], ...]] = {
    r.Package: (r.Approval, r.Gate, r.Decision),
    r.Approval: (r.Package, r.Party),
    r.Line: (r.Upkeep, r.Stream),
    r.Source: (r.Line,),
    r.Risk: (r.Assumption, r.OpenQuestion),
}
#: A table of the draft with at least so many rows is of one of these where all of them but this share are rows of it:
#: of a table of which more is missing, most is of another kind.
_LEAST_ROWS, _MOST_MISSING = 3, 0.25
_ENOUGH = 0.6
#: The relative difference up to which an amount equals that of a field: texts round.
_ROUNDING = 0.01
#: The number of letters that two forms of a word share.
_STEM = 5
_LEAST_WORD = 3
#: From here on, a number is seldom that of two rows, unless it is a year.
_TELLING = 1_000
_YEARS = range(1900, 2101)
#: From here on, letters of a script without spaces.
_IDEOGRAPHS = "\u2e80"
_TABLE_LINE = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_FENCED = re.compile(r"^```.*?(?:^```[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_RULE = re.compile(r"[\s|:-]*-[\s|:-]*")
_SLASH = re.compile(r"(?<=\d)\s?/\s?(?=\d)")
_CELLS = re.compile(r"(?<!\\)\|")
_MARKS = re.compile(r"\*+|`+|~~|<br\s*/?>|\[([^\]]*)\]\([^)]*\)")
#: Words that say nothing of what a row is, by their stems: units, months, names of sums.
_UNITS = """
    day days week weeks month months year years per hours working calendar eur usd gbp chf total subtotal sum balance
    summe gesamt totaal yes none quarter january januar february februar march april may june july august september
    october oktober november december dezember jan feb mar apr jun jul aug sep sept oct nov dec
"""
_TOTALS = "total totals all subtotal sum summe zwischensumme gesamt gesamtsumme gesamtkosten totaal totale somme suma"
_SUMS = frozenset(_TOTALS.split())
_EMPTY = frozenset(word[:_STEM] for word in _UNITS.split())


@dataclass(frozen=True, slots=True)
class _Entry:
    """The parts of a row that are compared: its class, stems of all its words and of its title, and its numbers."""

    kind: type[BaseModel]
    stems: frozenset[str]
    label: frozenset[str]
    numbers: frozenset[float]


def missing(draft: str, spine: Spine) -> tuple[DraftRow, ...]:
    """Return the rows of tables of *draft* that no row of *spine* has, in order.

    A table counts where most of its rows are rows of one table of *spine* that is asked for: those of it that are no
    row of any kind are missing. Other tables (options, hours, cash by month) explain the plan. A row is there where a
    row of the spine shares most of its words, its label, or its numbers and some words; rows without words or values
    (months, sums) are skipped.
    """
    language = guess_language(draft)
    entries = _entries(spine, language)
    tables = (list(each) for _, each in groupby(draft_rows(draft), lambda row: (row.heading, row.head)))
    return tuple(row for table in tables for row in _absent(table, entries, language))


def draft_rows(draft: str) -> Iterator[DraftRow]:
    """Yield the data rows of the Markdown tables of *draft*, marks of bold, code and links removed."""
    heading = ""
    head: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    for line in _FENCED.sub("", draft).splitlines():
        cells = _split(line)
        if line.lstrip().startswith("#"):
            heading = line.strip("# \t")
        if not cells:
            head = ()
        elif _RULE.fullmatch(line):
            head = before
        elif head:
            yield DraftRow(heading=heading, head=head, cells=cells)
        before = cells


def _split(line: str) -> tuple[str, ...]:
    if not _TABLE_LINE.fullmatch(line):
        return ()
    inner = line.strip()[1:].removesuffix("|")
    return tuple(_MARKS.sub(r"\1 ", cell).replace("\\|", "|").strip() for cell in _CELLS.split(inner))


def _absent(table: list[DraftRow], entries: list[_Entry], language: str) -> list[DraftRow]:
    """Return the rows of *table* that are missing; none where it is no table of rows that are asked for."""
    said = [(row, found) for row in table if (found := _said(row, language))]
    kinds = [{entry.kind for entry in entries if _is_of(found, entry)} for _, found in said]
    kind = max(_ASKED, key=lambda each: sum(each in found for found in kinds))
    others = sum(kind not in found for found in kinds)
    if len(said) < _LEAST_ROWS or others > _MOST_MISSING * len(said):
        return []
    fit = [entry for entry in entries if entry.kind in (kind, *_ASKED[kind])]
    rows = zip(said, _sums(found.numbers for _, found in said), strict=True)
    return [row for (row, found), summed in rows if not summed and not any(_matches(found, entry) for entry in fit)]


def _sums(rows: Iterable[frozenset[float]]) -> Iterator[bool]:
    """Yield for each of *rows*, its numbers, whether its largest one is the sum of those since the last sum."""
    parts: list[float] = []
    for numbers in rows:
        value, whole = max(numbers, default=0.0), sum(parts)
        summed = len(parts) > 1 and whole > 0 and abs(value - whole) <= _ROUNDING * whole
        yield summed
        parts = [] if summed else [*parts, value]


class _Said(NamedTuple):
    """What a row of the draft says: stems of all its words and of its first cells, and its numbers."""

    whole: frozenset[str]
    labels: tuple[frozenset[str], ...]
    numbers: frozenset[float]


def _said(row: DraftRow, language: str) -> _Said | None:
    """Return what *row* says; None for a sum, and where it has no words or values."""
    parts = [found for cell in row.cells if (found := _stems(cell))]
    begin = next((said for cell in row.cells if (said := words(cell))), [])
    numbers = _numbers(" | ".join(row.cells), language)
    whole = frozenset[str]().union(*parts)
    if not parts or not _SUMS.isdisjoint(begin[:2]) or (len(whole) == 1 and not numbers):
        return None
    # a cell of one word before the label is a number or a state of the row
    return _Said(whole, tuple(parts[:2] if len(parts[0]) == 1 else parts[:1]), numbers)


def _is_of(said: _Said, entry: _Entry) -> bool:
    """Return whether *said* is of *entry*, and of its kind: a row of money has one of its numbers as well."""
    money = entry.kind in (r.Line, r.Source)
    return _matches(said, entry) and not (money and said.numbers.isdisjoint(entry.numbers - {1}))


def _matches(said: _Said, entry: _Entry) -> bool:
    """Return whether *said* is of *entry*: by most of its words, by its label, or by a word of it and its numbers."""
    if len(said.whole & entry.stems) >= _ENOUGH * len(said.whole):
        return True
    shared = ((len(label & entry.label), min(len(label), len(entry.label))) for label in said.labels)
    if any(both and both >= _ENOUGH * least for both, least in shared):
        return True
    telling = {number for number in said.numbers if number >= _TELLING and number not in _YEARS}
    return bool(said.whole & entry.label and said.numbers and (telling or said.numbers) <= entry.numbers)


def _stems(text: str) -> frozenset[str]:
    found: set[str] = set()
    for word in words(text):
        if word >= _IDEOGRAPHS:
            found |= {word[at : at + 2] for at in range(max(1, len(word) - 1))}
        elif len(word) >= _LEAST_WORD and word.isalpha() and word[:_STEM] not in _EMPTY:
            found.add(word[:_STEM])
    return frozenset(found)


def _numbers(text: str, language: str) -> frozenset[float]:
    # 5/8/15 are three numbers, and so are those of a date
    found = find_numbers(_SLASH.sub(" ; ", text), language)
    # of 12,400 in a language with a decimal comma: a plan has few values with three decimals
    return frozenset(max(value, number.also or 0) for number in found for value in (number.low, number.high))


def _entries(spine: Spine, language: str) -> list[_Entry]:
    named = spine.by_id()
    entries = [
        _entry(row, title(row), [title(named[ref]) for ref in references(row) if ref in named], language)
        for row in spine.rows()
    ]
    return [*entries, _entry(spine.frame, spine.frame.title, [], language)]


def _entry(model: BaseModel, label: str, more: list[str], language: str) -> _Entry:
    values = [*_values(model)]
    texts = " | ".join([*(value for value in values if isinstance(value, str)), *more])
    numbers = {float(value) for value in values if isinstance(value, int | float)}
    days = {float(part) for value in values if isinstance(value, date) for part in (value.year, value.month, value.day)}
    return _Entry(type(model), _stems(texts), _stems(label), _numbers(texts, language) | numbers | days)


def _values(value: Any) -> Iterator[Any]:
    """Yield the texts, numbers and days within *value*; a line also has its amount."""
    if isinstance(value, BaseModel):
        for field in type(value).model_fields:
            yield from _values(getattr(value, field))
        if isinstance(value, r.Line):
            yield value.amount
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _values(item)
    elif value is not None and not isinstance(value, bool):
        yield value
