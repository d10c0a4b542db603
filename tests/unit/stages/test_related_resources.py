"""Stage 013: kinds of project to learn from, nothing invented, each beside a row of the plan."""

import pytest

from tests.unit.stages.more_goals import MORE
from tests.unit.stages.sections import section
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

ALL = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, **MORE}


def of(prompt):
    return section(prompt, "related_resources").resources.comparables


@pytest.mark.parametrize("prompt", ALL.values(), ids=ALL)
def test_what_is_not_certain_is_a_kind_to_verify_with_role_date_and_check(prompt):
    assert 3 <= len(of(prompt)) <= 8
    assert {row.certainty for row in of(prompt)} == {"to verify"}
    assert all(row.verify and row.role and row.check for row in of(prompt))
    assert len({row.title for row in of(prompt)}) == len(of(prompt))


def test_the_hardest_condition_of_the_goal_comes_first():
    assert of(CAFE)[0].title.endswith("had to wait for the same: bank loan")
    assert of(FLOOD_WALL)[0].title.endswith("had to wait for the same: coastal protection permit")


def test_each_says_which_row_of_the_plan_its_answer_changes():
    assert all(row.changes.startswith(("In the project plan", "Success criterion")) for row in of(NURSE_APP))
