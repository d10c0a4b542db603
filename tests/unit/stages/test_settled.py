"""The register as every call sees it: every settled figure, few characters, and a prefix of what later calls see."""

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


def test_a_figure_is_told_by_id_value_and_unit_and_an_assumed_one_is_marked() -> None:
    told = settled(
        [
            claim("start.time", "180", unit="calendar days"),
            claim("project_plan.gate-build", "2027-04-21", unit="date"),
            claim("project_plan.heads-bakers", "2", "assumption", unit="people"),
        ]
    )

    assert told == "start: time 180 calendar days\nproject_plan: gate-build 2027-04-21; ~heads-bakers 2"


def test_a_statement_is_told_in_words() -> None:
    told = settled([claim("assumptions.a1", "confidence low", "assumption", text="The loan is given in time.")])

    assert told == "assumptions: ~a1 confidence low: The loan is given in time."


def test_what_only_repeats_the_goal_is_left_out_and_a_reading_of_it_is_not() -> None:
    quoted = {"source": "prompt:3-9", "kind": "fact"}
    told = settled(
        [
            claim("start.seats", "48", unit="seats", **quoted),
            claim("start.deadline", "2027-05-01", unit="date", **quoted),
            claim("start.budget", "240000", unit="EUR", **quoted),
            claim("project_plan.success-kept", "no breach", "fact"),
            claim("start.nothing", None),
        ]
    )

    assert told == "start: deadline 2027-05-01; budget 240000 EUR"


def seen_by(stage: str) -> list[Claim]:
    made = finished(CAFE)
    return [each for earlier in before(stage) for each in made[earlier].claims]


def test_every_figure_that_the_plan_computed_reaches_the_last_calls_in_a_few_thousand_characters() -> None:
    claims = seen_by("self_audit")
    told = settled(claims)

    for each in claims:
        if each.kind == "computed" and each.value and any(map(str.isdigit, each.value)):
            assert f"{each.id.partition('.')[2]} {each.value}" in told, each.id
    assert len(told) < 3_000


def test_what_an_earlier_stage_was_shown_begins_what_a_later_one_is_shown() -> None:
    earlier, later = settled(seen_by("governance")), settled(seen_by("review_plan"))

    assert later.startswith(earlier)
    assert len(earlier) > 1_000
