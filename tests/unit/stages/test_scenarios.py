"""Three scenarios, compared by arithmetic that anybody can redo; the choice is the one with most points."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import ValidationError

from planloom.stages.levers import Levers
from planloom.stages.parts.scenario import STANCES, Criterion, leader, tipping_weight, weighted
from planloom.stages.scenarios import Candidates, ChoiceAnswer, Scenarios
from tests.unit.stages.more_goals import MORE
from tests.unit.stages.sections import page_of, section
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, **MORE}
EVERY_GOAL = pytest.mark.parametrize("prompt", GOALS.values(), ids=GOALS)


def scenarios(prompt: str) -> Scenarios:
    found = section(prompt, "scenarios")
    assert isinstance(found, Scenarios)
    return found


def criterion(weight: int, careful: int, balanced: int, bold: int) -> Criterion:
    return Criterion(
        name=f"Criterion {weight}",
        weight=weight,
        careful=careful,
        balanced=balanced,
        bold=bold,
        why="The goal says so.",
    )


@EVERY_GOAL
def test_each_scenario_sets_every_vital_lever_by_one_of_its_settings(prompt: str) -> None:
    levers = section(prompt, "levers")
    assert isinstance(levers, Levers)
    labels = {lever.id: {s.label for s in lever.settings if not s.ruled_out} for lever in levers.levers}
    found = scenarios(prompt)
    assert [s.stance for s in found.scenarios] == list(STANCES)
    for scenario in found.scenarios:
        assert {choice.lever for choice in scenario.choices} == set(levers.vital)
        assert all(choice.setting in labels[choice.lever] for choice in scenario.choices)


@EVERY_GOAL
def test_weights_sum_to_a_hundred_and_the_chosen_has_most_points(prompt: str) -> None:
    found = scenarios(prompt)
    assert sum(c.weight for c in found.criteria) == 100
    assert found.points(found.chosen) == max(found.points(stance) for stance in STANCES)


@EVERY_GOAL
def test_the_sums_on_the_page_can_be_redone(prompt: str) -> None:
    page = page_of(prompt, "scenarios")
    sums = re.findall(r"(\d) × (\d+) = (\d+)", page)
    assert sums
    for points, weight, product in sums:
        assert int(points) * int(weight) == int(product)


def test_three_scenarios_tell_three_stories_with_the_money_and_dates_of_the_goal() -> None:
    found = scenarios(FLOOD_WALL)
    assert len({s.story for s in found.scenarios}) == len({s.title for s in found.scenarios}) == 3
    said = " ".join(s.story for s in found.scenarios)
    assert "DKK 186,000,000" in said
    assert "30 September 2029" in said


def test_what_others_decide_and_what_time_is_left_set_the_weights() -> None:
    cafe = {c.name: c for c in scenarios(CAFE).criteria}
    assert "usually takes 6 to 14 months" in cafe["Fit to the deadline"].why
    assert "rent at most EUR 3,200 a month" in cafe["Fit to the budget"].why
    assert "neighbourhood association" in cafe["Ways back"].why


def test_the_settings_of_the_chosen_scenario_are_claimed_for_the_sections_after_it() -> None:
    found = scenarios(NURSE_APP)
    claimed = {claim.id: claim.value for claim in found.claims}
    assert claimed["scenarios.chosen"] == found.chosen
    assert {f"scenarios.{c.lever}": c.setting for c in found.choice.choices}.items() <= claimed.items()


def test_the_weight_at_which_the_choice_tips_is_the_least_that_does() -> None:
    criteria = [criterion(60, 2, 4, 3), criterion(40, 5, 3, 1)]
    assert leader(criteria) == "balanced"
    # 2w' + 4w > 2w + 3w' for careful against balanced, where w + w' = 1: w > 1/2
    assert tipping_weight(criteria, criteria[1], "careful") == 51
    assert tipping_weight(criteria, criteria[0], "bold") is None


def test_a_tie_goes_to_the_balanced_scenario() -> None:
    assert leader([criterion(100, 3, 3, 3)]) == "balanced"
    assert weighted([criterion(30, 5, 1, 1), criterion(70, 1, 1, 1)], "careful") == 2.2


def choice(weights: Sequence[int], chosen: str) -> dict[str, Any]:
    """Return an answer in which the balanced scenario has the most points."""
    return {
        "criteria": [criterion(weight, 2, 4, 3).model_dump() for weight in weights],
        "chosen": chosen,
        "because": "It fits the goal better.",
        "changes": ["A no.", "A yes."],
    }


def test_a_choice_against_its_own_arithmetic_is_sent_back() -> None:
    with pytest.raises(ValidationError, match="choose the highest"):
        ChoiceAnswer.model_validate(choice((40, 30, 20, 10), "bold"))


@pytest.mark.parametrize(
    ("given", "taken"),
    [((40, 30, 20, 10), [40, 30, 20, 10]), ((50, 30, 10, 5), [52, 32, 11, 5]), ((100, 100, 1, 1), [48, 50, 1, 1])],
)
def test_weights_keep_their_proportion_and_sum_to_100(given: tuple[int, ...], taken: list[int]) -> None:
    found = ChoiceAnswer.model_validate(choice(given, "balanced"))

    assert sum(c.weight for c in found.criteria) == 100
    assert [c.weight for c in found.criteria] == taken


def test_scenarios_out_of_order_are_put_in_order_and_named_by_it_where_one_is_there_twice() -> None:
    whole = scenarios(CAFE).scenarios
    turned = [s.model_dump() for s in reversed(whole)]
    twice = [s.model_dump() | {"stance": "bold"} for s in whole]

    for given in (turned, twice):
        assert tuple(Candidates.model_validate({"scenarios": given}).scenarios) == whole
