"""The money that a prompt ties down."""

import re

import pytest

from planloom.api.example_prompts import example_prompts
from planloom.knowledge.brief import make_brief
from planloom.knowledge.funds import cap_text, caps, contingency, decision_limits, sources, stated_parts, total_amount
from tests.unit.knowledge.planning import brief as by_hand
from tests.unit.knowledge.planning import money
from tests.unit.stages.drafting import TODAY
from tests.unit.stages.more_goals import GAP, PARTS
from tests.unit.stated_facts import stated_facts as read_facts
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP


def brief(prompt):
    return make_brief(prompt, read_facts(prompt, TODAY), TODAY)


@pytest.mark.parametrize(
    ("words", "share"),
    [
        ("including a reserve of 12%", 0.12),
        ("with a contingency of 7.5 %", 0.075),
        ("of which 10 per cent is a reserve", 0.10),
    ],
)
def test_a_stated_reserve_is_the_contingency(words, share):
    prompt = FLOOD_WALL.replace("including a reserve of 12%", words)

    found, basis = contingency(brief(prompt))

    assert found == pytest.approx(share)
    assert basis.startswith("From the goal")


def test_without_a_reserve_the_usual_share_is_assumed():
    found, basis = contingency(brief(CAFE))

    assert found == 0.12
    assert basis.startswith("Assumed: 12%")


def test_a_limit_on_who_decides_is_no_cap():
    assert [m.noun for m in caps(brief(CAFE))] == ["rent"]
    assert [limit.money.high for limit in decision_limits(brief(CAFE))] == [5_000]
    assert [limit.money.high for limit in decision_limits(brief(FLOOD_WALL))] == [2_000_000]


def test_a_cap_keeps_its_period():
    money = caps(brief(CAFE))[0]

    assert cap_text(brief(CAFE), money) == "at most EUR 3,200 a month"


def test_each_source_has_its_own_condition():
    found = {s.title: s.condition for s in sources(brief(CAFE))}

    assert found == {"Savings": "", "Bank loan": "that must be approved before the lease is signed"}


def test_the_giver_of_the_whole_is_the_source_where_no_parts_are_named():
    assert [(s.title, s.amount) for s in sources(brief(NURSE_APP))] == [("Grant", 420_000)]
    assert [s.amount for s in sources(brief(FLOOD_WALL))] == [186_000_000]


def test_a_source_without_a_noun_is_called_by_the_words_around_it():
    assert [s.title for s in sources(brief(GAP))] == ["Grant", "Sponsors"]


def test_parts_of_the_total_are_found_and_the_total_is_whole():
    assert [(m.noun, m.high) for m in stated_parts(brief(PARTS))] == [("roof", 40e6), ("accessibility", 25e6)]
    assert total_amount(brief(PARTS)) == 310_000_000


@pytest.mark.parametrize(
    ("said", "condition"),
    [
        ("a loan that is paid only if sponsors give €50,000 first", "that is paid only if sponsors give €50,000 first"),
        ("a loan that must be approved by May, and €90,000 from savings", "that must be approved by May"),
        ("a council which pays for the cards, the team, and an audit that must cost €5,000", ""),
        ("a fund once 1,200 members have joined", "once 1,200 members have joined"),
    ],
)
def test_a_condition_is_a_whole_clause_or_none(said, condition):
    prompt = f"Open a hostel in Porto by May 2028. The budget is €400,000, of which €250,000 comes from {said}."

    sums = {"€400,000": "total", "€250,000": "funding", "€90,000": "funding", "€50,000": "other", "€5,000": "other"}
    parts = tuple(money(prompt, t, float(t[1:].replace(",", "")), role) for t, role in sums.items() if t in prompt)

    assert next(s for s in sources(by_hand(prompt, money=parts)) if s.amount == 250_000).condition == condition


def test_no_condition_of_an_example_ends_within_a_clause():
    for example in example_prompts():
        for source in sources(brief(example["prompt"])):
            after = example["prompt"].partition(source.condition)[2] if source.condition else "."
            assert re.match(r"[.,;]|\s(?:and|while|but)\s", after), source
