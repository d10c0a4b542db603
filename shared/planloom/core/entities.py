"""Entities: what programs can read and call, declared as data over endpoints, tools of servers, or HTTP APIs.

An operation is a name that the entity's backend knows: of an endpoint (``run_list``), of a tool, or a method and a path
(``GET /items/{id}``).
"""

from typing import Any, Literal

from pydantic import Field

from planloom.core.endpoint import Effect
from planloom.core.frozen import Frozen

FieldType = Literal["text", "number", "boolean", "time", "list", "object"]


class EntityField(Frozen):
    """A field of each row. ``path`` is where the backend has it, by default under its name; ``.`` is the whole row.

    ``values`` are all values that a text may have, where they are known.
    """

    name: str = Field(pattern=r"^[A-Za-z]\w*$")
    type: FieldType = "text"
    path: str = ""
    values: tuple[str, ...] = ()
    description: str = ""


def fields(**declared: FieldType | tuple[FieldType, str]) -> tuple[EntityField, ...]:
    """Return fields by name: each has a type, or a type and the path where the backend has it."""
    pairs = {name: (each, "") if isinstance(each, str) else each for name, each in declared.items()}
    return tuple(EntityField(name=name, type=kind, path=path) for name, (kind, path) in pairs.items())


class Relation(Frozen):
    """Leads from a row to the rows of ``entity`` whose field ``by`` equals this row's field ``field``.

    ``many`` False: there is at most one, and it is read by its key.
    """

    name: str
    entity: str
    by: str = ""
    field: str = "id"
    many: bool = True


class CapabilityArgument(Frozen):
    """An argument; ``parameter`` is what the operation calls it, by default the same."""

    name: str
    type: FieldType | Literal["any"] = "text"
    required: bool = False
    parameter: str = ""
    values: tuple[str, ...] = ()


class Capability(Frozen):
    """An operation that a program can call. With ``key`` its first argument is the id of a row, named so.

    ``returns`` is where the result is within what the operation returns, by default all of it. ``repeatable``: it may
    be made twice without harm. ``starts`` is an entity whose rows are operations, one of which it starts, and
    ``started`` where the result has its id.
    """

    name: str
    operation: str
    effect: Effect
    key: str = ""
    arguments: tuple[CapabilityArgument, ...] = ()
    fixed: dict[str, Any] = Field(default_factory=dict)
    returns: str = ""
    repeatable: bool = False
    starts: str = ""
    started: str = "id"
    description: str = ""


class Paging(Frozen):
    """How the next page is asked for: with the cursor of the last, an offset in rows, or the number of a page.

    ``next`` is where a page has the cursor of the next one. ``first`` is the number of the first page. ``size`` is the
    parameter for the number of rows, of which a page has at most ``most``; without it pages have as many as they have.
    """

    style: Literal["none", "cursor", "offset", "page"] = "none"
    parameter: str = ""
    next: str = ""
    first: int = 0
    size: str = ""
    most: int = Field(default=100, ge=1)


class ListCall(Frozen):
    """How rows are listed. ``rows`` is where a page has them, ``.`` for all of it.

    ``filters`` names parameters by what they compare: ``state`` (equal), ``created_at >=``, ``title contains``. A list
    cannot be read without an equal comparison for each of ``needs``.
    """

    operation: str
    rows: str = "."
    paging: Paging = Paging()
    filters: dict[str, str] = Field(default_factory=dict)
    needs: tuple[str, ...] = ()
    fixed: dict[str, Any] = Field(default_factory=dict)


class GetCall(Frozen):
    """How one row is read: ``key`` is the parameter for its id, ``row`` where it is in what the operation returns.

    ``fields`` are the paths of fields that are elsewhere than in the rows of a list.
    """

    operation: str
    key: str
    row: str = "."
    fields: dict[str, str] = Field(default_factory=dict)
    fixed: dict[str, Any] = Field(default_factory=dict)


class EntityOperation(Frozen):
    """Rows that are operations: in which field their state is, and its values when they have ended.

    ``progress`` is a field with percent, or with counts by state, ``done`` and ``of`` are fields with counts of steps;
    ``message`` says why it failed; ``stop`` is a capability.
    """

    state: str
    succeeded: tuple[str, ...]
    failed: tuple[str, ...] = ()
    cancelled: tuple[str, ...] = ()
    progress: str = ""
    done: str = ""
    of: str = ""
    message: str = ""
    stop: str = ""


class Entity(Frozen):
    """One kind of rows. ``backend`` says what its operations are.

    It is ``own:<plane>``, ``tools:<server>`` or ``http:<server>``. Rows are identified by ``key``, a field.
    """

    name: str = Field(pattern=r"^[A-Z]\w{0,63}$")
    description: str = ""
    backend: str = ""
    key: str = "id"
    fields: tuple[EntityField, ...]
    list: ListCall | None = None
    get: GetCall | None = None
    relations: tuple[Relation, ...] = ()
    capabilities: tuple[Capability, ...] = ()
    operation: EntityOperation | None = None

    def field(self, name: str) -> EntityField | None:
        """Return the field of that name."""
        return next((each for each in self.fields if each.name == name), None)

    def relation(self, name: str) -> Relation | None:
        """Return the relation of that name."""
        return next((each for each in self.relations if each.name == name), None)

    def capability(self, name: str) -> Capability | None:
        """Return the capability of that name."""
        return next((each for each in self.capabilities if each.name == name), None)
