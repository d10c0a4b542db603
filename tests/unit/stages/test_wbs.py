"""Stage 019 with the outline, and what it makes of answers that a language model might give."""

from datetime import date

import pytest

from planloom.knowledge.brief import make_brief
from planloom.stages.wbs import STAGE, Level1Answer, Level2Answer, assembled
from tests.unit.stages.drafted import drafted
from tests.unit.stated_facts import stated_facts as read_facts
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = pytest.mark.parametrize("prompt", [CAFE, FLOOD_WALL, NURSE_APP], ids=["cafe", "flood wall", "nurse app"])


def cafe_brief():
    return make_brief(CAFE, read_facts(CAFE, date(2026, 11, 2)), date(2026, 11, 2))


def deliverable(title, phase="build"):
    return {"title": title, "result": f"{title} that can be shown", "phase": phase}


def package(key, **more):
    return {
        "key": key,
        "title": f"The {key}",
        "owner": "Baker",
        "kind": "build",
        "test": "Seen by the other baker",
        **more,
    }


@GOALS
def test_every_package_has_one_owner_a_test_and_a_place(prompt):
    wbs = drafted(prompt)["wbs"]
    for number, found in enumerate(wbs.deliverables, 1):
        assert found.id == str(number)
        assert [p.id for p in found.packages] == [f"{number}.{n}" for n in range(1, len(found.packages) + 1)]
    assert all(p.owner and p.test for p in wbs.packages)
    assert len({p.key for p in wbs.packages}) == len(wbs.packages)


@GOALS
def test_every_demand_of_the_goal_is_met_by_a_package(prompt):
    wbs = drafted(prompt)["wbs"]
    ids = {p.id for p in wbs.packages}
    assert len(wbs.traces) >= 5
    for trace in wbs.traces:
        assert trace.packages, trace.demand
        assert set(trace.packages) <= ids
        start, end = map(int, trace.source.removeprefix("prompt:").split("-"))
        assert trace.demand.rstrip("…") in prompt[start:end]


def test_the_demands_of_the_cafe_are_met_where_a_planner_would_look():
    wbs = drafted(CAFE)["wbs"]
    keys = {p.id: p.key for p in wbs.packages}

    def met(words):
        return {keys[i] for t in wbs.traces if words in t.demand for i in t.packages}

    assert "funding_secured" in met("bank loan")
    assert "oven_line" in met("deck oven")
    assert "neighbour_terms" in met("7 am")
    assert {"success_read_1", "success_read_2"} <= met("180 paying customers")


def test_markdown_shows_every_package_and_demand():
    wbs = drafted(CAFE)["wbs"]
    text = STAGE.markdown(wbs)
    assert all(f"| {p.id} | {p.title.replace('|', '')}" in text for p in wbs.packages)
    assert text.count("\n## ") == len(wbs.deliverables) + 1


def test_words_that_the_goal_bans_are_not_printed():
    text = STAGE.markdown(drafted(CAFE)["wbs"]).lower()
    assert "artisanal" not in text
    assert "curated" not in text


def test_two_goals_share_few_lines():
    texts = [{line for line in STAGE.markdown(drafted(p)["wbs"]).splitlines() if line} for p in (CAFE, FLOOD_WALL)]
    assert len(texts[0] & texts[1]) < 0.1 * len(texts[0])


def test_keys_that_a_model_gives_twice_are_told_apart():
    level1 = Level1Answer.model_validate({"deliverables": [deliverable(f"Part {n}") for n in range(3)]})
    twice = Level2Answer.model_validate({"packages": [package("oven"), package("oven")]})
    wbs = assembled(cafe_brief(), level1, [twice, twice, twice])
    assert [p.key for p in wbs.packages] == ["oven", "oven_2", "oven_3", "oven_4", "oven_5", "oven_6"]


def test_a_demand_goes_to_the_package_that_says_it_answers_it():
    level1 = Level1Answer.model_validate({"deliverables": [deliverable(f"Part {n}") for n in range(3)]})
    plain = Level2Answer.model_validate({"packages": [package("walls")]})
    answering = Level2Answer.model_validate(
        {"packages": [package("terms", serves="Rent must not exceed €3,200 a month.")]}
    )
    wbs = assembled(cafe_brief(), level1, [plain, answering, plain])
    assert next(t.packages for t in wbs.traces if t.demand.startswith("Rent")) == ("2.1",)
