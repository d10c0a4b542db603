"""The register holds the prompt's own dangers first in rank of score, then what its kind meets; a review changes it."""

import re
from datetime import date

import pytest

from planloom.knowledge.brief import make_brief
from planloom.knowledge.funds import contingency
from planloom.stages.parts.risk import Risk
from planloom.stages.risks import NewScore, RiskRegister, RiskReview, reviewed
from tests.unit.stages.drafting import TODAY
from tests.unit.stages.more_goals import MORE
from tests.unit.stages.sections import page_of, section
from tests.unit.stated_facts import stated_facts as read_facts
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, **MORE}
EVERY_GOAL = pytest.mark.parametrize("prompt", GOALS.values(), ids=GOALS)


def register(prompt: str) -> RiskRegister:
    found = section(prompt, "risks")
    assert isinstance(found, RiskRegister)
    return found


@EVERY_GOAL
def test_twelve_to_sixteen_risks_stand_by_score_with_ids_in_that_order(prompt: str) -> None:
    risks = register(prompt).risks
    assert 12 <= len(risks) <= 16
    assert [risk.id for risk in risks] == [f"R{n}" for n in range(1, len(risks) + 1)]
    assert [risk.score for risk in risks] == sorted((risk.score for risk in risks), reverse=True)
    assert len({risk.title for risk in risks}) == len(risks)


@EVERY_GOAL
def test_every_response_is_in_place_before_the_risk_can_strike_and_lowers_it(prompt: str) -> None:
    for risk in register(prompt).risks:
        assert risk.by <= risk.near
        assert risk.residual_score < risk.score or risk.response == "accept", risk.title


@EVERY_GOAL
def test_at_least_six_kinds_of_risk_are_there(prompt: str) -> None:
    assert len({risk.category for risk in register(prompt).risks}) >= 6


@pytest.mark.parametrize(
    ("prompt", "titles"),
    [
        (
            CAFE,
            ["Bank loan late", "Extraction duct late", "Offers for rent", "What the neighbourhood association asked",
             "1 May 2027 is missed", "Target missed: 180 paying customers", "franchise agreements"],
        ),
        (
            FLOOD_WALL,
            ["Coastal protection permit late", "Work slips out of its open season", "residents must keep access",
             "30 September 2029 is missed", "pile driving at night"],
        ),
        (
            NURSE_APP,
            ["Sign-off of each release", "The clinical safety officer stops", "Data Protection Act", "The grant comes",
             "What works small fails in numbers", "vendor that charges per user"],
        ),
    ],
    ids=["cafe", "flood wall", "nurse app"],
)  # fmt: skip
def test_the_dangers_of_the_prompt_are_risks_of_their_own(prompt: str, titles: list[str]) -> None:
    said = [risk.title for risk in register(prompt).risks]
    assert [title for title in titles if not any(title in each for each in said)] == []


def test_a_risk_quotes_the_words_that_call_it() -> None:
    loan = next(risk for risk in register(CAFE).risks if risk.title.startswith("Bank loan"))
    assert "must be approved before the lease is signed" in loan.source
    assert "EUR 150,000, 62% of the budget" in loan.effect


@EVERY_GOAL
def test_responses_cost_less_than_half_of_the_contingency(prompt: str) -> None:
    brief = make_brief(prompt, read_facts(prompt, TODAY), TODAY)
    found = register(prompt)
    if brief.total is None:
        assert (found.cost, found.currency, found.claims) == (0, None, ())
    else:
        assert 0 < found.cost <= 0.5 * contingency(brief)[0] * brief.total.high
        assert found.claims[0].value == f"{found.cost:.0f}"


def test_scales_say_what_points_mean_in_the_money_and_days_of_this_plan() -> None:
    scales = register(FLOOD_WALL).scales
    assert [points for points, _, _ in scales] == ["1", "2", "3", "4", "5"]
    assert scales[0][2] == "up to DKK 1,900,000 or 10 calendar days"


def test_the_page_shows_cause_trigger_response_and_what_is_left_of_every_risk() -> None:
    page = page_of(NURSE_APP, "risks")
    assert len(re.findall(r"^- Trigger: ", page, re.MULTILINE)) == len(register(NURSE_APP).risks)
    assert all(risk.action in page and risk.residual in page for risk in register(NURSE_APP).risks)


def risk(number: int, likelihood: int, severity: int) -> Risk:
    return Risk(
        id=f"R{number}", category="technical", title=f"Thing {number} breaks", cause="It is worn out already.",
        event="It breaks on a Monday.", effect="Two days are lost.", source="assumed", likelihood=likelihood,
        severity=severity, near=date(2027, 3, number), owner="Engineer", response="reduce", action="Mend it before.",
        by=date(2027, 3, 1), trigger="A noise on Friday.", residual="Some noise.", residual_likelihood=likelihood,
        residual_severity=severity,
    )  # fmt: skip


def test_a_review_drops_rescores_and_adds() -> None:
    risks = [risk(n, 3, 3) for n in range(1, 11)]
    review = RiskReview(
        drop=["R2"],
        scores=[NewScore(id="R3", likelihood=5, severity=5, why="It broke last year.")],
        add=[risk(12, 2, 5)],
        leading="Three of one kind lead, and one action lowers them.",
    )
    found = reviewed(risks, review)
    assert [r.title for r in found[:2]] == ["Thing 3 breaks", "Thing 12 breaks"]
    assert "Thing 2 breaks" not in [r.title for r in found]
    assert [r.id for r in found] == [f"R{n}" for n in range(1, 11)]


def test_a_lower_score_lowers_what_is_left_as_well() -> None:
    review = RiskReview(
        scores=[NewScore(id="R1", likelihood=1, severity=2, why="It is new.")], leading="Nothing leads any more here."
    )
    (found,) = reviewed([risk(1, 4, 4)], review)
    assert (found.residual_likelihood, found.residual_severity) == (1, 2)


def test_a_review_leaves_at_least_eight_risks() -> None:
    review = RiskReview(drop=[f"R{n}" for n in range(1, 9)], leading="All of them are said to be the same thing.")
    assert len(reviewed([risk(n, 2, 2) for n in range(1, 11)], review)) == 8


@pytest.mark.parametrize(
    ("prompt", "title"),
    [
        (NURSE_APP, "Synchronisation doubles or overwrites records"),
        (FLOOD_WALL, "Ground differs from the report"),
        (
            "Replace the old ledger system of a cooperative bank in Graz by a new one until 30 June 2028; all accounts "
            "must be migrated from the mainframe without a loss, and the branches stay open during the cutover.",
            "Migrated totals do not reconcile",
        ),
    ],
)
def test_the_highest_risks_of_what_the_goal_does_are_not_left_out_for_their_category(prompt: str, title: str) -> None:
    assert title in {risk.title for risk in register(prompt).risks}
