"""What a prompt itself makes dangerous is read from its own words."""

import pytest

from planloom.domain.facts import Facts
from planloom.knowledge.dangers import Danger, dangers
from tests.unit.stages.drafting import TODAY
from tests.unit.stated_facts import stated_facts as read_facts
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP


def facts(prompt: str) -> Facts:
    return read_facts(prompt, TODAY)


def found(prompt: str, kind: str) -> list[Danger]:
    return [danger for danger in dangers(facts(prompt)) if danger.kind == kind]


def test_an_approval_is_read_with_what_waits_for_it_and_who_gives_it() -> None:
    loan, duct = found(CAFE, "approval")
    assert (loan.thing, loan.who, loan.gate) == ("bank loan", "the lender", "the lease is signed")
    assert (duct.thing, duct.who, duct.gate) == ("extraction duct", "the city", "")
    (permit,) = found(FLOOD_WALL, "approval")
    assert (permit.thing, permit.party, permit.gate) == (
        "coastal protection permit",
        "national coastal authority",
        "tendering",
    )


def test_what_is_signed_off_every_time_is_told_from_what_is_approved_once() -> None:
    (release,) = found(NURSE_APP, "approval")
    assert (release.thing, release.party, release.repeated) == ("release", "county health departments", True)
    assert not found(FLOOD_WALL, "approval")[0].repeated


@pytest.mark.parametrize(
    ("prompt", "party"),
    [
        (CAFE, "neighbourhood association"),
        (NURSE_APP, "clinical safety officer"),
        ("Move the archive by May 2028. The works council may veto any change of hours.", "works council"),
    ],
)
def test_whoever_can_say_no_is_named(prompt: str, party: str) -> None:
    assert [danger.party for danger in found(prompt, "veto")] == [party]


def test_a_law_that_is_named_is_a_danger_of_its_own() -> None:
    assert [danger.thing for danger in found(NURSE_APP, "law")] == ["Data Protection Act"]


def test_a_limit_on_cost_is_a_danger_and_a_limit_on_who_decides_is_not() -> None:
    assert [danger.money.high for danger in found(CAFE, "cap") if danger.money] == [3200.0]


def test_a_sentence_with_a_banned_word_brings_no_danger() -> None:
    prompt = "Open a café by May 2028. The premium licence must be approved by the city. Do not use the word 'premium'."
    assert found(prompt, "approval") == []


def test_a_goal_without_limits_has_no_dangers() -> None:
    assert dangers(facts("Write a short history of our village for its readers.")) == ()
