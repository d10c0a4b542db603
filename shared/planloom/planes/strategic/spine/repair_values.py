"""Bring the values of a spine within their bounds: numbers, days, texts, spreads, options."""

import math
import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Any, TypeVar

from annotated_types import MaxLen
from pydantic import BaseModel

from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.fields import SPREADS
from planloom.planes.strategic.spine.references import mapped
from planloom.planes.strategic.spine.spine import Spine

Notes = list[str]
Span = tuple[date, date]
ModelT = TypeVar("ModelT", bound=BaseModel)

_MOST = 1e13
#: The bound of a text in a list of texts without one.
_MOST_ITEM = 300
_SHORTEST = 0.5
_SENTENCE = re.compile(r"[.!?](?=\s|\Z)|[。！？]")


def sane(spine: Spine, span: Span, today: date, notes: Notes) -> Spine:
    """Return *spine* with each value within its bounds; days outside *span* become None, the start *today*."""
    frame = _bounded(spine.frame, span)
    start = frame.start or today
    code = frame.currency.upper()
    changes: dict[str, Any] = {
        "start": start,
        "end": frame.end if frame.end and frame.end > start else None,
        "currency": code if re.fullmatch("[A-Z]{3}", code) else "",
    }
    frame = frame.model_copy(update={k: v for k, v in changes.items() if getattr(frame, k) != v})
    notes.extend(_notes("frame", spine.frame, frame))

    def change(row: r.Row) -> r.Row:
        found = _of_kind(_bounded(_paired(row, span), span))
        notes.extend(_notes(row.id, row, found))
        return found

    spine = mapped(spine, change)
    return spine if frame == spine.frame else spine.model_copy(update={"frame": frame})


def clipped(text: str, limit: int) -> str:
    """Return *text* in at most *limit* characters, ended at a sentence where half of it remains, else at a word."""
    text = text.strip()
    if len(text) <= limit:
        return text
    ends = [m.end() for m in _SENTENCE.finditer(text[: limit + 1]) if m.end() <= limit]
    if ends and ends[-1] >= limit / 2:
        return text[: ends[-1]]
    cut, _, last = text[: limit - 1].rpartition(" ")
    return f"{cut or last}…".strip() if limit > 1 else text[:limit]


@cache
def most_characters(kind: type[BaseModel], field: str) -> int:
    """Return the bound on the length of a text or list; of texts in a list without one, a usual bound."""
    bounds = [m.max_length for m in kind.model_fields[field].metadata if isinstance(m, MaxLen)]
    return bounds[0] if bounds else _MOST_ITEM


def shortened(kind: type[BaseModel], field: str, items: list[Any], where: str, notes: Notes) -> list[Any]:
    """Return as many of *items* as *field* can have; those that are left out are noted."""
    most = most_characters(kind, field)
    if len(items) > most:
        notes.append(f"{where}: {field} has the first {most} of {len(items)} items.")
    return items[:most]


def _bounded(model: ModelT, span: Span) -> ModelT:
    changes: dict[str, Any] = {}
    for field in type(model).model_fields:
        old = getattr(model, field)
        new = _value(old, most_characters(type(model), field), span)
        if new is not old and new != old:
            changes[field] = new
    return model.model_copy(update=changes) if changes else model


def _paired(row: r.Row, span: Span) -> r.Row:
    """Return a line with its days in order and each with its own share; those of one day are added up."""
    if not isinstance(row, r.Line) or len(row.shares) != len(row.days):
        return row
    parts: dict[date, float] = {}
    for day, share in sorted(zip(row.days, row.shares, strict=True)):
        if span[0] <= day <= span[1]:
            parts[day] = parts.get(day, 0) + share
    changes = {"days": [*parts], "shares": [*parts.values()]}
    return row if row.days == changes["days"] else row.model_copy(update=changes)


def _value(value: Any, limit: int, span: Span) -> Any:
    if isinstance(value, str):
        return value if len(value) <= limit else clipped(value, limit)
    if isinstance(value, float):
        return max(-_MOST, min(value, _MOST)) if math.isfinite(value) else 0.0
    if isinstance(value, date):
        return value if span[0] <= value <= span[1] else None
    if isinstance(value, list):
        kept = [new for item in value if (new := _value(item, _MOST_ITEM, span)) is not None]
        return sorted(set(kept)) if kept and isinstance(kept[0], date) else kept
    return _bounded(value, span) if isinstance(value, BaseModel) else value


def _of_kind(row: r.Row) -> r.Row:
    changes: dict[str, Any] = {}
    first, last = getattr(row, "first", None), getattr(row, "last", None)
    if first and last and last < first:
        changes["last"] = None
    if isinstance(row, r.Package):
        changes["fixed"] = row.fixed and row.not_before is not None
        row = row.model_copy(update={"likely": max(row.likely, _SHORTEST)}) if row.likely < _SHORTEST else row
    for fields in SPREADS.get(type(row), ()):
        changes |= zip(fields, _spread(*(getattr(row, field) for field in fields)), strict=True)
    if isinstance(row, r.Decision):
        changes |= _options(row)
    changes = {k: v for k, v in changes.items() if getattr(row, k) != v}
    return row.model_copy(update=changes) if changes else row


def _spread(low: float, likely: float, high: float) -> tuple[float, float, float]:
    """Return the three in order. If low and high are equal and below likely, they have their default values."""
    if low == high < likely:
        return likely, likely, likely
    if low <= likely:
        return low, likely, max(likely, high)
    least, middle, most = sorted((low, likely, high))
    return least, middle, most


def _options(row: r.Decision) -> dict[str, Any]:
    taken: dict[str, r.Option] = {}
    free = iter("ABCDEFGHIJ")
    written = {option.key.upper()[:2] for option in row.options}
    for option in row.options:
        key = option.key.upper()[:2]
        if not key or key in taken:
            key = next(letter for letter in free if letter not in taken and letter not in written)
        taken[key] = option if option.key == key else option.model_copy(update={"key": key})
    recommended = row.recommended.upper()[:2]
    return {"options": [*taken.values()], "recommended": recommended if recommended in taken else ""}


def _notes(where: str, before: BaseModel, after: BaseModel) -> Iterator[str]:
    if before is after:
        return
    for field in type(before).model_fields:
        old, new = getattr(before, field), getattr(after, field)
        if old != new and not _same_but_for_case(old, new):
            yield f"{where}: {field} is {_shown(new)} now, it was {_shown(old)}."


def _same_but_for_case(old: Any, new: Any) -> bool:
    """Return whether the change is not worth a note: a key is written in capitals."""
    return str(old).casefold() == str(new).casefold()


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return clipped(str(value), 60) if value or value == 0 else "empty"
