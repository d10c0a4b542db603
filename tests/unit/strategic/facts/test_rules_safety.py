"""Rules never raise, their spans are exact, and time grows with the length of the text."""

from datetime import date
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planloom.planes.strategic.facts.fact import Facts
from planloom.planes.strategic.facts.rules import read_facts

TODAY = date(2026, 11, 22)
PIECES = [
    "no ", "budget of €", "2,5", " million", " by ", "31/12/2027", " two nurses", "\n", "。", " ", "must not",
    "the word “x”",
    "Gesamtbudget", " EUR", "ohne", "(", ")", "“", "\u00a0", "İ", "ß", "人", "九", "before", ",",
    ".", "keine ", "Lisbon", "in ",
]  # fmt: skip


def exact(goal: str, facts: Facts) -> list[str]:
    """The spans of *facts* that are not their words in *goal*."""
    groups = (facts.sentences, facts.money, facts.days, facts.durations, facts.places, facts.organisations)
    more = (facts.quantities, facts.demands, facts.bans, facts.closures, facts.roles, facts.unread, (facts.objective,))
    return [s.text for s in chain(*groups, *more) if goal[s.start : s.end] != s.text]


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES), max_size=30).map("".join)))
def test_any_text_is_read_with_exact_spans(goal: str) -> None:
    facts = read_facts(goal, TODAY)
    assert exact(goal, facts) == []
    assert facts.read_by == "rules"
    assert len([m for m in facts.money if m.role == "total"]) <= 1


@pytest.mark.parametrize("goal", ["", " ", "\n\n", "?", "₩", "a" * 5000, "no " * 3000, "(" * 3000, "1 " * 3000])
def test_odd_texts_are_read(goal: str) -> None:
    assert exact(goal, read_facts(goal, TODAY)) == []


def test_what_no_fact_holds_is_listed() -> None:
    goal = "Open a shop in Graz by 1 May 2027 with 14 helpers. There was a fee of €900 in 2019. There is no cellar."

    assert [s.text for s in read_facts(goal, TODAY).unread] == ["There is no cellar"]


def test_what_is_missing_is_asked_most_important_first() -> None:
    assert [p.field for p in read_facts("Open a shop.", TODAY).open] == ["total", "deadline", "places", "start"]


def test_amounts_that_disagree_are_asked_about() -> None:
    goal = "Open a shop in Graz by 1 May 2027. The total budget is €40,000. In total we have a budget of €60,000."
    asked = read_facts(goal, TODAY).open

    assert asked[0].question == "Which of these is the money for the whole undertaking: “€40,000”, “€60,000”?"
