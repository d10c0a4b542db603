"""Stage 014: the heads of the plan, each with work, cover and pay, reviewed as a whole."""

import pytest

from planloom.domain.wording import day_text
from tests.unit.stages.drafted import drafted
from tests.unit.stages.more_goals import MORE, NO_BUDGET
from tests.unit.stages.sections import page_of, section
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

ALL = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, **MORE}
EVERY_GOAL = pytest.mark.parametrize("prompt", ALL.values(), ids=ALL)


def of(prompt):
    return section(prompt, "team")


@EVERY_GOAL
def test_head_counts_and_load_are_those_of_the_project_plan(prompt):
    posts = {p.id: p for p in section(prompt, "project_plan").plan.people}
    for role in of(prompt).roles:
        assert (role.member.count, role.member.load) == (posts[role.member.id].count, posts[role.member.id].load)


@EVERY_GOAL
def test_heads_that_a_line_pays_are_the_heads_of_the_team(prompt):
    counts = {role.member.id: role.member.count for role in of(prompt).roles}
    for line in section(prompt, "project_plan").budget.lines:
        if line.pay:
            assert line.pay.heads == sum(counts[post] for post in line.pay.posts)


@EVERY_GOAL
def test_owners_of_milestones_and_measures_are_in_the_team(prompt):
    titles = {role.member.title for role in of(prompt).roles}
    plan = section(prompt, "project_plan").plan
    owners = {m.role for m in plan.milestones} | {c.role for c in plan.criteria} | {p.role for p in plan.permits}

    assert owners <= titles


def test_seven_are_hired_for_the_cafe_and_one_line_pays_them():
    hired = [r.member for r in of(CAFE).roles if r.member.hire == "employee"]

    assert sum(m.count for m in hired) == 7
    assert {m.paid_from.split(":")[0] for m in hired} == {"Pay before income"}


def test_a_role_answers_for_packages_with_their_dates():
    engineers = next(r for r in of(NURSE_APP).roles if r.member.title == "Engineers")

    packages = {package.title: package.start for package in drafted(NURSE_APP)["schedule"].tasks}
    title, _, rest = engineers.detail.answers_for.partition(" (from ")
    assert rest.startswith(f"{day_text(packages[title])});")


def test_the_review_shows_the_rate_that_the_budget_implies():
    assert "a month implied at full employer cost" in page_of(NURSE_APP, "team")


def test_volunteers_are_not_sent_a_bill():
    assert all("no line of this budget" not in r.member.paid_from for r in of(NO_BUDGET).roles)


@EVERY_GOAL
def test_every_finding_ends_in_an_action_with_a_check(prompt):
    findings = of(prompt).review.findings

    assert findings
    assert all(f.action and f.role and f.when and f.check for f in findings)
