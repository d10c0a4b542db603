"""What is taken for true, heaviest first: what the prompt forces, then what its kind takes for granted."""

from datetime import date

import pytest

from planloom.stages.assumptions import Assumption, AssumptionReview, Assumptions, NewDoubt, distilled
from tests.unit.stages.drafting import draft
from tests.unit.stages.more_goals import MORE
from tests.unit.stages.sections import page_of, section
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, **MORE}
EVERY_GOAL = pytest.mark.parametrize("prompt", GOALS.values(), ids=GOALS)


def assumptions(prompt: str) -> Assumptions:
    found = section(prompt, "assumptions")
    assert isinstance(found, Assumptions)
    return found


@EVERY_GOAL
def test_they_stand_by_impact_times_doubt_with_ids_in_that_order(prompt: str) -> None:
    found = assumptions(prompt).assumptions
    assert 8 <= len(found) <= 14
    assert [each.weight for each in found] == sorted((each.weight for each in found), reverse=True)
    assert [each.id for each in found] == [f"A{n}" for n in range(1, len(found) + 1)]


@EVERY_GOAL
def test_the_three_that_lead_are_claimed_with_owner_and_test(prompt: str) -> None:
    found = assumptions(prompt)
    assert [claim.id for claim in found.claims] == ["assumptions.a1", "assumptions.a2", "assumptions.a3"]
    assert [claim.text for claim in found.claims] == [each.text for each in found.assumptions[:3]]
    assert all(claim.owner and claim.test for claim in found.claims)


@pytest.mark.parametrize(
    ("prompt", "texts"),
    [
        ("Open a bookshop in Porto.", [f"no {what} was found in the goal" for what in ("start", "day", "sum")]),
        ("Open a shop in Graz. The budget is $400,000.", ["is read as an amount in USD"]),
        (
            "Open a pool in Trondheim by May 2029. The budget is NOK 20 to 30 million.",
            ["The upper end of the stated budget"],
        ),
        ("Move our office by 03/04/2028.", ["3 April 2028", "4 March 2028"]),
        (CAFE, ["The bank loan is given in time", "The extraction duct is given in time", "at most EUR 3,200 a month"]),
        (FLOOD_WALL, ["The coastal protection permit is given in time", "The open season is as long as the goal says"]),
        (NURSE_APP, ["Each release is signed off within five working days", "growth by a factor of 15"]),
    ],
)
def test_what_the_goal_forces_is_assumed_in_words(prompt: str, texts: list[str]) -> None:
    drafted = draft(prompt, "assumptions")["assumptions"]
    assert isinstance(drafted, Assumptions)
    said = " ".join(each.text for each in drafted.assumptions)
    assert [text for text in texts if text not in said] == []


@EVERY_GOAL
def test_the_gate_that_waits_comes_no_earlier_than_the_test(prompt: str) -> None:
    assert all(each.gate.startswith(("the gate after ", "the end")) for each in assumptions(prompt).assumptions)


def test_the_page_opens_with_the_three_that_lead() -> None:
    page = page_of(FLOOD_WALL, "assumptions")
    first = assumptions(FLOOD_WALL).assumptions
    assert page.index(first[0].text) < page.index(first[1].text) < page.index(first[2].text) < page.index("## All")


def assumption(number: int, impact: int, confidence: str) -> Assumption:
    return Assumption.model_validate(
        {
            "id": f"A{number}", "text": f"Thing {number} is as we think.", "basis": "assumed", "confidence": confidence,
            "impact": impact, "breaks": "The whole of the plan.", "test": "Ask whoever knows it.", "owner": "Founder",
            "by": date(2027, 1, number), "gate": "the first gate",
        }
    )  # fmt: skip


def test_a_review_drops_doubts_and_adds() -> None:
    found = [assumption(n, 3, "high") for n in range(1, 7)]
    review = AssumptionReview(
        drop=["A1"],
        doubt=[NewDoubt(id="A4", confidence="low", why="Nobody has asked.")],
        add=[assumption(9, 4, "medium")],
        review=["One is doubted more."],
    )
    settled = distilled(found, review)
    assert [each.text for each in settled[:2]] == ["Thing 4 is as we think.", "Thing 9 is as we think."]
    assert "Thing 1 is as we think." not in [each.text for each in settled]
    assert [each.id for each in settled] == ["A1", "A2", "A3", "A4", "A5", "A6"]


def test_a_review_leaves_at_least_four() -> None:
    review = AssumptionReview(drop=["A1", "A2", "A3", "A4", "A5"], review=["All are the same."])
    assert len(distilled([assumption(n, 3, "low") for n in range(1, 7)], review)) == 4
