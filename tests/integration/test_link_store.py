"""The promises of LinkStore, kept alike by the fake and by DynamoDB."""

import boto3
import pytest

from planloom.adapters.dynamodb_links import DynamoLinkStore
from planloom.planes.links.link import Link, LinkEnd, LinkStore
from tests.integration.conftest import TABLE
from tests.unit.approvals.fakes import NOW
from tests.unit.links.fakes import FakeLinkStore

PLAN, RUN = LinkEnd(plane="implementation", id="p1"), LinkEnd(plane="workflows", id="r1")


@pytest.fixture(params=["fake", "dynamodb"])
def store(request: pytest.FixtureRequest) -> LinkStore:
    if request.param == "fake":
        return FakeLinkStore()
    request.getfixturevalue("aws")
    return DynamoLinkStore(boto3.client("dynamodb"), TABLE)


def a_link(account: str = "acme", target: LinkEnd = RUN, **steps: str) -> Link:
    return Link(account=account, source=PLAN, target=target, steps=steps, created_at=NOW)


def test_a_link_is_found_from_both_of_its_ends_by_its_account(store: LinkStore) -> None:
    store.put(a_link(S1="S1"))
    assert [store.of("acme", end) for end in (PLAN, RUN)] == [[a_link(S1="S1")]] * 2
    assert [store.of("other", end) for end in (PLAN, RUN)] == [[], []]


def test_a_link_between_the_same_two_replaces_the_one_before(store: LinkStore) -> None:
    store.put(a_link(S1="S1"))
    store.put(a_link(S1="S2"))
    assert store.of("acme", RUN) == [a_link(S1="S2")]


def test_a_deleted_link_is_gone_at_both_ends_and_others_stay(store: LinkStore) -> None:
    other = a_link(target=LinkEnd(plane="graphs", id="g1"))
    for each in (a_link(), other):
        store.put(each)
    store.delete(a_link())
    store.delete(a_link())
    assert (store.of("acme", PLAN), store.of("acme", RUN)) == ([other], [])
