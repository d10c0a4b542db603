"""The spine as one document, and its tables by letter."""

from collections.abc import Iterator, Mapping
from typing import Any

from planloom.domain.frozen import Frozen
from planloom.spine.rows import (
    Approval,
    Assumption,
    Constraint,
    Criterion,
    Decision,
    Deliverable,
    Demand,
    Frame,
    Gate,
    Line,
    OpenQuestion,
    Package,
    Party,
    Risk,
    Role,
    Row,
    Source,
    Stream,
    Upkeep,
)


class Spine(Frozen):
    """All tables of a plan. What :mod:`planloom.spine.repair` returns holds together: ids are unique, every reference
    names a row, nothing waits for itself, low <= likely <= high, and there is at least one package.
    """

    frame: Frame
    criteria: tuple[Criterion, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    demands: tuple[Demand, ...] = ()
    decisions: tuple[Decision, ...] = ()
    gates: tuple[Gate, ...] = ()
    parties: tuple[Party, ...] = ()
    approvals: tuple[Approval, ...] = ()
    roles: tuple[Role, ...] = ()
    deliverables: tuple[Deliverable, ...] = ()
    packages: tuple[Package, ...] = ()
    lines: tuple[Line, ...] = ()
    sources: tuple[Source, ...] = ()
    streams: tuple[Stream, ...] = ()
    upkeep: tuple[Upkeep, ...] = ()
    risks: tuple[Risk, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()

    def rows(self) -> Iterator[Row]:
        """Yield every row of every table, in the order of TABLES."""
        for name in TABLES:
            yield from getattr(self, name)

    def by_id(self) -> Mapping[str, Any]:
        """Return the rows by id."""
        return {row.id: row for row in self.rows()}


#: Each table with the letter that its ids begin with and the class of its rows.
TABLES: Mapping[str, tuple[str, type[Row]]] = {
    "criteria": ("S", Criterion),
    "constraints": ("C", Constraint),
    "demands": ("N", Demand),
    "decisions": ("D", Decision),
    "gates": ("G", Gate),
    "parties": ("B", Party),
    "approvals": ("A", Approval),
    "roles": ("R", Role),
    "deliverables": ("V", Deliverable),
    "packages": ("P", Package),
    "lines": ("L", Line),
    "sources": ("F", Source),
    "streams": ("O", Stream),
    "upkeep": ("U", Upkeep),
    "risks": ("K", Risk),
    "assumptions": ("H", Assumption),
    "questions": ("Q", OpenQuestion),
}
