"""Stage 015: evidence from the goal, and pairs that end in dated, owned actions."""

import pytest

from tests.unit.stages.more_goals import MORE
from tests.unit.stages.sections import section
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

ALL = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, **MORE}
EVERY_GOAL = pytest.mark.parametrize("prompt", ALL.values(), ids=ALL)


def of(prompt):
    return section(prompt, "swot_analysis").swot


@EVERY_GOAL
def test_each_kind_of_pair_ends_in_an_action_with_role_date_and_check(prompt):
    pairs = of(prompt).pairs

    assert {p.kind for p in pairs} == {"SO", "ST", "WO", "WT"}
    assert all(p.role and p.when and len(p.check) > 10 for p in pairs)


def test_experience_and_head_counts_of_the_goal_are_strengths():
    texts = " ".join(f"{e.text} {e.evidence}" for e in of(CAFE).strengths)

    assert "baked professionally for nine years" in texts
    assert "2 partners, head baker, 2 bakers, 4 front-of-house staff" in texts
    assert "EUR 90,000 of EUR 240,000 hangs on nobody's decision" in texts


def test_money_on_a_condition_is_a_weakness():
    assert any("EUR 150,000, 62% of the money" in e.text for e in of(CAFE).weaknesses)


def test_a_season_that_the_goal_closes_is_a_threat():
    assert any("April and September" in e.text for e in of(FLOOD_WALL).threats)


@EVERY_GOAL
def test_no_entry_stands_on_two_sides(prompt):
    swot = of(prompt)
    texts = [e.text for side in (swot.strengths, swot.weaknesses, swot.opportunities, swot.threats) for e in side]

    assert len(texts) == len(set(texts))


def test_only_what_is_sold_or_used_has_a_flagship():
    assert of(CAFE).flagship.endswith("(180 paying customers a day).")
    assert of(FLOOD_WALL).flagship == ""
