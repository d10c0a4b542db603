"""Stage 012: the goal's own bodies and limits first, and no more than the project needs."""

import pytest

from tests.unit.stages.more_goals import GAP, NO_BUDGET, PARTS
from tests.unit.stages.sections import page_of, section
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP


def of(prompt):
    return section(prompt, "governance")


def body(prompt, title):
    return next(b for b in of(prompt).bodies.bodies if b.title.startswith(title))


def test_a_cafe_has_no_steering_committee():
    titles = [b.title.lower() for b in of(CAFE).bodies.bodies]

    assert len(titles) <= 4
    assert not [t for t in titles if "steering" in t or "board" in t or "committee" in t]


def test_both_partners_sign_above_the_limit_of_the_goal():
    assert body(CAFE, "Both partners").limit == "above EUR 5,000"
    assert body(CAFE, "Each of the partners, alone").limit == "up to EUR 5,000"
    assert body(CAFE, "Monthly meeting with the accountant").cadence == "monthly"


def test_the_steering_group_has_the_members_and_rhythm_of_the_goal_and_the_council_its_limit():
    group = body(FLOOD_WALL, "Steering group")

    assert "residents' association" in group.members
    assert (group.cadence, group.quorum[:9]) == ("every six weeks", "3 of five")
    assert body(FLOOD_WALL, "Council").limit == "above DKK 2,000,000"


def test_limits_make_one_ladder_without_a_hole():
    limits = [body(FLOOD_WALL, t).limit for t in ("Client's project manager, alone", "Steering group", "Council")]

    assert limits == ["up to DKK 500,000", "DKK 500,000 to DKK 2,000,000", "above DKK 2,000,000"]


def test_who_may_stop_a_release_may_do_so_alone_and_somebody_must_lift_the_stop():
    officer = body(NURSE_APP, "Clinical safety officer")
    gaps = [g.gap for g in of(NURSE_APP).gaps.gaps]

    assert "alone and at once" in officer.decides
    assert any("no rule says what lifts the stop" in gap for gap in gaps)


def test_two_who_must_both_sign_need_a_rule_for_a_tie():
    assert any("what happens when they disagree" in g.gap for g in of(CAFE).gaps.gaps)


def test_a_council_that_decides_on_contracts_is_the_top_of_the_ladder():
    assert body(PARTS, "City council").limit == "above NOK 10,000,000"


def test_without_limits_in_the_goal_they_are_assumed_and_said_to_be():
    assert any("are assumed" in g.gap for g in of(GAP).gaps.gaps)
    assert "1% of the total once it is set" in body(NO_BUDGET, "Coordinator").limit


def test_money_without_a_source_is_a_gap():
    assert any("EUR 210,000" in g.gap for g in of(GAP).gaps.gaps)


@pytest.mark.parametrize("prompt", [CAFE, FLOOD_WALL, NURSE_APP], ids=["cafe", "flood wall", "nurse app"])
def test_set_up_is_in_order_and_done_before_the_first_gate(prompt):
    steps = of(prompt).setup.steps
    first_gate = section(prompt, "project_plan").phases[0].last

    assert [s.by for s in steps] == sorted(s.by for s in steps)
    assert all(s.by <= first_gate and s.role and s.check for s in steps)


@pytest.mark.parametrize("prompt", [CAFE, FLOOD_WALL, NURSE_APP], ids=["cafe", "flood wall", "nurse app"])
def test_a_record_of_success_is_checked_by_another_than_who_keeps_it(prompt):
    criteria = {c.text: c.role for c in section(prompt, "project_plan").plan.criteria}
    for row in of(prompt).audit.audits:
        text = row.what.removeprefix("The record from which success is read: ")
        assert criteria.get(text) != row.role


def test_the_thresholds_that_are_watched_are_those_of_the_plan():
    watched = page_of(FLOOD_WALL, "governance")

    assert "no overtopping at +2.1 m" in watched
    assert "DKK 11,160,000 of DKK 22,320,000" in watched
