"""What the other suites leave out: forms of batches and drawings, guards that are off, drafts that are wrong."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from planloom.graphs import (
    Guards,
    McpToolBackend,
    PlanningContext,
    PlanRunner,
    ToolExecutionRequest,
    compute_batches,
    handle_plan_tool,
    render_plan_dag,
)
from planloom.tools.tool import Tool
from tests.unit.graphs.planners import Scripted
from tests.unit.graphs.tools import Tools, graph, step


def indices(*steps: dict[str, Any]) -> list[list[str]]:
    return [[each.get("index", "none") for each in batch] for batch in compute_batches(list(steps))]


def test_independent_steps_make_one_batch_and_a_missing_index_is_that_of_the_position() -> None:
    wide = [step(str(number)) for number in range(1, 6)]
    assert indices(*wide) == [["1", "2", "3", "4", "5"]]
    assert indices(*wide, step("6", ["1", "5"])) == [["1", "2", "3", "4", "5"], ["6"]]
    assert indices({"tool": "a"}, step("2", "1")) == [["none"], ["2"]]


def test_batches_need_only_indices_and_dependencies() -> None:
    steps = [
        {"index": "1", "title": "Fetch", "depends_on": []},
        {"index": "2", "title": "Parse A", "depends_on": ["1"]},
        {"index": "3", "title": "Parse B", "depends_on": ["1"]},
        {"index": "4", "title": "Merge", "depends_on": ["2", "3"]},
    ]
    assert compute_batches(steps) == [[steps[0]], [steps[1], steps[2]], [steps[3]]]


def test_the_drawing_of_an_empty_graph_and_of_a_chain() -> None:
    assert render_plan_dag(graph()) == "(no steps)"
    chain = render_plan_dag(graph(step("1"), step("2", "1")))
    assert ("∥" in chain, [line[0] for line in chain.split("\n\n")]) == (False, ["○", "○"])


def test_the_form_tool_calls_runs_like_the_form_tool(tmp_path: Path) -> None:
    tools = Tools()
    plan = {"steps": [{"index": "1", "title": "a", "tool_calls": [{"name": "read", "args": {"p": "${x}"}}]}]}
    result = asyncio.run(PlanRunner(PlanningContext(tools, tmp_path)).execute_plan(plan, {"x": 1}))
    assert (result.success, tools.calls) == (True, [("read", {"p": 1})])


@pytest.mark.parametrize(("enabled", "success", "calls"), [(True, False, 0), (False, True, 1)])
def test_guards_that_are_off_block_nothing(enabled: bool, success: bool, calls: int) -> None:
    tools = Tools()
    backend = McpToolBackend(tools, enable_guards=enabled, guards=Guards(per_tool={"read": 0}))
    result = asyncio.run(backend.execute_tool(ToolExecutionRequest("read", {"p": 1}, "1")))
    assert (result.success, result.blocked, len(tools.calls)) == (success, enabled, calls)


def test_recording_never_raises_whatever_a_tool_takes_and_returns() -> None:
    class Odd:
        def __str__(self) -> str:
            return "odd"

    guards = Guards()
    assert guards.admit("read", {"odd": Odd(), 1: {2, 3}}) is None  # type: ignore[dict-item]
    guards.record("read", {"odd": Odd()}, Odd())
    assert list(guards.bindings) == ["v1"]


class Listed(Tools):
    def list_tools(self) -> list[Tool]:
        return [Tool(name="read", input_schema={"type": "object", "required": ["path"]})]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"steps": [{"title": "t", "tool": "write", "args": {}}]}, "No server has the tool “write”"),
        ({"steps": [{"title": "t", "args": {}}]}, "/steps/0/tool"),
        ({"steps": [{"title": "t", "tool": "read", "args": {}}]}, "'path' is a required property"),
        ({"steps": [{"title": "t", "tool": "read", "args": {"path": "${lost}"}}]}, "Nothing binds the variable “lost”"),
        ({"steps": []}, "no steps"),
        ({}, "no steps"),
        ([], "JSON object"),
    ],
)
def test_a_draft_that_cannot_run_is_refused_with_what_is_wrong(tmp_path: Path, wrong: Any, said: str) -> None:
    async def planner(*_: Any) -> Any:
        return wrong

    context = PlanningContext(Listed(), tmp_path, planner=planner)
    answer = json.loads(asyncio.run(handle_plan_tool("plan_create", {"goal": "g"}, context)))
    assert (answer["success"], said in answer["error"]) == (False, True), answer
    assert context.list_plans() == []


def test_the_variables_of_a_call_may_be_used_by_the_draft(tmp_path: Path) -> None:
    tools = Listed()
    planner = Scripted({"steps": [{"title": "t", "tool": "read", "args": {"path": "${file}"}}]})
    context = PlanningContext(tools, tmp_path, planner=planner)
    arguments = {"goal": "Read it", "variables": {"file": "a.txt"}}
    assert json.loads(asyncio.run(handle_plan_tool("plan_create_and_execute", arguments, context)))["success"]
    assert tools.calls == [("read", {"path": "a.txt"})]
    assert "${file} = a.txt" in planner.asked[0][0]
