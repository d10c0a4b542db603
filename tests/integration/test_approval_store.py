"""The promises of ApprovalStore, kept alike by the fake and by DynamoDB."""

import boto3
import pytest

from planloom.adapters.dynamodb_approvals import DynamoApprovalStore
from planloom.approvals.approval import (
    LONGEST_COMMENT,
    LONGEST_CONTENT,
    Decision,
    Escalation,
    Response,
    Rule,
    delegate,
    respond,
    withdraw,
)
from planloom.approvals.ports import ApprovalStore
from tests.integration.conftest import TABLE
from tests.unit.approvals.fakes import HOUR, NOW, FakeApprovalStore, an_approval, subject


@pytest.fixture(params=["fake", "dynamodb"])
def store(request: pytest.FixtureRequest) -> ApprovalStore:
    if request.param == "fake":
        return FakeApprovalStore()
    request.getfixturevalue("aws")
    return DynamoApprovalStore(boto3.client("dynamodb"), TABLE)


def test_an_approval_is_read_as_it_was_stored(store: ApprovalStore) -> None:
    stored = an_approval(expires_at=NOW + HOUR, escalation=Escalation(at=NOW, to=("board",)), made_by=("cmo",))
    stored = delegate(stored, "founder", "deputy", NOW)
    stored, _ = respond(stored, Response(by="deputy", decision=Decision.APPROVE, comment="“Grün”"), NOW)
    assert store.add(stored)
    assert store.get("a1") == stored
    assert store.get("a2") is None


def test_an_id_is_taken_once(store: ApprovalStore) -> None:
    assert [store.add(an_approval()), store.add(an_approval(account="other"))] == [True, False]
    assert store.get("a1") == an_approval()


def test_of_two_changes_of_one_version_one_is_stored(store: ApprovalStore) -> None:
    store.add(an_approval())
    one, other = (withdraw(an_approval(), reason, NOW) for reason in ("one", "other"))
    assert [store.replace(one, 1), store.replace(other, 1), store.replace(other, 2)] == [True, False, True]
    assert store.replace(an_approval("a2"), 1) is False


def test_pending_and_ended_approvals_are_listed_apart_newest_first(store: ApprovalStore) -> None:
    made = [an_approval(f"a{number}", requested_at=NOW + number * HOUR) for number in range(4)]
    for each in (*made, an_approval("b1", account="other")):
        store.add(each)
    store.replace(withdraw(made[2], "", NOW), 1)
    first = store.newest_of("acme", True, 2)
    rest = store.newest_of("acme", True, 2, first[-1][0])
    assert [each.approval_id for _, each in (*first, *rest)] == ["a3", "a1", "a0"]
    assert [each.approval_id for _, each in store.newest_of("acme", False, 9)] == ["a2"]


def test_changes_are_stored_with_the_approval_until_they_are_published(store: ApprovalStore) -> None:
    store.add(an_approval(), ("requested",))
    assert store.add(an_approval(), ("requested",)) is False
    ended = withdraw(an_approval(), "", NOW + HOUR)
    store.replace(ended, 1, ("escalated", "ended"))
    assert store.unpublished(NOW, 9) == []
    assert store.unpublished(NOW + 2 * HOUR, 9) == [("a1", 1, ("requested",)), ("a1", 2, ("escalated", "ended"))]
    assert len(store.unpublished(NOW + 2 * HOUR, 1)) == 1
    for _ in range(2):
        store.published("a1", 1)
    assert store.unpublished(NOW + 2 * HOUR, 9) == [("a1", 2, ("escalated", "ended"))]


def test_a_deleted_approval_is_gone(store: ApprovalStore) -> None:
    store.add(an_approval())
    store.delete("a1")
    store.delete("a1")
    assert (store.get("a1"), store.newest_of("acme", True, 9)) == (None, [])


def test_the_largest_approval_is_stored(store: ApprovalStore) -> None:
    wide = "\U0001f4dd"
    people = tuple(f"{number:02}{wide * 198}" for number in range(50))
    largest = an_approval(
        approvers=people,
        rule=Rule(kind="all"),
        made_by=tuple(f"made{each}"[:200] for each in people),
        subject=subject(title=wide * 500, content=wide * LONGEST_CONTENT),
        escalation=Escalation(at=NOW, to=tuple(f"up{number}{wide * 190}" for number in range(50))),
    )
    for each in people[1:]:
        largest = delegate(largest, each, f"d{each}"[:200], NOW)
        said = Response(by=f"d{each}"[:200], decision=Decision.APPROVE, comment=wide * LONGEST_COMMENT)
        largest, _ = respond(largest, said, NOW)
    assert store.add(largest)
    assert store.get("a1") == largest
