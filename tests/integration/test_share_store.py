"""The promises of ShareStore, kept alike by the fake and by DynamoDB."""

from datetime import timedelta

import boto3
import pytest

from planloom.accounts.access import ShareStore
from planloom.accounts.shares import Share
from planloom.adapters import table_keys
from planloom.adapters.dynamodb_shares import DynamoShareStore
from tests.fakes import FakeShareStore
from tests.integration.conftest import TABLE
from tests.integration.test_plan_store import NOW


@pytest.fixture(params=["fake", "dynamodb"])
def shares(request: pytest.FixtureRequest) -> ShareStore:
    if request.param == "fake":
        return FakeShareStore()
    request.getfixturevalue("aws")
    return DynamoShareStore(boto3.client("dynamodb"), TABLE)


def share(digit: str, plan_id: str = "p") -> Share:
    return Share(digest=digit * 64, plan_id=plan_id, created_at=NOW, expires_at=NOW + timedelta(days=30))


def test_a_share_is_found_by_its_hash_alone(shares: ShareStore) -> None:
    shares.add(share("a"))
    assert shares.get("a" * 64) == share("a")
    assert shares.get("b" * 64) is None


def test_all_shares_of_a_plan_are_revoked_and_no_other(shares: ShareStore) -> None:
    for each in (share("a"), share("b"), share("c", "q")):
        shares.add(each)
    assert shares.revoke_all("p") == 2
    assert shares.revoke_all("p") == 0
    assert [shares.get(digit * 64) for digit in "abc"] == [None, None, share("c", "q")]


def test_the_table_forgets_a_share_some_time_after_it_expired(aws: None) -> None:
    DynamoShareStore(boto3.client("dynamodb"), TABLE).add(share("a"))
    rows = boto3.client("dynamodb").scan(TableName=TABLE)["Items"]
    assert {int(row[table_keys.EXPIRES]["N"]) for row in rows} == {int((NOW + timedelta(days=30)).timestamp())}
    assert len(rows) == 2
