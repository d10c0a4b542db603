"""Stage 001 reads a goal with the model or by rules; what the caller says wins; claims and the page follow from it."""

import asyncio
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from planloom.planes.strategic.claims import Claim
from planloom.planes.strategic.facts import fact as f
from planloom.planes.strategic.facts.answer import Reading
from planloom.planes.strategic.facts.fact import Duration, Facts, Money, Quantity, Spanned
from planloom.planes.strategic.facts.given import FactsGiven, KeptGiven
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.facts.public_holidays import PublicHoliday, public_holidays
from planloom.planes.strategic.facts.rules import read_facts
from planloom.planes.strategic.outline.choose import read_by_rules
from planloom.planes.strategic.stages.first_claims import first_claims
from planloom.planes.strategic.stages.start import STAGE, Start, edited, pages
from tests.unit.strategic.stages.contexts import TODAY, make_context, make_goal
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOAL = "We want to open a bakery in Lisbon by 1 May 2027 with a total budget of EUR 240,000. No loan may be taken."
READING = Reading.model_validate(
    {
        "title": "Bakery in Lisbon",
        "subject": "a bakery",
        "objective": GOAL.split(".")[0],
        "kind": "the opening of a bakery",
        "table": "business_opening",
        "money": [
            {"quote": "budget of EUR 240,000", "role": "total", "low": 240000, "high": 240000, "currency": "EUR"}
        ],
        "days": [{"quote": "by 1 May 2027", "role": "deadline", "earliest": "2027-05-01", "latest": "2027-05-01"}],
        "bans": [{"quote": "No loan may be taken", "kind": "approach", "what": "a loan"}],
        "places": [{"quote": "Lisbon", "name": "Lisbon", "kind": "city", "country": "PT"}],
    }
)


def _drafted(given: KeptGiven | None = None, *, outline: bool = True, goal: str = GOAL) -> tuple[Start, list[str]]:
    asked: list[Any] = []
    context = make_context(
        "start",
        goal=Goal(goal, read_by_rules(goal, TODAY), TODAY),
        answers=lambda _: READING,
        outline_only=outline,
        asked=asked,
    )

    async def drafted() -> Start:
        return await STAGE.draft(replace(context, given=given))

    start = asyncio.run(drafted())
    assert all(goal in question.shared for question in asked)
    return start, [question.name for question in asked]


def _claims(start: Start) -> dict[str, tuple[str, str | None]]:
    return {claim.id: (claim.kind, claim.value) for claim in start.claims}


def test_without_a_model_rules_read_the_goal_and_no_question_is_asked() -> None:
    start, asked = _drafted()
    assert (start.facts.read_by, asked) == ("rules", [])


def test_a_model_reads_the_goal_in_one_call_where_everything_is_found() -> None:
    start, asked = _drafted(outline=False)
    assert (start.facts.read_by, asked) == ("model", ["facts"])
    assert (start.facts.unverified, start.facts.unread) == ((), ())
    assert start.archetype == "business_opening"
    assert _claims(start)["start.budget"] == ("fact", "240000")
    assert _claims(start)["start.deadline"] == ("fact", "2027-05-01")


def test_a_reading_that_the_caller_saw_is_not_read_again() -> None:
    seen, _ = _drafted(outline=False)
    start, asked = _drafted(KeptGiven(facts=seen.facts), outline=False)
    assert (start, asked) == (seen, [])


def test_what_the_caller_corrects_wins_and_is_the_source_of_its_claims() -> None:
    start, _ = _drafted(KeptGiven(given=FactsGiven.model_validate({"total": {"low": 300000, "currency": "EUR"}})))
    budget = next(claim for claim in start.claims if claim.id == "start.budget")
    assert (budget.kind, budget.value, budget.source) == ("fact", "300000", "caller")
    assert "What the caller corrected" in pages(start)["start"]


def test_the_public_holidays_of_the_country_are_listed_to_the_end_of_the_year_of_the_deadline() -> None:
    start, _ = _drafted(outline=False)
    assert {each.day.year for each in start.holidays} == {2026, 2027}
    assert PublicHoliday(day=date(2027, 1, 1), name="New Year's Day") in start.holidays
    assert "2027: Fri 1 Jan New Year's Day; " in pages(start)["start"]
    assert edited(CAFE, start, start.model_copy(update={"label": "a café"})).holidays == start.holidays


@pytest.mark.parametrize(
    ("country", "region", "there"),
    [("GB", "SCT", True), ("GB", None, False), ("GB", "XX", False), (None, "SCT", False)],
)
def test_holidays_of_the_region_are_listed_with_those_of_the_country(
    country: str | None, region: str | None, there: bool
) -> None:
    found = public_holidays(country, region, date(2026, 11, 2), date(2027, 9, 30))
    assert (date(2027, 8, 2) in {each.day for each in found}) is there
    assert (date(2027, 5, 31) in {each.day for each in found}) is bool(country)


def test_an_edit_of_a_fact_remakes_the_claims_that_follow_from_it() -> None:
    before, _ = _drafted(outline=False)
    money = before.facts.money[0].model_copy(update={"low": 300_000.0, "high": 300_000.0})
    after = edited(
        GOAL, before, before.model_copy(update={"facts": before.facts.model_copy(update={"money": (money,)})})
    )
    assert _claims(after)["start.budget"] == ("fact", "300000")
    assert [(m.by, m.start, m.end) for m in after.facts.money] == [("caller", 0, 0)]
    assert after.facts.days == before.facts.days


def test_an_edit_of_a_claim_stays_as_it_was_written_when_another_fact_is_edited_later() -> None:
    before, _ = _drafted(outline=False)
    claims = tuple(c.model_copy(update={"value": "999"}) if c.id == "start.budget" else c for c in before.claims)
    once = edited(GOAL, before, before.model_copy(update={"claims": claims}))
    twice = edited(GOAL, once, once.model_copy(update={"facts": once.facts.model_copy(update={"bans": ()})}))
    assert _claims(once)["start.budget"] == _claims(twice)["start.budget"] == ("fact", "999")


def test_an_edit_of_the_kind_chooses_the_table() -> None:
    before, _ = _drafted(outline=False)
    after = edited(GOAL, before, before.model_copy(update={"archetype": "construction"}))
    assert (after.archetype, after.facts.kind.by) == ("construction", "caller")


def read(goal: str, **found: object) -> dict[str, Claim]:
    """Return the claims made of *found*, facts as a model reads them, in place of those that rules read in *goal*."""
    facts = read_facts(goal, TODAY).model_copy(update={"read_by": "model", **found})
    return {claim.id: claim for claim in first_claims(Goal(goal, facts, TODAY))}


def span(goal: str, text: str) -> dict[str, Any]:
    return {"text": text, "start": goal.index(text), "end": goal.index(text) + len(text)}


def test_a_stated_frame_is_claimed_as_facts_with_their_spans() -> None:
    total = Money(**span(FLOOD_WALL, "DKK 186 million"), low=1.86e8, high=1.86e8, currency="DKK", role="total")
    found = read(FLOOD_WALL, money=(total,))

    assert {
        name: (found[f"start.{name}"].kind, found[f"start.{name}"].value) for name in ("date", "deadline", "budget")
    } == {
        "date": ("fact", "2027-01-01"),
        "deadline": ("fact", "2029-09-30"),
        "budget": ("fact", "186000000"),
    }
    first, last = found["start.budget"].source.removeprefix("prompt:").split("-")
    assert FLOOD_WALL[int(first) : int(last)] == "DKK 186 million"
    assert found["start.budget"].subject == "budget"


def test_a_missing_start_is_assumed_and_a_missing_deadline_is_not() -> None:
    start, _ = _drafted(goal="Open a bookshop in Porto.")
    found = {claim.id: claim for claim in start.claims}
    assert (found["start.date"].kind, found["start.date"].value) == ("assumption", TODAY.isoformat())
    assert not {"start.deadline", "start.budget"} & set(found)
    assert "Deadline: it could not be read in the goal" in pages(start)["start"]


def test_an_end_that_follows_from_a_time_frame_is_computed() -> None:
    frame = Duration(**span(NURSE_APP, "18 months"), low=18, high=18, unit="months", role="total")
    found = read(NURSE_APP, durations=(frame,))["start.deadline"]

    assert (found.kind, date.fromisoformat(found.value or "").year) == ("computed", 2028)


def test_a_claim_carries_words_value_unit_subject_base_and_role() -> None:
    rent = {"low": 3200, "high": 3200, "currency": "EUR", "noun": "rent", "per": "month"}
    cap = Money(**span(CAFE, "€3,200 a month"), role="cap", **rent)
    margin = span(CAFE, "at least 62%")
    target = Quantity(**margin, low=62, high=62, unit="%", noun="gross margin", role="target", bound="at_least")
    found = read(CAFE, money=(cap,), quantities=(target,))

    assert found["start.rent-cap"] == Claim(
        id="start.rent-cap",
        text="Rent: EUR 3,200 per month, a limit",
        kind="fact",
        value="3200",
        unit="EUR",
        subject="rent",
        base="month",
        source=cap.source,
    )
    assert found["start.gross-margin"] == Claim(
        id="start.gross-margin",
        text="Gross margin, aimed at: at least 62 %",
        kind="fact",
        value="62",
        unit="%",
        subject="gross margin",
        role="target",
        source=target.source,
    )


def test_no_claim_is_made_of_a_number_without_words() -> None:
    amount = Money(**span(CAFE, "€5,000"), low=5000, high=5000, currency="EUR", role="other")
    bare = Quantity(**span(CAFE, "62%"), low=62, high=62, unit="%")
    found = read(CAFE, money=(amount,), quantities=(bare,), durations=())

    assert set(found) <= {"start.date", "start.deadline", "start.place"}


def test_a_second_claim_of_one_name_is_numbered() -> None:
    pilot, all_ = (
        Quantity(**span(NURSE_APP, text), low=n, high=n, noun="nurses") for text, n in (("60", 60), ("900", 900))
    )
    found = read(NURSE_APP, quantities=(pilot, all_))

    assert (found["start.nurses"].value, found["start.nurses-2"].value) == ("60", "900")


def test_a_prompt_of_hundreds_of_numbers_makes_no_more_than_forty_claims() -> None:
    prompt = "Build a shed. " + " ".join(f"It must hold at least {n} boxes of kind {n}." for n in range(2, 150))
    assert len(_drafted(goal=prompt)[0].claims) == 40


LONG = "No member may be asked to lend " + "or to give " * 60 + "money."


def every_fact() -> Facts:
    """Return facts with an item of each kind, each with words that no other has."""
    span = {"start": 0, "end": 9}
    return make_goal(
        "Renew the ferry.",
        read_by="model",
        why=Spanned(text="why-words", **span),
        money=(
            Money(text="funding-words", **span, low=5, high=5, currency="EUR", role="funding", who="who-words",
                  condition="condition-words", per="per-words", noun="noun-words"),
        ),
        days=(f.Day(text="day-words", **span, earliest=TODAY, latest=TODAY, role="milestone", label="label-words"),),
        durations=(f.Duration(text="duration-words", **span, low=3, high=4, unit="weeks", role="part"),),
        quantities=(Quantity(text="quantity-words", **span, low=60, high=60, noun="bicycles"),),
        demands=(f.Demand(text=LONG, **span, strength="must"),),
        bans=(f.Ban(text="ban-words", **span, kind="approach", what="what-words"),
              f.Ban(text="no “forbidden”", **span, kind="word", what="forbidden")),
        closures=(f.Closure(text="closure-words", **span, months=(1,)),),
        roles=(f.Role(text="role-words", **span, title="title-words", count=2, part="decides"),),
        organisations=(f.Organisation(text="x", **span, name="name-words", decides="decides-words"),),
        criteria=(f.Criterion(text="criterion-words", **span, measure="measure-words", by_when="when-words"),),
        meetings=(f.Meeting(text="meeting-words", **span, who="council-words", rhythm="rhythm-words"),),
        fixed=(f.Fixed(text="fixed-words", **span, what="decided-words"),),
        places=(f.Place(text="x", **span, name="place-words", kind="city"),),
        contradictions=(f.Contradiction(what="contradiction-words", quotes=()),),
        open=(f.OpenPoint(question="open-words and a forbidden word"),),
        unverified=(f.Unverified(field="money", said="said-words", reason="reason-words"),),
        unread=(Spanned(text="unread-words", **span),),
    ).facts  # fmt: skip


def test_the_page_holds_every_fact_whole() -> None:
    page = pages(Start(today=TODAY, facts=every_fact(), archetype="general", label="an undertaking"))["start"]
    names = (
        "why funding who condition per noun day label duration quantity ban what closure role title name decides "
        "criterion measure when meeting council rhythm fixed decided place contradiction open said reason unread"
    )
    assert [name for name in names.split() if f"{name}-words" not in page] == []
    assert LONG.rstrip(".") in page


def test_the_page_prints_no_word_that_the_goal_bans() -> None:
    page = pages(Start(today=TODAY, facts=every_fact(), archetype="general", label="an undertaking"))["start"]
    assert "forbidden" not in page
