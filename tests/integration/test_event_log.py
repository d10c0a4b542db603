"""The promises of EventLog, and of PlanStore where it writes the log, kept alike by the fake and by DynamoDB."""

from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest

from planloom.adapters.dynamodb_log import DynamoEventLog
from planloom.adapters.dynamodb_plans import DynamoPlanStore
from planloom.planes.strategic.event_log import Entry
from planloom.planes.strategic.events import AnswerKept, PlanStalled, RunEnded, RunStarted, StageFailed, StageFinished
from planloom.planes.strategic.plans import Failure, Plan
from planloom.planes.strategic.ports.log import EventLog
from planloom.planes.strategic.ports.plans import PlanStore
from tests.fakes import FakePlanStore
from tests.integration.conftest import TABLE
from tests.integration.test_plan_store import again, finished, plan, resting, started

NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)
FAILURE = Failure(
    failure_reason="generation_error", failed_step="016-expert_criticism", message="No answer.", recoverable=True
)

Kept = tuple[PlanStore, EventLog]


@pytest.fixture(params=["fake", "dynamodb"])
def kept(request: pytest.FixtureRequest) -> Kept:
    """The plans and their log."""
    if request.param == "fake":
        store = FakePlanStore()
        return store, store
    request.getfixturevalue("aws")
    client = boto3.client("dynamodb")
    return DynamoPlanStore(client, TABLE), DynamoEventLog(client, TABLE)


@pytest.fixture
def one(kept: Kept) -> Plan:
    """A plan in the store."""
    made = plan()
    kept[0].add(made)
    return made


def told(entries: list[Entry]) -> list[tuple[str, dict[str, Any]]]:
    return [(entry.type, entry.data) for entry in entries]


def cursors(entries: list[Entry]) -> list[int]:
    return [entry.cursor for entry in entries]


def test_the_log_begins_with_the_plans_first_state(kept: Kept, one: Plan) -> None:
    first = Entry(cursor=1, ts=NOW, type="state_changed", data={"run": 1, "state": "pending"})
    assert kept[1].events_after(one.plan_id, 0, 10) == [first]


def test_the_log_says_why_a_plan_is_there_where_that_is_told(kept: Kept) -> None:
    derived = plan(state="stopped")
    kept[0].add(derived, "plan_invalidate")
    begun = {"run": 1, "state": "stopped", "reason": "plan_invalidate"}
    assert told(kept[1].events_after(derived.plan_id, 0, 10)) == [("state_changed", begun)]


def test_a_plan_that_nobody_knows_has_no_log(kept: Kept) -> None:
    assert kept[1].events_after("nobody's", 0, 10) == []
    assert kept[1].last_events("nobody's", 10) == []


def test_13_a_finished_step_shows_as_itself_its_files_and_the_progress(kept: Kept, one: Plan) -> None:
    plans, log = kept
    plans.apply(finished(one, "002", files=2))
    files = [
        {"run": 1, "step": "002-screening", "path": path, "size": size, "content_type": "text/markdown"}
        for path, size in (("002-1-name.md", 6), ("002-2-name.md", 6))
    ]
    seen = log.events_after(one.plan_id, 1, 10)
    hashes = [entry.data.pop("sha256") for entry in seen if entry.type == "artifact_written"]
    assert told(seen) == [
        (
            "stage_finished",
            {"run": 1, "step": "002-screening", "title": "Name", "files": 2, "calls": 0, "seconds": 0.0},
        ),
        ("artifact_written", files[0]),
        ("artifact_written", files[1]),
        (
            "progress_updated",
            {"run": 1, "progress_percentage": 6.7, "steps_completed": 1, "steps_total": 15},
        ),
    ]
    assert [len(each) for each in hashes] == [64, 64]


def test_a_skipped_step_writes_nothing_and_counts(kept: Kept, one: Plan) -> None:
    plans, log = kept
    plans.apply(finished(one, "002").model_copy(update={"skipped": True}))
    assert [entry.type for entry in log.events_after(one.plan_id, 1, 10)] == ["stage_skipped", "progress_updated"]


def test_the_small_events_show_as_one_entry_each(kept: Kept, one: Plan) -> None:
    plans, log = kept
    about: dict[str, Any] = {"plan_id": one.plan_id, "run": 1, "at": NOW}
    for event in (
        RunStarted(**about),
        started(one, "016"),
        AnswerKept(**about, key="016", call="critics", answers=1),
        StageFailed(**about, key="016", failure=FAILURE),
        PlanStalled(**about, since=NOW - timedelta(minutes=12)),
        RunEnded(**about, state="failed", failure=FAILURE),
    ):
        assert plans.apply(event)
    failure = FAILURE.model_dump()
    progress = {"run": 1, "progress_percentage": 0.0, "steps_completed": 0, "steps_total": 15}
    assert told(log.events_after(one.plan_id, 1, 10)) == [
        ("log", {"run": 1, "level": "info", "message": "run 1 handed to the state machine"}),
        ("stage_started", {"run": 1, "step": "016-expert_criticism", "title": "Name"}),
        ("progress_updated", progress | {"step": "016-expert_criticism", "answers": 1}),
        ("stage_failed", {"run": 1, "step": "016-expert_criticism", "error": failure}),
        ("log", {"run": 1, "level": "warning", "message": "run 1 no progress for 12 minutes"}),
        ("log", {"run": 1, "level": "error", "message": "run 1 ended failed"}),
    ]


def test_2_2_a_state_is_logged_with_its_change_and_once(kept: Kept, one: Plan) -> None:
    plans, log = kept
    assert plans.move(one.plan_id, 1, "processing", NOW)
    assert not plans.move(one.plan_id, 1, "processing", NOW)
    assert plans.move(one.plan_id, 1, "stopped", NOW, reason="plan_stop")
    assert not plans.move(one.plan_id, 1, "failed", NOW, FAILURE)
    assert told(log.events_after(one.plan_id, 1, 10)) == [
        ("state_changed", {"run": 1, "state": "processing", "previous": "pending"}),
        ("state_changed", {"run": 1, "state": "stopped", "previous": "processing", "reason": "plan_stop"}),
    ]


@pytest.mark.parametrize(("changes", "reason"), [({}, "plan_resume"), ({"first_run": 2}, "plan_retry")])
def test_the_next_run_is_logged_as_it_begins_with_what_asked_for_it(
    kept: Kept, changes: dict[str, object], reason: str
) -> None:
    plans, log = kept
    one = resting(plans)
    later = NOW + timedelta(hours=1)
    assert plans.restart(again(one, **changes, resumed_at=later))
    assert not plans.restart(again(one, **changes, resumed_at=later))
    (entry,) = log.last_events(one.plan_id, 1)
    told = {"run": 2, "state": "pending", "previous": "failed", "reason": reason}
    assert (entry.ts, entry.type, entry.data) == (later, "state_changed", told)


def test_a_failed_state_says_why(kept: Kept, one: Plan) -> None:
    plans, log = kept
    plans.move(one.plan_id, 1, "failed", NOW, FAILURE)
    (entry,) = log.last_events(one.plan_id, 1)
    assert entry.data["error"] == FAILURE.model_dump()


def test_pages_join_without_a_gap_wherever_they_are_cut(kept: Kept, one: Plan) -> None:
    plans, log = kept
    for key in ("001", "002", "003"):
        plans.apply(started(one, key))
        plans.apply(finished(one, key, files=5))
    whole = log.events_after(one.plan_id, 0, 1000)
    assert len(whole) == 1 + 3 * (1 + 7)
    for size in (1, 2, 3, 7, 100):
        read: list[Entry] = []
        while page := log.events_after(one.plan_id, read[-1].cursor if read else 0, size):
            assert len(page) <= size
            read += page
        assert read == whole
    assert cursors(whole) == sorted(set(cursors(whole)))


def test_the_newest_entries_come_oldest_first(kept: Kept, one: Plan) -> None:
    plans, log = kept
    plans.apply(finished(one, "002", files=5))
    plans.apply(finished(one, "003", files=1))
    whole = log.events_after(one.plan_id, 0, 1000)
    for size in (1, 2, 4, 1000):
        assert log.last_events(one.plan_id, size) == whole[-size:]


def test_an_event_of_an_older_run_is_logged_and_shows_no_progress(kept: Kept) -> None:
    plans, log = kept
    newer = plan(run=2)
    plans.add(newer)
    assert plans.apply(finished(newer, "016", files=1, run=1))
    assert [entry.type for entry in log.events_after(newer.plan_id, 1, 10)] == ["stage_finished", "artifact_written"]


def test_an_answer_to_a_run_that_is_over_takes_nothing_out_of_the_log(kept: Kept) -> None:
    plans, log = kept
    newer = plan(run=2)
    plans.add(newer)
    before = log.events_after(newer.plan_id, 0, 10)
    assert plans.apply(AnswerKept(plan_id=newer.plan_id, run=1, at=NOW, key="016", call="critics", answers=1))
    assert log.events_after(newer.plan_id, 0, 10) == before


def test_2_2_what_is_told_twice_is_logged_once(kept: Kept, one: Plan) -> None:
    plans, log = kept
    event = finished(one, "002")
    plans.apply(event)
    before = log.events_after(one.plan_id, 0, 100)
    plans.apply(event)
    plans.apply(event.model_copy(update={"at": NOW + timedelta(hours=1)}))
    assert log.events_after(one.plan_id, 0, 100) == before


def test_an_answer_that_is_kept_moves_the_plan_and_a_late_one_does_not_move_it_back(kept: Kept, one: Plan) -> None:
    plans, _ = kept
    about: dict[str, Any] = {"plan_id": one.plan_id, "run": 1, "key": "016", "answers": 1}
    plans.apply(AnswerKept(**about, call="second", at=NOW + timedelta(minutes=2)))
    plans.apply(AnswerKept(**about, call="first", at=NOW + timedelta(minutes=1)))
    plans.apply(AnswerKept(**about | {"run": 9}, call="other", at=NOW + timedelta(hours=1)))
    moved = plans.get(one.plan_id)
    assert moved
    assert moved.last_progress_at == NOW + timedelta(minutes=2)


def test_finished_steps_are_told_in_order_without_their_files(kept: Kept, one: Plan) -> None:
    plans, _ = kept
    events: list[StageFinished] = [finished(one, key) for key in ("003", "001")]
    for event in events:
        plans.apply(event)
    bare = [event.record.model_copy(update={"artifacts": ()}) for event in reversed(events)]
    assert plans.steps(one.plan_id) == bare
