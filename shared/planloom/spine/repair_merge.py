"""Merge the rows of a spine that state the same."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import partial
from typing import Any, get_origin

from planloom.spine import rows as r
from planloom.spine.fields import title, title_field, words
from planloom.spine.references import REFERENCES, mapped, redirected
from planloom.spine.repair_cycles import reaches
from planloom.spine.repair_values import Notes, most_characters
from planloom.spine.spine import TABLES, Spine

_NEAR = 0.92
_NEAR_WORD = 0.8
_LEAST_START = 4


def merged(spine: Spine, notes: Notes) -> Spine:
    """Return *spine* with each row once; references to a row that was merged name the row that it is part of."""
    while moved := _twins(spine):
        rows = spine.by_id()
        kept: dict[str, r.Row] = {}
        for gone, stays in moved.items():
            kept[stays] = _filled(kept.get(stays, rows[stays]), rows[gone])
            notes.append(
                f"{stays} and {gone} stated the same ({title(rows[stays])[:60]}); {gone} is part of {stays} now."
            )
        tables: dict[str, Any] = {
            name: tuple(kept.get(row.id, row) for row in getattr(spine, name) if row.id not in moved) for name in TABLES
        }
        spine = mapped(spine.model_copy(update=tables), partial(_moved, moved))
    return spine


def _twins(spine: Spine) -> dict[str, str]:
    """Return, for each row to be merged, the first row that states the same."""
    moved: dict[str, str] = {}
    for name in TABLES:
        seen: dict[object, str] = {}
        for row in getattr(spine, name):
            first = seen.setdefault(_key(row), row.id)
            if first != row.id:
                moved[row.id] = first
    for first, second in _near(tuple(p for p in spine.packages if p.id not in moved)):
        if first not in moved and second not in moved:
            moved[second] = first
    return moved


def _key(row: r.Row) -> object:
    """Return the title and the values that make a row; not its remarks, nor where they come from."""
    main = [title_field(type(row)), *(("cause",) if isinstance(row, r.Risk) else ())]
    parts: list[object] = [tuple(words(getattr(row, field))) or getattr(row, field) for field in main]
    for field, info in type(row).model_fields.items():
        remark = info.annotation is str and field not in REFERENCES.get(type(row), {})
        if field not in ("id", "basis", *main) and not remark:
            parts.append(repr(getattr(row, field)))
    return tuple(parts)


def _near(packages: tuple[r.Package, ...]) -> Iterator[tuple[str, str]]:
    """Yield pairs of packages of one owner and deliverable that have the same title but for its endings."""
    named = [(p, sorted(words(p.title))) for p in packages]
    for at, (first, mine) in enumerate(named):
        for second, other in named[at + 1 :]:
            if len(mine) == len(other) and _same(first, second) and _alike(mine, other):
                close = SequenceMatcher(None, " ".join(mine), " ".join(other), autojunk=False).ratio() >= _NEAR
                if close and not _linked(packages, first.id, second.id):
                    yield first.id, second.id


def _same(first: r.Package, second: r.Package) -> bool:
    fields = ("owner", "deliverable", "not_before", "fixed")
    return all(getattr(first, field) == getattr(second, field) for field in fields)


def _alike(mine: list[str], other: list[str]) -> bool:
    """Return whether each word has one that differs at most in its ending: lot 1 and lot 2, north and south do not."""
    return all(a == b or _inflected(a, b) for a, b in zip(mine, other, strict=True))


def _inflected(a: str, b: str) -> bool:
    letters = a.isalpha() and b.isalpha() and a[:_LEAST_START] == b[:_LEAST_START] and len(a) > _LEAST_START
    return letters and SequenceMatcher(None, a, b, autojunk=False).ratio() >= _NEAR_WORD


def _linked(packages: tuple[r.Package, ...], first: str, second: str) -> bool:
    needs = {p.id: [need.id for need in p.needs] for p in packages}
    return reaches(needs, first, second) or reaches(needs, second, first)


def _filled(first: r.Row, second: r.Row) -> r.Row:
    """Return *first* with what only *second* knows, and the references of both."""
    changes: dict[str, Any] = {}
    for field, info in type(first).model_fields.items():
        mine, other = getattr(first, field), getattr(second, field)
        if get_origin(info.annotation) is list:
            new: Any = [*mine, *(item for item in other if item not in mine)][: most_characters(type(first), field)]
        else:
            new = mine or other
        if new != mine:
            changes[field] = new
    return first.model_copy(update=changes) if changes else first


def _moved(moved: dict[str, str], row: r.Row) -> r.Row:
    def change(_: str, ref: str) -> str:
        found = moved.get(ref, ref)
        return "" if found == row.id else found

    return redirected(row, change)
