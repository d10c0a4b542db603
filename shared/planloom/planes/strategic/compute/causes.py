"""Risks of one cause, which happen together and count once, and the money that risks draw on."""

from collections import defaultdict
from collections.abc import Callable, Iterable

from planloom.planes.strategic.compute.computed import Drawn
from planloom.planes.strategic.spine.fields import words
from planloom.planes.strategic.spine.references import reached
from planloom.planes.strategic.spine.rows import KEPT, Risk
from planloom.planes.strategic.spine.spine import Spine

Groups = tuple[tuple[Risk, ...], ...]


def together(risks: Iterable[Risk]) -> Groups:
    """Return *risks* in groups that happen together: of one cause by its id, or by the same words."""
    return _grouped(risks, lambda risk: " ".join(words(risk.cause)) or risk.id)


def counted_once(risks: Iterable[Risk]) -> Groups:
    """Return *risks* in groups that are the same loss: of one cause by its id."""
    return _grouped(risks, lambda risk: risk.id)


def drawn_lines(spine: Spine) -> tuple[Drawn, ...]:
    """Return the lines of contingency and reserve that risks draw on, in order.

    A risk draws on those that it names; one that names no line and no package, on the first line of contingency.
    """
    kept = [line for line in spine.lines if line.kind in KEPT]
    pool = next((line.id for line in kept if line.kind == "contingency"), "")
    found = []
    for line in kept:
        risks = [k for k in spine.risks if k.cost and line.id in (k.all_lines or (() if k.package else (pool,)))]
        if risks:
            ids = tuple(risk.id for risk in risks)
            whole, expected = whole_cost(risks), expected_cost(risks)
            found.append(Drawn(line=line.id, amount=line.amount, risks=ids, whole=whole, expected=expected))
    return tuple(found)


def whole_cost(risks: Iterable[Risk]) -> float:
    """Return what *risks* cost if all of them happen: of one cause the largest cost."""
    return sum(max(risk.cost for risk in group) for group in counted_once(risks))


def expected_cost(risks: Iterable[Risk]) -> float:
    """Return what *risks* cost by their odds: of one cause the largest."""
    return sum(max(risk.cost * risk.odds for risk in group) for group in counted_once(risks))


def _grouped(risks: Iterable[Risk], key: Callable[[Risk], str]) -> Groups:
    rows = {risk.id: risk for risk in risks}
    near: dict[str, list[str]] = {id: [] for id in rows}
    named: dict[str, list[str]] = defaultdict(list)
    for risk in rows.values():
        named[key(risk)].append(risk.id)
        if risk.same_cause in rows:
            near[risk.id].append(risk.same_cause)
            near[risk.same_cause].append(risk.id)
    for same in named.values():
        for id in same:
            near[id] += same
    groups, seen = [], set[str]()
    for id in rows:
        if id not in seen:
            found = reached(near, id) | {id}
            seen |= found
            groups.append(tuple(row for row in rows.values() if row.id in found))
    return tuple(groups)
