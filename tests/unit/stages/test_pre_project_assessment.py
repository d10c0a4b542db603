"""Go, no-go or not yet: what blocks, what removes it, and what is done in the first two weeks."""

import re
from datetime import timedelta

import pytest

from planloom.knowledge.brief import make_brief
from planloom.knowledge.gates import due_day, gate_day
from planloom.stages.assumptions import Assumptions
from planloom.stages.locations import Locations
from planloom.stages.parts.assessment_outline import outline_assessment
from planloom.stages.pre_project_assessment import STAGE, Assessment, PreProjectAssessment
from planloom.stages.risks import RiskRegister
from tests.unit.stages.drafting import TODAY, draft
from tests.unit.stages.more_goals import MORE
from tests.unit.stages.sections import page_of, section
from tests.unit.stated_facts import stated_facts as read_facts
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, **MORE}
EVERY_GOAL = pytest.mark.parametrize("prompt", GOALS.values(), ids=GOALS)


def assessment(prompt: str) -> Assessment:
    found = section(prompt, "pre_project_assessment")
    assert isinstance(found, PreProjectAssessment)
    return found.assessment


def test_a_plan_that_waits_for_others_is_not_yet_a_go_and_names_what_is_missing() -> None:
    found = assessment(CAFE)
    assert found.verdict == "not_yet"
    assert found.blockers[0].text == "No decision on the bank loan yet: “the lease is signed” waits for it."
    assert "B1" in found.reason
    assert len(found.go_if) == len(found.blockers)


def test_a_plan_in_less_than_half_of_the_shortest_usual_time_is_no_go() -> None:
    prompt = CAFE.replace("1 May 2027", "1 January 2027")
    drafted = draft(prompt, "pre_project_assessment")["pre_project_assessment"]
    assert isinstance(drafted, PreProjectAssessment)
    assert drafted.assessment.verdict == "no_go"
    assert drafted.assessment.reason.startswith("2.0 months to 1 January 2027")


def test_a_plan_that_waits_for_nobody_and_has_no_high_risk_is_a_go() -> None:
    prompt = (
        "Write a 40-page guide to the mushrooms of Tampere for beginners by 30 November 2028. The budget is EUR 8,000. "
        "Success means at least 300 copies sold in the first year. Work starts on 1 February 2027."
    )
    drafted = draft(prompt, "locations", "risks", "assumptions")
    risks, assumptions, places = drafted["risks"], drafted["assumptions"], drafted["locations"]
    assert isinstance(risks, RiskRegister)
    assert isinstance(assumptions, Assumptions)
    assert isinstance(places, Locations)
    low = [risk for risk in risks.risks if risk.score < 16]
    brief = make_brief(prompt, read_facts(prompt, TODAY), TODAY)
    found = outline_assessment(brief, low, assumptions.assumptions, places.places.locations)
    assert (found["verdict"], found["blockers"]) == ("go", [])
    assert found["reason"].startswith(
        "Nothing outside the plan stands between 1 February 2027 and the first commitment."
    )
    page = STAGE.markdown(PreProjectAssessment(assessment=Assessment.model_validate(found)))
    assert "## Blockers" not in page


@EVERY_GOAL
def test_actions_fill_the_first_two_weeks_in_order_with_role_and_check(prompt: str) -> None:
    brief = make_brief(prompt, read_facts(prompt, TODAY), TODAY)
    actions = assessment(prompt).actions
    assert 6 <= len(actions) <= 10
    days = [action.by for action in actions]
    assert days == sorted(days)
    assert due_day(brief, 0) <= days[0]
    assert days[-1] <= due_day(brief, 0) + timedelta(days=14)
    assert len({action.action for action in actions}) == len(actions)


@EVERY_GOAL
def test_what_a_blocker_or_action_serves_exists(prompt: str) -> None:
    risks, assumptions = section(prompt, "risks"), section(prompt, "assumptions")
    assert isinstance(risks, RiskRegister)
    assert isinstance(assumptions, Assumptions)
    known = {r.id for r in risks.risks} | {a.id for a in assumptions.assumptions}
    found = assessment(prompt)
    named = [b.source for b in found.blockers] + [a.serves for a in found.actions]
    assert {id_ for text in named for id_ in re.findall(r"\b[RA]\d+\b", text)} <= known


@EVERY_GOAL
def test_blockers_are_gone_and_the_verdict_falls_by_the_first_gate(prompt: str) -> None:
    brief = make_brief(prompt, read_facts(prompt, TODAY), TODAY)
    found = assessment(prompt)
    assert found.decide_by == gate_day(brief, "prepare")
    assert all(blocker.by <= found.decide_by for blocker in found.blockers)


def test_what_would_end_it_is_said_beforehand_with_its_figures() -> None:
    said = " ".join(assessment(CAFE).no_go_if)
    assert "A written no on the bank loan" in said
    assert "at most EUR 3,200 a month" in said
    assert "EUR 24,000 spent before the first gate" in said


def test_verdict_and_day_of_the_next_are_claimed() -> None:
    claims = {claim.id: claim.value for claim in section(FLOOD_WALL, "pre_project_assessment").claims}
    assert claims["pre_project_assessment.verdict"] == "not_yet"
    assert claims["pre_project_assessment.decide-by"] == assessment(FLOOD_WALL).decide_by.isoformat()


def test_the_page_leads_with_the_verdict() -> None:
    assert page_of(NURSE_APP, "pre_project_assessment").startswith("# Pre-project assessment: not yet\n")
