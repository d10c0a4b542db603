"""The corpora of goals with true facts: well formed, and the development one is read by rules with few false facts."""

import asyncio
from datetime import date
from typing import Any

import pytest

from bench.facts import STATED, Score, by_rules, cases, measure

GOALS = [pytest.param(case, id=f"{folder}/{name}") for folder in ("goals", "held_out") for name, case in cases(folder)]


def test_there_are_sixty_goals_of_which_a_third_are_not_in_english():
    languages = [case["language"] for folder in ("goals", "held_out") for _, case in cases(folder)]
    assert len(languages) >= 60
    assert sum(language != "en" for language in languages) >= len(languages) / 3


@pytest.mark.parametrize("case", GOALS)
def test_every_quote_of_the_truth_stands_in_its_goal(case: dict[str, Any]) -> None:
    facts = [case["total"], case["deadline"], case["start"], *case["people"], *case["bans"], *case["places"]]
    missing = [fact["quote"] for fact in facts if fact and fact["quote"] not in case["goal"]]
    assert missing == []


@pytest.mark.parametrize("case", GOALS)
def test_days_are_dates_in_order(case: dict[str, Any]) -> None:
    for day in filter(None, (case["deadline"], case["start"])):
        assert date.fromisoformat(day["earliest"]) <= date.fromisoformat(day["latest"])


def test_what_rules_state_of_the_development_goals_is_right_in_98_of_100_and_three_fifths_are_found():
    scores = asyncio.run(measure("goals", by_rules))
    stated = sum((scores[name] for name in STATED), Score())
    assert stated.precision >= 0.98, stated.wrong
    assert stated.recall >= 0.60
