"""What goes before a package: the packages it needs, and the approvals, gates and decisions that free it."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from planloom.spine.rows import Approval, Decision, Gate
from planloom.spine.spine import Spine


class Before:
    """All that goes before each row, near and far. A cycle ends where it began."""

    def __init__(self, spine: Spine) -> None:
        self._spine = spine
        self._far: dict[str, frozenset[str]] = {}

    def of(self, id: str) -> frozenset[str]:
        """Return the ids of all rows that go before the package, approval or gate *id*, without it."""
        if id not in self._far:
            self._far[id] = _reached(id, self._near)
        return self._far[id]

    def needed_by(self, package: str) -> frozenset[str]:
        """Return the ids of the packages that *package* needs, near and far, by its needs alone."""
        return _reached(package, self._needs)

    def of_all(self, ids: Iterable[str]) -> frozenset[str]:
        """Return *ids* and all that goes before any of them."""
        ids = tuple(ids)
        return frozenset(ids).union(*(self.of(id) for id in ids))

    @cached_property
    def needed(self) -> frozenset[str]:
        """The packages that something waits for, or that meet a demand."""
        met = (id for demand in self._spine.demands for id in demand.met_by)
        return frozenset(met).union(*self._near.values())

    @cached_property
    def _needs(self) -> Mapping[str, list[str]]:
        return {package.id: [need.id for need in package.needs] for package in self._spine.packages}

    @cached_property
    def _near(self) -> Mapping[str, list[str]]:
        spine = self._spine
        near = {id: list(needs) for id, needs in self._needs.items()}
        near |= {approval.id: list(approval.papers) for approval in spine.approvals}
        near |= {gate.id: list(gate.needs) for gate in spine.gates}
        freeing: tuple[Decision | Gate | Approval, ...] = (*spine.decisions, *spine.gates, *spine.approvals)
        for row in freeing:
            for freed in row.frees:
                near.setdefault(freed, []).append(row.id)
        return near


def _reached(id: str, near: Mapping[str, list[str]]) -> frozenset[str]:
    found: set[str] = set()
    left = [id]
    while left:
        new = [other for other in near.get(left.pop(), ()) if other not in found]
        found.update(new)
        left += new
    return frozenset(found - {id})
