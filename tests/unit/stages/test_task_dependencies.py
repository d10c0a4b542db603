"""Stage 021 with the outline, and what it does with links that cannot be."""

import asyncio
from dataclasses import replace
from graphlib import TopologicalSorter

import pytest

from planloom.knowledge.sequence import successors
from planloom.stages.task_dependencies import STAGE, TaskDependenciesAnswer, WaitAnswer, outline, settled
from planloom.stages.wbs import Wbs
from tests.unit.stages.drafted import drafted
from tests.unit.stages.drafting import desk_for
from tests.unit.stages.test_wbs import cafe_brief
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = pytest.mark.parametrize("prompt", [CAFE, FLOOD_WALL, NURSE_APP], ids=["cafe", "flood wall", "nurse app"])


@pytest.fixture(scope="module")
def wbs():
    return drafted(CAFE)["wbs"]


def answer(*waits):
    return [WaitAnswer(task=task, after=list(after), why="it takes it over") for task, after in waits]


@GOALS
def test_the_graph_has_no_circle_and_everything_leads_to_an_end(prompt):
    made = drafted(prompt)
    ids = [p.id for p in made["wbs"].packages]
    found = made["task_dependencies"]
    pairs = [(d.task, d.after) for d in found.dependencies]
    TopologicalSorter({i: [after for task, after in pairs if task == i] for i in ids}).prepare()
    accepted = next(p.id for p in made["wbs"].packages if p.key == "acceptance")
    ends = set(ids) - {after for _, after in pairs}
    assert ends <= successors(pairs, [accepted]) | {accepted}
    assert set(found.starts) == set(ids) - {task for task, _ in pairs}
    assert found.dropped == ()


@GOALS
def test_work_goes_on_in_parallel(prompt):
    made = drafted(prompt)
    count = len(made["wbs"].packages)
    depth = {}
    pairs = [(d.task, d.after) for d in made["task_dependencies"].dependencies]
    for i in TopologicalSorter({p.id: [a for t, a in pairs if t == p.id] for p in made["wbs"].packages}).static_order():
        depth[i] = max((depth[a] + 1 for t, a in pairs if t == i), default=1)
    assert max(depth.values()) < count / 2


def test_links_to_unknown_packages_themselves_and_in_circles_are_left_out_and_named(wbs):
    found = settled(wbs, answer(("1.2", ["1.1", "99.1"]), ("1.1", ["1.1", "1.2"]), ("1.2", ["1.1"])))
    assert [(d.task, d.after) for d in found.dependencies if d.task in ("1.1", "1.2")] == [("1.2", "1.1")]
    assert [text.split(":")[0] for text in found.dropped] == [
        "1.2 after 99.1",
        "1.1 after 1.1",
        "1.1 after 1.2",
        "1.2 after 1.1",
    ]
    assert "## Left out" in STAGE.markdown(found)


def test_what_a_model_leaves_hanging_goes_before_acceptance(wbs):
    found = settled(wbs, answer(("1.2", ["1.1"])))
    accepted = next(p.id for p in wbs.packages if p.key == "acceptance")
    waits = {d.after for d in found.dependencies if d.task == accepted}
    assert waits == {p.id for p in wbs.packages} - {accepted, "1.1"}


def test_a_package_added_by_hand_waits_for_the_first_one(wbs):
    extra = wbs.packages[-1].model_copy(update={"id": "1.9", "key": "tram_mural"})
    first = wbs.deliverables[0]
    edited = Wbs(deliverables=(first.model_copy(update={"packages": (*first.packages, extra)}), *wbs.deliverables[1:]))
    found = settled(edited, outline(cafe_brief(), edited))
    assert [d.after for d in found.dependencies if d.task == "1.9"] == ["1.1"]


def test_links_come_in_the_order_of_the_work_breakdown(wbs):
    found = settled(wbs, outline(cafe_brief(), wbs))
    order = [p.id for p in wbs.packages]
    at = [order.index(d.task) for d in found.dependencies]
    assert at == sorted(at)


def test_each_deliverable_is_asked_for_apart_and_answers_for_its_own_packages(wbs):
    asked = {}

    async def answered(question):
        asked[question.name] = question.outline()
        stray = WaitAnswer(task="1.2", after=["2.1"], why="an answer for a package of another deliverable")
        return TaskDependenciesAnswer(waits=[*asked[question.name].waits, *([stray] if "_3" in question.name else [])])

    desk = replace(desk_for(CAFE, STAGE, drafted(CAFE)), answer=answered)
    made = asyncio.run(STAGE.draft(desk))
    assert list(asked) == [f"dependencies_{deliverable.id}" for deliverable in wbs.deliverables]
    assert made == drafted(CAFE)["task_dependencies"]


def test_no_answer_may_hold_more_than_the_house_limit():
    limits = TaskDependenciesAnswer.model_json_schema()
    assert limits["properties"]["waits"]["maxItems"] == 40
