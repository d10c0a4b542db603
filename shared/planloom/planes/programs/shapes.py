"""What is known of the rows of a node before anything is read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from planloom.core.entities import Entity, EntityField
from planloom.planes.programs import syntax as s
from planloom.planes.programs.catalog import Catalog
from planloom.planes.programs.plan import PlanNode, ProgramProblem


@dataclass(frozen=True)
class Shape:
    """Rows of *entity* with these fields, None where they are not known; *one*: a single row.

    ``whole``: they have all fields of the entity, because none were named.
    """

    entity: Entity | None
    fields: Mapping[str, EntityField] | None
    one: bool
    whole: bool = False

    @classmethod
    def of(cls, entity: Entity, one: bool = False) -> "Shape":
        """Return the shape of rows of *entity*."""
        return cls(entity, {each.name: each for each in entity.fields}, one, whole=True)

    def only(self, names: Iterable[str]) -> "Shape":
        """Return the shape of the same rows with these fields alone."""
        return Shape(self.entity, {name: self.field(name) for name in names}, self.one)

    def field(self, name: str) -> EntityField:
        """Return the field *name*; of a path into a field, a text."""
        known = (self.fields or {}).get(name)
        return known or EntityField(name="path", type="text")


#: Rows of which nothing is known.
UNKNOWN = Shape(None, None, one=False)


@dataclass
class Compiled:
    """Everything that is known of a plan before its verdict; shapes, filters and places by node."""

    catalog: Catalog
    nodes: list[PlanNode] = field(default_factory=list)
    shapes: dict[str, Shape] = field(default_factory=dict)
    filters: dict[str, s.Condition] = field(default_factory=dict)
    places: dict[str, s.Place] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    returns: list[str] = field(default_factory=list)
    problems: list[ProgramProblem] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
