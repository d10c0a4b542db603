"""The promises of Seats, kept alike by the fake and by DynamoDB."""

from datetime import UTC, datetime, timedelta

import boto3
import pytest

from planloom.adapters.dynamodb_seats import DynamoSeats
from planloom.ports.access import Seats
from tests.fakes import FakeSeats
from tests.integration.conftest import TABLE

NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)
UNTIL = NOW + timedelta(seconds=25)


@pytest.fixture(params=["fake", "dynamodb"])
def seats(request: pytest.FixtureRequest) -> Seats:
    if request.param == "fake":
        return FakeSeats()
    request.getfixturevalue("aws")
    return DynamoSeats(boto3.client("dynamodb"), TABLE)


def test_no_more_slots_are_taken_than_there_are(seats: Seats) -> None:
    assert [seats.take(2, NOW, UNTIL) for _ in range(4)] == [0, 1, None, None]


def test_concurrent_callers_all_get_a_slot(seats: Seats) -> None:
    taken = [seats.take(9, NOW + timedelta(microseconds=n), UNTIL) for n in range(9)]
    assert sorted(taken) == list(range(9))
    assert seats.take(9, NOW, UNTIL) is None


def test_a_released_slot_is_free_at_once(seats: Seats) -> None:
    seats.take(1, NOW, UNTIL)
    seats.leave(0, UNTIL)
    assert seats.take(1, NOW, UNTIL) == 0


def test_a_slot_that_was_not_released_expires(seats: Seats) -> None:
    seats.take(1, NOW, UNTIL)
    assert seats.take(1, UNTIL, UNTIL + timedelta(seconds=25)) is None
    assert seats.take(1, UNTIL + timedelta(seconds=1), UNTIL + timedelta(seconds=26)) == 0


def test_a_late_release_does_not_free_the_slot_of_another_caller(seats: Seats) -> None:
    late = UNTIL + timedelta(seconds=30)
    seats.take(1, NOW, UNTIL)
    seats.take(1, UNTIL + timedelta(seconds=1), late)
    seats.leave(0, UNTIL)
    assert seats.take(1, UNTIL + timedelta(seconds=2), late) is None


def test_releasing_a_free_slot_is_no_error(seats: Seats) -> None:
    seats.leave(0, UNTIL)
    assert seats.take(1, NOW, UNTIL) == 0
