"""The promises of Turns, kept alike by the fake and by DynamoDB."""

from datetime import UTC, datetime, timedelta

import boto3
import pytest

from planloom.adapters.dynamodb_turns import DynamoTurns
from planloom.ports.running import Turns
from tests.fakes import FakeTurns
from tests.integration.conftest import TABLE

NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)


@pytest.fixture(params=["fake", "dynamodb"])
def turns(request: pytest.FixtureRequest) -> Turns:
    if request.param == "fake":
        return FakeTurns()
    request.getfixturevalue("aws")
    return DynamoTurns(boto3.client("dynamodb"), TABLE)


def test_no_more_are_under_way_than_may_be_and_the_others_wait(turns: Turns) -> None:
    assert turns.look() == (frozenset(), ())
    assert [turns.take(run, 2, NOW) for run in ("a-1", "b-1", "c-1", "d-1")] == [True, True, False, False]
    assert turns.look() == ({"a-1", "b-1"}, ("c-1", "d-1"))


def test_whoever_has_a_turn_keeps_it_and_whoever_waits_goes_on_waiting(turns: Turns) -> None:
    assert [turns.take(run, 1, NOW) for run in ("a-1", "b-1", "a-1", "b-1")] == [True, False, True, False]
    assert turns.look() == ({"a-1"}, ("b-1",))


def test_those_that_wait_stand_in_the_order_in_which_they_were_asked_for(turns: Turns) -> None:
    for run, minutes in (("a-1", 0), ("d-1", 2), ("c-1", 1), ("b-1", 3), ("d-1", 2)):
        turns.take(run, 1, NOW + timedelta(minutes=minutes))
    assert turns.look() == ({"a-1"}, ("c-1", "d-1", "b-1"))


def test_who_leaves_makes_way_for_one_that_no_longer_waits_then(turns: Turns) -> None:
    for run in ("a-1", "b-1", "c-1"):
        turns.take(run, 1, NOW)
    turns.leave("a-1")
    assert turns.look() == (frozenset(), ("b-1", "c-1"))
    assert [turns.take(run, 1, NOW) for run in ("b-1", "c-1")] == [True, False]
    assert turns.look() == ({"b-1"}, ("c-1",))


def test_whoever_waits_may_leave_too(turns: Turns) -> None:
    turns.take("a-1", 1, NOW)
    turns.take("b-1", 1, NOW)
    turns.leave("b-1")
    assert turns.look() == ({"a-1"}, ())


def test_to_leave_unknown_changes_nothing(turns: Turns) -> None:
    turns.leave("a-1")
    turns.take("b-1", 1, NOW)
    turns.leave("a-1")
    assert turns.look() == ({"b-1"}, ())


def test_a_turn_that_is_given_back_while_another_begins_to_wait_is_taken_at_once(aws: None) -> None:
    class Leaving(DynamoTurns):
        def _take(self, run: str, most: int) -> bool:
            taken = super()._take(run, most)
            if not taken:
                DynamoTurns(self._client, TABLE).leave("a-1")
            return taken

    turns = Leaving(boto3.client("dynamodb"), TABLE)
    assert turns.take("a-1", 1, NOW)
    assert turns.take("b-1", 1, NOW)
    assert turns.look() == ({"b-1"}, ())
