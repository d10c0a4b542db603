"""Find what a draft has and its spine lacks: rows of tables, and amounts and dates in prose."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import reduce
from itertools import groupby
from typing import Any, Literal

from pydantic import BaseModel

from planloom.core.frozen import Frozen
from planloom.planes.strategic.facts.amounts import find_amounts
from planloom.planes.strategic.facts.language import guess_language
from planloom.planes.strategic.facts.numbers import find_numbers
from planloom.planes.strategic.facts.spans import sentences
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.fields import title, words
from planloom.planes.strategic.spine.figures import full_dates
from planloom.planes.strategic.spine.references import references
from planloom.planes.strategic.spine.spine import Spine


class DraftRow(Frozen):
    """A data row of a table of the draft, under its last heading, with the head of its table."""

    heading: str
    head: tuple[str, ...]
    cells: tuple[str, ...]


class DraftFigure(Frozen):
    """An amount of money or a full date in the prose of the draft, as written, in its sentence."""

    kind: Literal["amount", "date"]
    text: str
    sentence: str


class Missing(Frozen):
    """What the spine lacks, in the order of the draft."""

    rows: tuple[DraftRow, ...] = ()
    figures: tuple[DraftFigure, ...] = ()


_ENOUGH = 0.6
_LABEL = 0.75
#: The relative difference up to which an amount equals that of a field: texts round.
_ROUNDING = 0.01
#: The number of letters that two forms of a word share.
_STEM = 5
_LEAST_WORD = 3
#: From here on, a number is seldom that of two rows, unless it is a year; more than two equal ones seldom are either.
_TELLING = 1_000
_YEARS = range(1900, 2101)
_FEW = 2
#: From here on, letters of a script without spaces.
_IDEOGRAPHS = "\u2e80"
_TABLE_LINE = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
#: An amount with the sum that it follows from, in brackets: "GBP 1,630,000 (640,000 + 6 x 165,000)".
_SUM = re.compile(
    r"(?:[A-Z]{3}\s|[€£$¥]\s?)?\d[\d.,]*(?<=\d)[^(),;:.\n]{0,60}\([^()]*\d\s?(?:[+x×*/]|\s[−–-])\s?\(?[\d][^()]*\)"
)
#: The mark of a value that was computed, in the languages of goals: it follows from others.
_COMPUTED = re.compile(
    r"\([^()]*?(?<!\w)(?:comput|calcul|berechn|errechn|bereken|beräkn|beregn|udregn|laske|oblicz|wylicz|vypočt|рассчит"
    r"|вычисл|розрахо|обчисл|hesapla|dihitung|υπολογ|számí|tính)|\([^()]*?(?:计算|計算|계산|محسوب|מחושב)",
    re.IGNORECASE,
)
_ID = re.compile(r"\b[A-Z]\d{1,3}\b")
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
_SUMS = frozenset(
    {"total", "totals", "subtotal", "sum", "summe", "gesamt", "totaal", "totale", "somme", "suma", "toplam"}
)
_EMPTY = frozenset(word[:_STEM] for word in _UNITS.split())


@dataclass(frozen=True, slots=True)
class _Entry:
    """The parts of a row that are compared: stems of all its words and of its title, and its numbers."""

    stems: frozenset[str]
    label: frozenset[str]
    numbers: frozenset[float]


def missing(draft: str, spine: Spine) -> Missing:
    """Return the rows of Markdown tables and the figures in the prose of *draft* that no row of *spine* has.

    A row is there where a row of the spine shares most of its words, its label, or its numbers and some words; rows
    without words or values (months, sums) are skipped. An amount is there within 1%, as a field or as a sum. One that
    its sentence marks as computed, adds up, or says of a row of *spine* follows from rows: it is not missing.
    """
    language = guess_language(draft)
    entries = _entries(spine, language)
    rows = tuple(row for row in draft_rows(draft) if not _is_there(row, entries, language))
    return Missing(rows=rows, figures=tuple(_figures(_prose(draft), spine, language)))


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


def _is_there(row: DraftRow, entries: list[_Entry], language: str) -> bool:
    parts = [found for cell in row.cells if (found := _stems(cell))]
    begin = next((said for cell in row.cells if (said := words(cell))), [])
    if not parts or not _SUMS.isdisjoint(begin[:2]):
        return True
    # a short cell before the label is a number or a state of the row
    label = max(parts[:2], key=len)
    whole = frozenset().union(*parts)
    numbers = _numbers(" | ".join(row.cells), language)
    if len(whole) == 1 and not numbers:
        return True
    return any(_matches(whole, label, numbers, entry) for entry in entries)


def _matches(whole: frozenset[str], label: frozenset[str], numbers: frozenset[float], entry: _Entry) -> bool:
    shared = len(whole & entry.stems)
    if shared >= _ENOUGH * len(whole) or _covers(label, entry):
        return True
    telling = {number for number in numbers if number >= _TELLING and number not in _YEARS}
    if shared and telling and telling <= entry.numbers:
        return True
    # one word and its value describe the whole plan, in other words: Start, 4 May 2027
    enough = len(whole) == 1 or len(numbers) + bool(shared) > _FEW
    return enough and numbers <= entry.numbers


def _covers(label: frozenset[str], entry: _Entry) -> bool:
    """Return whether the label of a row is in one of the spine, or the title of that is in it; one word is no label."""
    if len(label) > 1 and len(label & entry.stems) >= _LABEL * len(label):
        return True
    common = len(label & entry.label)
    return common >= _LABEL * len(entry.label) and common >= min(2, len(label)) and common > 0


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
    text = _SLASH.sub(" ; ", text)
    return frozenset(value for found in find_numbers(text, language) for value in (found.low, found.high))


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
    return _Entry(_stems(texts), _stems(label), _numbers(texts, language) | numbers | days)


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


def _prose(draft: str) -> str:
    """Return *draft* with its tables, its code and its sums blank: what a sum gives follows from other figures."""
    bare = reduce(lambda text, pattern: pattern.sub("\n", text), (_FENCED, _TABLE_LINE), draft)
    return _SUM.sub(" ", bare)


def _figures(prose: str, spine: Spine, language: str) -> Iterator[DraftFigure]:
    values = [*_values(tuple(spine.rows())), *_values(spine.frame)]
    texts = "\n".join(value for value in values if isinstance(value, str))
    amounts = sorted({*_amounts(spine, values), *(v for a in find_amounts(texts, language) for v in (a.low, a.high))})
    days = {value for value in values if isinstance(value, date)}
    days |= {day for found in full_dates(texts, language) for day in (found.earliest, found.latest)}
    places = sentences(prose)
    figures: dict[tuple[str, object], tuple[int, int]] = {}
    ids = spine.by_id().keys()
    explained: set[tuple[str, object]] = set()
    for (first, last), group in groupby(find_amounts(prose, language), lambda a: _sentence(a.start, a.end, places)):
        said, text = [*group], prose[first:last]
        rests = bool(_COMPUTED.search(text)) or not ids.isdisjoint(_ID.findall(text))
        derived = _added_up([amount.high for amount in said], amounts)
        for amount in said:
            if not _near(amounts, amount.low, amount.high):
                key = ("amount", (amount.low, amount.high))
                figures.setdefault(key, (amount.start, amount.end))
                explained |= {key} if rests or amount.high in derived else set()
    figures = {key: span for key, span in figures.items() if key not in explained}
    for found in full_dates(prose, language):
        if not any(found.earliest <= day <= found.latest for day in days):
            figures.setdefault(("date", (found.earliest, found.latest)), (found.start, found.end))
    for (kind, _), (start, end) in sorted(figures.items(), key=lambda item: item[1]):
        first, last = _sentence(start, end, places)
        sentence = " ".join(prose[first:last].split())
        yield DraftFigure(kind="amount" if kind == "amount" else "date", text=prose[start:end], sentence=sentence)


def _sentence(start: int, end: int, places: Iterable[tuple[int, int]]) -> tuple[int, int]:
    return next((each for each in places if each[0] <= start < each[1]), (start, end))


def _near(amounts: list[float], low: float, high: float) -> bool:
    """Return whether one of *amounts*, in order, is between *low* and *high*, but for rounding."""
    at = bisect_left(amounts, low * (1 - _ROUNDING))
    return at < len(amounts) and amounts[at] <= high * (1 + _ROUNDING)


def _added_up(said: list[float], amounts: list[float]) -> set[float]:
    """Return which of the amounts that a sentence says are the sum of the others, or the parts of a sum of rows."""
    whole = max(said)
    parts = [amount for amount in said if amount != whole]
    if len(parts) < 2 or not _near([sum(parts)], whole, whole):
        return set()
    return {*said} if _near(amounts, whole, whole) else {whole}


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
