"""Entities that accounts declare over their tool servers and over HTTP APIs, and the catalog that an account has."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import ValidationError

from planloom.core.entities import Entity
from planloom.core.errors import InvalidArgument
from planloom.core.plane import Plane
from planloom.core.problems import Problem
from planloom.planes.programs.catalog import Catalog, check_entity, own_entities
from planloom.planes.programs.declared_backends import check_operation
from planloom.planes.programs.errors import EntityNotFound, InvalidEntity
from planloom.planes.programs.names import suggestion
from planloom.planes.programs.openapi import propose
from planloom.planes.programs.verdict import Policy
from planloom.tools.servers import AccountServers

#: Entities that one account declares at most, and bytes of one as JSON.
MOST_ENTITIES, ENTITY_BYTES = 100, 32_768


class EntityStore(Protocol):
    """The declared entities of all accounts."""

    def put(self, account: str, entity: Entity) -> None:
        """Store or replace an entity; its name identifies it."""

    def of_account(self, account: str) -> list[Entity]:
        """Return all entities of *account*, by name."""

    def delete(self, account: str, name: str) -> None:
        """Delete an entity; no error where there is none."""

    def policy(self, account: str) -> Policy:
        """Return what programs of *account* must not do, by default nothing."""

    def put_policy(self, account: str, policy: Policy) -> None:
        """Replace what programs of *account* must not do."""


@dataclass(frozen=True)
class DeclaredEntities:
    """The entities of all accounts beside those of the planes; every method names the account.

    ``backend`` of an entity is ``tools:<server>`` or ``http:<server>``: a tool server of the account, whose URL and
    headers count for an HTTP API too. ``planes`` are those with entities, shared tables of endpoints included.
    """

    store: EntityStore
    servers: AccountServers
    planes: tuple[Plane, ...]

    def catalog(self, account: str) -> Catalog:
        """Return what programs of *account* can read and call: its own data first, then what it declared."""
        return Catalog([*own_entities(self.planes), *self.store.of_account(account)])

    def declare(self, account: str, document: Mapping[str, Any]) -> Entity:
        """Store an entity, in place of one of that name. Raises InvalidEntity, with what is wrong."""
        entity, problems = self.check(account, document)
        if entity is None or problems:
            said = "; ".join(f"{each.path or '/'}: {each.message}" for each in problems[:3])
            shown = [each.model_dump(mode="json") for each in problems]
            raise InvalidEntity(f"The entity cannot be stored. {said}", problems=shown)
        self.store.put(account, entity)
        return entity

    def check(self, account: str, document: Mapping[str, Any]) -> tuple[Entity | None, list[Problem]]:
        """Return the entity that *document* is, None where it is none, and what is wrong with it."""
        try:
            entity = Entity.model_validate(document)
        except ValidationError as error:
            return None, [_invalid(each) for each in error.errors()[:20]]
        known = self.store.of_account(account)
        problems = check_entity(entity, Catalog([*own_entities(self.planes), *known]))
        problems += self._check_backend(account, entity)
        others = [each for each in known if each.name != entity.name]
        if len(others) >= MOST_ENTITIES:
            problems.append(_problem("", "TOO_MANY", f"{MOST_ENTITIES} entities are declared. Remove one first."))
        if len(entity.model_dump_json()) > ENTITY_BYTES:
            problems.append(_problem("", "TOO_LARGE", f"It has more than {ENTITY_BYTES:,} bytes. Leave out fields."))
        if entity.name in {each.name for each in own_entities(self.planes)}:
            problems.append(_problem("/name", "NAME_TAKEN", f"{entity.name} is an entity of planloom. Rename it."))
        return entity, problems

    def remove(self, account: str, name: str) -> None:
        """Delete a declared entity. Raises EntityNotFound."""
        known = [each.name for each in self.store.of_account(account)]
        if name not in known:
            raise EntityNotFound(f"No declared entity is called {name[:64]}. There are: {', '.join(known) or 'none'}.")
        self.store.delete(account, name)

    def propose(self, account: str, server: str, description: Mapping[str, Any]) -> list[Entity]:
        """Return the entities that an OpenAPI *description* of *server* allows for; none is stored.

        Raises ToolServerNotFound.
        """
        self.servers.get(account, server)
        return propose(description, server)

    def _check_backend(self, account: str, entity: Entity) -> Iterable[Problem]:
        kind, _, server = entity.backend.partition(":")
        if kind not in ("tools", "http"):
            said = f"“{entity.backend[:64]}” is no backend. Write tools: or http: and the name of a tool server."
            return [_problem("/backend", "UNKNOWN_BACKEND", said)]
        servers = {each.name: each for each in self.servers.all(account)}
        if server not in servers:
            said = f"There is no tool server {server[:64]}. There are: {', '.join(servers) or 'none'}."
            return [_problem("/backend", "UNKNOWN_SERVER", said)]
        if kind == "http":
            found = [(operation, check_operation(operation)) for operation in operations(entity)]
            return [_problem("", "INVALID_OPERATION", said) for _, said in found if said]
        tools = {tool.name for tool in self.servers.tools(servers[server])}
        missing = [operation for operation in operations(entity) if operation not in tools]
        return [_problem("", "UNKNOWN_TOOL", f"{server} has no tool {each[:80]}.") for each in missing]


def set_policy(store: EntityStore, planes: Iterable[Plane], account: str, policy: Policy) -> None:
    """Replace what programs of *account* must not do. Raises InvalidArgument for a name that nothing has."""
    catalog = Catalog([*own_entities(planes), *store.of_account(account)])
    known = [*catalog.names, *(f"{each.name}.{call.name}" for each in catalog for call in each.capabilities)]
    for name in policy.deny:
        if name not in known:
            said = f"No entity or capability is called {name[:100]}. {suggestion(name, known, len(catalog.names))}"
            raise InvalidArgument(said.strip(), fields=["deny"])
    store.put_policy(account, policy)


def operations(entity: Entity) -> list[str]:
    """Return the operations that an entity names, each once."""
    found = [call.operation for call in (entity.list, entity.get) if call is not None]
    return list(dict.fromkeys([*found, *(each.operation for each in entity.capabilities)]))


def _invalid(error: Any) -> Problem:
    return _problem("/" + "/".join(map(str, error["loc"])), "INVALID_FIELD", error["msg"])


def _problem(path: str, code: str, message: str) -> Problem:
    return Problem(path=path, code=code, message=message)
