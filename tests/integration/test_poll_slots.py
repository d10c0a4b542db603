"""The promises of PollSlots, kept alike by the fake and by DynamoDB."""

from datetime import UTC, datetime, timedelta

import boto3
import pytest

from planloom.adapters.dynamodb_poll_slots import DynamoPollSlots
from planloom.runs.long_poll import PollSlots
from tests.fakes import FakePollSlots
from tests.integration.conftest import TABLE

NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)
UNTIL = NOW + timedelta(seconds=25)


@pytest.fixture(params=["fake", "dynamodb"])
def slots(request: pytest.FixtureRequest) -> PollSlots:
    if request.param == "fake":
        return FakePollSlots()
    request.getfixturevalue("aws")
    return DynamoPollSlots(boto3.client("dynamodb"), TABLE)


def test_no_more_slots_are_taken_than_there_are(slots: PollSlots) -> None:
    assert [slots.take(2, NOW, UNTIL) for _ in range(4)] == [0, 1, None, None]


def test_concurrent_callers_all_get_a_slot(slots: PollSlots) -> None:
    taken = [slots.take(9, NOW + timedelta(microseconds=n), UNTIL) for n in range(9)]
    assert sorted(taken) == list(range(9))
    assert slots.take(9, NOW, UNTIL) is None


def test_a_released_slot_is_free_at_once(slots: PollSlots) -> None:
    slots.take(1, NOW, UNTIL)
    slots.release(0, UNTIL)
    assert slots.take(1, NOW, UNTIL) == 0


def test_a_slot_that_was_not_released_expires(slots: PollSlots) -> None:
    slots.take(1, NOW, UNTIL)
    assert slots.take(1, UNTIL, UNTIL + timedelta(seconds=25)) is None
    assert slots.take(1, UNTIL + timedelta(seconds=1), UNTIL + timedelta(seconds=26)) == 0


def test_a_late_release_does_not_free_the_slot_of_another_caller(slots: PollSlots) -> None:
    late = UNTIL + timedelta(seconds=30)
    slots.take(1, NOW, UNTIL)
    slots.take(1, UNTIL + timedelta(seconds=1), late)
    slots.release(0, UNTIL)
    assert slots.take(1, UNTIL + timedelta(seconds=2), late) is None


def test_releasing_a_free_slot_is_no_error(slots: PollSlots) -> None:
    slots.release(0, UNTIL)
    assert slots.take(1, NOW, UNTIL) == 0
