"""Stage 025: one page; what is late or missing is said first, and nothing stands in it that is not in the plan."""

import re

import pytest

from tests.unit.stages.finished import finished, text_of
from tests.unit.stages.more_goals import MARATHON, NO_BUDGET
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

ALL = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, "marathon": MARATHON, "no budget": NO_BUDGET}
EVERY_GOAL = pytest.mark.parametrize("prompt", ALL.values(), ids=ALL)
#: About what fits on a page of A4 with three short tables.
ONE_PAGE_WORDS = 700


def of(prompt):
    return finished(prompt)["executive_summary"].summary


@EVERY_GOAL
def test_it_is_one_page(prompt):
    words = re.findall(r"\w+", text_of(prompt, "executive_summary"))

    assert len(words) < ONE_PAGE_WORDS


@EVERY_GOAL
def test_the_computed_verdict_opens_the_part_on_dates(prompt):
    assert of(prompt).when.startswith(finished(prompt)["schedule"].verdict_text[:200])


def test_the_reason_is_the_goals_own_and_stands_once():
    replaced = NURSE_APP.replace("they reach coverage.", "they reach coverage, replacing paper forms that lose visits.")

    summary = of(replaced)

    assert summary.why.startswith("Replacing paper forms that lose visits.")
    assert "replacing paper" not in summary.what


def test_a_detail_explained_is_not_taken_for_the_reason_of_the_whole():
    prompt = CAFE.replace("closed for holidays", "closed for holidays because the street empties in the heat anyway")

    assert "holidays" not in of(prompt).why


def test_a_goal_without_a_total_asks_for_one():
    summary = of(NO_BUDGET)

    assert summary.how_much.startswith("No total was found in the goal")
    assert any("Name the total" in row.ask for row in summary.asked)


def test_what_is_asked_has_a_day_not_before_the_work_starts():
    for prompt in (CAFE, FLOOD_WALL, NURSE_APP):
        start = finished(prompt)["schedule"].start
        assert of(prompt).asked
        assert all(row.by >= start for row in of(prompt).asked)


def test_each_amount_of_the_page_stands_in_the_project_plan():
    plan = text_of(CAFE, "project_plan")
    amounts = re.findall(r"EUR [\d,]+\d", of(CAFE).how_much)

    assert amounts
    assert [amount for amount in amounts if amount not in plan] == []


def test_planned_gates_that_differ_are_said_on_the_page():
    differ = any(m.planned and m.planned != m.day for m in finished(CAFE)["schedule"].milestones if m.kind == "phase")

    assert ("All dates on this page are computed" in of(CAFE).when) == differ
