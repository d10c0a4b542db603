"""The promises of PlanArchive, kept alike by the fake and by DynamoDB."""

from dataclasses import dataclass
from datetime import timedelta

import boto3
import pytest

from planloom.adapters import table_keys
from planloom.adapters.dynamodb_archive import DynamoPlanArchive
from planloom.adapters.dynamodb_plans import DynamoPlanStore
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.plans import PlanArchive, PlanStore
from tests.fakes import FakePlanArchive, FakePlanStore
from tests.integration.conftest import TABLE
from tests.integration.test_plan_store import NOW, finished, plan

LATER = NOW + timedelta(hours=1)


@dataclass
class Stores:
    """Plans, and their archive."""

    plans: PlanStore
    archive: PlanArchive


@pytest.fixture(params=["fake", "dynamodb"])
def stores(request: pytest.FixtureRequest) -> Stores:
    if request.param == "fake":
        plans = FakePlanStore()
        return Stores(plans, FakePlanArchive(plans))
    request.getfixturevalue("aws")
    client = boto3.client("dynamodb")
    return Stores(DynamoPlanStore(client, TABLE), DynamoPlanArchive(client, TABLE))


def listed(stores: Stores, *, archived: bool = False, before: Plan | None = None) -> list[str]:
    return [each.plan_id for each in stores.plans.newest_of("acme", 9, before, archived=archived)]


def test_an_archived_plan_leaves_the_list_for_another_and_comes_back(stores: Stores) -> None:
    old, new = plan(0, state="completed"), plan(1, state="stopped")
    for each in (old, new):
        stores.plans.add(each)
    assert stores.archive.archive(old.plan_id, 1, LATER)
    assert (listed(stores), listed(stores, archived=True)) == ([new.plan_id], [old.plan_id])
    assert stores.plans.get(old.plan_id) == old.model_copy(update={"archived_at": LATER})
    assert stores.archive.archive(old.plan_id, 1, None)
    assert (listed(stores), listed(stores, archived=True)) == ([new.plan_id, old.plan_id], [])
    assert stores.plans.get(old.plan_id) == old


def test_a_plan_made_for_a_user_is_archived_and_deleted_for_both(stores: Stores) -> None:
    def listed_for_ann(*, archived: bool) -> list[str]:
        return [each.plan_id for each in stores.plans.newest_of("ann", 9, None, archived=archived)]

    one = plan(state="completed", user_account="ann")
    stores.plans.add(one)
    stores.archive.archive(one.plan_id, 1, LATER)
    assert (listed_for_ann(archived=False), listed_for_ann(archived=True)) == ([], [one.plan_id])
    stores.archive.archive(one.plan_id, 1, None)
    assert (listed_for_ann(archived=False), listed_for_ann(archived=True)) == ([one.plan_id], [])
    stores.archive.delete(one.plan_id, 1, LATER)
    assert (listed_for_ann(archived=False), listed(stores)) == ([], [])


def test_pages_go_on_where_a_plan_stood_that_was_archived_since(stores: Stores) -> None:
    mine = [plan(minutes, state="completed") for minutes in range(4)]
    for each in mine:
        stores.plans.add(each)
    stores.archive.archive(mine[2].plan_id, 1, LATER)
    assert listed(stores, before=mine[2]) == [mine[1].plan_id, mine[0].plan_id]


def test_an_archived_plan_that_is_rebuilt_is_archived(stores: Stores) -> None:
    one = plan(state="completed", archived_at=NOW)
    stores.plans.add(one)
    assert (listed(stores), listed(stores, archived=True)) == ([], [one.plan_id])


@pytest.mark.parametrize("state", ["pending", "processing"])
def test_a_plan_that_is_going_is_neither_archived_nor_deleted(stores: Stores, state: str) -> None:
    one = plan(state=state)
    stores.plans.add(one)
    assert not stores.archive.archive(one.plan_id, 1, LATER)
    assert not stores.archive.delete(one.plan_id, 1, LATER)
    assert stores.plans.get(one.plan_id) == one


def test_a_plan_that_began_another_run_meanwhile_is_left_alone(stores: Stores) -> None:
    one = plan(state="failed", run=2)
    stores.plans.add(one)
    assert not stores.archive.archive(one.plan_id, 1, LATER)
    assert not stores.archive.delete(one.plan_id, 1, LATER)
    assert stores.plans.get(one.plan_id) == one


def test_only_the_tombstone_of_a_deleted_plan_is_left(stores: Stores) -> None:
    one = plan(state="completed")
    stores.plans.add(one)
    assert stores.archive.owner_of_deleted(one.plan_id) is None
    assert stores.archive.delete(one.plan_id, 1, NOW)
    assert not stores.archive.delete(one.plan_id, 1, NOW)
    assert stores.archive.owner_of_deleted(one.plan_id) == "acme"
    assert (stores.plans.get(one.plan_id), listed(stores)) == (None, [])
    assert not stores.plans.add(one), "its id stays taken"


def test_a_late_event_does_not_bring_a_deleted_plan_back(stores: Stores) -> None:
    one = plan(state="stopped")
    stores.plans.add(one)
    stores.archive.delete(one.plan_id, 1, NOW)
    assert not stores.plans.apply(finished(one, "002"))
    assert not stores.plans.move(one.plan_id, 1, "pending", NOW)
    assert (stores.plans.get(one.plan_id), stores.plans.all_files(one.plan_id)) == (None, [])


def test_a_plan_that_is_expected_and_never_added_is_erased(stores: Stores) -> None:
    never, added, gone = plan(), plan(), plan(state="completed")
    stores.plans.add(gone)
    stores.archive.delete(gone.plan_id, 1, LATER)
    for each in (never, added, gone):
        stores.archive.expect(each.plan_id, NOW)
    assert stores.plans.add(added)
    stores.archive.expect(added.plan_id, NOW)
    assert stores.archive.deleted(LATER) == [never.plan_id]
    assert (stores.plans.get(added.plan_id), stores.archive.owner_of_deleted(never.plan_id)) == (added, None)
    stores.archive.erase(never.plan_id, for_good=True)
    assert stores.archive.deleted(LATER) == []


def test_all_items_of_a_deleted_plan_are_erased_however_many(stores: Stores) -> None:
    one, other = plan(state="processing"), plan(state="completed")
    for each in (one, other):
        stores.plans.add(each)
        stores.plans.apply(finished(each, "018", files=60))
    stores.plans.move(one.plan_id, 1, "completed", NOW)
    stores.archive.delete(one.plan_id, 1, NOW)
    assert stores.archive.deleted(NOW) == []
    assert stores.archive.deleted(LATER) == [one.plan_id]
    stores.archive.erase(one.plan_id, for_good=False)
    stores.archive.erase(other.plan_id, for_good=True)
    assert stores.archive.deleted(LATER) == [one.plan_id], "it is looked at once more"
    stores.archive.erase(one.plan_id, for_good=True)
    assert (stores.archive.deleted(LATER), stores.plans.all_files(one.plan_id)) == ([], [])
    assert len(stores.plans.all_files(other.plan_id)) == 60, "a plan in use is not touched"
    if isinstance(stores.archive, DynamoPlanArchive):
        rows = boto3.client("dynamodb").query(
            TableName=TABLE,
            KeyConditionExpression="PK = :p",
            ExpressionAttributeValues={":p": {"S": table_keys.plan_partition(one.plan_id)}},
        )["Items"]
        assert [set(row) for row in rows] == [{"PK", "SK", "plan_id", "account", "deleted_at"}]
