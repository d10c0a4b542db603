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


def test_no_more_sit_than_there_are_seats(seats: Seats) -> None:
    assert [seats.take(2, NOW, UNTIL) for _ in range(4)] == [0, 1, None, None]


def test_many_who_look_at_once_all_find_a_seat(seats: Seats) -> None:
    taken = [seats.take(9, NOW + timedelta(microseconds=n), UNTIL) for n in range(9)]
    assert sorted(taken) == list(range(9))
    assert seats.take(9, NOW, UNTIL) is None


def test_a_seat_that_is_given_back_is_free_at_once(seats: Seats) -> None:
    seats.take(1, NOW, UNTIL)
    seats.leave(0, UNTIL)
    assert seats.take(1, NOW, UNTIL) == 0


def test_a_seat_that_nobody_gave_back_is_free_when_its_time_has_run_out(seats: Seats) -> None:
    seats.take(1, NOW, UNTIL)
    assert seats.take(1, UNTIL, UNTIL + timedelta(seconds=25)) is None
    assert seats.take(1, UNTIL + timedelta(seconds=1), UNTIL + timedelta(seconds=26)) == 0


def test_whoever_overstayed_takes_nobody_elses_seat_away(seats: Seats) -> None:
    late = UNTIL + timedelta(seconds=30)
    seats.take(1, NOW, UNTIL)
    seats.take(1, UNTIL + timedelta(seconds=1), late)
    seats.leave(0, UNTIL)
    assert seats.take(1, UNTIL + timedelta(seconds=2), late) is None


def test_giving_back_what_nobody_has_is_no_error(seats: Seats) -> None:
    seats.leave(0, UNTIL)
    assert seats.take(1, NOW, UNTIL) == 0
