"""Corrections of facts: what is left out stays, null takes away, and what is given wins."""

from datetime import date

import pytest
from pydantic import ValidationError

from planloom.planes.strategic.facts import fact as f
from planloom.planes.strategic.facts.given import FactsGiven, KeptGiven, apply_given
from planloom.planes.strategic.facts.shown import shown

GOAL = "A bakery for 240,000 euros by 1 May 2027 in Lisbon; no loan; two bakers within 9 months."


def _span(text: str) -> dict[str, object]:
    at = GOAL.index(text)
    return {"text": text, "start": at, "end": at + len(text)}


FACTS = f.Facts(
    title="Bakery",
    subject="a bakery",
    objective=f.Spanned(**_span("A bakery")),
    money=(f.Money(**_span("240,000 euros"), low=240_000, high=240_000, currency="EUR", role="total"),),
    days=(f.Day(**_span("1 May 2027"), earliest=date(2027, 5, 1), latest=date(2027, 5, 1), role="deadline"),),
    durations=(f.Duration(**_span("9 months"), low=9, high=9, unit="months", role="total"),),
    places=(f.Place(**_span("Lisbon"), name="Lisbon", kind="city", country="PT"),),
    bans=(f.Ban(**_span("no loan"), kind="approach", what="loan"),),
    roles=(f.Role(**_span("two bakers"), title="bakers", count=2),),
    open=(f.OpenPoint(question="Is the budget fixed?", field="total"), f.OpenPoint(question="Which street?")),
)


def _given(text: str) -> FactsGiven:
    return FactsGiven.model_validate_json(text)


def test_what_is_left_out_stays_as_it_was_read():
    assert apply_given(FACTS, FactsGiven()) == FACTS


def test_a_total_replaces_the_one_that_was_read_whose_words_keep_no_role():
    facts = apply_given(FACTS, _given('{"total": {"low": 300000, "currency": "EUR"}}'))
    assert [(m.low, m.high, m.role, m.by) for m in facts.money] == [
        (300_000, 300_000, "total", "caller"),
        (240_000, 240_000, "other", "goal"),
    ]
    assert facts.money[0].source == "caller"
    assert [point.question for point in facts.open] == ["Which street?"]


def test_null_says_that_there_is_none():
    facts = apply_given(FACTS, _given('{"total": null, "deadline": null, "bans": [], "people": null}'))
    assert shown(facts).total is None
    assert shown(facts).deadline is None
    assert facts.bans == ()
    assert facts.roles == ()


def test_a_deadline_is_taken_as_a_date_or_as_a_period_and_ends_the_time_frame_that_was_read():
    alone = apply_given(FACTS, _given('{"deadline": "2027-09-30"}'))
    period = apply_given(FACTS, _given('{"deadline": {"earliest": "2027-09-01", "latest": "2027-09-30"}}'))
    assert (alone.days[0].earliest, alone.days[0].latest) == (date(2027, 9, 30), date(2027, 9, 30))
    assert (period.days[0].earliest, period.days[0].latest) == (date(2027, 9, 1), date(2027, 9, 30))
    assert [d.role for d in alone.days] == ["deadline", "other"]
    assert alone.durations[0].role == "other"


def test_lists_are_replaced_whole():
    given = '{"people": [{"count": 3, "who": "bakers"}], "bans": [{"what": "night work"}], "places": ["Porto"]}'
    facts = apply_given(FACTS, _given(given))
    assert [(r.count, r.title) for r in facts.roles] == [(3, "bakers")]
    assert [(b.kind, b.what) for b in facts.bans] == [("approach", "night work")]
    assert [p.name for p in facts.places] == ["Porto"]


def test_a_kind_is_a_table_or_the_callers_own_words():
    assert apply_given(FACTS, _given('{"kind": "construction"}'), ["construction"]).kind == f.Kind(
        words="construction", table="construction", by="caller"
    )
    assert apply_given(FACTS, _given('{"kind": "a regatta"}'), ["construction"]).kind == f.Kind(
        words="a regatta", by="caller"
    )


def test_what_was_shown_can_be_sent_back_as_a_correction_and_changes_nothing_that_is_shown():
    said = shown(FACTS).model_dump(mode="json")
    names = ("total", "deadline", "people", "bans", "places")
    again = shown(apply_given(FACTS, FactsGiven.model_validate({name: said[name] for name in names})))
    assert [again.total.low, again.deadline.latest] == [240_000, "2027-05-01"]
    assert [(p.count, p.who) for p in again.people] == [(2, "bakers")]
    assert [(b.what, b.kind) for b in again.bans] == [("loan", "approach")]


def test_what_is_kept_says_apart_what_was_left_out_and_what_is_null():
    kept = KeptGiven(facts=FACTS, given=_given('{"total": null}'))
    again = KeptGiven.model_validate_json(kept.model_dump_json(exclude_unset=True))
    assert again == kept
    assert again.given.corrects("total")
    assert not again.given.corrects("deadline")


@pytest.mark.parametrize(
    "text",
    [
        '{"total": {"low": 5, "high": 4, "currency": "EUR"}}',
        '{"total": {"low": 5, "currency": "euro"}}',
        '{"deadline": "soon"}',
        '{"deadline": {"earliest": "2027-05-02", "latest": "2027-05-01"}}',
        '{"budget": 4}',
        '{"people": [{"count": 0, "who": "bakers"}]}',
    ],
)
def test_what_makes_no_sense_is_refused(text):
    with pytest.raises(ValidationError):
        _given(text)
