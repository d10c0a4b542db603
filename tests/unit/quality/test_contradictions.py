"""Passages with a true verdict: what is reported as a contradiction is one, at most one in ten is not."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from planloom.domain.claims import Claim
from planloom.quality.contradictions import Settled

GOALS = tomllib.loads(Path(__file__).with_name("passages.toml").read_text(encoding="utf-8"))["goals"]
GOAL = "Open a café in Lisbon with 48 seats for EUR 240,000; rent must stay below EUR 3,200 a month."


def claim(text: str, value: str, unit: str, **more: Any) -> Claim:
    return Claim.model_validate(
        {"id": "start.a", "text": text, "kind": "fact", "value": value, "unit": unit, "source": "stage:start"} | more
    )


BUDGET = claim("The budget is EUR 240,000", "240000", "EUR", subject="budget")
LOSS = claim("Spoilage today: 11 %", "11", "%", subject="spoilage", role="baseline")
AIM = claim("Spoilage aimed at: 3 %", "3", "%", subject="spoilage", role="target")


def found(text: str, *claims: Claim) -> list[str]:
    return [each.quote for each in Settled(claims, GOAL).contradictions(text)]


@pytest.mark.parametrize("half", ["seen", "held"])
def test_at_most_one_in_ten_reported_contradictions_is_none(half: str) -> None:
    verdicts = []
    for goal in GOALS:
        claims = [Claim(kind="fact", source="stage:start", **each) for each in goal["claims"]]
        for passage in (each for each in goal["passages"] if each["half"] == half):
            if list(Settled(claims, goal["text"]).contradictions(passage["text"])):
                verdicts.append(passage["contradicts"])

    assert len(verdicts) >= 4, "some are found"
    assert verdicts.count(False) <= len(verdicts) / 10


def test_the_same_subject_with_another_value_is_reported() -> None:
    assert found("The budget is EUR 260,000.", BUDGET) == ["The budget is EUR 260,000"]
    assert found("The total budget amounts to €0.3 million.", BUDGET) == ["The total budget amounts to €0.3 million"]


@pytest.mark.parametrize(
    "text",
    [
        "The budget is EUR 240,000, or €0.24 million.",
        "The budget is EUR 3,200.",
        "The advertising budget is EUR 4,000.",
        "The budget for the oven is EUR 30,000.",
        "The budget is EUR 20,000 a month.",
        "If the loan fails the budget is EUR 90,000.",
        "Until March the budget is EUR 60,000.",
        "The budget is USD 260,000.",
    ],
)
def test_other_subjects_units_times_and_values_of_the_goal_are_not(text: str) -> None:
    assert found(text, BUDGET) == []


def test_a_target_and_what_is_measured_today_are_two_figures() -> None:
    assert found("Spoilage is 3%.", LOSS) == []
    assert found("The target for August 2029: spoilage is under 3%.", LOSS) == []
    assert found("Today spoilage is 9%.", LOSS) == []
    assert found("Spoilage: 14%, as measured today.", LOSS, AIM) == ["Spoilage: 14%"]


def test_a_claim_without_a_subject_is_compared_with_nothing() -> None:
    assert found("The budget is EUR 260,000.", BUDGET.model_copy(update={"subject": ""})) == []
