"""The table that fits a goal: the kind that its words speak clearly for, else the general one."""

import tomllib
from datetime import date
from importlib.resources import files

import pytest

from planloom.planes.strategic.facts.fact import Kind
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.outline import choose
from planloom.planes.strategic.outline.choose import (
    GENERAL,
    clear_kind,
    kind_of,
    kind_table,
    kinds,
    label_of,
    read_by_rules,
    table_of,
)

TODAY = date(2026, 11, 2)


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
def test_the_kind_is_found_from_a_plain_sentence(prompt: str, kind: str) -> None:
    facts = read_by_rules(prompt, TODAY)
    assert (facts.kind.table, table_of(Goal(prompt, facts, TODAY)).name) == (kind, kind)


def test_a_goal_of_no_clear_kind_has_the_general_table() -> None:
    prompt = "Move eleven rhinos to the other valley."
    facts = read_by_rules(prompt, TODAY)
    assert (clear_kind(prompt, facts), kind_of(prompt, facts)) == ("", GENERAL)


def test_the_kind_that_the_facts_name_counts_more_than_the_words() -> None:
    prompt = "Host a two-day conference on open hardware for 350 delegates in Tallinn."
    facts = read_by_rules(prompt, TODAY)
    assert kind_of(prompt, facts.model_copy(update={"kind": Kind(table="research")})) == "research"
    assert kind_of(prompt, facts.model_copy(update={"kind": Kind(table="no such kind")})) == "event"


def test_kinds_are_in_order_and_without_the_general_one() -> None:
    assert list(kinds()) == sorted(kinds())
    assert GENERAL not in kinds()
    assert label_of("no such kind") == label_of(GENERAL)


def test_what_kinds_are_chosen_by_is_all_above_the_first_rows() -> None:
    folder = files("planloom.planes.strategic.outline") / "kinds"
    whole = {path.name[:-5]: tomllib.loads(path.read_text(encoding="utf-8")) for path in folder.iterdir()}
    heads = {head.name: set(head.weights) for head in choose._heads()}
    assert heads == {name: {w.lower() for g in t["keywords"] for w in g["words"]} for name, t in whole.items()}


def test_only_the_chosen_table_is_read_whole() -> None:
    kind_table.cache_clear()
    table_of(Goal("Learn to swim.", read_by_rules("Learn to swim.", TODAY), TODAY))
    assert kind_table.cache_info().currsize == 1
