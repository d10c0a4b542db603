"""Workflows on moto: the store's promises, parallel submissions, and hosts under the real state machine."""

import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock
from urllib.parse import unquote, urlsplit
from uuid import uuid4

import boto3
import pytest
import yaml
from botocore.config import Config
from moto.awslambda.models import LambdaBackend

from functions.api import handler as api
from functions.run_worker import handler as run_worker
from planloom import wiring
from planloom.adapters import dynamodb_workflows
from planloom.adapters.dynamodb_approvals import DynamoApprovalStore
from planloom.adapters.dynamodb_runs import DynamoRunEvents, DynamoRunStore
from planloom.adapters.dynamodb_workflows import AwsWorkflowStore
from planloom.adapters.run_files import S3RunFiles
from planloom.adapters.step_functions_runs import StepFunctionsEngine
from planloom.adapters.workflow_files import S3Uploads
from planloom.approvals.approval import Decision, Response
from planloom.approvals.service import Approvals
from planloom.core.errors import PlanloomError
from planloom.planes.graphs.job import GraphWork, graph_jobs
from planloom.planes.graphs.validate import load
from planloom.planes.links.workflow_graphs import WorkflowGraphs
from planloom.planes.workflows.errors import ActiveRunExists, ExecutionNotFound, NodeNotOpen
from planloom.planes.workflows.executor import Executor
from planloom.planes.workflows.host import ACCOUNT, RunHost, host_id
from planloom.planes.workflows.job import Plugins, workflow_jobs
from planloom.planes.workflows.ports import Change
from planloom.planes.workflows.service import Workflows
from planloom.planes.workflows.states import Execution, Result
from planloom.runs.control import Runs
from planloom.runs.records import Run, RunState, RunWork
from planloom.runs.work import Worker
from planloom.tools.unwrap import ToolFailed
from planloom.wiring import graphs as wiring_graphs
from planloom.wiring import notifications as wiring_notifications
from planloom.wiring import runs as wiring_runs
from planloom.wiring import workflows as wiring_workflows
from tests.integration.conftest import BUCKET, TABLE, make_bucket, make_table, mocked_aws
from tests.integration.test_run_steps import DEFINITION, PATIENCE
from tests.unit.api.calling import gateway_event
from tests.unit.functions.conftest import Context
from tests.unit.graphs.tools import graph, step
from tests.unit.runs.jobs import QUICK
from tests.unit.workflows.drafts import draft, edge, launch, node
from tests.unit.workflows.fakes import FakeHost
from tests.unit.workflows.test_service import brief


def now() -> datetime:
    return datetime.now(UTC)


def made(host: Any = None) -> Workflows:
    """Workflows on the table and the bucket."""
    table = boto3.client("dynamodb")
    store = AwsWorkflowStore(table, TABLE, boto3.client("s3"), BUCKET)

    def changed(approval: Any, change: str) -> None:
        executor.on_approval(approval, change)

    approvals = Approvals(DynamoApprovalStore(table, TABLE), (changed,), now, str)
    executor = Executor(store, approvals, host or FakeHost(), now, time.sleep)
    return Workflows(
        executor=executor,
        uploads=S3Uploads(boto3.client("s3", config=Config(signature_version="s3v4")), BUCKET),
        now=now,
        new_id=lambda: str(uuid4()),
        sleep=time.sleep,
        monotonic=time.monotonic,
    )


@pytest.fixture
def flows(aws: None) -> Workflows:
    return made()


def respond(flows: Workflows, run: Execution, decision: Decision = Decision.APPROVE, by: str = "founder") -> None:
    flows.respond("ann", run.approval_ids[-1], Response(by=by, decision=decision))


def test_a_run_comes_back_as_it_was_and_its_records_page_by_page(flows: Workflows) -> None:
    run = flows.create("ann", launch())
    assert flows.get("ann", run.run_id) == run
    flows.submit("ann", run.run_id, "draft-brief", brief(structuredOutput={}))
    after = flows.submit("ann", run.run_id, "draft-brief", brief()).run
    assert flows.get("ann", run.run_id) == after
    assert flows.stored_spec(run).draft == launch()

    attempts = [each for _, each in flows.records("ann", run.run_id, "planNodeAttempt", 0, 10)]
    assert [each.outcome for each in attempts] == ["rejected", "accepted"]  # type: ignore[union-attr]
    everything = flows.records("ann", run.run_id, "planEvent", 0, 1000)
    paged: list[Any] = []
    while page := flows.records("ann", run.run_id, "planEvent", paged[-1][0] if paged else 0, 3):
        paged += page
    assert paged == everything
    assert flows.newest_records("ann", run.run_id, "planEvent", 4) == everything[-4:]
    assert [cursor for cursor, _ in paged] == sorted({cursor for cursor, _ in paged})

    respond(flows, after)
    assert flows.get("ann", run.run_id).status == "completed"
    assert flows.active("ann") is None
    assert [view.status for _, view in flows.runs("ann", 10)] == ["completed"]
    flows.delete("ann", run.run_id)
    with pytest.raises(ExecutionNotFound):
        flows.get("ann", run.run_id)


def test_a_run_is_deleted_whole_also_after_its_deletion_broke_off(
    flows: Workflows, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = flows.create("ann", launch())
    flows.stop("ann", run.run_id, "")
    store: Any = flows.store
    with monkeypatch.context() as broken:

        def refuse(**_: Any) -> None:
            raise ConnectionError("throttled")

        broken.setattr(store._items, "delete_item", refuse)
        with pytest.raises(ConnectionError):
            flows.delete("ann", run.run_id)
    assert flows.get("ann", run.run_id).ended
    flows.delete("ann", run.run_id)
    left = boto3.client("s3").list_object_versions(Bucket=BUCKET, Prefix="workflow")
    assert not {"Versions", "DeleteMarkers"} & left.keys()
    rows = boto3.client("dynamodb").scan(TableName=TABLE)["Items"]
    assert [row["PK"]["S"] for row in rows if run.run_id in row["PK"]["S"]] == []


def test_what_follows_from_a_change_is_stored_with_it_until_it_is_done(
    flows: Workflows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Executor, "carry_out", lambda *_: None)
    run = flows.create("ann", draft(node("ok", "human-approval")))
    stopped = flows.stop("ann", run.run_id, "no")
    other = flows.create("ann", launch())
    store, later = flows.store, now() + timedelta(minutes=1)
    asked, withdrawn = store.left_over(later, 9, run.run_id)
    assert (asked[0], asked[1].starts, asked[1].asked) == (run, True, run.approval_ids)
    assert (withdrawn[0], withdrawn[1].withdrawn) == (stopped, run.approval_ids)
    assert len(store.left_over(later, 9)) == 3
    assert store.left_over(run.created_at, 9) == []
    store.carried_out(run.run_id, 1)
    assert [each.version for each, _ in store.left_over(later, 9, run.run_id)] == [2]
    flows.delete("ann", run.run_id)
    assert [each.run_id for each, _ in store.left_over(later, 9)] == [other.run_id]


def test_a_workstream_has_one_active_run_whoever_is_first(flows: Workflows) -> None:
    def create(_: int) -> str:
        try:
            return flows.create("ann", launch()).run_id
        except ActiveRunExists as error:
            return str(error.details["run_id"])

    with ThreadPoolExecutor(8) as pool:
        ids = set(pool.map(create, range(8)))
    assert len(ids) == 1
    run = flows.get("ann", ids.pop())
    stream = flows.store.workstream("ann", "default")
    assert stream
    assert (stream.active_run_id, stream.spec_version) == (run.run_id, 1)
    assert flows.store.forget_workstream("ann", "default") is False
    flows.stop("ann", run.run_id, "")
    assert [flows.store.forget_workstream("ann", "default") for _ in range(2)] == [True, True]
    assert flows.store.workstreams("ann") == []


def test_specifications_of_runs_that_were_not_created_are_deleted_with_their_states(
    flows: Workflows, monkeypatch: pytest.MonkeyPatch
) -> None:
    store: Any = flows.store
    files = boto3.client("s3")

    def keys() -> set[str]:
        listed = files.list_object_versions(Bucket=BUCKET)
        return {each["Key"].partition("/")[0] for each in listed.get("Versions", ())}

    def lost(*_: Any, **__: Any) -> None:
        raise ConnectionError("the process ended")

    # before the state is stored, and after it
    for owner, name in ((store, "_changes"), (dynamodb_workflows, "transact")):
        with monkeypatch.context() as crashed:
            crashed.setattr(owner, name, lost)
            with pytest.raises(ConnectionError):
                flows.create("ann", launch())
    assert keys() == {"workflow-specs", "workflows"}
    later = now() + timedelta(minutes=1)
    assert store.delete_orphans(now() - timedelta(minutes=1), 9) == []
    assert len(store.delete_orphans(later, 9)) == 2
    assert (keys(), store.delete_orphans(later, 9)) == (set(), [])

    run = flows.create("ann", launch())
    # it was stored while the other was created
    late = flows.stored_spec(run).model_copy(update={"spec_id": f"planSpec:{uuid4()}"})
    store.put_spec(late, run.run_id)
    assert store.delete_orphans(later, 9) == [late.spec_id]
    assert flows.get("ann", run.run_id) == run
    assert flows.stored_spec(run).draft == launch()
    with pytest.raises(FileNotFoundError):
        store.spec(late.spec_id)


def test_a_change_that_comes_too_late_changes_nothing(flows: Workflows) -> None:
    run = flows.create("ann", launch())
    flows.submit("ann", run.run_id, "draft-brief", brief())
    late = run.model_copy(update={"version": run.version + 1, "title": "late"})
    assert not flows.store.save(Change(run=late, before=run.version))
    assert flows.get("ann", run.run_id).title == run.title
    stopped = flows.stop("ann", run.run_id, "")
    again = stopped.model_copy(update={"run_id": f"planRun:{uuid4()}"})
    assert not flows.store.create(Change(run=again, before=0), Change(run=stopped, before=stopped.version))


def test_of_two_replacements_one_wins(flows: Workflows) -> None:
    run = flows.create("ann", launch())

    def replaced(_: int) -> str:
        try:
            return flows.replace("ann", run.run_id, "changed", launch(), carry_over=True).run_id
        except PlanloomError as error:
            return error.code

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(replaced, range(4)))
    winners = [each for each in found if each.startswith("planRun:")]
    assert len(winners) == 1
    assert set(found) - set(winners) == {"EXECUTION_ENDED"}
    active = flows.active("ann")
    assert active
    assert (active.run_id, active.replaced_run_id) == (winners[0], run.run_id)
    assert flows.get("ann", run.run_id).replaced_by == winners[0]


def test_of_many_parallel_submissions_one_is_accepted_and_the_others_are_told_why(flows: Workflows) -> None:
    run = flows.create("ann", launch())

    def submit(number: int) -> str:
        try:
            return flows.submit("ann", run.run_id, "draft-brief", brief(), by=f"agent{number}").attempt.outcome
        except NodeNotOpen as error:
            return error.message

    with ThreadPoolExecutor(16) as pool:
        said = list(pool.map(submit, range(100)))
    assert said.count("accepted") == 1
    assert sum("completed it" in each for each in said) == 99
    assert len(flows.records("ann", run.run_id, "planNodeAttempt", 0, 1000)) == 1


def test_content_that_is_sent_is_kept_under_its_hash(flows: Workflows) -> None:
    run = flows.create("ann", launch())
    pointer, url = flows.new_upload("ann", run.run_id, "text/markdown", 7)
    upload = pointer.removeprefix("planloom:")
    assert upload in url
    assert "content-length" in url, "the size is signed"
    assert flows.uploads.keep(run.run_id, upload) is None
    files, root = boto3.client("s3"), f"workflows/{run.run_id.partition(':')[2]}"
    files.put_object(Bucket=BUCKET, Key=f"{root}/uploads/{upload}", Body=b"# Brief")
    sha256, size = flows.uploads.keep(run.run_id, upload) or ("", 0)
    files.put_object(Bucket=BUCKET, Key=f"{root}/uploads/{upload}", Body=b"# Other")
    assert files.get_object(Bucket=BUCKET, Key=f"{root}/artifacts/{sha256}")["Body"].read() == b"# Brief"
    assert (len(sha256), size) == (64, 7)
    link = flows.uploads.read_link(run.run_id, sha256, 'a"b\r\n€.md')
    assert f"artifacts/{sha256}?" in link
    assert "filename%3D%22a-b----md%22" in link
    # a pointer names nothing outside of the run's own uploads
    assert flows.uploads.keep(run.run_id, f"../state/{upload}/..") is None


def test_a_run_of_more_than_a_lambda_returns_is_read_in_pages_and_by_a_link(
    flows: Workflows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring_workflows, "workflows", lambda: flows)
    names = [f"n{number}" for number in range(110)]
    run = flows.create("acme", draft(*map(node, names), entries=tuple(names)))
    artifact = {"name": "brief", "kind": "markdown", "pointer": "p" * 2_000, "description": "d" * 2_000}
    result = {"structured_output": {"text": "x" * 60_000}, "artifacts": [artifact]}
    for name in names:
        flows.submit("acme", run.run_id, name, Result.model_validate(result))
    sizes: list[int] = []

    def read(tool: str, **arguments: Any) -> Any:
        call = {"method": "tools/call", "params": {"name": tool, "arguments": {"runId": run.run_id, **arguments}}}
        event = gateway_event("POST", "/mcp/workflows", {"jsonrpc": "2.0", "id": 1, **call}, "acme", None)
        answer = api.handler(event, Context("api"))  # type: ignore[arg-type]
        sizes.append(len(json.dumps(answer)))
        return json.loads(answer["body"])["result"]["structuredContent"]

    for kind, count in (("planNodeAttempt", 110), ("planArtifact", 110)):
        seen, after = 0, 0
        while after is not None:
            page = read("listExecutionRecords", kind=kind, limit=500, after=after)
            seen, after = seen + len(page["records"]), page["next"]
        assert seen == count
    including = ("includeEvents", "includeArtifacts", "includeApprovals", "includeCheckpoints")
    plan = read("getExecutionPlanRun", **dict.fromkeys(including, True))
    assert 0 < len(plan["omittedNodeIds"]) <= 110
    read("getExecutionEvents", limit=1_000)
    exported = read("exportExecutionRun")
    assert exported["records"] is None
    key = urlsplit(exported["url"]).path.partition(f"/{BUCKET}/")[2] or urlsplit(exported["url"]).path.lstrip("/")
    content = json.loads(boto3.client("s3").get_object(Bucket=BUCKET, Key=unquote(key))["Body"].read())
    assert {kind: len(content[kind]) for kind in ("planNodeAttempt", "planArtifact", "planNodeRun")} == {
        "planNodeAttempt": 110,
        "planArtifact": 110,
        "planNodeRun": 110,
    }
    # a Lambda returns 6 MB at most
    assert max(sizes) < 6_000_000


class Hosted:
    """Workflows whose hosts run under the real state machine, with the real handler in this process."""

    def __init__(self) -> None:
        definition = json.dumps(yaml.safe_load(DEFINITION.read_text()))
        quick = definition.replace('"IntervalSeconds": 5', '"IntervalSeconds": 1')
        self.client = boto3.client("stepfunctions")
        arn = self.client.create_state_machine(
            name="run-steps", definition=quick, roleArn="arn:aws:iam::123456789012:role/any"
        )["stateMachineArn"]
        table = boto3.client("dynamodb")
        self.runs = Runs(
            store=DynamoRunStore(table, TABLE),
            files=S3RunFiles(boto3.client("s3"), BUCKET),
            events=DynamoRunEvents(table, TABLE),
            engine=StepFunctionsEngine(self.client, arn),
            now=now,
            new_id=lambda: str(uuid4()),
            sleep=time.sleep,
            monotonic=time.monotonic,
        )
        self.flows = made(RunHost(self.runs))
        self.called: list[tuple[str, dict[str, Any], str]] = []
        self.failing = 0
        self.turns: list[str] = []
        self.before: Callable[[dict[str, Any]], None] = lambda event: None
        self.plugins = Plugins(self.connect, lambda *_: True, NoGraphs())
        opens = {
            "workflows": workflow_jobs(lambda: self.flows, lambda: self.plugins),
            "graphs": graph_jobs(self.connect, lambda approval: approval),
        }
        self.worker = Worker(
            store=self.runs.store,
            files=self.runs.files,
            events=self.runs.events,
            now=now,
            open_job=lambda run, *more: opens[run.plane](run, *more),
            pace=QUICK,
            engine=self.runs.engine,
        )
        self._one_at_a_time = threading.Lock()
        self._closed = False

    @asynccontextmanager
    async def connect(self, account: str) -> AsyncIterator[Any]:
        assert account == "ann"
        yield self

    async def execute_tool(self, name: str, args: dict[str, Any], /, server: str = "") -> Any:
        self.called.append((name, args, server))
        if self.failing:
            self.failing -= 1
            raise ToolFailed("404: no such page")
        return {"structuredContent": {"text": "Hello"}, "content": []}

    def invoke(self, event: dict[str, Any], headers: dict[str, str]) -> str:
        try:
            self.before(event)
            with self._one_at_a_time:
                assert not self._closed, "the test has ended"
                self.turns.append(event["action"])
                return json.dumps(run_worker.handler(event, Context()))
        except Exception as error:
            headers["x-amz-function-error"] = "Unhandled"
            return json.dumps({"errorType": type(error).__name__, "errorMessage": str(error)})

    def close(self) -> None:
        """End the loop, which a Lambda keeps for its life."""
        with self._one_at_a_time:
            self._closed = True
            run_worker._loop().close()
            run_worker._loop.cache_clear()

    def until(self, run_id: str, *statuses: str) -> Execution:
        """Wait for a status of the run, of its host too where it has ended."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = self.flows.get("ann", run_id)
            if found.status in statuses:
                return found
            time.sleep(0.02)
        raise AssertionError(f"not {statuses} but {found.status} {found.reason} after {self.turns}")

    def host_state(self, run_id: str, *states: RunState) -> RunState:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            state = self.runs.get(ACCOUNT, host_id(run_id)).state
            if state in states:
                return state
            time.sleep(0.02)
        raise AssertionError(f"not {states} but {state} after {self.turns}")

    def until_active(self, graphs: int) -> None:
        """Wait until so many graphs are active."""
        deadline = time.monotonic() + PATIENCE
        while len(self._active_graphs()) != graphs:
            assert time.monotonic() < deadline, self.turns
            time.sleep(0.02)

    def _active_graphs(self) -> list[str]:
        found = [self.runs.store.get(each) for each in self.runs.store.active()]
        return [each.run_id for each in found if each and each.plane == "graphs"]

    def parked(self, run_id: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            control = self.runs.store.control(host_id(run_id))
            if control and control.token:
                return
            time.sleep(0.02)
        raise AssertionError(f"not parked after {self.turns}")


class NoGraphs:
    def start(self, account: str, graph_id: str, variables: Any, wakes: str) -> str:
        raise AssertionError(graph_id)

    def ended(self, account: str, run_id: str) -> None:
        raise AssertionError(run_id)

    stop = ended


@pytest.fixture
def hosted(no_aws_account: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hosted]:
    def invoke(self: Any, name: str, qualifier: Any, body: Any, headers: Any, response_headers: Any) -> str:
        return service.invoke(json.loads(body), response_headers)

    monkeypatch.setattr(LambdaBackend, "invoke", invoke)
    monkeypatch.setattr(run_worker.metrics.provider, "namespace", "planloom")
    with mocked_aws(stepfunctions={"execute_state_machine": True}):
        make_table()
        make_bucket()
        service = Hosted()
        monkeypatch.setattr(wiring_runs, "runs", lambda: service.runs)
        monkeypatch.setattr(wiring_graphs, "worker", lambda: service.worker)
        monkeypatch.setattr(wiring, "CONNECTIONS", 4)
        yield service
        service.close()


def test_a_workflow_is_parked_while_people_and_agents_work_and_its_host_ends_with_it(hosted: Hosted) -> None:
    run = hosted.flows.create("ann", launch())
    hosted.parked(run.run_id)
    assert hosted.turns == ["work", "park"]
    after = hosted.flows.submit("ann", run.run_id, "draft-brief", brief()).run
    assert hosted.turns == ["work", "park"], "an agent's work wakes nobody"
    respond(hosted.flows, after)
    assert hosted.flows.get("ann", run.run_id).status == "completed"
    hosted.host_state(run.run_id, RunState.COMPLETED)
    assert hosted.turns == ["work", "park", "work"]


def test_a_deadline_fires_by_itself_and_a_wait_ends_by_itself(hosted: Hosted) -> None:
    rule = [{"on": "timeout", "action": "skip"}]
    parts = (node("a", timeoutMs=1_000, failurePolicy=rule), node("b", "wait", wait={"durationMs": 500}))
    run = hosted.flows.create("ann", draft(*parts, entries=("a", "b")))
    ended = hosted.until(run.run_id, "completed")
    assert {name: str(each.status) for name, each in ended.nodes.items()} == {"a": "skipped", "b": "completed"}
    hosted.host_state(run.run_id, RunState.COMPLETED)
    # a machine may be so busy that both deadlines pass while the first worker works
    assert hosted.turns in (["work", "park", "work"], ["work"]), "nothing is invoked before the deadline"


def test_plugins_are_called_by_the_host_with_their_policies(hosted: Hosted) -> None:
    hosted.failing = 1
    retry = {"maxAttempts": 1, "retryOn": ["tool_failed"]}
    fetch = node("fetch", owner="plugin:web/fetch", arguments={"depth": 1}, retryPolicy=retry)
    run = hosted.flows.create("ann", draft(node("a"), fetch, edge("a", "fetch", map={"url": "page"})))
    hosted.parked(run.run_id)
    hosted.flows.submit("ann", run.run_id, "a", Result(structured_output={"page": "https://x.example", "n": 1}))
    ended = hosted.until(run.run_id, "completed")
    assert hosted.called == [("fetch", {"depth": 1, "url": "https://x.example"}, "web")] * 2
    assert ended.nodes["fetch"].output == {"text": "Hello"}
    attempts = [each for _, each in hosted.flows.records("ann", run.run_id, "planNodeAttempt", 0, 10)]
    assert [(each.node_id, each.outcome) for each in attempts] == [  # type: ignore[union-attr]
        ("a", "accepted"),
        ("fetch", "failed"),
        ("fetch", "accepted"),
    ]


def test_a_subworkflow_is_started_by_the_host_and_its_end_completes_the_run(hosted: Hosted) -> None:
    run = hosted.flows.create("ann", draft(node("sub", "subworkflow", subworkflow=draft(node("x")))))
    deadline = time.monotonic() + PATIENCE
    while not (child := hosted.flows.get("ann", run.run_id).nodes["sub"].child_run_id):
        assert time.monotonic() < deadline, hosted.turns
        time.sleep(0.02)
    hosted.flows.submit("ann", child, "x", Result(structured_output={"n": 1}))
    assert hosted.until(run.run_id, "completed").nodes["sub"].output == {"n": 1}
    hosted.host_state(run.run_id, RunState.COMPLETED)
    hosted.host_state(child, RunState.COMPLETED)
    assert [each.workstream_id for each in hosted.flows.store.workstreams("ann")] == ["default"]


@pytest.mark.parametrize("first", ["the host parks", "the graph ends"])
def test_the_end_of_a_graph_wakes_the_workflow_that_waits_for_it(
    hosted: Hosted, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    monkeypatch.setattr(wiring_notifications, "webhooks", MagicMock())
    stored, _ = load(graph(step("1")))
    assert stored

    def started(account: str, graph_id: str, variables: Any, wakes: str) -> Any:
        document = GraphWork(graph=stored, variables=dict(variables)).model_dump(mode="json")
        known: Any = {"plane": "graphs", "account": account, "subject": graph_id, "work": "000001", "steps": 1}
        run = Run(run_id=str(uuid4()), created_at=now(), wakes=wakes, **known)
        return hosted.runs.start(run, RunWork(document=document)), []

    def parked_first(event: dict[str, Any]) -> None:
        is_host = hosted.runs.store.get(event["run_id"]).plane == "workflows"  # type: ignore[union-attr]
        if first == "the host parks" and not is_host:
            hosted.parked(run.run_id)
        elif first == "the graph ends" and is_host and event["action"] == "park":
            hosted.until_active(0)

    graphs: Any = SimpleNamespace(runs=hosted.runs, run=started, steps=lambda *_: (None, [], None))
    hosted.plugins = replace(hosted.plugins, graphs=WorkflowGraphs(graphs))
    hosted.before = parked_first
    run = hosted.flows.create("ann", draft(node("report", owner="plugin:graph/g7", arguments={"page": "x"})))
    ended = hosted.until(run.run_id, "completed", "blocked", "failed")
    assert (ended.status, ended.nodes["report"].output["omitted"]) == ("completed", [])
    hosted.host_state(run.run_id, RunState.COMPLETED)


def test_a_stopped_workflow_ends_its_host(hosted: Hosted) -> None:
    run = hosted.flows.create("ann", launch())
    hosted.parked(run.run_id)
    assert hosted.flows.stop("ann", run.run_id, "not needed").status == "aborted"
    hosted.host_state(run.run_id, RunState.COMPLETED)
    hosted.flows.delete("ann", run.run_id)
    assert hosted.runs.store.get(host_id(run.run_id)) is None


def test_a_host_that_was_never_started_is_started_by_the_next_caller(
    hosted: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as crashed:
        crashed.setattr(RunHost, "start", lambda *_: None)
        run = hosted.flows.create("ann", draft(node("call", owner="plugin:web/fetch")))
    monkeypatch.setattr("planloom.planes.workflows.executor.SETTLED", timedelta(0))
    assert hosted.flows.active("ann")
    hosted.until(run.run_id, "completed")
    hosted.host_state(run.run_id, RunState.COMPLETED)
    hosted.flows.executor.host.start(run)
    assert hosted.runs.get(ACCOUNT, host_id(run.run_id)).number == 1
