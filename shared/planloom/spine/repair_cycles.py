"""Break what waits for itself: packages, and the approvals, gates and decisions between them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from planloom.spine import rows as r
from planloom.spine.references import mapped, redirected
from planloom.spine.repair_values import Notes
from planloom.spine.spine import Spine


def acyclic(spine: Spine, notes: Notes) -> Spine:
    """Return *spine* without the references that close a cycle; those of packages come first, so they stay."""
    after: dict[str, set[str]] = defaultdict(set)
    closing: set[tuple[str, str, str]] = set()
    for before, later, row, path in _edges(spine):
        if before == later or reaches(after, later, before):
            closing.add((row, path, before if later == row else later))
            notes.append(f"{row}: {path} no longer names {before if later == row else later}: it closed a cycle.")
        else:
            after[before].add(later)
    if not closing:
        return spine
    return mapped(spine, lambda row: redirected(row, lambda path, ref: "" if (row.id, path, ref) in closing else ref))


def _edges(spine: Spine) -> Iterator[tuple[str, str, str, str]]:
    """Yield what goes before, what goes after, and the row and path that say so."""
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


def reaches(after: Mapping[str, Iterable[str]], start: str, goal: str) -> bool:
    """Return whether *goal* comes after *start*, at once or later."""
    seen, todo = {start}, [start]
    while todo:
        each = todo.pop()
        if each == goal:
            return True
        for following in after.get(each, ()):
            if following not in seen:
                seen.add(following)
                todo.append(following)
    return False
