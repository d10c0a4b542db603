"""What holds for every section that looks back on the plan, whatever the goal."""

import re
from itertools import combinations

import pytest

from tests.unit.stages.finished import finished, text_of
from tests.unit.stages.more_goals import MARATHON, NO_BUDGET
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, "marathon": MARATHON, "no budget": NO_BUDGET}
LAST = ("review_plan", "executive_summary", "questions_answers", "premortem", "self_audit")
EVERY_GOAL = pytest.mark.parametrize("prompt", GOALS.values(), ids=GOALS)
EVERY_SECTION = pytest.mark.parametrize("name", LAST)
FILLER = re.compile(r"\b(?:robust|holistic|leverag(?:e[sd]?|ing)|ensur(?:e[sd]?|ing)|seamless(?:ly)?|synerg)\w*", re.I)


def lines(text: str) -> set[str]:
    """The lines of a page that say something: no headings, no heads of tables."""
    plain = re.sub(r"^\|.*\n\|---.*$", "", text, flags=re.MULTILINE)
    found = {line.strip() for line in plain.splitlines()}
    return {line for line in found if len(line) > 40 and not line.startswith(("# ", "## "))}


@EVERY_SECTION
def test_two_goals_share_less_than_a_fifth_of_their_lines(name):
    for one, other in combinations(GOALS.values(), 2):
        mine, theirs = lines(text_of(one, name)), lines(text_of(other, name))
        shared = mine & theirs
        assert len(shared) < 0.2 * min(len(mine), len(theirs)), sorted(shared)


@EVERY_GOAL
@EVERY_SECTION
def test_no_section_holds_filler_placeholders_or_doubled_stops(prompt, name):
    text = text_of(prompt, name)

    assert FILLER.findall(text) == []
    assert re.findall(r"\{\w+\}|\bNone\b|TODO", text) == []
    assert re.findall(r"(?<!\.)\.\.(?!\.)|…\.|,,|;;|  ", re.sub(r"\n", "", text)) == []


@EVERY_GOAL
def test_every_date_of_the_summary_is_computed_or_the_goals_own(prompt):
    schedule = finished(prompt)["schedule"]
    planned = {f"{m.planned.day} {m.planned:%B %Y}" for m in schedule.milestones if m.planned and m.planned != m.day}
    computed = {f"{m.day.day} {m.day:%B %Y}" for m in schedule.milestones}
    untils = re.findall(r"(\d{1,2} \w+ \d{4}) \(end of", text_of(prompt, "executive_summary"))

    assert untils
    assert set(untils) <= computed
    assert not set(untils) & (planned - computed)


@EVERY_GOAL
def test_owners_of_actions_are_roles_that_the_plan_has(prompt):
    made = finished(prompt)
    plan, team = made["project_plan"].plan, made["team"]
    known = {post.title for post in plan.people} | {title for post in plan.people for title in post.acts_as}
    known |= {role.member.title for role in team.roles}

    assert {finding.role for finding in made["review_plan"].findings} <= known
    assert {story.watcher for story in made["premortem"].stories} <= known


def test_words_that_the_goal_bans_are_printed_in_none_of_them():
    for name in LAST:
        assert not re.search(r"artisanal|curated", text_of(CAFE, name), re.IGNORECASE)
