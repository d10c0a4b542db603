"""Who decides by the prompt's own words."""

from planloom.knowledge.brief import make_brief
from planloom.knowledge.mandates import mandates
from tests.unit.stages.drafting import TODAY
from tests.unit.stages.more_goals import MARATHON, PARTS
from tests.unit.stated_facts import stated_facts as read_facts
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP


def of(prompt):
    return {m.title: m for m in mandates(make_brief(prompt, read_facts(prompt, TODAY), TODAY))}


def test_two_signatures_are_a_mandate_with_a_limit():
    assert of(CAFE)["Both partners"].kind == "signature"
    assert of(CAFE)["Both partners"].limit == "above EUR 5,000"


def test_a_meeting_is_called_by_its_rhythm_and_partner():
    assert of(CAFE)["Monthly meeting with the accountant"].does == "a monthly meeting with our accountant reviews cash"


def test_a_body_keeps_its_members_and_rhythm():
    group = of(FLOOD_WALL)["Steering group"]

    assert group.members == "five: city engineer, finance, the port, the residents' association and the utility"
    assert group.cadence == "every six weeks"


def test_what_goes_to_a_council_or_is_decided_by_it_has_a_limit():
    assert of(FLOOD_WALL)["Council"].limit == "above DKK 2,000,000"
    assert of(PARTS)["City council"].limit == "above NOK 10,000,000"


def test_a_list_of_three_in_one_sentence_gives_each_its_own():
    found = of(NURSE_APP)

    assert found["Clinical safety officer"].stops == "a release"
    assert found["Weekly demos"].cadence == "weekly"
    assert found["Monthly steering call with the funder"].cadence == "monthly"
    assert found["County health departments"].kind == "release"


def test_a_goal_of_one_person_has_no_bodies():
    assert of(MARATHON) == {}
