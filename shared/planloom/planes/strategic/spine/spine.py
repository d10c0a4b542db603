"""The spine as one document, and its tables by letter."""

from collections.abc import Iterator, Mapping
from typing import Any

from planloom.core.frozen import Frozen
from planloom.planes.strategic.spine import rows as r


class Spine(Frozen):
    """All tables of a plan. What the module repair returns is consistent: ids are unique, every reference
    names a row, nothing waits for itself, low <= likely <= high, and there is at least one package.
    """

    frame: r.Frame
    criteria: tuple[r.Criterion, ...] = ()
    constraints: tuple[r.Constraint, ...] = ()
    demands: tuple[r.Demand, ...] = ()
    decisions: tuple[r.Decision, ...] = ()
    gates: tuple[r.Gate, ...] = ()
    parties: tuple[r.Party, ...] = ()
    approvals: tuple[r.Approval, ...] = ()
    roles: tuple[r.Role, ...] = ()
    deliverables: tuple[r.Deliverable, ...] = ()
    packages: tuple[r.Package, ...] = ()
    lines: tuple[r.Line, ...] = ()
    sources: tuple[r.Source, ...] = ()
    streams: tuple[r.Stream, ...] = ()
    upkeep: tuple[r.Upkeep, ...] = ()
    risks: tuple[r.Risk, ...] = ()
    assumptions: tuple[r.Assumption, ...] = ()
    questions: tuple[r.OpenQuestion, ...] = ()

    def rows(self) -> Iterator[r.Row]:
        """Yield every row of every table, in the order of TABLES."""
        for name in TABLES:
            yield from getattr(self, name)

    def by_id(self) -> Mapping[str, Any]:
        """Return the rows by id."""
        return {row.id: row for row in self.rows()}


#: Each table with the letter that its ids begin with and the class of its rows.
TABLES: Mapping[str, tuple[str, type[r.Row]]] = {
    "criteria": ("S", r.Criterion),
    "constraints": ("C", r.Constraint),
    "demands": ("N", r.Demand),
    "decisions": ("D", r.Decision),
    "gates": ("G", r.Gate),
    "parties": ("B", r.Party),
    "approvals": ("A", r.Approval),
    "roles": ("R", r.Role),
    "deliverables": ("V", r.Deliverable),
    "packages": ("P", r.Package),
    "lines": ("L", r.Line),
    "sources": ("F", r.Source),
    "streams": ("O", r.Stream),
    "upkeep": ("U", r.Upkeep),
    "risks": ("K", r.Risk),
    "assumptions": ("H", r.Assumption),
    "questions": ("Q", r.OpenQuestion),
}
