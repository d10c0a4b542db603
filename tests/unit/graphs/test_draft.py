"""Graphs that a planner drafts: for a goal, repaired once, and again for what is left after a failure."""

import asyncio
import json
from collections import Counter
from typing import Any

import pytest

from planloom.core.errors import ModelProfilesUnavailable
from planloom.core.usage import Usage
from planloom.models.errors import ModelUnavailable
from planloom.models.model import Question
from planloom.planes.graphs import draft_job
from planloom.planes.graphs.draft import (
    DraftedGraph,
    DraftInvalid,
    ModelPlanner,
    describe_tools,
    draft,
    merged,
    with_variables,
)
from planloom.planes.graphs.errors import GraphNotReady, InvalidGraph
from planloom.planes.graphs.options import RunOptions
from planloom.planes.graphs.validate import load
from planloom.runs.records import RunState
from planloom.tools.errors import ToolServerNotFound
from planloom.tools.tool import Catalog, Tool
from tests.unit.graphs.planners import Scripted
from tests.unit.graphs.services import Services
from tests.unit.graphs.tools import Tools, graph, step
from tests.unit.runs.fakes import Killed

READ = Tool(
    name="read",
    server="files",
    description="Read a file",
    input_schema={"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
)
DRAFT = {"title": "Two steps", "steps": [step("1", result_variable="a"), step("2", "1", args={"from": "${a}"})]}


class Model:
    """Answers questions with *answers*, one after the other, and keeps the questions."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self._answers = iter(answers)
        self.questions: list[Question[Any]] = []

    async def ask(self, question: Question[Any]) -> tuple[Any, Usage]:
        self.questions.append(question)
        return question.answer.model_validate(next(self._answers)), Usage(calls=1, input_tokens=10)


def drafted(path: str, **fields: Any) -> dict[str, Any]:
    written = {
        "index": "1",
        "title": "Read",
        "server": "",
        "tool": "read",
        "args": json.dumps({"path": path}),
        "depends_on": [],
        "result_variable": "text",
    }
    return {"title": "Read a file", "steps": [written | fields]}


def test_a_model_writes_a_graph_of_the_tools_that_it_is_shown() -> None:
    model = Model(drafted("${path}"))
    planner = ModelPlanner(lambda: model)

    made = asyncio.run(draft(planner, with_variables("Read it", {"path": "a.txt"}), Catalog([READ]), {"path": "a.txt"}))

    (one,) = made.steps
    assert (one.tool, one.args, one.result_variable, one.server) == ("read", {"path": "${path}"}, "text", None)
    (question,) = model.questions
    assert "${path} = a.txt" in question.shared
    assert json.loads(question.context[0].text)["input_schema"] == READ.input_schema
    assert planner.usage == Usage(calls=1, input_tokens=10)


def test_a_draft_is_repaired_once_by_what_validation_says() -> None:
    model = Model(drafted("a.txt", args='{"file": "a.txt"}'), drafted("a.txt"))

    made = asyncio.run(draft(ModelPlanner(lambda: model), "Read it", Catalog([READ])))

    assert made.steps[0].args == {"path": "a.txt"}
    parts = {part.title: part.text for part in model.questions[1].context}
    assert "/steps/0/args: 'path' is a required property" in parts["faults"]
    assert json.loads(parts["draft"])["steps"][0]["args"] == {"file": "a.txt"}


def test_a_draft_that_is_wrong_twice_is_no_graph() -> None:
    wrong = drafted("a.txt", tool="delete")

    with pytest.raises(DraftInvalid, match="No server has the tool “delete”"):
        asyncio.run(draft(ModelPlanner(lambda: Model(wrong, wrong)), "Read it", Catalog([READ])))


@pytest.mark.parametrize("args", ["[1]", "{", "path"])
def test_arguments_that_are_no_object_do_not_fit_the_answer(args: str) -> None:
    with pytest.raises(ValueError, match="args is no JSON"):
        DraftedGraph.model_validate(drafted("a.txt", args=args))


def test_of_too_many_tools_the_last_have_no_schema() -> None:
    large = {"type": "object", "description": "x" * 50_000}
    text = describe_tools(Catalog([Tool(name=f"t{n}", input_schema=large) for n in range(4)]))
    assert ["input_schema" in json.loads(line) for line in text.splitlines()] == [True, True, False, False]


def test_completed_steps_stay_before_those_that_are_left_and_indices_stay_unique() -> None:
    before, _ = load(graph(step("1", result_variable="a"), step("2", "1"), step("3", "2"), variables={"v": 1}))
    assert before
    left = {"steps": [step("1", tool="other"), step("2", ["1"]), step("4", "2")], "variables": {"v": 2, "w": 3}}

    after = merged(before, ["1"], left)

    assert [(each["index"], each.get("depends_on", [])) for each in after["steps"]] == [
        ("1", []),
        ("1b", []),
        ("2", ["1b"]),
        ("4", ["2"]),
    ]
    assert after["variables"] == {"v": 1, "w": 3}


class TestGoal:
    """plan_create and plan_create_and_execute with a goal, as runs of the service."""

    def services(self, *documents: Any, tools: Tools | None = None) -> Services:
        made = Services(tools, Scripted(*documents) if documents else None)
        made.servers.add("ann", "web", made.URL)
        return made

    def test_the_graph_is_drafted_by_a_run_and_can_then_be_run(self) -> None:
        services = self.services(DRAFT)
        run = services.graphs.draft("ann", "Do two things\nquickly", variables={"x": 1})
        with pytest.raises(GraphNotReady) as early:
            services.graphs.run("ann", run.subject)
        assert early.value.details == {"run_id": run.run_id, "state": "running"}

        assert services.work(run.run_id).state is RunState.COMPLETED

        view, found = services.graphs.read("ann", run.subject)
        assert (view.title, view.revision, view.steps) == ("Two steps", 1, 2)
        assert [each["index"] for each in found.graph["steps"]] == ["1", "2"]
        assert services.called.calls == []
        again, _ = services.graphs.run("ann", run.subject)
        assert services.work(again.run_id).state is RunState.COMPLETED

    def test_a_run_continues_with_the_graph_that_it_drafted(self) -> None:
        services = self.services(DRAFT)
        run = services.graphs.draft("ann", "Do it", options=RunOptions(max_concurrency=2))

        assert services.work(run.run_id).state is RunState.RUNNING
        assert services.engine.started == [(run.run_id, 1, 1), (run.run_id, 2, 1)]
        ended = services.work(run.run_id)

        assert (ended.state, ended.number, ended.steps, ended.replanned) == (RunState.COMPLETED, 2, 2, False)
        assert services.called.calls == [("tool1", {}), ("tool2", {"from": "tool1 done"})]
        names = [event.name for event in services.runs.events_after("ann", run.run_id, 0, 100)]
        assert [name for name in names if name.startswith("run_")] == ["run_started", "run_revised", "run_completed"]

    @pytest.mark.parametrize(
        ("documents", "code"),
        [
            (({"steps": []}, {"steps": []}), "DRAFT_INVALID"),
            ((ModelUnavailable("The model is down."),), "INTERNAL_ERROR"),
        ],
    )
    def test_a_draft_that_fails_says_why_and_a_resume_tries_again(self, documents: Any, code: str) -> None:
        services = self.services(*documents, DRAFT)
        run = services.graphs.draft("ann", "Do it")

        failed = services.work(run.run_id)
        assert failed.failure
        assert (failed.state, failed.failure.code) == (RunState.FAILED, code)
        with pytest.raises(GraphNotReady, match="was not drafted"):
            services.graphs.read("ann", run.subject)

        services.runs.resume("ann", run.run_id)
        assert services.work(run.run_id).state is RunState.COMPLETED
        assert services.graphs.read("ann", run.subject)[0].revision == 1

    def test_a_model_that_takes_too_long_fails_the_run_in_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        async def slow(*_: Any) -> dict[str, Any]:
            await asyncio.Event().wait()
            return DRAFT

        monkeypatch.setattr(draft_job, "LONGEST_DRAFT", 0.05)
        services = self.services(DRAFT)
        services.planner = slow
        failed = services.work(services.graphs.draft("ann", "Do it").run_id)
        assert failed.failure
        assert (failed.state, failed.failure.code) == (RunState.FAILED, "DRAFT_TIMED_OUT")

    def test_only_tools_of_the_named_servers_are_drafted_with(self) -> None:
        services = self.services(DRAFT)
        services.client.tools["https://other.example"] = [Tool(name="tool1"), Tool(name="tool2")]
        services.servers.add("ann", "other", "https://other.example")
        run = services.graphs.draft("ann", "Do it", servers=["other"])
        services.work(run.run_id)
        assert isinstance(services.planner, Scripted)
        assert services.planner.asked[0][1] == ("tool1", "tool2")
        with pytest.raises(ToolServerNotFound):
            services.graphs.draft("ann", "Do it", servers=["nowhere"])
        with pytest.raises(InvalidGraph, match="no tools"):
            services.graphs.draft("bob", "Do it")

    def test_without_a_model_it_says_how_to_set_one_up(self) -> None:
        with pytest.raises(ModelProfilesUnavailable, match=r"OPENAI_API_KEY is not set\..*docs/models\.md"):
            self.services().graphs.draft("ann", "Do it")

    def test_a_kill_at_any_write_stores_one_graph_and_asks_at_most_once_more(self) -> None:
        for die_at in range(1, 40):
            services = self.services(DRAFT, DRAFT)
            run = services.graphs.draft("ann", "Do it", options=RunOptions())
            writes = services.writes
            writes.count, writes.die_at = 0, die_at
            try:
                services.work(run.run_id)
            except Killed:
                services.revive()
                services.until_ended(run.run_id)
            else:
                assert die_at > 6
                return
            ended = services.runs.get("ann", run.run_id)
            assert (ended.state, ended.number) == (RunState.COMPLETED, 2), die_at
            assert services.graphs.read("ann", run.subject)[0].revision == 1
            assert services.called.names() == ["tool1", "tool2"], die_at
        raise AssertionError("the run makes more writes than were tried")


class TestReplanning:
    """A run that may continue with a revised graph after a failure."""

    GRAPH = graph(step("1", result_variable="a", idempotent=True), step("2", "1", idempotent=True), step("3", "2"))
    LEFT = graph(
        step("2", "1", tool="tool5", args={"from": "${a}"}, idempotent=True),
        step("3", "2", tool="tool6", idempotent=True),
    )

    def failed(self, *documents: Any, **options: Any) -> tuple[Services, str]:
        failing = {"content": [{"type": "text", "text": "no"}], "isError": True}
        services = Services(Tools(answers={"tool2": failing}), Scripted(*documents))
        services.servers.add("ann", "web", services.URL)
        view, _ = services.graphs.create("ann", self.GRAPH)
        run, _ = services.graphs.run("ann", view.graph_id, options=RunOptions(**options))
        return services, run.run_id

    def test_it_is_off_by_default(self) -> None:
        services, run_id = self.failed(self.LEFT)
        assert services.until_ended(run_id).state is RunState.FAILED
        assert isinstance(services.planner, Scripted)
        assert services.planner.asked == []

    def test_completed_steps_are_kept_and_the_revision_can_be_compared(self) -> None:
        services, run_id = self.failed(self.LEFT, enable_replan=True)

        run = services.until_ended(run_id)

        assert (run.state, run.replanned, run.number, run.revision, run.steps) == (RunState.COMPLETED, True, 2, 2, 3)
        assert services.called.calls == [("tool1", {}), ("tool2", {}), ("tool5", {"from": "tool1 done"}), ("tool6", {})]
        _, steps, _ = services.graphs.steps("ann", run_id, 0, 10)
        assert [(each.index, each.tool, record.state if record else "") for each, record in steps] == [
            ("1", "tool1", "completed"),
            ("2", "tool5", "completed"),
            ("3", "tool6", "completed"),
        ]
        assert isinstance(services.planner, Scripted)
        asked = json.loads(services.planner.asked[0][0])
        assert (asked["failed_step"], asked["completed_steps"]) == ("2", ["1. Step 1"])
        assert asked["variables"] == {"a": "tool1 done"}
        view, found = services.graphs.read("ann", run.subject)
        assert (view.revision, "step 2 failed" in found.note) == (2, True)

    def test_a_revised_graph_that_fails_fails(self) -> None:
        services, run_id = self.failed({"steps": [step("2", tool="tool2", idempotent=True)]}, enable_replan=True)
        run = services.until_ended(run_id)
        assert (run.state, run.replanned, run.number) == (RunState.FAILED, True, 2)
        assert isinstance(services.planner, Scripted)
        assert len(services.planner.asked) == 1

    def test_at_most_max_replans_drafts_are_asked_for(self) -> None:
        wrong = {"steps": [step("2", tool="nothing")]}
        services, run_id = self.failed(wrong, wrong, self.LEFT, enable_replan=True, max_replans=2)
        run = services.until_ended(run_id)
        assert (run.state, run.replanned, run.failure and run.failure.code) == (RunState.FAILED, False, "TOOL_FAILED")
        events = services.runs.events_after("ann", run_id, 0, 100)
        assert [each.data["code"] for each in events if each.name == "revision_failed"] == ["DRAFT_INVALID"]

    def test_calls_before_the_revision_count_against_the_budget(self) -> None:
        services, run_id = self.failed(self.LEFT, enable_replan=True, budget=3)
        run = services.until_ended(run_id)
        assert (run.state, run.failure and run.failure.code) == (RunState.FAILED, "CALL_BLOCKED")
        assert services.called.names() == ["tool1", "tool2", "tool5"]

    def test_without_a_model_the_run_is_not_started(self) -> None:
        services = Services()
        services.servers.add("ann", "web", services.URL)
        view, _ = services.graphs.create("ann", self.GRAPH)
        with pytest.raises(ModelProfilesUnavailable):
            services.graphs.run("ann", view.graph_id, options=RunOptions(enable_replan=True))

    def test_after_a_kill_at_any_write_the_run_completes_with_one_revision(self) -> None:
        for die_at in range(1, 60):
            services, run_id = self.failed(self.LEFT, self.LEFT, enable_replan=True)
            services.writes.count, services.writes.die_at = 0, die_at
            try:
                services.work(run_id)
            except Killed:
                services.revive()
                run = services.until_ended(run_id)
            else:
                assert die_at > 8
                return
            assert isinstance(services.planner, Scripted)
            assert len(services.planner.asked) <= 2, die_at
            assert max(Counter(services.called.names()).values()) <= 2, die_at
            assert (run.state, run.replanned) == (RunState.COMPLETED, True), die_at
        raise AssertionError("the run makes more writes than were tried")
