"""What a store of sessions keeps, in memory and on DynamoDB alike."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import boto3
import pytest

from planloom.adapters.dynamodb_sessions import DynamoSessionStore
from planloom.planes.programs.lines import OperationProgress
from planloom.planes.programs.ports import Commit, Operation, Session, SessionStore
from tests.integration.conftest import TABLE
from tests.unit.operations.fakes import FakeSessionStore

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
SESSION = Session(account="ann", name="s1", slot="s1", prompt_hash="f" * 64, created_at=NOW, used_at=NOW)
OPERATION = Operation(
    session="s1",
    number=1,
    handle="s1_o1",
    run_id="r1",
    program="Plan[id]",
    commit="pc0",
    verdict="review",
    own=False,
    entity="Plan",
    created_at=NOW,
    progress=OperationProgress(step=1, steps=3, label="read Plan"),
)


@pytest.fixture(params=["memory", "dynamodb"])
def store(request: pytest.FixtureRequest, aws: None) -> SessionStore:
    made: dict[str, Callable[[], SessionStore]] = {
        "memory": FakeSessionStore,
        "dynamodb": lambda: DynamoSessionStore(boto3.client("dynamodb"), TABLE),
    }
    return made[request.param]()


def test_a_session_is_kept_whole_and_expires_30_days_after_its_last_use(store: SessionStore) -> None:
    store.create(SESSION)
    store.create(SESSION.model_copy(update={"slot": "s9"}))
    assert store.get("ann", "s1", NOW) == SESSION
    assert store.get("bob", "s1", NOW) is None
    later = NOW + timedelta(days=20)
    store.use("ann", "s1", later, "a" * 64)
    assert store.get("ann", "s1", later) == SESSION.model_copy(update={"used_at": later, "prompt_hash": "a" * 64})
    assert store.get("ann", "s1", later + timedelta(days=29)) is not None
    assert store.get("ann", "s1", later + timedelta(days=30)) is None
    store.create(SESSION.model_copy(update={"name": "s0", "slot": "s0"}))
    assert store.get("ann", "s0", later + timedelta(days=300)) is not None


def test_numbers_are_given_once_however_many_ask(store: SessionStore) -> None:
    assert store.last("ann", "s1", "operations") == 0
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: store.next("ann", "s1", "operations"), range(24)))
    assert sorted(found) == list(range(1, 25))
    assert (store.last("ann", "s1", "operations"), store.last("ann", "s1", "pages")) == (24, 0)
    assert store.next("bob", "s1", "operations") == 1
    # a counter does not make a session
    assert store.get("ann", "s1", NOW) is None
    store.create(SESSION)
    assert store.next("ann", "s1", "operations") == 25


def test_commits_and_pages_are_found_in_their_session_alone(store: SessionStore) -> None:
    commit = Commit(ref="pc0", commit_id="c" * 64, verdict="review", expires_at=NOW)
    store.put_commit("ann", "s1", commit)
    store.put_page("ann", "s1", "s1_pg1", "key", NOW)
    assert (store.commit("ann", "s1", "pc0"), store.page("ann", "s1", "s1_pg1")) == (commit, "key")
    for account, session in (("ann", "s2"), ("bob", "s1")):
        assert (store.commit(account, session, "pc0"), store.page(account, session, "s1_pg1")) == (None, None)


def test_exactly_so_many_operations_are_live_however_many_ask(store: SessionStore) -> None:
    with ThreadPoolExecutor(8) as pool:
        added = list(pool.map(lambda number: store.add_live("ann", "s1", number, 16), range(1, 25)))
    assert sum(added) == len(store.live("ann", "s1")) == 16
    store.end_live("ann", "s1", list(store.live("ann", "s1"))[:2])
    store.end_live("ann", "s1", [])
    assert len(store.live("ann", "s1")) == 14
    assert store.add_live("ann", "s1", 30, 16)


def test_lines_are_counted_and_polls_see_what_changed_since_the_last_one(store: SessionStore) -> None:
    store.put_operation("ann", OPERATION)
    assert store.operation("ann", "s1", 1) == OPERATION
    progress = OPERATION.progress.model_copy(update={"rows": 42})
    store.report("ann", "s1", 1, progress)
    changed = OPERATION.model_copy(update={"progress": progress, "changes": 1})
    assert store.next_line("ann", "s1", 1) == changed.model_copy(update={"n": 3})
    assert store.next_line("ann", "s1", 1) == changed.model_copy(update={"n": 4, "polled": 1})
    assert [store.keep_result("ann", "s1", 1, key) for key in ("first", "second")] == ["first", "first"]
    found = store.operation("ann", "s1", 1)
    assert found
    assert found.result == "first"
    store.report("ann", "s1", 2, progress)
    assert store.next_line("ann", "s1", 2) is None
    assert store.operation("ann", "s1", 2) is None


def test_operations_are_listed_oldest_first_and_deleted(store: SessionStore) -> None:
    for number in (10, 2, 1):
        store.put_operation("ann", OPERATION.model_copy(update={"number": number, "handle": f"s1_o{number}"}))
    store.delete_operation("ann", "s1", 2)
    store.delete_operation("ann", "s1", 2)
    assert [each.number for each in store.operations("ann", "s1")] == [1, 10]
    assert store.operations("bob", "s1") == []
