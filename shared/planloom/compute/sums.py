"""Sums of cost lines by kind and of sources by status."""

from collections.abc import Iterable, Mapping
from typing import get_args

from planloom.compute.cash import KEPT
from planloom.compute.computed import Sum
from planloom.spine.rows import Line, Source
from planloom.spine.spine import Spine

KINDS: tuple[str, ...] = get_args(Line.model_fields["kind"].annotation)
STATUSES: tuple[str, ...] = get_args(Source.model_fields["status"].annotation)


def sums(spine: Spine) -> tuple[Sum, ...]:
    """Return the sums, in this order; kinds and statuses without a row are left out.

    Each kind of line; ``cost``: all but contingency and reserve; ``total``: all lines; ``contingency_share``: of the
    cost, 0 to 1 and beyond; each status of source; ``sources``: all of them.
    """
    kinds = {kind: total_of(line.amount for line in spine.lines if line.kind == kind) for kind in KINDS}
    statuses = {status: total_of(s.amount for s in spine.sources if s.status == status) for status in STATUSES}
    cost = total_of(amount for kind, amount in kinds.items() if kind not in KEPT)
    found = _present(kinds) | {"cost": cost, "total": total_of(kinds.values())}
    if cost:
        found["contingency_share"] = round(kinds["contingency"] / cost, 4)
    found |= _present(statuses) | {"sources": total_of(statuses.values())}
    return tuple(Sum(name=name, amount=amount) for name, amount in found.items())


def by_name(found: tuple[Sum, ...]) -> Mapping[str, float]:
    """Return the amounts by name."""
    return {row.name: row.amount for row in found}


def total_of(amounts: Iterable[float]) -> float:
    """Return the sum of *amounts*, to the cent."""
    return round(sum(amounts), 2)


def _present(amounts: Mapping[str, float]) -> dict[str, float]:
    return {name: amount for name, amount in amounts.items() if amount}
