"""Runs in this process: order, variables, failures, dry runs, checkpoints, compensation, new plans after a failure."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from planloom.graphs import (
    Budget,
    GraphInvalid,
    Guards,
    OutcomeUnknown,
    PlanExecutionResult,
    PlanningContext,
    PlanNotFound,
    PlanRunner,
)
from tests.unit.graphs.tools import DIAMOND, Tools, graph, step


def run(tools: Tools, plan: Any, folder: Path, **options: Any) -> PlanExecutionResult:
    runner = PlanRunner(PlanningContext(tools, folder, options.pop("guards", None)), **options.pop("runner", {}))
    return asyncio.run(runner.execute_plan(plan, **options))


def test_a_diamond_runs_in_order_and_its_middle_at_once(tmp_path: Path) -> None:
    tools = Tools()
    steps = [each | {"args": {"seconds": 0.02}} for each in DIAMOND["steps"]]
    result = run(tools, DIAMOND | {"steps": steps}, tmp_path)
    assert result.success
    assert tools.names()[0] == "tool1"
    assert tools.names()[3] == "tool4"
    assert tools.most_running == 2


def test_a_step_starts_when_its_own_needs_have_ended(tmp_path: Path) -> None:
    order: list[str] = []
    plan = graph(
        step("slow", args={"seconds": 0.2}),
        step("quick"),
        step("after-quick", ["quick"]),
        step("after-slow", ["slow"]),
    )
    run(Tools(), plan, tmp_path, runner={"on_step_complete": lambda result: order.append(result.step_index)})
    assert order == ["quick", "after-quick", "slow", "after-slow"]


@pytest.mark.parametrize("most", [1, 3])
def test_at_most_max_concurrency_steps_run_at_once(tmp_path: Path, most: int) -> None:
    tools = Tools()
    plan = graph(*(step(str(number), args={"seconds": 0.005}) for number in range(12)))
    run(tools, plan, tmp_path, runner={"max_concurrency": most})
    assert tools.most_running == most


def test_results_are_bound_with_their_types_and_the_callers_variables_win(tmp_path: Path) -> None:
    tools = Tools(answers={"fetch": {"structuredContent": {"users": [{"id": 7}], "ok": True}, "isError": False}})
    plan = graph(
        step("1", tool="fetch", result_variable="got"),
        step("2", "1", args={"id": "${got.users[0].id}", "all": "${got.users}", "text": "host ${host}: ${got.ok}"}),
        variables={"host": "a.example"},
    )
    result = run(tools, plan, tmp_path, variables={"host": "b.example"})
    assert tools.calls[1] == ("tool2", {"id": 7, "all": [{"id": 7}], "text": "host b.example: true"})
    assert result.variables == {"host": "b.example", "got": {"users": [{"id": 7}], "ok": True}}


def test_a_failed_step_stops_what_needs_it_and_the_run_but_not_what_is_under_way(tmp_path: Path) -> None:
    tools = Tools(failing={"tool1": -1})
    plan = graph(step("1"), step("2", args={"seconds": 0.02}), step("3", "1"), step("4", "2"))
    result = run(tools, plan, tmp_path)
    assert not result.success
    assert result.error == "RuntimeError: tool1 is broken"
    assert tools.names() == ["tool1", "tool2"]
    assert {each.step_index: each.success for each in result.steps} == {"1": False, "2": True}


def test_an_empty_graph_succeeds(tmp_path: Path) -> None:
    assert run(Tools(), graph(), tmp_path).success


def test_callbacks_may_be_async(tmp_path: Path) -> None:
    seen: list[Any] = []

    async def started(index: str, title: str, tool: str) -> None:
        await asyncio.sleep(0)
        seen.append((index, title, tool))

    run(Tools(), graph(step("1")), tmp_path, runner={"on_step_start": started})
    assert seen == [("1", "Step 1", "tool1")]


def test_a_dry_run_resolves_arguments_and_calls_nothing(tmp_path: Path) -> None:
    tools, seen = Tools(), []
    plan = graph(
        step("1", tool="read", args={"path": "${path}"}, result_variable="code"),
        step("2", "1", args={"content": "${code}", "part": "${code.lines[0]}", "other": "${nobody}"}),
        variables={"path": "a.py", "nobody_else": 1},
    )
    plan["variables"]["nobody"] = "x"
    result = run(tools, plan, tmp_path, dry_run=True, runner={"on_step_start": lambda *args: seen.append(args[0])})
    assert tools.calls == []
    assert seen == ["1", "2"]
    assert all(each.dry_run and each.success for each in result.steps)
    assert result.steps[0].args == {"path": "a.py"}
    assert result.steps[1].args == {"content": "<read result>", "part": "<read result.lines.0>", "other": "x"}
    assert result.variables["code"] == "<read result>"


def test_a_dry_run_reports_paths_that_lead_nowhere(tmp_path: Path) -> None:
    plan = graph(step("1", args={"host": "${api.host}"}), variables={"api": {"name": "x"}})
    result = run(Tools(), plan, tmp_path, dry_run=True)
    assert result.unresolved == ("api.host",)
    assert result.steps[0].args == {"host": "${api.host}"}


@pytest.mark.parametrize("items", [[], ["a"]])
def test_a_dry_run_of_for_each_binds_the_item(tmp_path: Path, items: list[str]) -> None:
    plan = graph(step("1", for_each=items, args={"name": "${item}", "at": "${index}"}))
    result = run(Tools(), plan, tmp_path, dry_run=True)
    assert (result.unresolved, result.steps[0].args) == ((), {"name": "<item>", "at": "<index>"})


def test_a_run_that_failed_goes_on_where_it_stopped_with_whole_values(tmp_path: Path) -> None:
    text, rows = "x" * 5_000, [{"row": number} for number in range(1_000)]
    answers = {"tool1": {"structuredContent": {"text": text, "rows": rows}}}
    plan = graph(step("1", result_variable="big"), step("2", "1"), step("3", "2", args={"all": "${big}"}))
    context = PlanningContext(Tools(failing={"tool2": 1}, answers=answers), tmp_path)
    context.save_plan(plan)
    first = asyncio.run(PlanRunner(context).execute_plan(plan))
    again = Tools()
    resumed = asyncio.run(PlanRunner(PlanningContext(again, tmp_path)).resume_plan("g"))
    assert (first.success, resumed.success) == (False, True)
    assert again.calls == [("tool2", {}), ("tool3", {"all": {"text": text, "rows": rows}})]


def test_a_checkpoint_holds_what_was_completed_when_the_process_is_killed(tmp_path: Path) -> None:
    plan = graph(step("1", result_variable="a"), step("2", "1"))
    context = PlanningContext(Tools(), tmp_path)
    checkpoint = context.checkpoint("g")
    checkpoint.start({"plan_id": "g", "status": "running", "completed_steps": [], "variables": {}, "results": {}})
    checkpoint.add("1", {"a": [1, 2]}, {"state": "completed"})
    checkpoint.close()
    with (tmp_path / "g_state.jsonl").open("a") as journal:
        journal.write('{"step": "2", "vari')
    context.save_plan(plan)
    tools = Tools()
    assert asyncio.run(PlanRunner(PlanningContext(tools, tmp_path)).resume_plan("g")).success
    assert tools.names() == ["tool2"]


def test_the_state_file_has_the_specified_fields(tmp_path: Path) -> None:
    run(Tools(), graph(step("1", result_variable="a")), tmp_path)
    state = json.loads((tmp_path / "g_state.json").read_text())
    assert state["plan_id"] == "g"
    assert state["status"] == "completed"
    assert state["completed_steps"] == ["1"]
    assert state["variables"] == {"a": "tool1 done"}


def test_without_a_kept_run_a_resume_says_how_to_run(tmp_path: Path) -> None:
    context = PlanningContext(Tools(), tmp_path)
    context.save_plan(DIAMOND)
    with pytest.raises(GraphInvalid, match="Run it with execute_plan"):
        asyncio.run(PlanRunner(context).resume_plan("g"))


def test_a_run_of_a_plan_that_is_not_saved_can_be_resumed(tmp_path: Path) -> None:
    plan = graph(step("1", result_variable="a"), step("2", "1"), step("3", "2", args={"from": "${a}"}))
    context = PlanningContext(Tools(), tmp_path)
    context.save_plan(graph(step("1"), id="g-2"))
    run(Tools(failing={"tool2": -1}), plan, tmp_path)
    for failing in ({"tool3": -1}, {}):
        tools = Tools(failing=failing)
        result = asyncio.run(PlanRunner(PlanningContext(tools, tmp_path)).resume_plan("g"))
    assert (result.success, tools.calls) == (True, [("tool3", {"from": "tool1 done"})])
    assert context.delete_plan("g") == "g"
    with pytest.raises(PlanNotFound, match="holds g-2"):
        asyncio.run(PlanRunner(context).resume_plan("gg"))


def test_a_resume_continues_with_the_graph_that_ran_where_another_one_is_saved(tmp_path: Path) -> None:
    PlanningContext(Tools(), tmp_path).save_plan(graph(step("1"), step("2", "1", tool="saved")))
    run(Tools(failing={"tool2": -1}), graph(step("1"), step("2", "1")), tmp_path)
    tools = Tools()
    assert asyncio.run(PlanRunner(PlanningContext(tools, tmp_path)).resume_plan("g")).success
    assert tools.names() == ["tool2"]


def test_a_saved_plan_may_be_corrected_before_a_resume(tmp_path: Path) -> None:
    context = PlanningContext(Tools(failing={"tool2": -1}), tmp_path)
    context.save_plan(graph(step("1"), step("2", "1")))
    asyncio.run(PlanRunner(context).execute_plan(context.load_plan("g")))
    context.save_plan(graph(step("1"), step("2", "1", tool="corrected")))
    tools = Tools()
    assert asyncio.run(PlanRunner(PlanningContext(tools, tmp_path)).resume_plan("g")).success
    assert tools.names() == ["corrected"]


def test_a_retry_calls_again_until_it_succeeds(tmp_path: Path) -> None:
    tools = Tools(failing={"tool1": 2})
    result = run(tools, graph(step("1", retry={"attempts": 3, "backoff": 0})), tmp_path)
    assert result.success
    assert result.steps[0].attempts == 3


def test_a_timeout_fails_the_step_in_time(tmp_path: Path) -> None:
    plan = graph(step("1", args={"seconds": 30}, timeout_sec=0.01, idempotent=True))
    result = run(Tools(), plan, tmp_path)
    assert (result.error, result.steps[0].state) == ("No answer within 0.01 seconds.", "failed")


class TestUnknownOutcomes:
    """A call that timed out, and whose repetition may do harm."""

    PLAN = graph(
        step("1", on_failure={"tool": "undo1"}),
        step("2", "1", args={"seconds": "${pause}"}, timeout_sec=0.01, result_variable="sent", retry={"attempts": 3}),
        step("3", "2", args={"sent": "${sent}"}),
        variables={"pause": 30},
    )

    def blocked(self, tmp_path: Path, **options: Any) -> tuple[PlanExecutionResult, Tools]:
        tools = Tools()
        return run(tools, self.PLAN, tmp_path, **options), tools

    def resumed(self, tmp_path: Path, tools: Tools, **options: Any) -> PlanExecutionResult:
        return asyncio.run(PlanRunner(PlanningContext(tools, tmp_path)).resume_plan("g", {"pause": 0}, **options))

    def test_the_run_is_blocked_and_nothing_is_undone_or_replanned(self, tmp_path: Path) -> None:
        result, tools = self.blocked(tmp_path, runner={"enable_replan": True})
        assert (result.success, result.steps[-1].state, tools.names()) == (False, "unknown", ["tool1", "tool2"])
        assert (result.error or "").startswith("No answer within 0.01 seconds. Whether the call of step 2 was made")
        assert json.loads((tmp_path / "g_state.json").read_text())["status"] == "blocked"

    def test_a_resume_asks_and_calls_nothing(self, tmp_path: Path) -> None:
        self.blocked(tmp_path)
        tools = Tools()
        for _ in range(2):
            with pytest.raises(OutcomeUnknown) as raised:
                self.resumed(tmp_path, tools)
            assert raised.value.details == {"steps": ["2"]}
        assert tools.calls == []

    @pytest.mark.parametrize(
        ("options", "names", "sent"),
        [
            ({"on_unknown": "retry"}, ["tool2", "tool3"], "tool2 done"),
            ({"on_unknown": "skip"}, [], None),
            ({"on_unknown": "value", "value": {"id": 7}}, ["tool3"], {"id": 7}),
        ],
    )
    def test_a_resume_does_what_the_caller_says(
        self, tmp_path: Path, options: dict[str, Any], names: list[str], sent: Any
    ) -> None:
        self.blocked(tmp_path)
        tools = Tools()
        result = self.resumed(tmp_path, tools, **options)
        assert (result.success, tools.names(), result.variables["sent"]) == (True, names, sent)

    def test_a_process_that_is_killed_later_keeps_it_too(self, tmp_path: Path) -> None:
        context = PlanningContext(Tools(), tmp_path)
        context.save_plan(self.PLAN)
        checkpoint = context.checkpoint("g")
        checkpoint.start({"plan_id": "g", "completed_steps": [], "variables": {"pause": 30}, "results": {}})
        checkpoint.add("1", {}, {"state": "completed"})
        checkpoint.add("2", {}, {"state": "unknown"})
        checkpoint.close()
        with pytest.raises(OutcomeUnknown):
            self.resumed(tmp_path, Tools())

    def test_without_a_checkpoint_the_run_fails_and_is_compensated(self, tmp_path: Path) -> None:
        result, tools = self.blocked(tmp_path, checkpoint=False)
        assert (result.error, tools.names()[2:]) == ("No answer within 0.01 seconds.", ["undo1"])


def test_a_false_condition_skips_the_step_and_what_needs_only_it(tmp_path: Path) -> None:
    tools = Tools()
    plan = graph(
        step("1", when='mode = "full"'),
        step("2", "1"),
        step("3"),
        step("4", ["2", "3"]),
        variables={"mode": "quick"},
    )
    result = run(tools, plan, tmp_path)
    assert result.success
    assert sorted(tools.names()) == ["tool3", "tool4"]
    assert [each.step_index for each in result.steps if each.state == "skipped"] == ["1", "2"]


def test_for_each_calls_for_every_item_and_keeps_their_order(tmp_path: Path) -> None:
    tools = Tools()
    each = step(
        "1", for_each="${items}", args={"n": "${item.n}", "at": "${index}"}, max_parallel=2, result_variable="all"
    )
    result = run(tools, graph(each, variables={"items": [{"n": 5}, {"n": 6}, {"n": 7}]}), tmp_path)
    assert sorted(args["n"] for _, args in tools.calls) == [5, 6, 7]
    assert result.variables["all"] == ["tool1 done"] * 3


@pytest.mark.parametrize(("then", "success", "calls"), [("fail", False, 1), ("continue", True, 3)])
def test_a_failed_item_fails_the_step_or_is_recorded(tmp_path: Path, then: str, success: bool, calls: int) -> None:
    tools = Tools(failing={"tool1": 1})
    each = step("1", for_each=[1, 2, 3], max_parallel=1, on_item_failure=then, result_variable="all")
    result = run(tools, graph(each), tmp_path)
    assert (result.success, len(tools.calls)) == (success, calls)
    if success:
        assert result.variables["all"] == [None, "tool1 done", "tool1 done"]


def test_after_a_failure_completed_steps_are_compensated_in_reverse_order(tmp_path: Path) -> None:
    tools = Tools(failing={"tool3": -1})
    plan = graph(
        step("1", on_failure={"tool": "undo1"}),
        step("2", "1", result_variable="made", on_failure={"tool": "undo2", "args": {"id": "${made}"}}),
        step("3", "2"),
    )
    result = run(tools, plan, tmp_path)
    assert tools.names()[-2:] == ["undo2", "undo1"]
    assert tools.calls[-2] == ("undo2", {"id": "tool2 done"})
    assert result.compensated == ["2", "1"]


def test_a_compensating_call_is_made_on_its_server(tmp_path: Path) -> None:
    tools = Tools(failing={"tool2": -1})
    undo = {"tool": "undo", "server": "files"}
    run(tools, graph(step("1", server="disk", on_failure=undo), step("2", "1")), tmp_path)
    assert list(zip(tools.names(), tools.servers, strict=True)) == [
        ("tool1", "disk"),
        ("tool2", None),
        ("undo", "files"),
    ]


def test_a_resume_runs_again_what_was_compensated(tmp_path: Path) -> None:
    plan = graph(step("1", on_failure={"tool": "undo1"}), step("2", "1"), step("3", "2"))
    context = PlanningContext(Tools(failing={"tool3": -1}), tmp_path)
    context.save_plan(plan)
    asyncio.run(PlanRunner(context).execute_plan(plan))
    again = Tools()
    assert asyncio.run(PlanRunner(PlanningContext(again, tmp_path)).resume_plan("g")).success
    assert again.names() == ["tool1", "tool3"]


def test_a_resume_that_fails_compensates_what_was_completed_before_it(tmp_path: Path) -> None:
    plan = graph(
        step("1", result_variable="made", on_failure={"tool": "undo1", "args": {"id": "${made}"}}),
        step("2", "1", on_failure={"tool": "undo2"}),
        step("3", "2", args={"seconds": "${pause}"}),
        variables={"pause": 30},
    )
    context = PlanningContext(Tools(), tmp_path)
    context.save_plan(plan)

    async def interrupted() -> None:
        async with asyncio.timeout(0.05):
            await PlanRunner(context).execute_plan(plan)

    with pytest.raises(TimeoutError):
        asyncio.run(interrupted())
    again = Tools(failing={"tool3": -1})
    result = asyncio.run(PlanRunner(PlanningContext(again, tmp_path)).resume_plan("g", {"pause": 0}))
    assert again.calls[1:] == [("undo2", {}), ("undo1", {"id": "tool1 done"})]
    assert result.compensated == ["2", "1"]


def test_a_resume_skips_what_needs_only_skipped_steps(tmp_path: Path) -> None:
    plan = graph(step("1", when="false"), step("2"), step("3", ["1"]), step("4", ["2", "3"]))
    plan["steps"] = [plan["steps"][0], plan["steps"][1], plan["steps"][3], plan["steps"][2]]
    context = PlanningContext(Tools(failing={"tool2": 1}), tmp_path)
    context.save_plan(plan)
    asyncio.run(PlanRunner(context, max_concurrency=1).execute_plan(plan))
    again = Tools()
    assert asyncio.run(PlanRunner(PlanningContext(again, tmp_path)).resume_plan("g")).success
    assert again.names() == ["tool2", "tool4"]


def test_guards_block_a_call_before_it_is_made(tmp_path: Path) -> None:
    tools = Tools()
    plan = graph(step("1"), step("2", "1", tool="tool1"), step("3", "2"))
    result = run(tools, plan, tmp_path, guards=Guards(per_tool={"tool1": 1}))
    assert tools.names() == ["tool1"]
    assert result.error == "The tool “tool1” has reached its cap of 1 calls in this run."
    assert run(Tools(), plan, tmp_path, guards=Guards(per_tool={"tool1": 1}), runner={"enable_guards": False}).success


def test_runs_can_share_a_budget(tmp_path: Path) -> None:
    budget = Budget(3)
    first = run(Tools(), graph(step("1"), step("2")), tmp_path, guards=Guards(budget))
    second = run(Tools(), graph(step("1"), step("2", "1")), tmp_path, guards=Guards(budget))
    assert (first.success, second.success, budget.left) == (True, False, 0)
    assert second.error == "The budget of calls is used up."


def test_the_same_call_over_and_over_is_stopped(tmp_path: Path) -> None:
    steps = [step(str(number), [str(number - 1)] if number else [], tool="poll") for number in range(5)]
    result = run(Tools(), graph(*steps), tmp_path, guards=Guards(repeats=3))
    assert result.error
    assert "looks endless" in result.error


def test_guards_record_results(tmp_path: Path) -> None:
    guards = Guards()
    run(Tools(), graph(step("1", args={"a": 1})), tmp_path, guards=guards)
    assert guards.bindings == {"v1": {"tool": "tool1", "args": {"a": 1}, "value": "tool1 done"}}


class TestReplanning:
    def planner(self, *answers: dict[str, Any]) -> Any:
        given = iter(answers)
        self.asked: list[Any] = []

        async def plan(goal: str, catalog: Any, problems: Any) -> dict[str, Any]:
            self.asked.append((json.loads(goal), list(problems)))
            return next(given)

        return plan

    def result(self, tmp_path: Path, tools: Tools, *answers: dict[str, Any], **options: Any) -> PlanExecutionResult:
        plan = graph(step("1", result_variable="a"), step("2", "1"), step("3", "2"))
        context = PlanningContext(tools, tmp_path, planner=self.planner(*answers))
        return asyncio.run(PlanRunner(context, **options).execute_plan(plan))

    def test_it_is_off_by_default(self, tmp_path: Path) -> None:
        result = self.result(tmp_path, Tools(failing={"tool2": -1}))
        assert (result.success, result.replanned, self.asked) == (False, False, [])

    def test_without_a_planner_the_error_says_so(self, tmp_path: Path) -> None:
        tools = Tools(failing={"tool1": -1})
        result = run(tools, graph(step("1")), tmp_path, runner={"enable_replan": True})
        assert (result.success, result.replanned, tools.names()) == (False, False, ["tool1"])
        assert (result.error or "").startswith("RuntimeError: tool1 is broken. The graph was not revised")

    def test_the_revised_graph_runs_with_the_variables_so_far(self, tmp_path: Path) -> None:
        tools = Tools(failing={"tool2": -1})
        revised = {"steps": [step("2", tool="other", args={"from": "${a}"})]}
        result = self.result(tmp_path, tools, revised, enable_replan=True)
        asked, _ = self.asked[0]
        assert (result.success, result.replanned) == (True, True)
        assert tools.names() == ["tool1", "tool2", "other"]
        assert tools.calls[-1] == ("other", {"from": "tool1 done"})
        assert asked["completed_steps"] == ["1. Step 1"]
        assert asked["failed_step"] == "2"
        assert [each["index"] for each in asked["remaining_steps"]] == ["2", "3"]

    def test_a_revised_graph_that_fails_fails(self, tmp_path: Path) -> None:
        tools = Tools(failing={"tool2": -1, "other": -1})
        result = self.result(tmp_path, tools, {"steps": [step("2", tool="other")]}, enable_replan=True)
        assert (result.success, result.replanned, len(self.asked)) == (False, True, 1)

    def test_a_resume_goes_on_with_the_revised_graph(self, tmp_path: Path) -> None:
        plan = graph(step("1", result_variable="a"), step("2", "1"), step("3", "2"))
        revised = {"steps": [step("1", tool="other"), step("2", "1", tool="last", args={"from": "${a}"})]}
        tools = Tools(failing={"tool2": -1, "last": -1})
        context = PlanningContext(tools, tmp_path, planner=self.planner(revised))
        context.save_plan(plan)
        asyncio.run(PlanRunner(context, enable_replan=True).execute_plan(plan))
        again = Tools()
        assert asyncio.run(PlanRunner(PlanningContext(again, tmp_path)).resume_plan("g")).success
        assert again.calls == [("last", {"from": "tool1 done"})]

    def test_an_invalid_graph_is_asked_for_again_with_what_is_wrong(self, tmp_path: Path) -> None:
        wrong, right = {"steps": [step("2", ["9"])]}, {"steps": [step("2", tool="other")]}
        result = self.result(tmp_path, Tools(failing={"tool2": -1}), wrong, right, enable_replan=True, max_replans=2)
        assert result.success
        assert "No step has the index “9”" in self.asked[1][1][0]
