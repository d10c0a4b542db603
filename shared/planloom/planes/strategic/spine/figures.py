"""Figures of a text by id: ``{{P12.end}}`` is replaced by its value, and figures typed by hand are found."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from difflib import get_close_matches
from functools import lru_cache

from pydantic import BaseModel

from planloom.core.frozen import Frozen
from planloom.planes.strategic.facts.amounts import find_amounts
from planloom.planes.strategic.facts.dates import DateReading, find_dates
from planloom.planes.strategic.facts.language import guess_language
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.fields import number_text, title, unit, value_text
from planloom.planes.strategic.spine.references import REFERENCES
from planloom.planes.strategic.spine.spine import TABLES, Spine

_FIGURE = re.compile(r"\{\{?\s*([A-Za-z]\w*)\s*(?:\.\s*([A-Za-z_0-9]+)\s*)?\}\}?")
_BRACED = re.compile(r"\{[^{}\n]*\}")
_BRACES = str.maketrans("", "", "{}")
#: What a model adds to the name of a field: end_date.
_ENDING = re.compile(r"_(?:date|day|value|text|amount)\Z")
#: What looks like the id of a row; percentiles and quarters of a year do as well.
_ROW = re.compile(rf"(?<![\w.-])[{''.join(letter for letter, _ in TABLES.values())}][1-9]\d{{0,2}}(?![\w.-]*\w)")
_NO_ROWS = frozenset({"P10", "P50", "P80", "P90", "Q1", "Q2", "Q3", "Q4"})
_UNKNOWN = "(not known)"
#: A bracket of words later in the sentence or cell: (assumed), a month (to verify with the harbour office); with
#: numbers only behind a colon or the like: (computed: 12 x {{L3.rate}}).
_MARK = r"(?:[^.!?|\n]|[.,]\d)*?\([^\W\d](?:[^()\d\n]{2,80}|[^()\n]{2,80}[:;=][^()\n]{1,160})\)"
_NEAR = 0.75
#: Only years that are written out count as typed; a day without one is read in this year and dropped.
_ANY_DAY = date(2000, 1, 1)
#: Days; a period from here on is a month or a season.
_SHORT_PERIOD = 27


class Rendered(Frozen):
    """A text with its figures. *unknown* are the names that no value has, as written; *used* the keys of *values*."""

    text: str
    unknown: tuple[str, ...] = ()
    used: tuple[str, ...] = ()


def render(text: str, values: Mapping[str, str]) -> Rendered:
    """Return *text* with each ``{{name}}`` replaced by its value; an id alone is its title.

    A name without a value takes that of the nearest field of the same row, else the title of the row, else "(not
    known)"; it is listed as unknown. No braces are left. A currency or unit that the text repeats beside the value is
    written once.
    """
    names = {key.casefold(): key for key in values}
    unknown: list[str] = []
    used: list[str] = []
    parts: list[str] = []
    at = 0
    for match in _FIGURE.finditer(text):
        name = f"{match[1]}.{match[2]}" if match[2] else match[1]
        key = _exact(name, names)
        if key is None:
            unknown.append(name)
            key = _nearest(name, names)
        used += [key] if key else []
        parts.append(text[at : match.start()])
        at = match.end()
        value = values[key] if key else _UNKNOWN
        at += _repeated(value, text[at:])
        parts.append(_without_currency(value, "".join(parts[-1:])))
    whole = "".join([*parts, text[at:]])
    return Rendered(text=whole.translate(_BRACES), unknown=_once(unknown), used=_once(used))


def _exact(name: str, names: Mapping[str, str]) -> str | None:
    folded = name.casefold()
    for each in (folded, f"{folded}.title", _ENDING.sub("", folded) if "." in folded else folded):
        if each in names:
            return names[each]
    return None


def _nearest(name: str, names: Mapping[str, str]) -> str | None:
    row, _, field = name.casefold().partition(".")
    if not field:
        near = get_close_matches(row, [each for each in names if "." not in each], 1, _NEAR)
        return names[near[0]] if near else None
    fields = {each.partition(".")[2]: each for each in names if each.startswith(f"{row}.")}
    near = get_close_matches(field, fields, 1, _NEAR)
    return names[fields[near[0]]] if near else names.get(f"{row}.title")


def _repeated(value: str, after: str) -> int:
    """Return how many characters of *after* repeat the end of *value*: 12 working days [working days]."""
    tail = value.partition(" ")[2]
    for end in (tail, value[:3] if value[:3].isupper() else ""):
        found = re.match(rf"\s+{re.escape(end)}(?!\w)", after) if end else None
        if found:
            return found.end()
    return 0


def _without_currency(value: str, before: str) -> str:
    code, _, number = value.partition(" ")
    return number if re.fullmatch("[A-Z]{3}", code) and number and before.rstrip().endswith(code) else value


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def typed_by_hand(text: str, allowed: Iterable[str]) -> tuple[str, ...]:
    """Return the amounts of money and full dates of *text* outside braces that are not among *allowed*, as written.

    Both are compared by what they mean: ``12.400 €`` is ``EUR 12,400``. Those that are :func:`marked` are left out.
    """
    bare = without_figures(text)
    known = _meanings("\n".join(allowed))
    found = (written for written, meaning in stated(bare, guess_language(bare)) if meaning not in known)
    return _once(written for written in found if not marked(bare, written))


def old_values(before: Mapping[str, str], now: Mapping[str, str]) -> dict[object, list[str]]:
    """Return the names whose value in *before* no name has in *now*, by what that value means."""
    present = _meanings("\n".join(now.values()))
    found: dict[object, list[str]] = {}
    for name, value in before.items():
        if value != now.get(name):
            for _, meaning in stated(value, "en"):
                if meaning not in present:
                    found.setdefault(meaning, []).append(name)
    return found


def without_figures(text: str) -> str:
    """Return *text* with blanks for what is in braces."""
    return _BRACED.sub(lambda m: " " * len(m.group()), text)


def unknown_rows(text: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the ids outside braces in *text* that look like those of rows, and are not among *known*."""
    found = _ROW.findall(without_figures(text))
    return _once(name for name in found if name not in known and name not in _NO_ROWS)


def marked(text: str, written: str) -> bool:
    """Return whether a bracket later in its sentence says where the figure *written* is from: ``EUR 40 (assumed)``."""
    return re.search(rf"{re.escape(written)}{_MARK}", text) is not None


@lru_cache(maxsize=4)
def _meanings(text: str) -> frozenset[object]:
    # of one long text: every chapter of a plan may state the same figures
    return frozenset(meaning for _, meaning in stated(text, "en"))


def stated(text: str, language: str) -> Iterator[tuple[str, object]]:
    """Yield the amounts and full dates of *text*: as written, and what they mean; ranges and periods by their ends."""
    for amount in find_amounts(text, language):
        for value in dict.fromkeys((amount.low, amount.high)):
            yield text[amount.start : amount.end], (round(value, 2), amount.currency)
    for day in full_dates(text, language):
        for each in dict.fromkeys((day.earliest, day.latest)):
            yield text[day.start : day.end], each


def full_dates(text: str, language: str) -> tuple[DateReading, ...]:
    """Return the dates of *text* with day and year that can be read in one way only; periods of days among them."""
    found = (day for day in find_dates(text, language, _ANY_DAY) if not (day.weak or day.yearless or day.ambiguous))
    return tuple(day for day in found if (day.latest - day.earliest).days < _SHORT_PERIOD)


def spine_values(spine: Spine) -> dict[str, str]:
    """Return what texts can refer to: ``P12.title``, ``P12.likely``, ``L3.amount``, ``D1.a_cost``, ``frame.end``.

    Values are formatted for readers: ``EUR 12,400``, ``4 May 2027``, ``12 working days``; references are titles.
    Fields without a value are left out.
    """
    currency, named = spine.frame.currency, spine.by_id()
    values = dict(_fields("frame", spine.frame, currency, named))
    for row in spine.rows():
        values |= _fields(row.id, row, currency, named)
        values |= {f"{row.id}.title": title(row), f"{row.id}.name": title(row)}
        if isinstance(row, r.Line):
            values[f"{row.id}.amount"] = number_text(row.amount, "money", currency)
        for option in row.options if isinstance(row, r.Decision) else ():
            parts = dict(_fields("", option, currency, named))
            values |= {f"{row.id}.{option.key.lower()}_{field[1:]}": text for field, text in parts.items()}
    return values


def _fields(name: str, model: BaseModel, currency: str, named: Mapping[str, r.Row]) -> Iterator[tuple[str, str]]:
    paths = REFERENCES.get(type(model), {})
    for field in type(model).model_fields:
        value = getattr(model, field)
        # no days and no budget are unknown ones; costs and odds can be none
        nothing = value in (None, "") or (
            value == 0 and (field == "budget" or unit(model, field) not in ("money", "share"))
        )
        if field == "id" or isinstance(value, list) or (nothing and value is not False):
            continue
        reference = field in paths and value in named
        yield f"{name}.{field}", title(named[value]) if reference else value_text(model, field, currency)
