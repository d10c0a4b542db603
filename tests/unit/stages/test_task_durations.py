"""Stage 022 with the outline, and with estimates that a language model might give."""

import pytest

from planloom.stages.task_durations import STAGE, TaskDurationsAnswer, settled
from tests.unit.stages.drafted import drafted
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = pytest.mark.parametrize("prompt", [CAFE, FLOOD_WALL, NURSE_APP], ids=["cafe", "flood wall", "nurse app"])


@GOALS
def test_every_package_has_a_three_point_estimate_with_its_pert_mean(prompt):
    made = drafted(prompt)
    found = made["task_durations"].estimates
    assert [e.task for e in found] == [p.id for p in made["wbs"].packages]
    for e in found:
        assert 0 < e.optimistic < e.pessimistic
        assert e.mean == pytest.approx((e.optimistic + 4 * e.likely + e.pessimistic) / 6, abs=0.01)
        assert e.deviation == pytest.approx((e.pessimistic - e.optimistic) / 6, abs=0.01)


@GOALS
def test_estimates_differ_and_say_what_is_assumed(prompt):
    found = drafted(prompt)["task_durations"]
    assert len({(e.optimistic, e.likely, e.pessimistic) for e in found.estimates}) > len(found.estimates) / 3
    for e in found.estimates:
        assert ("to verify" if e.fixed else "assumed") in e.basis
    assert "scaled" in found.method
    assert "assumption" in found.method


def test_the_method_names_the_factor_and_the_day_that_it_is_for():
    found = drafted(CAFE)["task_durations"]
    assert "1 May 2027" in found.method
    assert "by 0.60" in found.method
    assert found.method in STAGE.markdown(found)


def test_points_out_of_order_are_put_in_order_and_a_missing_estimate_is_assumed():
    wbs = drafted(CAFE)["wbs"]
    given = {"task": "1.1", "optimistic": 9, "likely": 3, "pessimistic": 5, "basis": "two partners, one day a topic"}
    stranger = {**given, "task": "77.1"}
    found = settled(wbs, [TaskDurationsAnswer.model_validate({"estimates": [given, stranger]})], "By hand.")
    first, second = found.estimates[:2]
    assert (first.optimistic, first.likely, first.pessimistic) == (3, 5, 9)
    assert "Nobody estimated it" in second.basis
    assert len(found.estimates) == len(wbs.packages)
