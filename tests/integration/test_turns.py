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


def test_no_more_runs_are_active_than_allowed_and_the_others_wait(turns: Turns) -> None:
    assert turns.look() == (frozenset(), ())
    assert [turns.take(run, 2, NOW) for run in ("a-1", "b-1", "c-1", "d-1")] == [True, True, False, False]
    assert turns.look() == ({"a-1", "b-1"}, ("c-1", "d-1"))


def test_a_repeated_request_changes_neither_active_nor_waiting_runs(turns: Turns) -> None:
    assert [turns.take(run, 1, NOW) for run in ("a-1", "b-1", "a-1", "b-1")] == [True, False, True, False]
    assert turns.look() == ({"a-1"}, ("b-1",))


def test_runs_wait_in_the_order_of_their_requests(turns: Turns) -> None:
    for run, minutes in (("a-1", 0), ("d-1", 2), ("c-1", 1), ("b-1", 3), ("d-1", 2)):
        turns.take(run, 1, NOW + timedelta(minutes=minutes))
    assert turns.look() == ({"a-1"}, ("c-1", "d-1", "b-1"))


def test_the_end_of_a_run_frees_a_slot_for_a_waiting_one(turns: Turns) -> None:
    for run in ("a-1", "b-1", "c-1"):
        turns.take(run, 1, NOW)
    turns.leave("a-1")
    assert turns.look() == (frozenset(), ("b-1", "c-1"))
    assert [turns.take(run, 1, NOW) for run in ("b-1", "c-1")] == [True, False]
    assert turns.look() == ({"b-1"}, ("c-1",))


def test_a_waiting_run_can_leave_the_queue(turns: Turns) -> None:
    turns.take("a-1", 1, NOW)
    turns.take("b-1", 1, NOW)
    turns.leave("b-1")
    assert turns.look() == ({"a-1"}, ())


def test_an_unknown_run_that_leaves_changes_nothing(turns: Turns) -> None:
    turns.leave("a-1")
    turns.take("b-1", 1, NOW)
    turns.leave("a-1")
    assert turns.look() == ({"b-1"}, ())


def test_a_slot_that_is_released_while_a_run_starts_to_wait_is_taken_at_once(aws: None) -> None:
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
