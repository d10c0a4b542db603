"""Endpoints for the entities that an account declares; the plane of programs serves them beside its own."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from planloom.core.endpoint import DELETE, GET, POST, ApiModel, Effect, Endpoint
from planloom.core.entities import Entity
from planloom.core.problems import Problem
from planloom.planes.programs.declared import DeclaredEntities
from planloom.planes.programs.errors import EntityNotFound, InvalidEntity
from planloom.tools.errors import ToolServerNotFound

BASE = "/v1/entities"
GROUP = "entities"
#: Of a model within a response every field is shown: MCP leaves out those that were not set.
Whole = BeforeValidator(lambda value: value.model_dump() if isinstance(value, BaseModel) else value)


class DeclareEntity(ApiModel):
    """An entity to declare, or to check."""

    entity: dict[str, Any] = Field(description="Fields as the guide to programs says: name, backend, fields, list, ...")


class EntityRequest(ApiModel):
    """Which entity."""

    name: str = Field(max_length=64, description="Its name")


class ProposeEntities(ApiModel):
    """What entities are proposed from."""

    server: str = Field(max_length=64, description="Tool server whose URL and headers count for the API")
    openapi: dict[str, Any] = Field(description="OpenAPI description of the API, 3.x, as JSON")


class EntityInfo(ApiModel):
    """A declared entity."""

    entity: Annotated[Entity, Whole]


class EntityList(ApiModel):
    """Entities, by name."""

    entities: list[Annotated[Entity, Whole]]


class EntityCheck(ApiModel):
    """What is wrong with an entity."""

    is_valid: bool = Field(description="Whether it can be declared")
    problems: list[Annotated[Problem, Whole]]


class EntityRemoved(ApiModel):
    """Which entity was removed."""

    deleted: str


def _declare(request: DeclareEntity, account: str, declared_entities: DeclaredEntities) -> EntityInfo:
    return EntityInfo(entity=declared_entities.declare(account, request.entity))


def _check(request: DeclareEntity, account: str, declared_entities: DeclaredEntities) -> EntityCheck:
    _, problems = declared_entities.check(account, request.entity)
    return EntityCheck(is_valid=not problems, problems=problems)


def _list(account: str, declared_entities: DeclaredEntities) -> EntityList:
    return EntityList(entities=declared_entities.store.of_account(account))


def _remove(request: EntityRequest, account: str, declared_entities: DeclaredEntities) -> EntityRemoved:
    declared_entities.remove(account, request.name)
    return EntityRemoved(deleted=request.name)


def _propose(request: ProposeEntities, account: str, declared_entities: DeclaredEntities) -> EntityList:
    return EntityList(entities=declared_entities.propose(account, request.server, request.openapi))


ENDPOINTS = (
    Endpoint(
        name="entity_declare",
        title="Declare an entity",
        description="""\
Makes rows and calls of a tool server, or of an HTTP API with JSON, available to programs; replaces the entity of that
name. entity_propose makes one from an OpenAPI description.""",
        group=GROUP,
        http=POST(BASE, status=201),
        request=DeclareEntity,
        response=EntityInfo,
        errors=(InvalidEntity,),
        effect=Effect.CHANGES,
        repeatable=True,
        handler=_declare,
    ),
    Endpoint(
        name="entity_check",
        title="Check an entity",
        description="Returns what is wrong with an entity, each with its place and a hint; nothing is stored.",
        group=GROUP,
        http=POST(f"{BASE}/check"),
        request=DeclareEntity,
        response=EntityCheck,
        handler=_check,
    ),
    Endpoint(
        name="entity_list",
        title="List declared entities",
        description="Lists the entities that you declared; those of planloom are on the reference card.",
        group=GROUP,
        http=GET(BASE),
        response=EntityList,
        handler=_list,
    ),
    Endpoint(
        name="entity_propose",
        title="Propose entities",
        description="""\
Returns entities for an HTTP API from its OpenAPI description. Nothing is stored: look at them, above all at the effect
of each capability, and pass those that you want to entity_declare.""",
        group=GROUP,
        http=POST(f"{BASE}/propose"),
        request=ProposeEntities,
        response=EntityList,
        errors=(ToolServerNotFound,),
        handler=_propose,
    ),
    Endpoint(
        name="entity_remove",
        title="Remove an entity",
        description="Removes a declared entity; programs cannot use it any more. The tool server stays.",
        group=GROUP,
        http=DELETE(f"{BASE}/{{name}}"),
        request=EntityRequest,
        response=EntityRemoved,
        errors=(EntityNotFound,),
        effect=Effect.DESTROYS,
        repeatable=True,
        handler=_remove,
    ),
)
