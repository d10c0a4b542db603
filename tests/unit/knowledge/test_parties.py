"""Who can stop the work, by name, with verbs that agree."""

from planloom.knowledge.parties import agreed


def test_several_people_are_and_one_body_is() -> None:
    assert agreed("When the residents is asked: the residents, has a say.", "residents") == (
        "When the residents are asked: the residents, have a say."
    )
    assert agreed("The county has a say.", "county") == "The county has a say."
