"""The ports of runs keep their promises in memory and on AWS alike."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import boto3
import pytest

from planloom.adapters.dynamodb_budgets import DynamoBudgetStore
from planloom.adapters.dynamodb_graphs import AwsGraphStore
from planloom.adapters.dynamodb_runs import DynamoRunEvents, DynamoRunStore
from planloom.adapters.run_files import S3RunFiles
from planloom.adapters.schedules import GROUP, DynamoScheduleStore, EventBridgeTimer
from planloom.adapters.ssm_secrets import SsmSecrets
from planloom.adapters.tool_servers import PARAMETERS, AwsToolServerStore
from planloom.planes.graphs.ports import GraphRevision, GraphView
from planloom.planes.graphs.schedules import Schedule
from planloom.runs.budgets import Budget, BudgetStore
from planloom.runs.errors import TooManyRuns
from planloom.runs.records import (
    Intent,
    Lease,
    Progress,
    Run,
    RunEvent,
    RunFailure,
    RunState,
    RunWork,
    StepRecord,
    Unit,
)
from planloom.tools.ports import ToolServer
from planloom.tools.tool import Tool
from tests.integration.conftest import BUCKET, TABLE
from tests.unit.runs.fakes import FakeBudgetStore, FakeRunEvents, FakeRunFiles, FakeRunStore
from tests.unit.runs.jobs import Bench, Steps, chain

AT = datetime(2026, 11, 1, 12, tzinfo=UTC)
LATER = AT + timedelta(seconds=15)


@pytest.fixture(params=["memory", "aws"])
def ports(request: pytest.FixtureRequest) -> Iterator[SimpleNamespace]:
    if request.param == "memory":
        yield SimpleNamespace(store=FakeRunStore(), files=FakeRunFiles(), events=FakeRunEvents())
        return
    request.getfixturevalue("aws")
    table, bucket = boto3.client("dynamodb"), boto3.client("s3")
    yield SimpleNamespace(
        store=DynamoRunStore(table, TABLE), files=S3RunFiles(bucket, BUCKET), events=DynamoRunEvents(table, TABLE)
    )


def run(run_id: str = "r1", account: str = "ann", minutes: int = 0) -> Run:
    return Run(
        run_id=run_id,
        plane="graphs",
        account=account,
        subject="g",
        work="w1",
        steps=2,
        created_at=AT + timedelta(minutes=minutes),
    )


def test_a_run_is_added_once_and_read_back_whole(ports: SimpleNamespace) -> None:
    assert ports.store.add(run())
    assert not ports.store.add(run())

    assert ports.store.get("r1") == run()
    assert ports.store.get("none") is None
    assert ports.store.control("none") is None
    assert ports.store.active() == ["r1"]
    assert ports.store.active("bob") == []


def test_runs_are_listed_newest_first_by_account(ports: SimpleNamespace) -> None:
    for number in range(4):
        ports.store.add(run(f"r{number}", "bob" if number == 2 else "ann", number))

    first = ports.store.newest_of("ann", 2)
    rest = ports.store.newest_of("ann", 2, first[-1][0])

    assert [each.run_id for _, each in [*first, *rest]] == ["r3", "r1", "r0"]


def test_a_lease_has_one_holder_and_fences_what_the_last_one_writes(ports: SimpleNamespace) -> None:
    ports.store.add(run())
    first = ports.store.take_lease("r1", 1, AT, LATER)
    assert first
    old = Lease("r1", 1, first.epoch)

    assert ports.store.take_lease("r1", 1, AT, LATER) is None
    assert ports.store.renew_lease(old, LATER)
    second = ports.store.take_lease("r1", 1, LATER, LATER + timedelta(seconds=15))
    assert second
    assert second.epoch == first.epoch + 1

    assert ports.store.renew_lease(old, LATER) is None
    assert ports.store.note_intents(old, [Intent(unit=":1", attempt=1)], []) is None
    assert not ports.store.report(old, Progress(completed=1))
    assert not ports.store.move("r1", 1, RunState.COMPLETED, AT, epoch=first.epoch)
    ports.store.release_lease(old)
    assert ports.store.control("r1") == second
    ports.store.release_lease(Lease("r1", 1, second.epoch))
    assert ports.store.take_lease("r1", 1, AT, LATER)
    assert ports.store.take_lease("r1", 2, LATER, LATER) is None


def test_intents_are_kept_and_forgotten(ports: SimpleNamespace) -> None:
    ports.store.add(run())
    lease = Lease("r1", 1, ports.store.take_lease("r1", 1, AT, LATER).epoch)
    odd = Intent(unit="items/3:a.b#c", attempt=2)

    ports.store.note_intents(lease, [Intent(unit=":1", attempt=1), odd], [])
    control = ports.store.note_intents(lease, [], [":1", ":never"])

    assert control.intents == (odd,)


def test_a_transition_is_made_once_and_from_the_right_states(ports: SimpleNamespace) -> None:
    ports.store.add(run())
    failure = RunFailure(code="STEP_FAILED", message="Step 1", steps=("1",))

    assert ports.store.move("r1", 1, RunState.WAITING, AT)
    assert not ports.store.move("r1", 2, RunState.FAILED, AT)
    assert ports.store.move("r1", 1, RunState.FAILED, AT, failure)
    assert not ports.store.move("r1", 1, RunState.COMPLETED, AT)
    assert not ports.store.move("none", 1, RunState.COMPLETED, AT)

    found = ports.store.get("r1")
    assert (found.state, found.failure, found.ended_at) == (RunState.FAILED, failure, AT)
    assert ports.store.active() == []


def test_an_account_has_at_most_so_many_active_runs(ports: SimpleNamespace) -> None:
    def added(name: str) -> bool:
        try:
            return bool(ports.store.add(run(name), most=3))
        except TooManyRuns:
            return False

    # one after the other: the transactions of moto are not safe across threads, those of DynamoDB are
    assert [added(f"r{n}") for n in range(5)] == [True, True, True, False, False]
    assert ports.store.add(run("other", "bob"), most=1)
    first, *_ = ports.store.active("ann")
    assert not ports.store.add(run(first), most=10)
    assert ports.store.move(first, 1, RunState.WAITING, AT)
    assert ports.store.move(first, 1, RunState.STOPPED, AT)
    assert not ports.store.move(first, 1, RunState.STOPPED, AT)

    assert ports.store.add(run("next"), most=3)
    with pytest.raises(TooManyRuns):
        ports.store.renumber(first, 1, "w2", None, most=3)
    assert ports.store.get(first).number == 1
    assert ports.store.renumber(first, 1, "w2", None, most=4)


@pytest.fixture(params=["memory", "aws"])
def budgets(request: pytest.FixtureRequest) -> BudgetStore:
    if request.param == "memory":
        return FakeBudgetStore()
    request.getfixturevalue("aws")
    return DynamoBudgetStore(boto3.client("dynamodb"), TABLE)


def test_a_budget_gives_exactly_its_calls_however_many_take_at_once(budgets: BudgetStore) -> None:
    assert budgets.set("ann", "a", 5) == Budget(name="a", calls=5)
    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(lambda _: budgets.take("ann", "a"), range(12))) == 5
    assert not budgets.take("bob", "a")
    assert not budgets.take("ann", "b")
    assert budgets.set("ann", "a", 6) == Budget(name="a", calls=6, taken=5)
    assert budgets.take("ann", "a")
    assert (budgets.of_account("ann"), budgets.of_account("bob")) == ([Budget(name="a", calls=6, taken=6)], [])
    budgets.delete("ann", "a")
    assert budgets.get("ann", "a") is None


def test_a_resume_raises_the_number_and_clears_signals_of_the_last_one(ports: SimpleNamespace) -> None:
    ports.store.add(run())
    lease = Lease("r1", 1, ports.store.take_lease("r1", 1, AT, LATER).epoch)
    ports.store.note_intents(lease, [Intent(unit=":1", attempt=1)], [])
    ports.store.signal("r1", stop=True)
    assert not ports.store.renumber("r1", 1, "w2", None)
    ports.store.move("r1", 1, RunState.STOPPED, AT)

    assert ports.store.renumber("r1", 1, "w2", LATER)
    assert not ports.store.renumber("r1", 1, "w3", None)

    found, control = ports.store.get("r1"), ports.store.control("r1")
    assert (found.number, found.work, found.state, found.deadline) == (2, "w2", RunState.RUNNING, LATER)
    assert (found.ended_at, control.stop, control.intents, control.lease_until) == (None, False, (), None)
    assert ports.store.active() == ["r1"]


def test_a_revision_raises_the_number_of_a_run_that_runs_and_fences_the_last_one(ports: SimpleNamespace) -> None:
    ports.store.add(run())
    lease = Lease("r1", 1, ports.store.take_lease("r1", 1, AT, LATER).epoch)
    ports.store.note_intents(lease, [Intent(unit=":1", attempt=1)], [])
    late = lease._replace(epoch=lease.epoch - 1)

    assert not ports.store.revise(late, "w2", steps=3, revision=2, replanned=True)
    assert ports.store.revise(lease, "w2", steps=3, revision=2, replanned=True)
    assert not ports.store.revise(lease, "w3", steps=4, revision=3, replanned=True)

    found, control = ports.store.get("r1"), ports.store.control("r1")
    assert (found.number, found.work, found.steps, found.revision, found.replanned) == (2, "w2", 3, 2, True)
    assert (found.state, control.intents, control.lease_until) == (RunState.RUNNING, (), None)
    assert ports.store.active() == ["r1"]
    assert ports.store.take_lease("r1", 2, AT, LATER)
    ports.store.signal("r1", stop=True)
    assert not ports.store.revise(
        Lease("r1", 2, ports.store.control("r1").epoch), "w3", steps=1, revision=3, replanned=False
    )


def test_a_token_is_kept_unless_something_was_signalled_and_taken_once(ports: SimpleNamespace) -> None:
    ports.store.add(run())
    assert not ports.store.park("r1", 1, "early", 0)
    ports.store.move("r1", 1, RunState.WAITING, AT)
    assert ports.store.signal("r1").signals == 1

    assert not ports.store.park("r1", 1, "late", 0)
    assert ports.store.park("r1", 1, "token", 1)
    assert ports.store.signal("r1").token == "token"
    assert ports.store.take_lease("r1", 1, AT, LATER).token is None
    assert ports.store.signal("none") is None


def test_a_part_is_raised_once(ports: SimpleNamespace) -> None:
    ports.store.add(run())

    assert ports.store.next_part("r1", 1, 1)
    assert not ports.store.next_part("r1", 1, 1)
    assert ports.store.get("r1").part == 2


def record(step: str = "1", part: str = "", attempt: int = 1, value: str = "[1.0, true]") -> StepRecord:
    return StepRecord(
        step=step,
        part=part,
        number=1,
        attempt=attempt,
        state="completed",
        value=value,
        detail={"args": {"a": [1, 2.5, None]}},
        started_at=AT,
        ended_at=LATER,
    )


def test_a_record_is_written_once(ports: SimpleNamespace) -> None:
    assert ports.files.commit("r1", record())
    assert not ports.files.commit("r1", record(value="[]"))
    for other in (record(attempt=2), record(part="items/0"), record(step="a/b c"), record(step="1/items")):
        assert ports.files.commit("r1", other)

    assert ports.files.record("r1", Unit("1"), 1, 1) == record()
    assert ports.files.record("r1", Unit("1"), 2, 1) is None
    assert len(ports.files.records("r1")) == 5
    assert {each.part for each in ports.files.records("r1", "1")} == {"", "items/0"}
    assert {each.part for each in ports.files.records("r1", "1", parts=False)} == {""}
    assert ports.files.records("r2") == []


def test_work_and_large_values_come_back_whole(ports: SimpleNamespace) -> None:
    work = RunWork(document={"a": [1, 2.5]}, kept={":1": (1, 2)}, decided=(record(),))
    ports.files.put_work("r1", "w1", work)
    text = json.dumps("ä" * 50_000, ensure_ascii=False)
    key = ports.files.put_value("r1", text)

    assert ports.files.work("r1", "w1") == work
    assert ports.files.value("r1", key) == text
    ports.files.delete("r1")
    with pytest.raises(FileNotFoundError):
        ports.files.work("r1", "w1")
    with pytest.raises(FileNotFoundError):
        ports.files.value("r1", key)


def test_events_come_in_order_with_increasing_cursors_whoever_writes(ports: SimpleNamespace) -> None:
    events = [RunEvent(name="step_started", at=AT, number=1, step=str(n), data={"n": n}) for n in range(250)]
    other = (
        ports.events if isinstance(ports.events, FakeRunEvents) else DynamoRunEvents(boto3.client("dynamodb"), TABLE)
    )
    ports.events.append("r1", events[:120])
    other.append("r1", events[120:130])
    ports.events.append("r1", events[130:])

    found: list[Any] = []
    while page := ports.events.after("r1", found[-1].cursor if found else 0, 70):
        found += page

    assert [each.data["n"] for each in found] == list(range(250))
    assert [each.cursor for each in found] == sorted({each.cursor for each in found})
    assert ports.events.last("r1") == found[-1]
    assert ports.events.last("r2") is None


def test_a_run_works_to_its_end_on_these_ports(ports: SimpleNamespace) -> None:
    bench = Bench(Steps(chain(5)), store=ports.store, files=ports.files, events=ports.events)

    assert bench.turn().next == "ended"
    assert bench.now().state is RunState.COMPLETED
    assert set(bench.steps.calls.values()) == {1}
    assert bench.names()[-1] == "run_completed"
    bench.runs.delete("ann", "r1")
    assert bench.store.get("r1") is None


def test_a_graph_that_is_drafted_has_no_revision_before_its_first(aws: None) -> None:
    store = AwsGraphStore(boto3.client("dynamodb"), TABLE, boto3.client("s3"), BUCKET)
    view = GraphView(graph_id="g1", account="ann", title="T", revision=0, created_at=AT, updated_at=AT, drafted_by="r1")

    store.reserve(view)
    assert (store.get("g1"), store.revision("g1", 1)) == (view, None)

    first = view.model_copy(update={"revision": 1, "steps": 1})
    assert store.save(first, GraphRevision(graph={"steps": [1]}))
    assert not store.save(first, GraphRevision(graph={"steps": [2]}))
    found = store.revision("g1", 1)
    assert found
    assert (store.get("g1"), found.graph) == (first, {"steps": [1]})


def test_revisions_of_a_graph_follow_each_other(aws: None) -> None:
    store = AwsGraphStore(boto3.client("dynamodb"), TABLE, boto3.client("s3"), BUCKET)
    view = GraphView(graph_id="g1", account="ann", title="T", steps=1, created_at=AT, updated_at=AT)
    second = view.model_copy(update={"revision": 2, "updated_at": LATER})

    assert store.save(view, GraphRevision(graph={"steps": [1]}))
    assert not store.save(view, GraphRevision(graph={}))
    assert store.save(second, GraphRevision(graph={"steps": [2]}, tools={"s/t": "hash"}))
    assert not store.save(
        second.model_copy(update={"updated_at": LATER + timedelta(seconds=1)}), GraphRevision(graph={})
    )

    assert store.get("g1") == second
    assert [each.graph for n in (1, 2) if (each := store.revision("g1", n))] == [{"steps": [1]}, {"steps": [2]}]
    assert [each.graph_id for _, each in store.newest_of("ann", 5)] == ["g1"]
    assert store.newest_of("bob", 5) == []
    store.delete("g1")
    assert store.get("g1") is None
    assert store.revision("g1", 1) is None


def test_headers_of_tool_servers_are_secrets_and_catalogs_have_their_hash(aws: None) -> None:
    store = AwsToolServerStore(boto3.client("dynamodb"), TABLE, boto3.client("s3"), BUCKET)
    secrets = SsmSecrets(lambda: boto3.client("ssm"), PARAMETERS)
    server = ToolServer(account="ann o'x", name="web", url="https://t.example/mcp", headers=("X-Key",), created_at=AT)
    tools = [Tool(name="add", server="web", input_schema={"type": "object"})]

    store.put(server)
    secrets.put(server.account, "web", {"X-Key": "hush"})
    key = store.put_catalog(server.account, tools)

    assert store.get(server.account, "web") == server
    assert store.of_account(server.account) == [server]
    assert store.of_account("ann") == []
    assert store.catalog(server.account, key) == tools
    assert store.put_catalog(server.account, tools) == key
    assert store.catalog(server.account, "none") == []
    assert secrets.get(server.account, "web") == {"X-Key": "hush"}
    assert secrets.get("ann", "web") == {}
    kept = boto3.client("ssm").describe_parameters()["Parameters"]
    assert [each["Type"] for each in kept] == ["SecureString"]
    store.delete(server.account, "web")
    secrets.delete(server.account, "web")
    secrets.delete(server.account, "web")
    assert store.get(server.account, "web") is None
    assert secrets.get(server.account, "web") == {}


def test_a_schedule_is_stored_and_its_timer_set_replaced_and_deleted(aws: None) -> None:
    store = DynamoScheduleStore(boto3.client("dynamodb"), TABLE)
    schedule = Schedule(
        account="ann", name="nightly", graph_id="g", when="cron(0 8 * * ? *)", timezone="Europe/Lisbon", created_at=AT
    )
    store.put(schedule)
    assert (store.get("ann", "nightly"), store.of_account("ann"), store.of_account("bob")) == (schedule, [schedule], [])
    later = schedule.model_copy(update={"last_due": AT})
    assert (store.replace(schedule, later), store.replace(schedule, schedule)) == (True, False)
    assert store.get("ann", "nightly") == later
    store.delete("ann", "nightly")
    assert not store.replace(later, schedule)
    assert store.get("ann", "nightly") is None

    client = boto3.client("scheduler")
    client.create_schedule_group(Name=GROUP)
    arn = "arn:aws:iam::123456789012:role/r"
    timer = EventBridgeTimer(lambda: client, "arn:aws:lambda:eu-west-1:123456789012:function:f", arn)
    timer.set("ann/x", "nightly", schedule.when, schedule.timezone)
    timer.set("ann/x", "nightly", "cron(0 9 * * ? *)", "UTC")
    (listed,) = client.list_schedules(GroupName=GROUP)["Schedules"]
    found = client.get_schedule(GroupName=GROUP, Name=listed["Name"])
    assert (found["ScheduleExpression"], found["ScheduleExpressionTimezone"]) == ("cron(0 9 * * ? *)", "UTC")
    assert json.loads(found["Target"]["Input"]) == {"account": "ann/x", "name": "nightly"}
    timer.clear("ann/x", "nightly")
    timer.clear("ann/x", "nightly")
    assert client.list_schedules(GroupName=GROUP)["Schedules"] == []
