"""Plan as a tool: three tools, required arguments, answers as JSON whatever goes wrong; and plans kept in a folder."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from planloom.graphs import PlanningContext, PlanNotFound, get_plan_tools_as_dicts, handle_plan_tool
from tests.unit.graphs.tools import DIAMOND, Tools, graph, step


def call(context: PlanningContext, name: str, **arguments: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(asyncio.run(handle_plan_tool(name, arguments, context)))
    return answer


def planned(tmp_path: Path, *graphs: dict[str, Any], tools: Tools | None = None) -> PlanningContext:
    given = iter(graphs)

    async def planner(goal: str, catalog: Any, problems: Any) -> dict[str, Any]:
        return next(given)

    return PlanningContext(tools or Tools(), tmp_path, planner=planner)


def test_there_are_exactly_the_three_specified_tools() -> None:
    tools = {tool["function"]["name"]: tool["function"]["parameters"]["required"] for tool in get_plan_tools_as_dicts()}
    assert tools == {"plan_create": ["goal"], "plan_execute": ["plan_id"], "plan_create_and_execute": ["goal"]}


def test_a_graph_is_created_stored_and_run(tmp_path: Path) -> None:
    context = planned(tmp_path, {"title": "T", "steps": [step("1", result_variable="a")]})
    created = call(context, "plan_create", goal="do it")
    assert created["steps"] == ["1. Step 1 [tool1]"]
    ran = call(context, "plan_execute", plan_id=created["plan_id"])
    assert (ran["success"], ran["variables"]) == (True, {"a": "tool1 done"})


def test_create_and_execute_runs_with_variables(tmp_path: Path) -> None:
    tools = Tools()
    plan = {"steps": [step("1", args={"x": "${x}"})], "variables": {"x": 1}}
    ran = call(planned(tmp_path, plan, tools=tools), "plan_create_and_execute", goal="do it", variables={"x": 2})
    assert ran["success"]
    assert tools.calls == [("tool1", {"x": 2})]


def test_a_draft_is_repaired_once(tmp_path: Path) -> None:
    wrong, right = {"steps": [step("1", ["8"])]}, {"steps": [step("1")]}
    assert call(planned(tmp_path, wrong, right), "plan_create", goal="g")["success"]
    assert "after one repair" in call(planned(tmp_path, wrong, wrong), "plan_create", goal="g")["error"]


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("plan_create", {}, "plan_create needs goal."),
        ("plan_execute", {"plan_id": "nothing"}, "No graph has the id “nothing”."),
        ("plan_execute", {"plan_id": "../secret"}, "No graph has the id"),
        ("plan_execute", {"plan_id": "g", "variables": [1]}, "variables is an object"),
        ("plan_forget", {}, "There is no tool “plan_forget”."),
        ("plan_create", {"goal": "g"}, "No model is set up"),
    ],
)
def test_what_goes_wrong_is_an_answer(tmp_path: Path, name: str, arguments: dict[str, Any], said: str) -> None:
    answer = call(PlanningContext(Tools(), tmp_path), name, **arguments)
    assert not answer["success"]
    assert said in answer["error"]


def test_a_planner_that_raises_is_an_answer_too(tmp_path: Path) -> None:
    async def broken(*_: Any) -> dict[str, Any]:
        raise RuntimeError("no quota")

    answer = call(PlanningContext(Tools(), tmp_path, planner=broken), "plan_create", goal="g")
    assert answer == {"success": False, "error": "RuntimeError: no quota"}


class TestFolder:
    def test_plans_come_back_as_they_were_saved(self, tmp_path: Path) -> None:
        context = PlanningContext(Tools(), tmp_path)
        plan_id = context.save_plan(DIAMOND)
        assert PlanningContext(Tools(), tmp_path).load_plan(plan_id) == DIAMOND

    def test_a_beginning_that_only_one_id_has_is_enough(self, tmp_path: Path) -> None:
        context = PlanningContext(Tools(), tmp_path)
        for plan_id in ("build-1", "build-2", "test-1"):
            context.save_plan(graph(step("1"), id=plan_id))
        assert context.load_plan("te")["id"] == "test-1"
        with pytest.raises(PlanNotFound, match="build-2"):
            context.load_plan("build")

    def test_state_files_are_no_plans_and_go_with_their_plan(self, tmp_path: Path) -> None:
        context = PlanningContext(Tools(), tmp_path)
        context.save_plan(DIAMOND)
        checkpoint = context.checkpoint("g")
        checkpoint.start({"plan_id": "g", "steps": []})
        checkpoint.close()
        assert [plan["id"] for plan in context.list_plans()] == ["g"]
        assert context.delete_plan("g") == "g"
        assert list(tmp_path.iterdir()) == []
