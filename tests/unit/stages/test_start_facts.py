"""Stage 001 reads a goal with the model or by rules, and what the caller says of the facts wins."""

import asyncio
from dataclasses import replace

from planloom.facts.answer import Reading
from planloom.facts.given import FactsGiven, KeptGiven
from planloom.stages.start import STAGE, Start, edited
from tests.unit.stages.drafting import desk_for, stage

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


def _drafted(given: KeptGiven | None = None, *, outline: bool = True) -> tuple[Start, list[str]]:
    desk, asked = desk_for(GOAL, stage("start"), {}), []

    async def answer(question):
        asked.append(question.name)
        assert GOAL in question.shared
        return READING

    about = replace(desk.about, outline_only=outline)
    return asyncio.run(STAGE.draft(replace(desk, about=about, answer=answer, given=given))), asked


def _claims(start: Start) -> dict[str, tuple[str, str | None]]:
    return {claim.id: (claim.kind, claim.value) for claim in start.claims}


def test_without_a_model_rules_read_the_goal_and_no_question_is_asked():
    start, asked = _drafted()
    assert (start.facts.read_by, asked) == ("rules", [])


def test_a_model_reads_the_goal_in_one_call_where_everything_is_found():
    start, asked = _drafted(outline=False)
    assert (start.facts.read_by, asked) == ("model", ["facts"])
    assert start.facts.unverified == start.facts.unread == ()
    assert start.archetype == "business_opening"
    assert _claims(start)["start.budget"] == ("fact", "240000")
    assert _claims(start)["start.deadline"] == ("fact", "2027-05-01")


def test_a_reading_that_the_caller_saw_is_not_read_again():
    seen, _ = _drafted(outline=False)
    start, asked = _drafted(KeptGiven(facts=seen.facts), outline=False)
    assert (start, asked) == (seen, [])


def test_what_the_caller_corrects_wins_and_is_the_source_of_its_claims():
    start, _ = _drafted(KeptGiven(given=FactsGiven.model_validate({"total": {"low": 300000, "currency": "EUR"}})))
    budget = next(claim for claim in start.claims if claim.id == "start.budget")
    assert (budget.kind, budget.value, budget.source) == ("fact", "300000", "caller")
    assert "What the caller corrected" in STAGE.markdown(start)


def test_an_edit_of_a_fact_remakes_the_claims_that_follow_from_it():
    before, _ = _drafted(outline=False)
    money = before.facts.money[0].model_copy(update={"low": 300_000.0, "high": 300_000.0})
    after = edited(
        GOAL, before, before.model_copy(update={"facts": before.facts.model_copy(update={"money": (money,)})})
    )
    assert _claims(after)["start.budget"] == ("fact", "300000")
    assert [(m.by, m.start, m.end) for m in after.facts.money] == [("caller", 0, 0)]
    assert after.facts.days == before.facts.days


def test_an_edit_of_a_claim_stays_as_it_was_written_when_another_fact_is_edited_later():
    before, _ = _drafted(outline=False)
    claims = tuple(c.model_copy(update={"value": "999"}) if c.id == "start.budget" else c for c in before.claims)
    once = edited(GOAL, before, before.model_copy(update={"claims": claims}))
    twice = edited(GOAL, once, once.model_copy(update={"facts": once.facts.model_copy(update={"bans": ()})}))
    assert _claims(once)["start.budget"] == _claims(twice)["start.budget"] == ("fact", "999")


def test_an_edit_of_the_kind_chooses_the_table():
    before, _ = _drafted(outline=False)
    after = edited(GOAL, before, before.model_copy(update={"archetype": "construction"}))
    assert (after.archetype, after.facts.kind.by) == ("construction", "caller")
