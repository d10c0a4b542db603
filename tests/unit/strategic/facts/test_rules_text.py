"""Tests of what rules read in a goal: its aim and title, what counts nothing, and what they ask."""

from datetime import date

import pytest

from planloom.planes.strategic.facts.fact import Facts
from planloom.planes.strategic.facts.rules import read_facts

TODAY = date(2026, 11, 2)


def read(text: str) -> Facts:
    return read_facts(text, TODAY)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Muraho, I run a clinic. The programme we have in mind would offer a test to all.", "Offer a test to all"),
        ("Our museum wants software that prints labels, no more.", "Software that prints labels"),
        ("What we want is a solar cold store, run by ourselves.", "A solar cold store"),
        ("Mamy starą remizę, a teraz chcemy przerobić ją na świetlicę.", "Przerobić ją na świetlicę"),
    ],
)
def test_the_title_is_what_is_wanted(text: str, title: str) -> None:
    assert read(text).title == title


def test_a_greeting_is_no_title() -> None:
    assert read("Muraho, I coordinate the desk at the hospital.").title.startswith("Muraho, I coordinate")


def test_the_sentence_of_a_wish_is_the_objective_in_a_script_without_spaces() -> None:
    assert read("神山町に移住して三年になります。古本の店を開きたいです。").objective.text == "古本の店を開きたいです。"


def test_a_pronoun_and_a_year_count_nothing() -> None:
    facts = read("We want to hold the fair. Each one costs a lot, and the 2028 edition is bigger; 12 tents are needed.")

    assert [quantity.low for quantity in facts.quantities] == [12]
    assert facts.unread == ()


def test_the_day_of_the_week_says_which_of_two_days_is_meant() -> None:
    day = read("We start on Monday 5/4/2027 with the move.").days[0]

    assert (day.earliest, day.latest, day.ambiguous) == (date(2027, 4, 5), date(2027, 4, 5), False)


@pytest.mark.parametrize(
    "text",
    [
        "I want to swim. Surgery means no training before 1 June 2027.",
        "Chcemy remontować. Przed 15 marca 2027 nie wolno nam ruszać dachu.",
    ],
)
def test_a_day_before_which_something_is_ruled_out_binds_nothing_to_be_done(text: str) -> None:
    assert [day.role for day in read(text).days] == ["other"]


def test_a_question_about_what_was_not_found_names_what_the_goal_states() -> None:
    facts = read("I want to move my practice in Bath. Turnover is £3.9 million. It is all done on 30 June 2028.")
    asked = {point.field: point.question for point in facts.open}

    assert "“£3.9 million”" in asked["total"]


def test_a_municipality_is_named_by_its_ending() -> None:
    places = read("徳島県の神山町で店を開きたいです。").places

    assert [(place.name, place.country) for place in places] == [("神山町", "JP")]


def test_that_there_is_no_more_money_does_not_make_it_less_than_the_whole() -> None:
    facts = read("Chcemy świetlicę. Całość ma kosztować 1,85 mln zł i ani grosza więcej nie mamy.")

    assert [(money.low, money.role) for money in facts.money] == [(1_850_000, "total")]
