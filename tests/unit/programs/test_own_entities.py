"""The entities that planes declare: what they name is there, with the effect that the endpoint has."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from planloom.core.endpoint import ApiModel, Effect, Endpoint
from planloom.core.entities import Entity
from planloom.core.errors import PlanNotFound
from planloom.core.plane import Plane
from planloom.planes import PLANES, SHARED
from planloom.planes.programs.catalog import Catalog, check_entity, own_entities
from planloom.planes.programs.compile import compile_program
from planloom.planes.programs.evaluate import evaluate
from planloom.planes.programs.own_backend import OwnBackend, own_backends
from planloom.planes.programs.parse import parse
from planloom.planes.programs.sources import SourceFailed, Sources
from tests.unit.programs.catalogs import NOW

DECLARED = [(plane, entity) for plane in (*PLANES, *SHARED) for entity in plane.entities]
CATALOG = Catalog(own_entities((*PLANES, *SHARED)))


def endpoint(plane: Plane, name: str) -> Endpoint:
    return next(each for each in (*plane.endpoints, *plane.operations) if each.name == name)


def operations(entity: Entity) -> Iterator[tuple[str, Effect | None, set[str]]]:
    """Yield each operation with its effect, where that is stated, and the parameters that it is given."""
    if entity.list:
        paging = entity.list.paging
        given = {*entity.list.filters.values(), *entity.list.fixed, paging.parameter, paging.size} - {""}
        yield entity.list.operation, Effect.READS, given
    if entity.get:
        yield entity.get.operation, Effect.READS, {entity.get.key, *entity.get.fixed}
    for each in entity.capabilities:
        given = {argument.parameter or argument.name for argument in each.arguments} | set(each.fixed)
        yield each.operation, each.effect, given | ({each.key} - {""})


@pytest.mark.parametrize(("plane", "entity"), DECLARED, ids=[entity.name for _, entity in DECLARED])
def test_an_entity_names_what_is_there(plane: Plane, entity: Entity) -> None:
    assert check_entity(entity, CATALOG) == []
    for name, effect, given in operations(entity):
        found = endpoint(plane, name)
        assert found.effect is effect
        assert given <= set(found.request.model_fields)


@pytest.mark.parametrize(("plane", "entity"), DECLARED, ids=[entity.name for _, entity in DECLARED])
def test_every_field_of_an_entity_is_in_what_its_operations_return(plane: Plane, entity: Entity) -> None:
    # what was asked for need not be in the answer
    sources = [(entity.list.operation, entity.list.rows, {}, entity.list.needs)] if entity.list else []
    sources += [(entity.get.operation, entity.get.row, entity.get.fields, (entity.key,))] if entity.get else []
    for name, where, moved, asked in sources:
        row = model_at(endpoint(plane, name).response, where)
        for field in entity.fields:
            if field.name not in asked:
                model_at(row, moved.get(field.name) or field.path or field.name)


def model_at(model: Any, path: str) -> Any:
    """Return the model at *path* in *model*, None for other JSON; KeyError where there is nothing."""
    for part in () if path == "." else path.split("."):
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            return None
        model = next(_models(model.model_fields[part].annotation), None)
    return model


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _models(inner)


class Row(ApiModel):
    """A response."""

    plan_id: str


def test_operations_are_called_with_a_checked_request_and_errors_keep_their_code() -> None:
    plane = PLANES[0]
    seen: list[Any] = []

    def invoke(plane: Plane, called: Endpoint, request: ApiModel) -> Any:
        seen.append((plane.name, called.name, request.model_dump(include={"plan_id"})))
        if request.model_dump()["plan_id"] == "none":
            raise PlanNotFound("No plan has the id none.")
        return Row(plan_id="a")

    backend = OwnBackend(plane, invoke)
    assert asyncio.run(backend.call("plan_row", {"plan_id": "a"})) == {"plan_id": "a"}
    assert seen == [("strategic", "plan_row", {"plan_id": "a"})]
    for operation, arguments, code in [
        ("plan_row", {"plan_id": "none"}, "PLAN_NOT_FOUND"),
        ("plan_row", {}, "invalid_argument"),
        ("plan_rows", {"limit": 0}, "invalid_argument"),
        ("plan_burn", {}, "unknown_operation"),
    ]:
        with pytest.raises(SourceFailed) as caught:
            asyncio.run(backend.call(operation, arguments))
        assert caught.value.code == code


def test_a_program_over_own_entities_calls_the_endpoints_of_their_planes() -> None:
    asked: list[Any] = []

    def invoke(plane: Plane, called: Endpoint, request: ApiModel) -> Any:
        asked.append((plane.name, called.name))
        shown = {"plan_id": "a", "title": "Bridge", "state": "completed", "progress": 100, "target": "build_plan"}
        row = {**shown, "derived_from": None, "archived": False, "created_at": "2026-01-01T00:00:00Z", "ended_at": None}
        if called.name == "plan_rows":
            return called.response.model_validate({"plans": [row], "next": None})
        return called.response.model_validate({"claims": [{"id": "x.y", "text": "A claim", "kind": "fact"}]})

    sources = Sources(CATALOG, own_backends((*PLANES, *SHARED), invoke))
    plan = compile_program(parse("Plan.filter{state = completed}.claims[plan_id, id, kind]"), CATALOG)
    result = asyncio.run(evaluate(plan, sources, NOW))
    assert result.returns[0].value.rows == [{"plan_id": "a", "id": "x.y", "kind": "fact"}]
    assert asked == [("strategic", "plan_rows"), ("strategic", "plan_claims")]
