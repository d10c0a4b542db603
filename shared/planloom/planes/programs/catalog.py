"""What programs of an account can read and call, by the names of the entities."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from planloom.core.entities import Entity, ListCall, Relation
from planloom.core.plane import Plane
from planloom.core.problems import Problem
from planloom.planes.programs.names import suggestion


class Catalog:
    """Entities by name; of two with one name the first counts."""

    def __init__(self, entities: Iterable[Entity] = ()) -> None:
        self._entities: dict[str, Entity] = {}
        for entity in entities:
            self._entities.setdefault(entity.name, entity)

    def __iter__(self) -> Iterator[Entity]:
        return iter(self._entities.values())

    def get(self, name: str) -> Entity | None:
        """Return the entity of that name."""
        return self._entities.get(name)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all entities, in order."""
        return tuple(self._entities)

    @property
    def entities(self) -> Mapping[str, Entity]:
        """The entities by name."""
        return self._entities


def own_entities(planes: Iterable[Plane]) -> list[Entity]:
    """Return the entities of *planes*, each with its backend: what every account has."""
    return [entity.model_copy(update={"backend": f"own:{plane.name}"}) for plane in planes for entity in plane.entities]


def check_entity(entity: Entity, known: Catalog) -> list[Problem]:
    """Return what is wrong with a declared *entity*; *known* holds the others, which its relations may name."""
    twice = [name for name, count in Counter(each.name for each in entity.fields).items() if count > 1]
    found = [_problem("/fields", "DUPLICATE_FIELD", f"The field {name} is declared twice.") for name in twice]
    if entity.field(entity.key) is None:
        found.append(_problem("/key", "NO_KEY", f"{entity.name} has no field {entity.key}, its key. Declare it."))
    if entity.list is None and entity.get is None and not entity.capabilities:
        found.append(_problem("", "NO_OPERATION", "It has no list, no get and no capability. Declare one."))
    if entity.list:
        found += _check_list(entity, entity.list)
    for number, relation in enumerate(entity.relations):
        found += _check_relation(entity, relation, known, f"/relations/{number}")
    return found


def _check_relation(entity: Entity, relation: Relation, known: Catalog, path: str) -> Iterator[Problem]:
    target = entity if relation.entity == entity.name else known.get(relation.entity)
    if target is None:
        hint = suggestion(relation.entity, known.names)
        yield _problem(path, "UNKNOWN_ENTITY", f"No entity is called {relation.entity}.", hint)
    elif relation.many and (target.list is None or target.field(relation.by) is None):
        yield _problem(path, "UNKNOWN_FIELD", f"{target.name} cannot be listed by “{relation.by}”.")
    elif not relation.many and target.get is None:
        yield _problem(path, "NO_GET", f"{target.name} cannot be read by its id.")
    if entity.field(relation.field) is None:
        yield _problem(path, "UNKNOWN_FIELD", f"{entity.name} has no field {relation.field}.")


def _check_list(entity: Entity, call: ListCall) -> Iterator[Problem]:
    for key in call.filters:
        name = key.partition(" ")[0]
        if entity.field(name) is None:
            yield _problem("/list/filters", "UNKNOWN_FIELD", f"The filter {key} names no field of {entity.name}.")
    for name in call.needs:
        if name not in call.filters:
            yield _problem("/list/needs", "NOT_A_FILTER", f"{name} is needed, but is not one of the filters.")
    paging = call.paging
    if paging.style != "none" and not paging.parameter:
        yield _problem("/list/paging", "NO_PARAMETER", "Name the parameter that asks for the next page.")
    if paging.style == "cursor" and not paging.next:
        yield _problem("/list/paging", "NO_CURSOR", "Name where a page has the cursor of the next one.")


def _problem(path: str, code: str, message: str, hint: str = "") -> Problem:
    return Problem(path=path, code=code, message=message, hint=hint)
