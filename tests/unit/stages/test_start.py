"""The first claims: what the prompt states, what is assumed because it does not, what follows by arithmetic."""

from datetime import date
from typing import Any

from planloom.domain.claims import Claim
from planloom.domain.facts import Duration, Money, Quantity
from planloom.facts.rules import read_facts
from planloom.knowledge.brief import make_brief
from planloom.stages.parts.first_claims import first_claims
from planloom.stages.start import STAGE, Start
from tests.unit.stages.drafting import TODAY, draft
from tests.unit.stages.sections import page_of, section
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP


def test_the_prompt_file_keeps_its_place_beside_the_start() -> None:
    assert (STAGE.json_path, STAGE.markdown_path) == ("001-1-start.json", "001-3-start.md")


def read(goal: str, **found: object) -> dict[str, Claim]:
    """Return the claims made of *found*, facts as a model reads them, in place of those that rules read in *goal*."""
    facts = read_facts(goal, TODAY).model_copy(update={"read_by": "model", **found})
    return {claim.id: claim for claim in first_claims(make_brief(goal, facts, TODAY))}


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


def test_what_the_prompt_leaves_open_is_claimed_as_assumed_with_its_test() -> None:
    found = {claim.id: claim for claim in draft("Open a bookshop in Porto.", "start")["start"].claims}
    assert (found["start.date"].kind, found["start.date"].value) == ("assumption", TODAY.isoformat())
    assert found["start.deadline"].kind == "assumption"
    assert found["start.deadline"].test is not None
    assert "start.budget" not in found


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

    assert set(found) == {"start.date", "start.deadline", "start.place"}


def test_a_second_claim_of_one_name_is_numbered() -> None:
    pilot, all_ = (
        Quantity(**span(NURSE_APP, text), low=n, high=n, noun="nurses") for text, n in (("60", 60), ("900", 900))
    )
    found = read(NURSE_APP, quantities=(pilot, all_))

    assert (found["start.nurses"].value, found["start.nurses-2"].value) == ("60", "900")


def test_the_result_holds_the_facts_and_the_kind_of_project() -> None:
    start = section(CAFE, "start")
    assert isinstance(start, Start)
    assert (start.today, start.archetype) == (TODAY, "business_opening")
    assert start.facts.title in page_of(CAFE, "start")


def test_a_prompt_of_hundreds_of_numbers_makes_no_more_than_forty_claims() -> None:
    prompt = "Build a shed. " + " ".join(f"It must hold at least {n} boxes of kind {n}." for n in range(2, 150))
    assert len(draft(prompt, "start")["start"].claims) == 40
