"""The first claims: what the prompt states, what is assumed because it does not, what follows by arithmetic."""

from datetime import date

from planloom.domain.claims import Claim
from planloom.stages.start import STAGE, Start
from tests.unit.stages.drafting import TODAY, draft
from tests.unit.stages.sections import page_of, section
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP


def claims(prompt: str) -> dict[str, Claim]:
    return {claim.id: claim for claim in section(prompt, "start").claims}


def test_the_prompt_file_keeps_its_place_beside_the_start() -> None:
    assert (STAGE.json_path, STAGE.markdown_path) == ("001-1-start.json", "001-3-start.md")


def test_a_stated_frame_is_claimed_as_facts_with_their_spans() -> None:
    found = claims(FLOOD_WALL)
    assert {
        name: (found[f"start.{name}"].kind, found[f"start.{name}"].value) for name in ("date", "deadline", "budget")
    } == {
        "date": ("fact", "2027-01-01"),
        "deadline": ("fact", "2029-09-30"),
        "budget": ("fact", "186000000"),
    }
    first, last = found["start.budget"].source.removeprefix("prompt:").split("-")
    assert FLOOD_WALL[int(first) : int(last)] == "DKK 186 million"


def test_what_the_prompt_leaves_open_is_claimed_as_assumed_with_its_test() -> None:
    found = {claim.id: claim for claim in draft("Open a bookshop in Porto.", "start")["start"].claims}
    assert (found["start.date"].kind, found["start.date"].value) == ("assumption", TODAY.isoformat())
    assert found["start.deadline"].kind == "assumption"
    assert found["start.deadline"].test is not None
    assert "start.budget" not in found


def test_an_end_that_follows_from_a_time_frame_is_computed() -> None:
    found = claims(NURSE_APP)["start.deadline"]
    assert (found.kind, date.fromisoformat(found.value or "").year) == ("computed", 2028)


def test_each_amount_and_count_of_the_prompt_is_claimed_once() -> None:
    found = claims(CAFE)
    assert {
        "start.savings": "90000",
        "start.bank-loan": "150000",
        "start.rent-cap": "3200",
        "start.seats": "48",
        "start.paying-customers": "180",
        "start.gross-margin": "62",
    }.items() <= {id_: claim.value for id_, claim in found.items()}.items()


def test_a_second_claim_of_one_name_is_numbered() -> None:
    found = claims(NURSE_APP)
    assert (found["start.nurses"].value, found["start.nurses-2"].value) == ("60", "900")


def test_the_result_holds_the_facts_and_the_kind_of_project() -> None:
    start = section(CAFE, "start")
    assert isinstance(start, Start)
    assert (start.today, start.archetype) == (TODAY, "business_opening")
    assert start.facts.title in page_of(CAFE, "start")


def test_a_prompt_of_hundreds_of_numbers_makes_no_more_than_forty_claims() -> None:
    prompt = "Build a shed. " + " ".join(f"It must hold at least {n} boxes of kind {n}." for n in range(2, 150))
    assert len(draft(prompt, "start")["start"].claims) == 40
