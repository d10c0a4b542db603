"""Stage 024: places that cannot both be right come first, and each finding can be checked in a minute."""

from dataclasses import replace
from datetime import timedelta

import pytest

from planloom.domain.claims import Register
from planloom.knowledge.brief import make_brief
from planloom.stages.parts.review_outline import review
from planloom.stages.parts.reviewed import Reviewed
from planloom.stages.review_plan import LENSES, MOST_FINDINGS
from tests.unit.stages.drafting import TODAY
from tests.unit.stages.finished import finished, text_of
from tests.unit.stages.more_goals import NO_BUDGET
from tests.unit.stated_facts import stated_facts as read_facts
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

EVERY_GOAL = pytest.mark.parametrize(
    "prompt", [CAFE, FLOOD_WALL, NURSE_APP, NO_BUDGET], ids=["cafe", "wall", "app", "none"]
)


def reviewed(prompt):
    made = finished(prompt)
    return Reviewed(
        brief=make_brief(prompt, read_facts(prompt, TODAY), TODAY),
        register=Register(claim for result in made.values() for claim in result.claims),
        plan=made["project_plan"],
        schedule=made["schedule"],
        wbs=made["wbs"],
        team=made["team"],
        data=made["data_collection"],
        documents=made["documents"],
    )


def with_gates(r, days):
    """The same plan, had its gates been planned *days* before the computed phase ends, each one a day more."""
    moved = [
        m.model_copy(update={"planned": m.day - timedelta(days=days + n)}) if m.kind == "phase" else m
        for n, m in enumerate(r.schedule.milestones)
    ]
    return replace(r, schedule=r.schedule.model_copy(update={"milestones": tuple(moved)}))


@EVERY_GOAL
def test_contradictions_come_first_then_the_greatest_loss(prompt):
    findings = finished(prompt)["review_plan"].findings

    order = [(finding.kind != "contradiction", -finding.loss) for finding in findings]
    assert order == sorted(order)
    assert 1 <= len(findings) <= MOST_FINDINGS


@EVERY_GOAL
def test_each_finding_names_place_action_role_day_and_check(prompt):
    for finding in finished(prompt)["review_plan"].findings:
        assert all((finding.place, finding.action, finding.role, finding.by, finding.check))
        assert finding.against or finding.kind != "contradiction"


def test_gates_apart_from_the_computed_days_are_the_first_contradiction_and_the_worst_is_named():
    r = with_gates(reviewed(CAFE), 20)
    worst = [m for m in r.schedule.milestones if m.kind == "phase"][-1]

    first = review(r, "dates").findings[0]

    assert first.kind == "contradiction"
    assert "planned gates are not the computed days" in first.title
    assert worst.title.removesuffix(": done") in first.place
    assert first.against == f"Schedule, {worst.id} on {worst.day.day} {worst.day:%B %Y}"


def test_gates_that_hold_are_no_finding():
    found = review(with_gates(reviewed(CAFE), 0), "dates").findings

    assert not any("planned gates" in finding.title for finding in found if "days later" not in finding.title)


def test_a_late_end_is_a_contradiction_with_both_dates():
    r = reviewed(CAFE)
    late = r.schedule.model_copy(update={"verdict": "late", "verdict_text": "Cannot hold 1 May 2027: it is late."})

    found = review(replace(r, schedule=late), "dates").findings

    assert any(f.kind == "contradiction" and f.against == "the goal, 1 May 2027" for f in found)


def test_money_without_a_source_is_a_contradiction():
    r = reviewed(CAFE)
    budget = r.plan.budget
    short = budget.model_copy(update={"funding": budget.funding[:1]})

    found = review(replace(r, plan=r.plan.model_copy(update={"budget": short})), "money").findings

    assert any("has no source" in f.title for f in found) == (short.gap > 0)


def test_a_goal_without_a_total_is_told_so():
    titles = [finding.title for finding in finished(NO_BUDGET)["review_plan"].findings]

    assert "No total is set" in titles


def test_work_of_a_role_that_is_not_in_the_team_is_found():
    r = reviewed(CAFE)
    packages = list(r.wbs.packages)
    stranger = packages[0].model_copy(update={"owner": "Harbour master"})
    deliverables = tuple(
        d.model_copy(update={"packages": tuple(stranger if p.id == stranger.id else p for p in d.packages)})
        for d in r.wbs.deliverables
    )

    found = review(replace(r, wbs=r.wbs.model_copy(update={"deliverables": deliverables})), "people").findings

    assert any("Harbour master" in finding.text and stranger.id in finding.place for finding in found)


def test_the_page_ends_with_what_holds_in_each_lens():
    holds = text_of(FLOOD_WALL, "review_plan").partition("## What holds")[2]

    assert holds.count("\n- ") + holds.startswith("- ") == len(LENSES)
    assert "DKK 186,000,000" in holds
