"""Stage 020: one reader who can say yes, and one act with a date."""

import pytest

from planloom.domain.wording import day_text
from tests.unit.stages.drafted import drafted
from tests.unit.stages.more_goals import GAP, MARATHON, MORE
from tests.unit.stages.sections import page_of, section
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

ALL = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, **MORE}


def of(prompt):
    return section(prompt, "pitch").pitch


@pytest.mark.parametrize(
    ("prompt", "reader"),
    [
        (CAFE, "The officer who decides on: bank loan, EUR 150,000"),
        (FLOOD_WALL, "The national coastal authority: the decision on coastal protection permit"),
        (NURSE_APP, "The county health departments: the decision on release"),
        (GAP, "The sponsors"),
    ],
    ids=["cafe", "flood wall", "nurse app", "festival"],
)
def test_the_reader_is_whoever_can_still_say_yes(prompt, reader):
    assert of(prompt).reader.startswith(reader)


def test_where_nobody_else_decides_those_who_carry_the_risk_are_asked():
    assert of(MARATHON).reader.startswith("Those who carry the risk")


def test_the_ask_is_one_act_by_the_day_of_its_milestone():
    decided = next(m for m in drafted(CAFE)["project_plan"].plan.milestones if m.title.startswith("Decided: bank loan"))
    assert of(CAFE).ask.startswith(f"To approve EUR 150,000 by {day_text(decided.day)}.")


@pytest.mark.parametrize("prompt", ALL.values(), ids=ALL)
def test_it_fits_on_a_page_and_answers_objections_from_the_plan(prompt):
    assert len(page_of(prompt, "pitch").split()) < 1000
    assert 2 <= len(of(prompt).objections) <= 5


def test_costs_and_returns_are_the_figures_of_the_plan():
    assert "EUR 240,000 in all, contingency EUR 28,800 included" in of(CAFE).costs
    assert "180 paying customers a day" in of(CAFE).returns
    assert "EUR 210,000 has no source yet" in of(GAP).costs
