"""The promises of RunQueue, kept alike by the fake and by DynamoDB."""

from datetime import UTC, datetime, timedelta

import boto3
import pytest

from planloom.adapters.dynamodb_run_queue import DynamoRunQueue
from planloom.planes.strategic.ports.running import RunQueue
from tests.fakes import FakeRunQueue
from tests.integration.conftest import TABLE

NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)


@pytest.fixture(params=["fake", "dynamodb"])
def queue(request: pytest.FixtureRequest) -> RunQueue:
    if request.param == "fake":
        return FakeRunQueue()
    request.getfixturevalue("aws")
    return DynamoRunQueue(boto3.client("dynamodb"), TABLE)


def test_no_more_runs_are_active_than_allowed_and_the_others_wait(queue: RunQueue) -> None:
    assert queue.read() == (frozenset(), ())
    assert [queue.take_slot(run, 2, NOW) for run in ("a-1", "b-1", "c-1", "d-1")] == [True, True, False, False]
    assert queue.read() == ({"a-1", "b-1"}, ("c-1", "d-1"))


def test_a_repeated_request_changes_neither_active_nor_waiting_runs(queue: RunQueue) -> None:
    assert [queue.take_slot(run, 1, NOW) for run in ("a-1", "b-1", "a-1", "b-1")] == [True, False, True, False]
    assert queue.read() == ({"a-1"}, ("b-1",))


def test_runs_wait_in_the_order_of_their_requests(queue: RunQueue) -> None:
    for run, minutes in (("a-1", 0), ("d-1", 2), ("c-1", 1), ("b-1", 3), ("d-1", 2)):
        queue.take_slot(run, 1, NOW + timedelta(minutes=minutes))
    assert queue.read() == ({"a-1"}, ("c-1", "d-1", "b-1"))


def test_the_end_of_a_run_frees_a_slot_for_a_waiting_one(queue: RunQueue) -> None:
    for run in ("a-1", "b-1", "c-1"):
        queue.take_slot(run, 1, NOW)
    queue.release("a-1")
    assert queue.read() == (frozenset(), ("b-1", "c-1"))
    assert [queue.take_slot(run, 1, NOW) for run in ("b-1", "c-1")] == [True, False]
    assert queue.read() == ({"b-1"}, ("c-1",))


def test_a_waiting_run_can_leave_the_queue(queue: RunQueue) -> None:
    queue.take_slot("a-1", 1, NOW)
    queue.take_slot("b-1", 1, NOW)
    queue.release("b-1")
    assert queue.read() == ({"a-1"}, ())


def test_an_unknown_run_that_leaves_changes_nothing(queue: RunQueue) -> None:
    queue.release("a-1")
    queue.take_slot("b-1", 1, NOW)
    queue.release("a-1")
    assert queue.read() == ({"b-1"}, ())


def test_a_slot_that_is_released_while_a_run_starts_to_wait_is_taken_at_once(aws: None) -> None:
    class Leaving(DynamoRunQueue):
        def _take(self, run: str, most: int) -> bool:
            taken = super()._take(run, most)
            if not taken:
                DynamoRunQueue(self._client, TABLE).release("a-1")
            return taken

    queue = Leaving(boto3.client("dynamodb"), TABLE)
    assert queue.take_slot("a-1", 1, NOW)
    assert queue.take_slot("b-1", 1, NOW)
    assert queue.read() == ({"b-1"}, ())
