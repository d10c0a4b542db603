"""The register as every call sees it: every claim in words, and a prefix of what later calls see."""

from planloom.domain.claims import Claim
from planloom.stages.settled import settled
from tests.unit.stages.drafting import before
from tests.unit.stages.finished import finished
from tests.unit.three_goals import CAFE


def claim(name: str, value: str | None, kind: str = "computed", **more: object) -> Claim:
    stage = name.partition(".")[0]
    return Claim.model_validate(
        {"id": name, "text": "Anything", "kind": kind, "source": f"stage:{stage}"} | more | {"value": value}
    )


def test_a_claim_is_shown_with_id_words_value_unit_and_base_and_an_assumed_one_is_marked() -> None:
    shown = settled(
        [
            claim("start.rent-cap", "3200", "fact", text="Rent, a limit", unit="EUR", base="month"),
            claim("start.spoilage", "11", "fact", text="Spoilage today", unit="%", base="beans"),
            claim("project_plan.gate-build", "2027-04-21", text="Gate: Build: 21 April 2027", unit="date"),
            claim("project_plan.heads-bakers", "2", "assumption", text="Bakers: 2 people", unit="people"),
            claim("assumptions.a1", "confidence low", "assumption", text="The loan is given in time."),
        ]
    )

    assert shown.splitlines() == [
        "start.rent-cap: Rent, a limit [3200 EUR per month]",
        "start.spoilage: Spoilage today [11 % of beans]",
        "project_plan.gate-build: Gate: Build: 21 April 2027",
        "~project_plan.heads-bakers: Bakers: 2 people",
        "~assumptions.a1: The loan is given in time.",
    ]


def test_what_only_repeats_the_goal_is_left_out_and_a_reading_of_it_is_not() -> None:
    quoted = {"source": "prompt:3-9", "kind": "fact"}
    shown = settled(
        [
            claim("start.seats", "48", unit="seats", **quoted),
            claim("start.deadline", "2027-05-01", unit="date", **quoted),
            claim("start.budget", "240000", unit="EUR", **quoted),
            claim("project_plan.success-kept", "no breach", "fact"),
            claim("start.nothing", None),
        ]
    )

    assert shown == "start.deadline: Anything\nstart.budget: Anything [240000 EUR]"


def seen_by(stage: str) -> list[Claim]:
    made = finished(CAFE)
    return [each for earlier in before(stage) for each in made[earlier].claims]


def test_every_figure_that_the_plan_computed_reaches_the_last_calls_whole() -> None:
    claims = seen_by("self_audit")
    shown = settled(claims).splitlines()

    for each in claims:
        if each.kind == "computed" and each.value and any(map(str.isdigit, each.value)):
            assert [line for line in shown if f"{each.id}: {each.text}" in line], each.id
    assert sum(map(len, shown)) < 6_000


def test_what_an_earlier_stage_was_shown_begins_what_a_later_one_is_shown() -> None:
    earlier, later = settled(seen_by("governance")), settled(seen_by("review_plan"))

    assert later.startswith(earlier)
    assert len(earlier) > 1_000
