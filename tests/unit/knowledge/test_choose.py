"""The tables that fit a prompt: one kind of project, at most five topics."""

from datetime import date

import pytest

from planloom.knowledge import choose
from planloom.knowledge.brief import Brief, make_brief
from planloom.knowledge.choose import MOST_TOPICS, archetypes, choose_topics, topics
from planloom.knowledge.tables import Risk
from tests.unit.stated_facts import stated_facts as read_facts
from tests.unit.three_goals import CAFE

TODAY = date(2026, 11, 2)


def brief(prompt: str) -> Brief:
    return make_brief(prompt, read_facts(prompt, TODAY), TODAY)


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("We want to open a 48-seat bakery café in the Alfama quarter of Lisbon by 1 May 2027.", "business_opening"),
        ("Two physiotherapists want to open a clinic with four treatment rooms in Ghent.", "business_opening"),
        ("Start a private music school in Riga with six teachers and 120 pupils.", "business_opening"),
        ("Open a forest kindergarten for 24 children in Freiburg from August 2027.", "business_opening"),
        ("Turn a former customs house into a 14-room hotel and open it by Easter 2028.", "business_opening"),
        ("Open a second-hand bookshop with a reading room in Cardiff with £45,000.", "business_opening"),
        ("Organise a three-day jazz festival in the botanical garden of Porto for 4,000 visitors a day.", "event"),
        ("Host a two-day conference on open hardware for 350 delegates in Tallinn.", "event"),
        ("Set up a trail race of 42 km in the Brecon Beacons in May 2028 for 600 runners.", "event"),
        ("Mount an exhibition of 90 engravings in the city museum of Ghent from March to July 2028.", "event"),
        ("We want to get married on 5 June 2027 near Siena with 80 guests.", "private_celebration"),
        ("Our family reunion brings 60 people to a farm for three days in July 2027.", "private_celebration"),
        ("I want to move with my family of four from Leeds to Porto by August 2027.", "personal_undertaking"),
        ("I want to learn Japanese well enough to pass the N2 exam beside my job.", "personal_undertaking"),
        ("My partner and I want to renovate our 1930s farmhouse ourselves within two years.", "personal_undertaking"),
        ("My daughter and I plan to cycle from Lisbon to Istanbul in 2027 with €14,000.", "personal_undertaking"),
        ("I am 44 and want to change my career from accounting to nursing.", "personal_undertaking"),
        ("The municipality will protect the waterfront by building 1.4 km of flood wall.", "construction"),
        ("Build and launch a mobile app that lets nurses record home visits offline.", "software"),
    ],
)
def test_the_kind_of_project_is_found_from_a_plain_sentence(prompt: str, kind: str) -> None:
    assert brief(prompt).archetype.name == kind


def test_a_topic_takes_two_of_its_words() -> None:
    assert "lease_and_premises" not in names("The rent is high.")
    assert "lease_and_premises" in names("The rent is high and the landlord is slow.")


def test_a_word_that_holds_another_counts_once() -> None:
    assert "medical_care" not in names("The look of it is clinical.")


def test_a_familys_own_children_are_no_school() -> None:
    assert "children_and_schools" in names("Teachers and parents build a playground.")
    assert "children_and_schools" not in names("I move with my family; teachers and parents there speak Portuguese.")


def test_no_more_topics_than_a_reader_can_follow() -> None:
    everything = " ".join(word for topic in topics() for word in topic.keywords)

    assert len(choose_topics(everything)) == MOST_TOPICS


def names(prompt: str) -> list[str]:
    return [topic.name for topic in choose_topics(prompt)]


def test_the_words_of_a_kind_follow_what_the_objective_speaks_of() -> None:
    clinic = brief("Open a clinic with four rooms in Ghent. There is a café next door.")
    shop = brief("Open a second-hand bookshop in Cardiff. There is a clinic next door.")

    assert clinic.words["customers"] == "patients"
    assert shop.words["customers"] == "customers"


def test_a_placeholder_that_begins_a_sentence_is_capitalised() -> None:
    filled = brief("Open a second-hand bookshop in Cardiff.").fill("{site} is small. {operator} know that {site} is.")

    assert filled == "The premises is small. The owners know that the premises is."


def test_a_row_of_a_topic_is_called_by_the_sentence_that_called_the_topic() -> None:
    found = brief("Open a bookshop in Cardiff. The rent is fixed, the landlord is patient.")

    risks = {risk.id: risk for risk in found.rows("risks", Risk)}

    called = found.called_by(risks["lease_long"])
    assert called is not None
    assert called.text == "The rent is fixed, the landlord is patient."
    assert found.called_by(risks["permit_late"]) is None


def test_every_kind_and_topic_is_read_once_and_in_order() -> None:
    assert [kind.name for kind in archetypes()] == sorted(kind.name for kind in archetypes())
    assert [topic.name for topic in topics()] == sorted(topic.name for topic in topics())


def test_what_stands_above_the_first_rows_of_a_table_is_all_that_it_is_chosen_by() -> None:
    tables = {**{kind.name: kind for kind in archetypes()}, **{topic.name: topic for topic in topics()}}
    heads = {head.name: head for folder in ("archetypes", "topics") for head in choose._heads(folder)}
    assert heads.keys() == tables.keys()
    for name, table in tables.items():
        assert list(heads[name].weights) == [word.lower() for word in table.keywords]
        assert heads[name].unless == getattr(table, "unless", ())


def test_only_the_chosen_tables_are_read_whole() -> None:
    choose._archetype.cache_clear()
    choose._topic.cache_clear()
    made = brief(CAFE)
    assert choose._archetype.cache_info().currsize == 1
    assert choose._topic.cache_info().currsize == len(made.topics)
