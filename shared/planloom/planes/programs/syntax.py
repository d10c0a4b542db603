"""What a program is once it is read: statements, expressions, conditions and values."""

from dataclasses import dataclass, field
from typing import NamedTuple


class Place(NamedTuple):
    """Where something is in the text of a program; both count from 1."""

    line: int = 1
    column: int = 1


@dataclass(frozen=True, slots=True)
class Literal:
    """A text, a number, true, false or null."""

    value: str | int | float | bool | None
    at: Place = field(default=Place(), compare=False)

    def __eq__(self, other: object) -> bool:
        # 1 == True == 1.0 in Python, not in a program
        return isinstance(other, Literal) and (type(self.value), self.value) == (type(other.value), other.value)

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True, slots=True)
class Ref:
    """A name in a value: a field, a binding, ``each``, with what follows it; or a text that needs no quotes."""

    path: str
    at: Place = field(default=Place(), compare=False)

    @property
    def first(self) -> str:
        """The first name of the path."""
        return self.path.partition(".")[0].partition("[")[0]


@dataclass(frozen=True, slots=True)
class Moment:
    """A time relative to when the program is run: ``now-7d``, ``today``."""

    text: str
    at: Place = field(default=Place(), compare=False)


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of values."""

    items: tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class ObjectOf:
    """An object; names are in written order."""

    items: tuple[tuple[str, "Value"], ...]


Value = Literal | Ref | Moment | ListOf | ObjectOf


@dataclass(frozen=True, slots=True)
class Compare:
    """Two operands and the sign between them, as written."""

    left: "Condition"
    sign: str
    right: "Condition"


@dataclass(frozen=True, slots=True)
class Function:
    """``count(x)``, ``exists(x)``, ``lower(x)``."""

    name: str
    of: "Condition"


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a condition."""

    of: "Condition"


@dataclass(frozen=True, slots=True)
class Both:
    """Conditions joined by ``and``; at least two."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Either:
    """Conditions joined by ``or``; at least two."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Conditions:
    """A list within a condition."""

    items: tuple["Condition", ...]


Condition = Compare | Function | Not | Both | Either | Conditions | Literal | Moment | Ref


@dataclass(frozen=True, slots=True)
class Named:
    """An entity, of which all rows are meant, or a binding."""

    name: str
    at: Place = field(default=Place(), compare=False)


@dataclass(frozen=True, slots=True)
class Get:
    """One row of an entity by its id."""

    entity: str
    id: Value
    at: Place = field(default=Place(), compare=False)


@dataclass(frozen=True, slots=True)
class Page:
    """``page(h)``: the rows that follow a page; ``wait(h)`` and ``cancel(h)`` while a program is read."""

    handle: str
    verb: str = "page"
    at: Place = field(default=Place(), compare=False)


@dataclass(frozen=True, slots=True)
class Filter:
    """The rows for which a condition holds."""

    of: "Expression"
    where: Condition
    at: Place = field(default=Place(), compare=False)


@dataclass(frozen=True, slots=True)
class Project:
    """The rows with these fields only."""

    of: "Expression"
    fields: tuple[Ref, ...]
    at: Place = field(default=Place(), compare=False)


@dataclass(frozen=True, slots=True)
class SortKey:
    """A field, ascending unless ``down``."""

    field: Ref
    down: bool = False


@dataclass(frozen=True, slots=True)
class Sort:
    """The rows in order."""

    of: "Expression"
    keys: tuple[SortKey, ...]
    at: Place = field(default=Place(), compare=False)


@dataclass(frozen=True, slots=True)
class Limit:
    """The first rows."""

    of: "Expression"
    rows: int
    at: Place = field(default=Place(), compare=False)


@dataclass(frozen=True, slots=True)
class Aggregation:
    """``count``, or a function of a field: sum, avg, min, max, count of its values."""

    function: str
    field: Ref = Ref("")

    @property
    def name(self) -> str:
        """What its column is called."""
        return f"{self.function}_{self.field.path}" if self.field.path else self.function


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One row for each group of equal values of ``by``, one row in all where ``by`` is empty."""

    of: "Expression"
    by: tuple[Ref, ...]
    functions: tuple[Aggregation, ...]
    at: Place = field(default=Place(), compare=False)


@dataclass(frozen=True, slots=True)
class Distinct:
    """The rows, the first of equal ones; by these fields where any are named."""

    of: "Expression"
    fields: tuple[Ref, ...]
    at: Place = field(default=Place(), compare=False)


@dataclass(frozen=True, slots=True)
class Related:
    """The rows that a relation leads to."""

    of: "Expression"
    name: str
    at: Place = field(default=Place(), compare=False)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call; the name of one that is given by its position is empty."""

    name: str
    value: Value
    at: Place = field(default=Place(), compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A capability of an entity, called once."""

    of: "Expression"
    name: str
    arguments: tuple[Argument, ...]
    at: Place = field(default=Place(), compare=False)


@dataclass(frozen=True, slots=True)
class ForEach:
    """A capability of ``entity``, called for each row; ``each`` is the row in its arguments."""

    of: "Expression"
    entity: str
    name: str
    arguments: tuple[Argument, ...]
    at: Place = field(default=Place(), compare=False)
    entity_at: Place = field(default=Place(), compare=False)


@dataclass(frozen=True, slots=True)
class Combine:
    """Two sets of rows of one entity, compared by id: ``union``, ``intersect``, ``minus``."""

    left: "Expression"
    sign: str
    right: "Expression"
    at: Place = field(default=Place(), compare=False)


Expression = (
    Named | Get | Page | Filter | Project | Sort | Limit | Aggregate | Distinct | Related | Call | ForEach | Combine
)


@dataclass(frozen=True, slots=True)
class Statement:
    """An expression, with the name that it is bound to; it is returned where that is empty."""

    expression: Expression
    name: str = ""
    at: Place = field(default=Place(), compare=False)


@dataclass(frozen=True, slots=True)
class Continuation:
    """``wait(h)`` or ``cancel(h)``: the whole program."""

    verb: str
    handle: str


@dataclass(frozen=True, slots=True)
class Program:
    """A program: statements in written order, or one continuation."""

    statements: tuple[Statement, ...]
    continuation: Continuation | None = None
