"""Stage 017: questions that decide something, baselines among them, each with a first answer beforehand."""

import pytest

from tests.unit.stages.more_goals import MORE, NO_BUDGET
from tests.unit.stages.sections import page_of, section
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

ALL = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, **MORE}
EVERY_GOAL = pytest.mark.parametrize("prompt", ALL.values(), ids=ALL)


def of(prompt):
    return section(prompt, "data_collection").data.items


@EVERY_GOAL
def test_who_finds_out_does_not_sign_off(prompt):
    assert all(row.role != row.sign_off for row in of(prompt))


@EVERY_GOAL
def test_questions_come_by_date_each_with_a_way_to_simulate(prompt):
    assert [r.deadline for r in of(prompt)] == sorted(r.deadline for r in of(prompt))
    assert all(r.simulate and r.decides and r.sample for r in of(prompt))
    assert len({r.id for r in of(prompt)}) == len(of(prompt)) <= 12


def test_what_is_compared_with_before_is_measured_before():
    first_gate = section(FLOOD_WALL, "project_plan").phases[0].last
    baselines = [r for r in of(FLOOD_WALL) if r.id.startswith("baseline")]

    assert len(baselines) == 2
    assert all(r.deadline <= first_gate for r in baselines)


def test_a_figure_that_nothing_is_compared_with_needs_no_baseline():
    assert [r for r in of(CAFE) if r.id.startswith("baseline")] == []


def test_cost_is_a_small_part_of_the_budget_and_added_up():
    cost = sum(r.cost for r in of(CAFE))

    assert 0 < cost < 24_000
    assert f"In all EUR {cost:,}" in page_of(CAFE, "data_collection")


def test_without_a_budget_there_is_no_cost():
    assert {r.cost for r in of(NO_BUDGET)} == {0}
