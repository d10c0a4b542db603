"""The promises of Turns, kept alike by the fake and by DynamoDB."""

import boto3
import pytest

from planloom.adapters.dynamodb_turns import DynamoTurns
from planloom.ports.running import Turns
from tests.fakes import FakeTurns
from tests.integration.conftest import TABLE


@pytest.fixture(params=["fake", "dynamodb"])
def turns(request: pytest.FixtureRequest) -> Turns:
    if request.param == "fake":
        return FakeTurns()
    request.getfixturevalue("aws")
    return DynamoTurns(boto3.client("dynamodb"), TABLE)


def test_no_more_are_under_way_than_may_be(turns: Turns) -> None:
    assert [turns.take(run, 2) for run in ("a-1", "b-1", "c-1")] == [True, True, False]
    assert turns.taken() == {"a-1", "b-1"}


def test_whoever_has_a_turn_keeps_it(turns: Turns) -> None:
    assert turns.take("a-1", 1)
    assert turns.take("a-1", 1)
    assert turns.taken() == {"a-1"}


def test_who_leaves_makes_way_for_one(turns: Turns) -> None:
    turns.take("a-1", 1)
    turns.leave("a-1")
    assert turns.taken() == frozenset()
    assert [turns.take(run, 1) for run in ("b-1", "c-1")] == [True, False]


def test_to_leave_without_a_turn_changes_nothing(turns: Turns) -> None:
    turns.leave("a-1")
    turns.take("b-1", 1)
    turns.leave("a-1")
    assert turns.taken() == {"b-1"}
