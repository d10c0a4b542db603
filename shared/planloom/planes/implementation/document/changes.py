"""What changed from one revision of a plan to the next, step by step: steps and risks are followed by their ids."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from planloom.planes.implementation.document.findings import pointer
from planloom.planes.implementation.document.normal_form import normal_form
from planloom.planes.implementation.document.schema import Document
from planloom.planes.implementation.records import ChangeOp

_Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Change:
    """One change. *path*: JSON Pointer into the later plan, for what was removed into the earlier one.

    move: the order of a list changed; *before* and *after* are its ids.
    """

    path: str
    op: ChangeOp
    before: Any = None
    after: Any = None
    step_id: str | None = None


def changes(before: Document, after: Document) -> list[Change]:
    """Return what leads from *before* to *after*, both valid; nothing where they mean the same."""
    return list(_of_objects((), None, normal_form(before), normal_form(after)))


def _of_values(path: _Path, step: str | None, before: Any, after: Any) -> Iterator[Change]:
    if before == after and type(before) is type(after):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _of_objects(path, step, before, after)
    elif isinstance(before, list) and isinstance(after, list) and _ids(before) and _ids(after):
        yield from _of_named(path, step, before, after)
    elif isinstance(before, list) and isinstance(after, list) and _alike(before, after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _of_values((*path, index), step, old, new)
    else:
        yield Change(pointer(*path), "replace", before, after, step)


def _of_objects(path: _Path, step: str | None, before: Document, after: Document) -> Iterator[Change]:
    for name in [*before, *(name for name in after if name not in before)]:
        if name not in after:
            yield Change(pointer(*path, name), "remove", before[name], None, step)
        elif name not in before:
            yield Change(pointer(*path, name), "add", None, after[name], step)
        else:
            yield from _of_values((*path, name), step, before[name], after[name])


def _of_named(path: _Path, step: str | None, before: list[Any], after: list[Any]) -> Iterator[Change]:
    """Compare lists whose entries have ids, whatever their order."""
    old = {entry["id"]: (index, entry) for index, entry in enumerate(before)}
    new = {entry["id"]: (index, entry) for index, entry in enumerate(after)}
    for name, (index, entry) in old.items():
        if name not in new:
            yield Change(pointer(*path, index), "remove", entry, None, _step(path, name, step))
    for name, (index, entry) in new.items():
        if name not in old:
            yield Change(pointer(*path, index), "add", None, entry, _step(path, name, step))
        else:
            yield from _of_values((*path, index), _step(path, name, step), old[name][1], entry)
    kept = [name for name in old if name in new]
    if kept != [name for name in new if name in old]:
        yield Change(pointer(*path), "move", list(old), list(new), step)


def _step(path: _Path, name: str, step: str | None) -> str | None:
    return name if path == ("steps",) else step


def _ids(listed: list[Any]) -> bool:
    """Say whether all entries have ids, no two the same; so do those of an empty list."""
    ids = [entry.get("id") for entry in listed if isinstance(entry, dict)]
    return len(ids) == len(listed) == len({each for each in ids if isinstance(each, str)})


def _alike(before: list[Any], after: list[Any]) -> bool:
    objects = all(isinstance(entry, dict) for entry in (*before, *after))
    return objects and len(before) == len(after)
