"""Stage 016: five or six experts who differ, each pointing at rows of this very plan."""

import pytest

from planloom.knowledge.brief import make_brief
from planloom.stages.parts.expert_answer import ExpertRow
from planloom.stages.parts.expert_outline import criticise
from tests.unit.stages.drafting import TODAY
from tests.unit.stages.more_goals import MORE
from tests.unit.stages.sections import section
from tests.unit.stated_facts import stated_facts as read_facts
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

ALL = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, **MORE}
EVERY_GOAL = pytest.mark.parametrize("prompt", ALL.values(), ids=ALL)


def of(prompt):
    return section(prompt, "expert_criticism").reviews


@EVERY_GOAL
def test_five_or_six_experts_differ_in_what_they_see(prompt):
    assert 5 <= len(of(prompt)) <= 6
    assert len({r.expert.sees for r in of(prompt)}) == len(of(prompt))


@EVERY_GOAL
def test_each_criticism_quotes_a_place_and_ends_in_a_fix_with_role_date_and_check(prompt):
    for review in of(prompt):
        assert review.criticisms
        for row in review.criticisms:
            assert "“" in row.place
            assert row.fix
            assert row.role
            assert row.check


@EVERY_GOAL
def test_one_expert_never_points_at_the_same_place_twice(prompt):
    for review in of(prompt):
        places = [row.place for row in review.criticisms]
        assert len(places) == len(set(places))


def test_the_consequence_names_a_figure_of_the_plan():
    rows = [row for review in of(CAFE) for row in review.criticisms]

    assert all(("EUR " in row.consequence or "202" in row.consequence) for row in rows)


def test_the_margin_is_criticised_where_the_plan_states_it():
    rows = [row for review in of(CAFE) for row in review.criticisms]
    margin = next(row for row in rows if row.flaw.startswith("Gross margin"))

    assert "at least 62%" in margin.place


def test_an_expert_whom_no_table_knows_still_finds_flaws():
    brief = make_brief(CAFE, read_facts(CAFE, TODAY), TODAY)
    stranger = ExpertRow(title="Lutenist", sees="The tuning", reads="team", ask="Is it tuned?")

    found = criticise(brief, section(CAFE, "project_plan"), stranger)

    assert len(found.criticisms) == 2
