"""Graphs as durable runs: the same graph and tools as in a program, with workers that are killed and continue."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest

from planloom.approvals.service import Approvals
from planloom.planes.graphs.approve import answer, ask, wakes
from planloom.planes.graphs.job import GraphWork, graph_jobs
from planloom.planes.graphs.options import RunOptions
from planloom.planes.graphs.validate import load
from planloom.runs.records import Run, RunState, RunWork, Unit
from planloom.runs.work import Worker
from planloom.tools.tool import NotReached, Tool
from tests.unit.approvals.fakes import Caller, FakeApprovalStore
from tests.unit.graphs.tools import DIAMOND, Tools, graph, step
from tests.unit.runs.fakes import Killed
from tests.unit.runs.jobs import QUICK, Bench, Steps, chain


class Durable(Bench):
    """A bench whose run is a graph; *tools* are those of the account."""

    def __init__(self, document: dict[str, Any], tools: Any, hints: tuple[Tool, ...] = (), **given: Any) -> None:
        super().__init__(Steps(chain(1)))
        variables = given.pop("variables", {})
        parsed, problems = load(document)
        assert parsed, problems
        self.tools = tools
        self.approvals = Approvals(FakeApprovalStore(), (wakes(self.runs),), self.clock, str)
        work = GraphWork(graph=parsed, variables=variables, options=RunOptions(**given), tools=hints)
        self.run = Run(
            run_id="r2",
            plane="graphs",
            account="ann",
            subject="g",
            work="first",
            created_at=self.clock(),
            steps=len(parsed.steps),
        )
        self.runs.start(self.run, RunWork(document=work.model_dump(mode="json")))

    def go(self) -> Run:
        @asynccontextmanager
        async def connect(account: str) -> AsyncIterator[Any]:
            assert account == "ann"
            yield self.tools

        run = self.runs.get("ann", "r2")
        worker = Worker(
            store=self.store,
            files=self.files,
            events=self.events,
            now=self.clock,
            open_job=graph_jobs(connect, partial(ask, self.approvals)),
            pace=QUICK,
        )
        asyncio.run(worker.work("r2", run.number, run.part))
        return self.runs.get("ann", "r2")

    def values(self) -> dict[str, Any]:
        records = self.runs.records("ann", "r2")
        return {unit.step: self.runs.value("ann", "r2", each) for unit, each in records.items() if not unit.part}


def test_results_reach_the_steps_that_name_them_with_their_types() -> None:
    rows = {"rows": list(range(20_000))}
    tools = Tools(answers={"tool1": rows})
    document = graph(
        step("1", result_variable="found"),
        step("2", "1", args={"all": "${found.rows}", "first": "${found.rows[0]}", "who": "${who}"}),
        variables={"who": "plan"},
    )
    run = Durable(document, tools, variables={"who": "caller"})

    assert run.go().state is RunState.COMPLETED
    assert tools.calls[1][1] == {"all": rows["rows"], "first": 0, "who": "caller"}


def test_a_resumed_run_gives_later_steps_the_values_of_earlier_ones_whole() -> None:
    text = "x" * 50_000
    tools = Tools(failing={"tool2": 1}, answers={"tool1": text})
    document = graph(step("1", result_variable="found"), step("2", "1", args={"text": "${found}"}))
    run = Durable(document, tools)

    failed = run.go()
    assert (failed.state, failed.failure.code) == (RunState.BLOCKED, "OUTCOME_UNKNOWN")  # type: ignore[union-attr]
    run.runs.resume("ann", "r2", "retry")
    assert run.go().state is RunState.COMPLETED

    assert tools.names() == ["tool1", "tool2", "tool2"]
    assert tools.calls[2][1] == {"text": text}


def test_items_are_kept_one_by_one_and_only_those_left_are_called_after_a_kill() -> None:
    tools = Tools()
    items = list(range(12))
    document = graph(step("1", for_each=items, args={"n": "${item}"}, max_parallel=1, idempotent=True))
    run = Durable(document, tools)
    run.writes.die_at = run.writes.count + 6
    with pytest.raises(Killed):
        run.go()
    run.revive()

    assert run.go().state is RunState.COMPLETED
    called = [args["n"] for _, args in tools.calls]
    assert sorted(set(called)) == items
    assert len(called) <= len(items) + 1
    assert run.values()["1"].count("tool1 done") == 12


def test_skipped_steps_skip_what_needs_only_them() -> None:
    document = graph(step("1", when="go = true"), step("2", "1"), step("3"), variables={"go": False})
    run = Durable(document, Tools())

    assert run.go().progress.skipped == 2
    assert run.tools.names() == ["tool3"]


def test_a_budget_holds_over_workers_and_a_blocked_call_is_not_made() -> None:
    run = Durable(DIAMOND, Tools(), budget=2)
    run.writes.die_at = run.writes.count + 5
    with pytest.raises(Killed):
        run.go()
    run.revive()
    ended = run.go()
    if ended.state is RunState.BLOCKED:
        run.runs.resume("ann", "r2", "skip")
        ended = run.go()

    assert ended.failure
    assert ended.failure.code == "CALL_BLOCKED"
    assert len(run.tools.calls) <= 2


def test_a_destructive_tool_needs_an_approval() -> None:
    hints = (Tool(name="tool1", server="s", destructive=True),)
    run = Durable(graph(step("1")), Tools(), hints)
    assert run.go().state is RunState.WAITING
    assert not run.tools.calls

    answer(run.approvals, run.runs, Caller("ann"), "r2", "1", True)
    assert run.go().state is RunState.COMPLETED
    assert Durable(graph(step("1")), Tools(), hints, allow_destructive=True).go().state is RunState.COMPLETED


@pytest.mark.parametrize(("allowed", "undone"), [(True, ["undo2", "undo1"]), (False, ["undo1"])])
def test_after_a_failure_completed_steps_are_compensated_but_not_by_destructive_calls_unless_allowed(
    allowed: bool, undone: list[str]
) -> None:
    document = graph(
        step("1", on_failure={"tool": "undo1"}),
        step("2", "1", result_variable="made", on_failure={"tool": "undo2", "args": {"id": "${made}"}}),
        step("3", "2", tool="refused"),
    )
    tools = Tools(answers={"refused": {"isError": True, "content": [{"type": "text", "text": "no"}]}})
    hints = (Tool(name="undo2", server="s", destructive=True),)
    run = Durable(document, tools, hints, allow_destructive=allowed)

    assert run.go().state is RunState.FAILED

    assert tools.names() == ["tool1", "tool2", "refused", *undone]
    assert ("undo2", {"id": "tool2 done"}) in tools.calls or not allowed
    record = run.runs.records("ann", "r2")[Unit("2", "undo")]
    assert record.code == ("" if allowed else "CALL_BLOCKED")


@pytest.mark.parametrize(
    ("raised", "idempotent", "state", "calls"),
    [
        (NotReached("refused"), None, RunState.COMPLETED, 2),
        (ConnectionError("broken"), None, RunState.BLOCKED, 1),
        (ConnectionError("broken"), True, RunState.COMPLETED, 2),
        (TimeoutError(), None, RunState.BLOCKED, 1),
    ],
)
def test_only_calls_that_were_not_made_or_do_no_harm_are_repeated(
    raised: Exception, idempotent: bool | None, state: RunState, calls: int
) -> None:
    class Broken(Tools):
        async def execute_tool(self, name: str, args: dict[str, Any], /, **named: Any) -> Any:
            answer = await super().execute_tool(name, args, **named)
            if len(self.calls) == 1:
                raise raised
            return answer

    document = graph(step("1", idempotent=idempotent, retry={"attempts": 3, "backoff": 0}))
    run = Durable(document, Broken())

    assert run.go().state is state
    assert len(run.tools.calls) == calls


def test_the_record_of_a_step_says_what_was_called() -> None:
    run = Durable(graph(step("1", args={"a": 1})), Tools())
    run.go()

    record = run.runs.records("ann", "r2")[Unit("1")]
    assert (record.detail["tool"], record.detail["args"], record.calls) == ("tool1", {"a": 1}, 1)


def test_a_budget_holds_over_resumes() -> None:
    tools = Tools(failing={"tool2": -1})
    document = graph(step("1", idempotent=True), step("2", "1", idempotent=True, retry={"attempts": 2, "backoff": 0}))
    run = Durable(document, tools, budget=4)

    assert run.go().progress.calls == 3
    run.runs.resume("ann", "r2")
    ended = run.go()

    assert (tools.names(), ended.progress.calls) == (["tool1", "tool2", "tool2", "tool2"], 4)
    run.runs.resume("ann", "r2")
    ended = run.go()
    assert (len(tools.names()), ended.failure and ended.failure.code) == (4, "CALL_BLOCKED")


def test_what_was_done_is_undone_though_the_budget_is_used_up() -> None:
    tools = Tools()
    run = Durable(graph(step("1", on_failure={"tool": "undo"}), step("2", "1")), tools, budget=1)

    ended = run.go()

    assert (ended.failure and ended.failure.code, tools.names()) == ("CALL_BLOCKED", ["tool1", "undo"])


def test_failed_items_of_a_completed_step_stay_recorded_after_a_resume() -> None:
    tools = Tools(failing={"tool1": 1, "tool2": 1})
    each = step("1", for_each=[0, 1], max_parallel=1, on_item_failure="continue", idempotent=True)
    run = Durable(graph(each, step("2", "1", idempotent=True)), tools)

    run.go()
    run.runs.resume("ann", "r2")
    assert run.go().state is RunState.COMPLETED

    records = run.runs.records("ann", "r2")
    assert [records[Unit("1", f"items/{n}")].state for n in (0, 1)] == ["failed", "completed"]


def test_a_step_with_an_unknown_item_is_counted_as_unknown() -> None:
    tools = Tools()
    run = Durable(graph(step("1", for_each=[0, 60], args={"seconds": "${item}"}, timeout_sec=0.05)), tools)

    ended = run.go()

    assert (ended.state, ended.progress.unknown) == (RunState.BLOCKED, 1)


@pytest.mark.parametrize("odd", ['{"a": "\\ud800"}', "[" * 100_000])
def test_an_odd_answer_is_kept_as_text(odd: str) -> None:
    run = Durable(graph(step("1")), Tools(answers={"tool1": {"content": [{"type": "text", "text": odd}]}}))

    assert run.go().state is RunState.COMPLETED
    assert json.loads(run.values()["1"]) == odd
