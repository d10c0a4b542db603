"""What a store of declared entities keeps, in memory and on DynamoDB alike."""

from collections.abc import Callable

import boto3
import pytest

from planloom.adapters.dynamodb_entities import DynamoEntityStore
from planloom.core.endpoint import Effect
from planloom.core.entities import Entity
from planloom.planes.programs.declared import EntityStore
from planloom.planes.programs.verdict import Policy
from tests.integration.conftest import TABLE
from tests.unit.programs.test_declared_entities import ITEM, FakeEntityStore

MAKERS: list[Callable[[], EntityStore]] = [
    FakeEntityStore,
    lambda: DynamoEntityStore(boto3.client("dynamodb"), TABLE),
]


@pytest.mark.parametrize("make", MAKERS, ids=["memory", "dynamodb"])
def test_entities_are_kept_whole_by_account_and_name(aws: None, make: Callable[[], EntityStore]) -> None:
    store = make()
    item, other = (Entity.model_validate({**ITEM, "name": name}) for name in ("Item", "Other"))
    changed = item.model_copy(update={"description": "changed"})
    for account, entity in (("ana", other), ("ana", item), ("ana", changed), ("an", item)):
        store.put(account, entity)
    assert store.of_account("ana") == [changed, other]
    store.delete("ana", "Item")
    store.delete("ana", "Item")
    assert (store.of_account("ana"), store.of_account("an"), store.of_account("ben")) == ([other], [item], [])
    policy = Policy(deny_effects=(Effect.DESTROYS,), deny=("Run.delete",))
    store.put_policy("ana", Policy())
    store.put_policy("ana", policy)
    assert (store.policy("ana"), store.policy("an"), store.of_account("ana")) == (policy, Policy(), [other])
