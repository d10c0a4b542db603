"""What follows from the prompt's own numbers is computed and shows its working."""

import pytest

from planloom.knowledge.brief import Brief, make_brief
from planloom.knowledge.figures import figure, figures
from tests.unit.stages.drafting import TODAY
from tests.unit.stated_facts import stated_facts as read_facts
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP


def brief(prompt: str) -> Brief:
    return make_brief(prompt, read_facts(prompt, TODAY), TODAY)


@pytest.mark.parametrize(
    ("prompt", "slug", "value", "working"),
    [
        (CAFE, "turns", "3.75", "180 / 48"),
        (CAFE, "funding", "240000", "EUR 90,000 + EUR 150,000"),
        (NURSE_APP, "growth", "15", "900 / 60"),
    ],
)
def test_a_figure_follows_from_two_numbers_of_the_prompt(prompt: str, slug: str, value: str, working: str) -> None:
    found = figure(brief(prompt), slug)
    assert found is not None
    assert (found.value, found.working) == (value, working)


def test_the_days_of_a_season_are_counted() -> None:
    # April to September: 183 days in each of 2027, 2028 and 2029
    found = figure(brief(FLOOD_WALL), "open-days")
    assert found is not None
    assert found.value == "549"


def test_funding_that_leaves_a_gap_says_how_much() -> None:
    prompt = CAFE.replace("€240,000", "€270,000")
    found = figure(brief(prompt), "funding")
    assert found is not None
    assert found.text.endswith("leaves EUR 30,000 open")


def test_a_prompt_without_numbers_yields_none() -> None:
    assert figures(brief("Write a short history of our village.")) == ()
