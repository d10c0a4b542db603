"""Figures of the base document that a row holds: ``{{P12.likely=8}}``, the name of the field and how it is printed."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache

from babel.numbers import get_group_symbol

from planloom.core.wording import day_text
from planloom.planes.strategic.compute.cash import sums_of
from planloom.planes.strategic.facts.amounts import find_amounts
from planloom.planes.strategic.facts.numbers import read_digits
from planloom.planes.strategic.facts.numbers_table import COMMA_DECIMAL
from planloom.planes.strategic.facts.spans import sentences
from planloom.planes.strategic.spine.figures import full_dates
from planloom.planes.strategic.spine.rows import Decision, Line
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.blocks import Block, cells_of, row_of
from planloom.planes.strategic.stages.labels import Labels

Value = float | date
Named = tuple[str, Value]

#: An id of a row as texts write it.
ID = re.compile(r"(?<![\w.-])[A-Z][1-9]\d{0,2}(?![\w-])")
_HINTED = re.compile(r"\{\{\s*([A-Za-z]\w*(?:\.\w+)?)\s*=\s*([^{}\n]*?)\s*\}\}")
_NUMBER = re.compile(
    r"(?<![\w.,])(?:\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?)(?![\w]|[.,]\d)"
)
_DIGIT = re.compile(r"\d")
_PERCENT = re.compile(r"\s?%")
_SPACES = str.maketrans(dict.fromkeys("\u00a0\u202f", " ") | {"’": "'"})
_GROUP = re.compile(r"\d([.,'’ \u00a0\u202f])\d{3}(?!\d)")
_NUMERIC = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})")
_OPTION = re.compile(r"\W*(?:D\d{1,3})?([A-Ea-e])\b")
#: A cell of figures has no more letters than these: a currency.
_MOST_LETTERS = 4
#: From here on, one number in two places is one thing.
TELLING = 1_000
_SUMS = {
    "cost": "cost", "contingency": "contingency", "reserve": "reserve", "total": "total_cost",
    "sources": "sources_total", "contingency_share": "contingency_share",
}  # fmt: skip


@dataclass(frozen=True)
class _Figure:
    """A number or a day in a text, with all that it can mean."""

    start: int
    end: int
    means: frozenset[Value]
    telling: bool


def figures_of(spine: Spine) -> dict[str, Value]:
    """Return the days and numbers of *spine* by the names that texts use; what is 0 or not known is left out."""
    found: dict[str, Value] = dict(_fields("frame", spine.frame))
    for row in spine.rows():
        found |= _fields(row.id, row)
        if isinstance(row, Line):
            found[f"{row.id}.amount"] = row.amount
        for option in row.options if isinstance(row, Decision) else ():
            found |= _fields(f"{row.id}.{option.key.lower()}_", option, "")
    return found | {_SUMS[name]: amount for name, amount in sums_of(spine).items() if name in _SUMS and amount}


def _fields(name: str, model: object, dot: str = ".") -> Iterator[Named]:
    for field in type(model).model_fields:  # type: ignore[attr-defined]
        value = getattr(model, field)
        if isinstance(value, date) or (isinstance(value, int | float) and not isinstance(value, bool) and value):
            yield f"{name}{dot}{field}", value


def anchored(blocks: Sequence[Block], spine: Spine, language: str) -> tuple[Block, ...]:
    """Return *blocks* with the name of each figure that equals one field of a row that its row or sentence names.

    In a table a row names itself by the id in its first cell, an option by its key below its decision.
    """
    values = figures_of(spine)
    of: dict[str, list[Named]] = {}
    for name, value in values.items():
        of.setdefault(name.partition(".")[0], []).append((name, value))
    sums = [(name, values[name]) for name in _SUMS.values() if name in values]
    whole = [*sums, *of.get("frame", ())]
    made = []
    decision = letter = ""
    for block in blocks:
        text = block.text
        if block.kind == "row":
            named = _named(block.cells[0], of)
            letter = named[0][0] if named else letter
            option = _OPTION.match(block.cells[0])
            own = [each for id_ in named[:1] for each in of[id_] if "_" not in each[0] or id_[0] != "D"]
            if not named and decision and option:
                key = f"{decision}.{option[1].lower()}_"
                own = [each for each in of[decision] if each[0].startswith(key)]
            elif not named and letter in ("L", "F"):
                own = sums
            first, *rest = block.cells
            text = row_of([first, *_in_cells(rest, own, language)]) if own else text
        elif block.kind != "head":
            letter = ""
            named = _named(text, of)
            decision = next((id_ for id_ in named if id_[0] == "D"), decision if block.kind != "heading" else "")
            text = _in_prose(text, of, whole, language)
        made.append(replace(block, text=text))
    return tuple(made)


def _named(text: str, of: Mapping[str, object]) -> list[str]:
    return [found for found in ID.findall(text) if found in of]


def _in_cells(cells: Sequence[str], own: Sequence[Named], language: str) -> list[str]:
    line = row_of(cells)
    figures = [each for each in _figures(line, language) if each.telling or _alone(line, each)]
    return list(cells_of(_with_names(line, figures, own, ordered=True)))


def _alone(line: str, figure: _Figure) -> bool:
    """Return whether the cell of *figure* has nothing but figures."""
    start = line.rfind(" | ", 0, figure.start) + 1
    end = line.find(" | ", figure.end)
    cell = line[start : end if end >= 0 else None]
    return sum(c.isalpha() for c in cell) <= _MOST_LETTERS and not ID.search(cell)


def _in_prose(text: str, of: Mapping[str, list[Named]], whole: Sequence[Named], language: str) -> str:
    spans = sentences(text)
    for start, end in reversed(spans):
        sentence = text[start:end]
        own = [each for id_ in dict.fromkeys(_named(sentence, of)) for each in of[id_]]
        telling = [figure for figure in _figures(sentence, language) if figure.telling]
        text = text[:start] + _with_names(sentence, telling, [*own, *whole], ordered=False) + text[end:]
    return text


def _with_names(text: str, figures: Sequence[_Figure], own: Sequence[Named], *, ordered: bool) -> str:
    """Return *text* with the names of those *figures* that *own* decides.

    *ordered*: as many equal figures as there are fields with their value have the names of these, in order.
    """
    found: dict[_Figure, str] = {}
    for value in dict.fromkeys(value for _, value in own):
        names = [name for name, each in own if _same(each, value)]
        places = [figure for figure in figures if any(_same(value, each) for each in figure.means)]
        large = isinstance(value, date) or value >= TELLING
        if len(names) == 1 and (len(places) == 1 or large):
            found |= dict.fromkeys(places, names[0])
        elif ordered and len(names) == len(places):
            found |= dict(zip(places, names, strict=True))
    for figure in sorted(found, key=lambda each: -each.start):
        hint = text[figure.start : figure.end]
        text = f"{text[: figure.start]}{{{{{found[figure]}={hint}}}}}{text[figure.end :]}"
    return text


@lru_cache(maxsize=20_000)
def _figures(text: str, language: str) -> tuple[_Figure, ...]:
    """Return the full days, and the numbers outside of dates; amounts of money, shares and days are telling."""
    return tuple(_found(text, language)) if _DIGIT.search(text) else ()


def _found(text: str, language: str) -> Iterator[_Figure]:
    days = full_dates(text, language)
    for day in days:
        if day.earliest == day.latest:
            yield _Figure(day.start, day.end, frozenset({day.earliest}), telling=True)
    amounts = find_amounts(text, language)
    for found in _NUMBER.finditer(text):
        start, end = found.span()
        if any(day.start < end and start < day.end for day in days):
            continue
        percent = _PERCENT.match(text, end)
        money = any(amount.start <= start and end <= amount.end for amount in amounts)
        means = _readings(found[0], language, 0.01 if percent else 1)
        if means:
            yield _Figure(start, percent.end() if percent else end, means, telling=bool(percent) or money)


def _readings(written: str, language: str, scale: float = 1) -> frozenset[float]:
    read = read_digits(written.translate(_SPACES), "," if language in COMMA_DECIMAL else ".")
    return frozenset(round(each * scale, 6) for each in read if each is not None) if read else frozenset()


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, date) or isinstance(other, date):
        return one == other
    return abs(one - other) < 0.005 * (0.01 if abs(one) < 1 else 1)


def put_in(text: str, values: Mapping[str, Value], language: str) -> tuple[str, tuple[str, ...]]:
    """Return *text* with each ``{{name=as printed}}`` as it is now, in the form that it is printed in.

    Names without a value leave what is printed, and are returned too.
    """
    gone: list[str] = []

    def now(found: re.Match[str]) -> str:
        name, hint = found.groups()
        if name not in values:
            gone.append(name)
            return hint
        return _printed(hint, values[name], language)

    return _HINTED.sub(now, text), tuple(dict.fromkeys(gone))


def at_present(text: str, values: Mapping[str, Value], language: str) -> str:
    """Return *text* with what is printed for each name put right, the names still in it."""

    def now(found: re.Match[str]) -> str:
        name, hint = found.groups()
        value = values.get(name)
        return f"{{{{{name}={hint if value is None else _printed(hint, value, language)}}}}}"

    return _HINTED.sub(now, text)


def names_alone(text: str) -> str:
    """Return *text* with names as a writer writes them: ``{{P12.likely}}``."""
    return _HINTED.sub(r"{{\1}}", text)


def hint(name: str, text: str) -> str:
    """Return the name of a figure with how it is printed."""
    return f"{{{{{name}={text}}}}}"


def _printed(hint: str, value: Value, language: str) -> str:
    """Return *value* in the form of *hint*; *hint* itself where it says the same."""
    means = {value for figure in _figures(hint, language) for value in figure.means}
    if any(_same(value, each) for each in means):
        return hint
    if isinstance(value, date):
        return _day(hint, value, language)
    percent = _PERCENT.search(hint)
    return f"{_number(hint, value * 100 if percent else value, language)}{percent[0] if percent else ''}"


def _day(hint: str, day: date, language: str) -> str:
    if re.fullmatch(r"\d{4}-\d\d-\d\d", hint):
        return day.isoformat()
    if found := _NUMERIC.fullmatch(hint):
        width = max(len(found[1]), len(found[3])) if "0" in (found[1][0], found[3][0]) else 1
        month_first = int(found[3]) > 12
        parts = (day.month, day.day) if month_first else (day.day, day.month)
        return found[2].join([*(f"{part:0{width}}" for part in parts), str(day.year)])
    return Labels(language).value(day_text(day))


def _number(hint: str, value: float, language: str) -> str:
    digits = _NUMBER.search(hint)
    group = _GROUP.search(digits[0]) if digits else None
    between = group[1] if group else "" if digits and len(digits[0]) >= len(str(TELLING)) else _group(language)
    decimal = "," if language in COMMA_DECIMAL else "."
    if between == decimal:
        decimal = "." if decimal == "," else ","
    text = f"{round(value, 2):,.12g}"
    return "".join({",": between, ".": decimal}.get(c, c) for c in text)


@cache
def _group(language: str) -> str:
    try:
        return get_group_symbol(language.replace("-", "_"))
    except (LookupError, ValueError):
        return ","


def old_values(before: Mapping[str, Value], now: Mapping[str, Value]) -> dict[str, tuple[Value, Value | None]]:
    """Return the figures of *before* that have another value *now*, or none, by name: days and large numbers."""
    return {
        name: (value, now.get(name))
        for name, value in before.items()
        if (isinstance(value, date) or value >= TELLING) and (name not in now or not _same(value, now[name]))
    }


def stating(text: str, old: Iterable[tuple[str, Value]], language: str) -> Iterator[tuple[str, list[str]]]:
    """Yield what *text* prints outside names that is a value of *old*, and the names of those."""
    bare = _HINTED.sub(" ", text)
    old = list(old)
    for figure in _figures(bare, language):
        if names := [name for name, value in old if any(_same(value, each) for each in figure.means)]:
            yield bare[figure.start : figure.end], names


def shares_in(text: str, language: str) -> list[float]:
    """Return the shares that *text* states outside names, 0 to 1."""
    bare = _HINTED.sub(" ", text)
    found = (each for each in _figures(bare, language) if bare[each.end - 1] == "%")
    return [value for figure in found for value in figure.means if not isinstance(value, date)]


def amount_in(cell: str, language: str) -> float | None:
    """Return the number of a cell that holds one and nothing else of its kind; None for other cells."""
    figures = [each for each in _figures(cell, language) if not any(isinstance(v, date) for v in each.means)]
    if len(figures) != 1 or sum(c.isalpha() for c in cell) > _MOST_LETTERS or "%" in cell:
        return None
    return max(value for value in figures[0].means if not isinstance(value, date))
