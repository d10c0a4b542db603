"""Make a spine consistent: unique ids, valid references, no cycles, no duplicates, values within bounds."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from difflib import SequenceMatcher
from functools import partial
from typing import Any, get_origin

from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.fields import title, title_field, words
from planloom.planes.strategic.spine.references import REFERENCES, mapped, reached, redirected
from planloom.planes.strategic.spine.repair_ids import renumbered, resolved
from planloom.planes.strategic.spine.repair_values import Notes, clipped, sane, shortened
from planloom.planes.strategic.spine.spine import TABLES, Spine

#: The largest number of sentences that are returned; the last one counts the rest.
MOST_NOTES = 60
#: A pass can make another one necessary (two merged roles make two packages equal); two passes are usual.
_MOST_PASSES = 12
_BEFORE, _AFTER = timedelta(days=366), timedelta(days=10_958)


def repaired(spine: Spine, today: date) -> tuple[Spine, tuple[str, ...]]:
    """Return a consistent *spine*, and each repair in a sentence with ids, at most MOST_NOTES.

    Days are kept from 366 days before *today* to 30 years after it. A repaired spine is not changed by a second call.
    """
    notes: Notes = []
    for _ in range(_MOST_PASSES):
        before = spine
        spine = _passed(spine, today, notes)
        if spine == before:
            break
    said = [*dict.fromkeys(notes)]
    if len(said) > MOST_NOTES:
        said = [*said[: MOST_NOTES - 1], f"{len(said) - MOST_NOTES + 1} more repairs were made."]
    return spine, tuple(said)


def _passed(spine: Spine, today: date, notes: Notes) -> Spine:
    spine = sane(spine, (today - _BEFORE, today + _AFTER), today, notes)
    spine, aliases = renumbered(spine, notes)
    steps: tuple[Callable[[Spine, Notes], Spine], ...] = (_never_empty, merged, acyclic)
    spine = resolved(spine, aliases, notes)
    for step in steps:
        spine = step(spine, notes)
    return spine


def _never_empty(spine: Spine, notes: Notes) -> Spine:
    """Give a spine without packages one made of its objective, and packages a deliverable where there is only one."""
    frame, changes = spine.frame, {}
    deliverables, packages = spine.deliverables, spine.packages
    objective = frame.objective or frame.title or "The undertaking"
    if not deliverables:
        deliverables = (r.Deliverable(id="V1", title=clipped(frame.title or objective, 160)),)
        notes.append("V1 was added: there was no deliverable.")
    if not packages:
        owner = spine.roles[0].id if spine.roles else ""
        packages = (r.Package(id="P1", title=clipped(objective, 160), owner=owner),)
        notes.append("P1 was added with the objective as its title: there was no package.")
    if len(deliverables) == 1:
        only = {"deliverable": deliverables[0].id}
        packages = tuple(p if p.deliverable else p.model_copy(update=only) for p in packages)
    changes = {"deliverables": deliverables, "packages": packages}
    return spine.model_copy(update=changes)


def acyclic(spine: Spine, notes: Notes) -> Spine:
    """Return *spine* without the references that close a cycle; those of packages come first, so they stay."""
    after: dict[str, set[str]] = defaultdict(set)
    closing: set[tuple[str, str, str]] = set()
    for before, later, row, path in _edges(spine):
        if before == later or before in reached(after, later):
            closing.add((row, path, before if later == row else later))
            notes.append(f"{row}: {path} no longer names {before if later == row else later}: it closed a cycle.")
        else:
            after[before].add(later)
    if not closing:
        return spine
    return mapped(spine, lambda row: redirected(row, lambda path, ref: "" if (row.id, path, ref) in closing else ref))


def _edges(spine: Spine) -> Iterator[tuple[str, str, str, str]]:
    """Yield what goes before, what goes after, and the row and path with the reference."""
    for package in spine.packages:
        yield from ((need.id, package.id, package.id, "needs.id") for need in package.needs)
    waiting: list[tuple[r.Row, list[tuple[str, list[str]]], list[str]]] = [
        *((a, [("papers", a.papers)], a.frees) for a in spine.approvals),
        *((g, [("needs", g.needs)], g.frees) for g in spine.gates),
        *((d, [], d.frees) for d in spine.decisions),
    ]
    for row, inputs, frees in waiting:
        for path, ids in inputs:
            yield from ((each, row.id, row.id, path) for each in ids)
        yield from ((row.id, each, row.id, "frees") for each in frees)


_NEAR = 0.92
_NEAR_WORD = 0.8
_LEAST_START = 4


def merged(spine: Spine, notes: Notes) -> Spine:
    """Return *spine* with each row once; references to a row that was merged name the row that it is part of."""
    while moved := _twins(spine):
        rows = spine.by_id()
        kept: dict[str, r.Row] = {}
        for gone, stays in moved.items():
            kept[stays] = _filled(kept.get(stays, rows[stays]), rows[gone], notes)
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
    return second in reached(needs, first) or first in reached(needs, second)


def _filled(first: r.Row, second: r.Row, notes: Notes) -> r.Row:
    """Return *first* with the values that only *second* has, and the references of both."""
    changes: dict[str, Any] = {}
    for field, info in type(first).model_fields.items():
        mine, other = getattr(first, field), getattr(second, field)
        if get_origin(info.annotation) is list:
            both = [*mine, *(item for item in other if item not in mine)]
            new: Any = shortened(type(first), field, both, first.id, notes)
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
