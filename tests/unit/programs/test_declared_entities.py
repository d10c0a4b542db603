"""Declaring entities: what is accepted, whose they are, and the catalog that an account has."""

from collections.abc import Mapping
from typing import Any

import pytest

from planloom.core.endpoint import Effect
from planloom.core.entities import Entity
from planloom.core.errors import InvalidArgument
from planloom.planes import PLANES
from planloom.planes.programs.declared import MOST_ENTITIES, DeclaredEntities, set_policy
from planloom.planes.programs.entity_endpoints import ENDPOINTS
from planloom.planes.programs.errors import EntityNotFound, InvalidEntity
from planloom.planes.programs.verdict import Policy
from planloom.tools.errors import ToolServerNotFound
from tests.unit.graphs.services import Services
from tests.unit.programs.test_declared import PETS

ITEM: Mapping[str, Any] = {
    "name": "Item",
    "backend": "http:web",
    "fields": [{"name": "id"}, {"name": "note", "type": "object"}],
    "list": {"operation": "GET /items", "fixed": {"deleted": None, "": ""}},
}


class FakeEntityStore:
    """Declared entities in memory."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], Entity] = {}
        self.policies: dict[str, Policy] = {}

    def put(self, account: str, entity: Entity) -> None:
        self.rows[account, entity.name] = entity

    def of_account(self, account: str) -> list[Entity]:
        return [entity for key, entity in sorted(self.rows.items()) if key[0] == account]

    def policy(self, account: str) -> Policy:
        return self.policies.get(account, Policy())

    def put_policy(self, account: str, policy: Policy) -> None:
        self.policies[account] = policy

    def delete(self, account: str, name: str) -> None:
        self.rows.pop((account, name), None)


@pytest.fixture
def declared() -> DeclaredEntities:
    services = Services()
    services.servers.add("ana", "web", Services.URL)
    return DeclaredEntities(FakeEntityStore(), services.servers, PLANES)


def test_a_declared_entity_is_in_the_catalog_of_its_account_alone(declared: DeclaredEntities) -> None:
    entity = declared.declare("ana", ITEM)
    assert entity == Entity.model_validate(ITEM)
    assert declared.catalog("ana").get("Item") == entity
    assert declared.catalog("ben").get("Item") is None
    own = declared.catalog("ben").get("Plan")
    assert own is not None
    assert own.backend == "own:strategic"


@pytest.mark.parametrize(
    ("change", "path", "code"),
    [
        ({"name": "item"}, "/name", "INVALID_FIELD"),
        ({"fields": [{"name": "title"}]}, "/key", "NO_KEY"),
        ({"backend": "own:strategic"}, "/backend", "UNKNOWN_BACKEND"),
        ({"backend": "http:elsewhere"}, "/backend", "UNKNOWN_SERVER"),
        ({"list": {"operation": "items"}}, "", "INVALID_OPERATION"),
        ({"backend": "tools:web", "list": {"operation": "toolx"}}, "", "UNKNOWN_TOOL"),
        ({"name": "Plan"}, "/name", "NAME_TAKEN"),
        ({"relations": [{"name": "a", "entity": "Itm", "by": "id"}]}, "/relations/0", "UNKNOWN_ENTITY"),
        ({"description": "x" * 40_000}, "", "TOO_LARGE"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_place(
    declared: DeclaredEntities, change: dict[str, Any], path: str, code: str
) -> None:
    with pytest.raises(InvalidEntity) as caught:
        declared.declare("ana", {**ITEM, **change})
    assert [(each["path"], each["code"]) for each in caught.value.details["problems"]] == [(path, code)]
    assert declared.catalog("ana").get("Item") is None


def test_tools_of_a_server_are_accepted_by_their_names(declared: DeclaredEntities) -> None:
    change = {"backend": "tools:web", "list": {"operation": "tool1"}}
    assert declared.declare("ana", {**ITEM, **change}).backend == "tools:web"


def test_an_account_declares_so_many_entities_and_may_replace_each(declared: DeclaredEntities) -> None:
    for number in range(MOST_ENTITIES):
        declared.store.put("ana", Entity.model_validate({**ITEM, "name": f"Item{number}"}))
    with pytest.raises(InvalidEntity):
        declared.declare("ana", ITEM)
    assert declared.declare("ana", {**ITEM, "name": "Item3", "description": "new"}).description == "new"


def test_a_declared_entity_is_removed_by_its_account_alone(declared: DeclaredEntities) -> None:
    declared.declare("ana", ITEM)
    with pytest.raises(EntityNotFound):
        declared.remove("ben", "Item")
    declared.remove("ana", "Item")
    with pytest.raises(EntityNotFound):
        declared.remove("ana", "Item")


def test_proposals_are_made_for_servers_of_the_account_and_can_be_declared(declared: DeclaredEntities) -> None:
    with pytest.raises(ToolServerNotFound):
        declared.propose("ben", "web", PETS)
    for entity in declared.propose("ana", "web", PETS):
        assert declared.declare("ana", entity.model_dump(mode="json")) == entity


def test_the_endpoints_declare_check_list_propose_and_remove(declared: DeclaredEntities) -> None:
    def called(operation: str, /, account: str = "ana", **given: Any) -> Any:
        endpoint = next(each for each in ENDPOINTS if each.name == operation)
        arguments = {"request": endpoint.request(**given)} if given else {}
        response = endpoint.handler(**arguments, account=account, declared_entities=declared)
        return endpoint.response.model_validate(response.model_dump(mode="json")).model_dump(mode="json")

    assert called("entity_check", entity=dict(ITEM)) == {"is_valid": True, "problems": []}
    assert called("entity_check", entity={})["is_valid"] is False
    stored = called("entity_declare", entity=dict(ITEM))["entity"]
    assert called("entity_list") == {"entities": [stored]}
    assert called("entity_list", account="ben") == {"entities": []}
    assert [each["name"] for each in called("entity_propose", server="web", openapi=PETS)["entities"]] == [
        "Pet",
        "Visit",
    ]
    assert called("entity_remove", name="Item") == {"deleted": "Item"}
    assert called("entity_list") == {"entities": []}


def test_a_policy_names_what_there_is_and_belongs_to_its_account(declared: DeclaredEntities) -> None:
    declared.declare("ana", ITEM)
    policy = Policy(deny_effects=(Effect.DESTROYS,), deny=("Item", "Run.stop"))
    set_policy(declared.store, PLANES, "ana", policy)
    assert (declared.store.policy("ana"), declared.store.policy("ben")) == (policy, Policy())
    for name, meant in (("Run.stpo", "Run.stop"), ("run", "Run"), ("zzz", "Use one of: Plan, .*, Item, ….")):
        with pytest.raises(InvalidArgument, match=meant):
            set_policy(declared.store, PLANES, "ana", Policy(deny=(name,)))
    # what another account declared is no name here
    with pytest.raises(InvalidArgument):
        set_policy(declared.store, PLANES, "ben", Policy(deny=("Item",)))
    assert declared.store.policy("ana") == policy
