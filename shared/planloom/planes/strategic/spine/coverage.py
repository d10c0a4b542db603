"""Find what a plan in free form has and its spine lacks: rows of its tables, and amounts of money in its prose."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import combinations, groupby
from typing import Any, NamedTuple

from pydantic import BaseModel

from planloom.core.frozen import Frozen
from planloom.planes.strategic.facts.amounts import find_amounts
from planloom.planes.strategic.facts.language import guess_language
from planloom.planes.strategic.facts.numbers import find_numbers
from planloom.planes.strategic.facts.spans import sentences
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.fields import title, words
from planloom.planes.strategic.spine.references import references
from planloom.planes.strategic.spine.spine import Spine


class DraftRow(Frozen):
    """A data row of a table of the draft, under its last heading, with the head of its table."""

    heading: str
    head: tuple[str, ...]
    cells: tuple[str, ...]


class DraftAmount(Frozen):
    """An amount of money in the prose of the draft, as written, in its sentence."""

    text: str
    sentence: str


class Missing(Frozen):
    """What the spine lacks: rows in the order of the draft, amounts the largest first."""

    rows: tuple[DraftRow, ...] = ()
    amounts: tuple[DraftAmount, ...] = ()


#: The rows that are asked for where a table of the draft holds them, each with the others that such a table mixes in.
_ASKED: Mapping[type[r.Row], tuple[type[r.Row], ...]] = {
    r.Package: (r.Approval, r.Gate, r.Decision),
    r.Approval: (r.Package, r.Party),
    r.Line: (r.Upkeep, r.Stream),
    r.Source: (r.Line,),
    r.Risk: (r.Assumption, r.OpenQuestion),
}
#: A table of the draft is of one of these where so many of its rows, and at least so many, are rows of it.
_MOST_FOUND, _LEAST_ROWS = 0.6, 3
#: Amounts are asked for from this share of the whole on, and no more than these.
_WORTH, _MOST_AMOUNTS = 0.05, 12
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
#: What follows an amount that shows its own computation: "GBP 1,630,000 (640,000 + 6 x 165,000)".
_SHOWN = re.compile(r"[^(),;:.\n]{0,60}\([^()]*\d\s?(?:[+x×*/]|\s[−–-])\s?\(?\d")
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


def missing(draft: str, spine: Spine) -> Missing:
    """Return the rows of tables and the amounts in the prose of *draft* that no row of *spine* has.

    A table counts where most of its rows are rows of one table of *spine* that is asked for: those of it that are no
    row of any kind are missing. Other tables (options, hours, cash by month) explain the plan. A row is there where a
    row of the spine shares most of its words, its label, or its numbers and some words; rows without words or values
    (months, sums) are skipped. An amount is there within 1%, as a field, as a sum or in a table of *draft*. One of
    which its sentence has the parts follows from others; less than 5% of the whole is a detail.
    """
    language = guess_language(draft)
    entries = _entries(spine, language)
    rows = list(draft_rows(draft))
    tables = (list(each) for _, each in groupby(rows, lambda row: (row.heading, row.head)))
    absent = tuple(row for table in tables for row in _absent(table, entries, language))
    said = _numbers(" | ".join(cell for row in rows for cell in row.cells), language)
    prose = _TABLE_LINE.sub("", _FENCED.sub("", draft))
    return Missing(rows=absent, amounts=tuple(_missing_amounts(prose, spine, language, said)))


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
    if len(said) < _LEAST_ROWS or sum(kind in found for found in kinds) < _MOST_FOUND * len(said):
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


def _missing_amounts(prose: str, spine: Spine, language: str, tables: Iterable[float]) -> list[DraftAmount]:
    """Return the amounts of *prose* that are neither in *spine* nor among the numbers of *tables*."""
    values = [*_values(tuple(spine.rows())), *_values(spine.frame)]
    texts = "\n".join(value for value in values if isinstance(value, str))
    written = (value for amount in find_amounts(texts, language) for value in (amount.low, amount.high))
    known = sorted({*tables, *_amounts(spine, values), *written})
    least = _WORTH * max(spine.frame.budget, sum(line.amount for line in spine.lines))
    places = list(sentences(prose))
    found: dict[tuple[float, float], DraftAmount] = {}
    explained: set[tuple[float, float]] = set()
    for amount in find_amounts(prose, language):
        key = (amount.low, amount.high)
        if amount.high < least or _near(known, *key):
            continue
        text = next((prose[first:last] for first, last in places if first <= amount.start < last), "")
        shown = "=" in prose[max(0, amount.start - 6) : amount.start] or _SHOWN.match(prose, amount.end)
        if shown or _of_two(amount.high, text, language, known):
            explained.add(key)
        found.setdefault(key, DraftAmount(text=prose[amount.start : amount.end], sentence=" ".join(text.split())))
    absent = sorted((key for key in found if key not in explained), key=lambda key: -key[1])
    return [found[key] for key in absent[:_MOST_AMOUNTS]]


def _of_two(amount: float, text: str, language: str, known: list[float]) -> bool:
    """Return whether *amount* follows from two other numbers of *text*: as their sum, product or percentage, or as what
    is left of one that is *known*.
    """
    others = sorted({value for value in _numbers(text, language) if value not in (0, 1, amount)})
    for a, b in combinations(others, 2):
        left = b - a if _near(known, b, b) else 0
        if any(abs(result - amount) <= _ROUNDING * amount for result in (a + b, left, a * b, a * b / 100)):
            return True
    return False


def _near(amounts: list[float], low: float, high: float) -> bool:
    """Return whether one of *amounts*, in order, is between *low* and *high*, but for rounding."""
    at = bisect_left(amounts, low * (1 - _ROUNDING))
    return at < len(amounts) and amounts[at] <= high * (1 + _ROUNDING)


def _amounts(spine: Spine, values: list[Any]) -> Iterator[float]:
    """Yield the numbers of *spine* and the sums that a text may name: all, of a kind, package or role, of sources."""
    yield from (float(value) for value in values if isinstance(value, int | float))
    sums: dict[object, float] = {}
    for line in spine.lines:
        for key in ("lines", line.kind, line.package, line.role, *(() if line.kind in r.KEPT else ("cost",))):
            sums[key] = sums.get(key, 0) + line.amount
    yield from sums.values()
    yield sum(source.amount for source in spine.sources)
    yield from (
        stream.volume * price for stream in spine.streams for price in (stream.price, stream.price - stream.unit_cost)
    )
    yield abs(spine.frame.budget - sums.get("lines", 0))
