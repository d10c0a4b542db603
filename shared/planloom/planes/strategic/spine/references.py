"""Which fields of rows name other rows: the one table by which references are listed, redirected and repaired."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.fields import LETTERS
from planloom.planes.strategic.spine.spine import TABLES, Spine

RowT = TypeVar("RowT", bound=r.Row)
IdT = TypeVar("IdT", str, int)

#: Path of each reference, with the letters of the tables that it may name.
REFERENCES: Mapping[type[BaseModel], Mapping[str, str]] = {
    r.Constraint: {"kept_by": LETTERS},
    r.Demand: {"met_by": "P"},
    r.Decision: {"decided_by": "RB", "frees": "P"},
    r.Gate: {"needs": "PA", "frees": "P", "decided_by": "RB"},
    r.Approval: {"party": "B", "papers": "PAGD", "frees": "P"},
    r.Package: {"deliverable": "V", "owner": "R", "also.role": "R", "needs.id": "PAGD"},
    r.Line: {"package": "P", "other_packages": "P", "role": "R", "paid_by": "B"},
    r.Source: {"given_by": "B", "after": "ADGP"},
    r.Upkeep: {"paid_by": "BFO"},
    r.Risk: {"same_cause": "K", "hits": "P", "owner": "RB", "package": "P", "line": "L", "other_lines": "L"},
    r.Assumption: {"touches": LETTERS, "owner": "RB"},
    r.OpenQuestion: {"owner": "RB"},
}


def references(row: r.Row) -> set[str]:
    """Return the ids that *row* refers to, as written."""
    return {ref for _, ref in reference_pairs(row)}


def reference_pairs(row: r.Row) -> Iterator[tuple[str, str]]:
    """Yield path and id of each reference of *row*, in the order of the table above."""
    for path in REFERENCES.get(type(row), {}):
        field, _, part = path.partition(".")
        value = getattr(row, field)
        for item in value if isinstance(value, list) else [value]:
            if ref := getattr(item, part) if part else item:
                yield path, ref


def reached(near: Mapping[IdT, Iterable[IdT]], start: IdT) -> set[IdT]:
    """Return everything that *start* reaches through *near*, directly or not; *start* too if it is on a cycle."""
    found: set[IdT] = set()
    left = [start]
    while left:
        new = [other for other in near.get(left.pop(), ()) if other not in found]
        found.update(new)
        left += new
    return found


def redirected(row: RowT, change: Callable[[str, str], str]) -> RowT:
    """Return *row* with each reference replaced by ``change(path, reference)``: an empty text removes it.

    A row that is named twice in a list is kept once; the shares of one role are added up.
    """
    changes: dict[str, Any] = {}
    for path in REFERENCES.get(type(row), {}):
        field = path.partition(".")[0]
        old = getattr(row, field)
        new: Any = _several(old, path, change) if isinstance(old, list) else (change(path, old) if old else "")
        if new != old:
            changes[field] = new
    return row.model_copy(update=changes) if changes else row


def mapped(spine: Spine, change: Callable[[Any], Any]) -> Spine:
    """Return *spine* with each row replaced by ``change(row)``; the same object where nothing changed."""
    tables: dict[str, Any] = {}
    for name in TABLES:
        old = getattr(spine, name)
        new = tuple(change(row) for row in old)
        if any(a is not b for a, b in zip(old, new, strict=True)):
            tables[name] = new
    return spine.model_copy(update=tables) if tables else spine


def _several(items: list[Any], path: str, change: Callable[[str, str], str]) -> list[Any]:
    part = path.partition(".")[2]
    if not part:
        return [*dict.fromkeys(new for ref in items if ref and (new := change(path, ref)))]
    kept: dict[object, BaseModel] = {}
    for item in items:
        old = getattr(item, part)
        if not (new := change(path, old) if old else ""):
            continue
        found = item if new == old else item.model_copy(update={part: new})
        key = (new, getattr(found, "kind", ""))
        kept[key] = _together(kept[key], found) if key in kept else found
    return [*kept.values()]


def _together(first: BaseModel, second: BaseModel) -> BaseModel:
    if isinstance(first, r.Share) and isinstance(second, r.Share):
        return first.model_copy(update={"days": min(first.days + second.days, 20_000.0)})
    return first
