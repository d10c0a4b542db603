"""What a plan is for is read from who earns, who pays and what is counted."""

import pytest

from planloom.stages.purpose import Purpose, PurposeAnswer
from tests.unit.stages.drafting import draft
from tests.unit.stages.more_goals import GAP, MARATHON
from tests.unit.stages.sections import section
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP


def purpose(prompt: str) -> PurposeAnswer:
    found = section(prompt, "purpose")
    assert isinstance(found, Purpose)
    return found.purpose


@pytest.mark.parametrize(
    ("prompt", "kind", "medium"),
    [
        (CAFE, "business", "physical"),
        (FLOOD_WALL, "other", "physical"),
        (NURSE_APP, "other", "digital"),
        (MARATHON, "personal", "physical"),
    ],
    ids=["cafe", "flood wall", "nurse app", "marathon"],
)
def test_kind_and_medium_follow_from_the_goal(prompt: str, kind: str, medium: str) -> None:
    assert (purpose(prompt).kind, purpose(prompt).medium) == (kind, medium)


@pytest.mark.parametrize(
    ("prompt", "values"),
    [
        (CAFE, ["180 paying customers a day", "at least 62%"]),
        (FLOOD_WALL, ["no overtopping at +2.1 m"]),
        (NURSE_APP, ["under 90 seconds", "two weeks"]),
        (GAP, ["at least 85% of tickets"]),
    ],
    ids=["cafe", "flood wall", "nurse app", "festival"],
)
def test_every_measure_that_the_goal_states_is_there_with_its_value(prompt: str, values: list[str]) -> None:
    stated = [measure.target for measure in purpose(prompt).measures if measure.given]
    assert [value for value in values if value not in stated] == []


def test_a_goal_without_a_measure_gets_one_that_says_it_is_proposed() -> None:
    drafted = draft("Open a reading room in Porto.", "purpose")["purpose"]
    assert isinstance(drafted, Purpose)
    assert [measure.given for measure in drafted.purpose.measures] == [False]


def test_what_follows_names_who_decides_and_what_is_ruled_out() -> None:
    said = " ".join(purpose(CAFE).follows)
    assert "the lender must decide before the lease is signed: the bank loan" in said
    assert "franchise agreements" in said
