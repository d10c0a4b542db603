"""Who does the work: the prompt's people with their counts, then functions that nobody covers."""

import pytest

from planloom.knowledge.brief import make_brief
from planloom.knowledge.posts import covering, heads_text, posts, unpaid
from tests.unit.stages.drafting import TODAY
from tests.unit.stated_facts import stated_facts as read_facts
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP


def brief(prompt):
    return make_brief(prompt, read_facts(prompt, TODAY), TODAY)


def by_title(prompt):
    return {post.title: post for post in posts(brief(prompt))}


def test_people_of_the_prompt_come_first_with_their_counts():
    assert [(p.title, p.count) for p in posts(brief(NURSE_APP)) if p.stated] == [
        ("Engineers", 4),
        ("Product manager", 1),
        ("Part-time designer", 1),
        ("Clinical safety officer", 1),
    ]


def test_a_title_that_shares_its_work_covers_the_function_of_the_table():
    found = by_title(NURSE_APP)

    assert "engineers" in found["Engineers"].functions
    assert found["Product manager"].functions == ("lead",)
    assert found["Part-time designer"].functions == ("design",)


def test_whoever_leads_a_small_project_carries_what_its_own_people_do():
    assert {"lead", "operations", "outreach"} <= set(by_title(CAFE)["Partners"].functions)
    assert by_title(CAFE)["Accountant"].functions == ("finance",)


def test_people_to_be_hired_share_the_work_of_the_crew():
    team = posts(brief(CAFE))

    assert [p.title for p in covering(team, "crew")] == ["Bakers", "Front-of-house staff"]


@pytest.mark.parametrize("prompt", [CAFE, FLOOD_WALL, NURSE_APP], ids=["cafe", "flood wall", "nurse app"])
def test_nobody_works_more_than_their_heads_allow(prompt):
    for post in posts(brief(prompt)):
        assert max(post.fte.values()) <= post.count


def test_part_time_is_half_at_most():
    assert max(by_title(NURSE_APP)["Part-time designer"].fte.values()) == 0.5


def test_members_of_a_body_in_brackets_are_no_posts():
    assert not [p for p in posts(brief(FLOOD_WALL)) if p.stated]


def test_where_nobody_is_paid_people_are_volunteers():
    prompt = "Open a repair café in Lindholm run by two coordinators. Nobody is paid."

    assert unpaid(brief(prompt))
    assert {p.hire for p in posts(brief(prompt)) if p.stated} == {"volunteer"}


@pytest.mark.parametrize(
    ("title", "count", "text"),
    [("Partner", 1, "partner"), ("Bakers", 2, "2 bakers"), ("Lead engineer", 2, "2 x lead engineer")],
)
def test_a_head_count_reads_as_words(title, count, text):
    assert heads_text(title, count) == text
