"""The host of a workflow: calls of plugins with their policies, stored graphs, and when it looks again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from planloom.core.errors import PlanloomError
from planloom.planes.workflows.errors import NodeNotOpen
from planloom.planes.workflows.host import host_id
from planloom.planes.workflows.job import GRAPH_RUN, LOOK, Plugins, WorkflowJob
from planloom.planes.workflows.states import Execution, Result
from planloom.runs.job import StepEnd
from planloom.tools.tool import NotReached
from planloom.tools.unwrap import ToolFailed
from tests.unit.workflows.drafts import draft, edge, node
from tests.unit.workflows.fakes import Services


class Outside:
    """Tools and stored graphs; *raised* is what the next call raises."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any], str]] = []
        self.raised: Exception | str | None = None
        self.repeatable = False
        self.started: list[tuple[str, dict[str, Any], str]] = []
        self.graph: tuple[str, Any, str] | None = None
        self.stopped: list[str] = []

    @asynccontextmanager
    async def connect(self, account: str) -> AsyncIterator[Any]:
        yield self

    async def execute_tool(self, name: str, args: dict[str, Any], /, server: str = "") -> Any:
        self.calls.append((name, args, server))
        if isinstance(self.raised, str):
            return {"text": self.raised}
        if self.raised:
            raise self.raised
        return {"n": 1}

    def start(self, account: str, graph_id: str, variables: Any, wakes: str) -> str:
        if isinstance(self.raised, Exception):
            raise self.raised
        self.started.append((graph_id, dict(variables), wakes))
        return "g1"

    def ended(self, account: str, run_id: str) -> tuple[str, Any, str] | None:
        assert run_id == "g1"
        return self.graph

    def stop(self, account: str, run_id: str) -> None:
        self.stopped.append(run_id)


@pytest.fixture
def outside() -> Outside:
    return Outside()


def work(services: Services, outside: Outside, run: Execution, judge: Any = None) -> StepEnd:
    """Let one worker work at the host of *run*."""

    async def worked() -> StepEnd:
        plugins = Plugins(outside.connect, lambda *_: outside.repeatable, outside, judge)
        job = WorkflowJob(run.run_id, services.workflows, plugins)
        try:
            return await job.execute("workflow", None)  # type: ignore[arg-type]
        finally:
            await job.close()

    return asyncio.run(worked())


def test_a_tool_gets_the_arguments_and_the_input_and_its_result_is_passed_on(outside: Outside) -> None:
    services = Services()
    parts = (node("a"), node("call", owner="plugin:web/fetch", arguments={"depth": 1}), node("z"))
    run = services.workflows.create("ann", draft(*parts, edge("a", "call"), edge("call", "z")))
    services.workflows.submit("ann", run.run_id, "a", Result(structured_output={"url": "x"}))
    end = work(services, outside, run)
    assert (end.state, end.until) == ("waiting", None)
    assert outside.calls == [("fetch", {"depth": 1, "url": "x"}, "web")]
    assert services.workflows.get("ann", run.run_id).nodes["z"].input == {"n": 1}


def test_what_another_node_produced_replaces_no_constant_argument(outside: Outside) -> None:
    services = Services()
    parts = (node("a"), node("call", owner="plugin:web/send", arguments={"to": "me"}))
    run = services.workflows.create("ann", draft(*parts, edge("a", "call")))
    services.workflows.submit("ann", run.run_id, "a", Result(structured_output={"to": "you", "text": "x"}))
    work(services, outside, run)
    assert outside.calls == [("send", {"to": "me", "text": "x"}, "web")]


@pytest.mark.parametrize("owner", ["plugin:web/fetch", "plugin:graph/1"])
def test_an_error_from_inside_is_not_shown(outside: Outside, owner: str) -> None:
    services = Services()
    outside.raised = RuntimeError("arn:aws:iam::123456789012:role/secret")
    run = services.workflows.create("ann", draft(node("call", owner=owner)))
    work(services, outside, run)
    found = services.workflows.get("ann", run.run_id)
    assert found.nodes["call"].status == "blocked"
    kept = [found.model_dump_json(), *(each.model_dump_json() for each in services.store.kept[run.run_id])]
    assert [text for text in kept if "arn:" in text] == []


def test_a_subworkflow_that_no_longer_compiles_ends_its_node_and_not_the_host(outside: Outside) -> None:
    check = {"type": "model-judge", "config": {"criterion": "good"}}
    inner = draft(node("w", completionChecks=[check]))
    services = Services(judges=True)
    run = services.workflows.create("ann", draft(node("part", "subworkflow", subworkflow=inner)))
    without = replace(services.workflows, judges=lambda: False)
    services.workflows = without
    work(services, outside, run)
    found = without.get("ann", run.run_id).nodes["part"]
    assert (found.status, found.cause) == ("blocked", "executor_failed")


@pytest.mark.parametrize(
    ("raised", "repeatable", "cause", "calls"),
    [
        (ToolFailed("404"), False, "tool_failed", 1),
        (NotReached("refused"), False, "tool_failed", 1),
        (ConnectionError("broken"), False, "executor_lost", 1),
        ("x" * 70_000, False, "tool_failed", 1),
    ],
)
def test_what_a_tool_raises_has_its_cause(
    outside: Outside, raised: Exception | str, repeatable: bool, cause: str, calls: int
) -> None:
    services = Services()
    outside.raised, outside.repeatable = raised, repeatable
    run = services.workflows.create("ann", draft(node("call", owner="plugin:web/fetch")))
    work(services, outside, run)
    found = services.workflows.get("ann", run.run_id).nodes["call"]
    assert (found.status, found.cause, len(outside.calls)) == ("blocked", cause, calls)

    outside.raised = None
    services.workflows.resume("ann", run.run_id)
    assert work(services, outside, run) == StepEnd("completed", value="completed")


def test_a_worker_that_is_lost_during_a_call_leaves_a_claim_that_ends(outside: Outside) -> None:
    services = Services()
    run = services.workflows.create("ann", draft(node("call", owner="plugin:web/fetch")))
    outside.raised = KeyboardInterrupt()  # type: ignore[assignment]
    with pytest.raises(KeyboardInterrupt):
        work(services, outside, run)
    outside.raised = None
    end = work(services, outside, run)
    claim = services.workflows.get("ann", run.run_id).nodes["call"].claim
    assert claim
    assert end.until == claim.until
    services.clock.time = claim.until
    work(services, outside, run)
    assert services.workflows.get("ann", run.run_id).nodes["call"].cause == "executor_lost"
    assert len(outside.calls) == 1


def test_a_stored_graph_is_started_once_looked_at_and_its_results_are_checked(outside: Outside) -> None:
    services = Services()
    schemas = {"s": {"type": "object", "properties": {"results": {"type": "object", "required": True}}}}
    part = node("graph", owner="plugin:graph/g7", arguments={"page": "x"}, outputSchemaRef="s")
    run = services.workflows.create("ann", draft(part, schemas=schemas))
    end = work(services, outside, run)
    assert end.until == services.clock.time + timedelta(seconds=LOOK)
    assert outside.started == [("g7", {"page": "x"}, host_id(run.run_id))]
    assert services.workflows.get("ann", run.run_id).nodes["graph"].child_run_id == f"{GRAPH_RUN}g1"
    services.clock.pass_(days=4)
    assert work(services, outside, run).until == services.clock.time + timedelta(days=1), "it waits for people, perhaps"
    outside.graph = ("completed", {"results": {"1": "done"}}, "")
    assert work(services, outside, run).value == "completed"
    assert outside.started == [("g7", {"page": "x"}, host_id(run.run_id))]
    assert services.workflows.get("ann", run.run_id).nodes["graph"].output == {"results": {"1": "done"}}


@pytest.mark.parametrize("ended", [("failed", None, "Step 1: no"), ("blocked", None, "unknown")])
def test_a_graph_that_does_not_complete_fails_its_node(outside: Outside, ended: tuple[str, Any, str]) -> None:
    services = Services()
    run = services.workflows.create("ann", draft(node("graph", owner="plugin:graph/g7")))
    work(services, outside, run)
    outside.graph = ended
    work(services, outside, run)
    found = services.workflows.get("ann", run.run_id).nodes["graph"]
    assert (found.status, found.cause) == ("blocked", "executor_failed")
    assert ended[2] in found.reason


def test_a_stopped_workflow_stops_its_graph(outside: Outside) -> None:
    services = Services()
    run = services.workflows.create("ann", draft(node("graph", owner="plugin:graph/g7")))
    work(services, outside, run)
    services.workflows.stop("ann", run.run_id, "")
    assert work(services, outside, run).value == "aborted"
    assert outside.stopped == ["g1"]


def test_a_host_of_a_run_that_is_gone_ends(outside: Outside) -> None:
    services = Services()
    run = services.workflows.create("ann", draft(node("a")))
    services.workflows.stop("ann", run.run_id, "")
    services.workflows.delete("ann", run.run_id)
    assert work(services, outside, run) == StepEnd("completed", value="deleted")


@pytest.mark.parametrize(
    ("says", "blocking", "status", "outcome"),
    [
        (True, True, "completed", "accepted"),
        (False, False, "completed", "accepted"),
        (False, True, "ready", "rejected"),
    ],
)
def test_a_model_judges_a_result_that_passed_its_other_checks(
    outside: Outside, says: bool, blocking: bool, status: str, outcome: str
) -> None:
    asked = []

    async def judge(criterion: str, result: str) -> tuple[bool, str]:
        asked.append((criterion, "Hello" in result))
        return says, "It is too short."

    services = Services(judges=True)
    checks = [
        {"type": "expression", "config": {"expression": "exists(output)"}},
        {"type": "model-judge", "config": {"criterion": "It is long"}, "blocking": blocking},
    ]
    retry = {"maxAttempts": 2, "retryOn": ["check_failed"]}
    run = services.workflows.create("ann", draft(node("a", completionChecks=checks, retryPolicy=retry)))
    assert services.workflows.submit("ann", run.run_id, "a", Result()).attempt.outcome == "rejected"
    found = services.workflows.submit("ann", run.run_id, "a", Result(structured_output="Hello"))
    assert (found.attempt.outcome, services.host.woken) == ("judging", [run.run_id])
    with pytest.raises(NodeNotOpen, match="a model judges attempt 2"):
        services.workflows.submit("ann", run.run_id, "a", Result(structured_output="Hello"))

    work(services, outside, run, judge)
    after = services.workflows.get("ann", run.run_id)
    assert (str(after.nodes["a"].status), after.nodes["a"].judging, asked) == (status, None, [("It is long", True)])
    records = services.workflows.records("ann", run.run_id, "planNodeAttempt", 0, 10)
    attempts = [(each.number, each.outcome) for _, each in records]  # type: ignore[union-attr]
    assert attempts == [(1, "rejected"), (2, "judging"), (2, outcome)]


def test_a_model_that_gives_no_verdict_rejects_where_its_check_blocks(outside: Outside) -> None:
    async def judge(criterion: str, result: str) -> tuple[bool, str]:
        raise PlanloomError("down")

    services = Services(judges=True)
    check = {"type": "model-judge", "config": {"criterion": "It is long"}}
    run = services.workflows.create("ann", draft(node("a", completionChecks=[check])))
    services.workflows.submit("ann", run.run_id, "a", Result(structured_output="Hello"))
    work(services, outside, run, judge)
    assert "gave no verdict" in services.workflows.get("ann", run.run_id).nodes["a"].reason
