"""Tests of the demands and the pace of an outline that rules read."""

from datetime import date

from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.outline.build import outline_spine
from planloom.planes.strategic.outline.choose import read_by_rules
from planloom.planes.strategic.outline.demands import last_named
from planloom.planes.strategic.spine.spine import Spine

TODAY = date(2026, 11, 2)


def goal(text: str) -> Goal:
    return Goal(text, read_by_rules(text, TODAY), TODAY)


def demands(text: str) -> list[tuple[str, bool]]:
    return [(demand.text, bool(demand.met_by)) for demand in outline_spine(goal(text)).demands]


def test_what_a_goal_rules_out_is_a_constraint_and_no_demand() -> None:
    text = "We want to repair the old mill. The wheel must turn again. It must not be painted and no bank loan."

    assert [said for said, _ in demands(text)] == ["The wheel must turn again."]


def test_what_is_due_so_long_after_is_not_met_by_the_handover() -> None:
    text = "We want to repair the old mill. The wheel must turn again. After twelve months it must pay for itself."

    assert demands(text) == [
        ("The wheel must turn again.", True),
        ("After twelve months it must pay for itself.", False),
    ]


def test_without_a_deadline_the_work_is_spread_until_the_last_day_that_the_goal_names() -> None:
    whole = goal("I want to swim Cook Strait. The pilot has pencilled me in for March 2029, whichever tide suits.")
    spine: Spine = outline_spine(whole)

    assert (whole.deadline, last_named(whole), spine.frame.end) == (None, date(2029, 3, 31), None)
    assert any("31 March 2029" in row.text for row in spine.assumptions)


def test_a_day_that_is_out_of_reach_is_not_taken_for_the_end_of_the_work() -> None:
    assert last_named(goal("I want to plant an orchard. The lease ends on 1 May 2049.")) is None
