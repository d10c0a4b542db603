"""What follows at once from the facts of a goal."""

from datetime import date

from planloom.planes.strategic.facts.fact import Day, Facts, Spanned
from planloom.planes.strategic.facts.goal import Goal

TODAY = date(2026, 11, 2)
ALL = Spanned(text="Build.", start=0, end=6)


def day(at: date, role: str) -> Day:
    return Day(text="x", start=0, end=1, earliest=at, latest=at, role=role)


def goal(*days: Day) -> Goal:
    return Goal("Build.", Facts(title="T", subject="s", objective=ALL, days=days), TODAY)


def test_the_work_starts_on_the_day_that_the_goal_names_and_otherwise_today() -> None:
    named = goal(day(date(2027, 3, 1), "start"), day(date(2028, 3, 1), "deadline"))

    assert (named.start, named.start_source) == (date(2027, 3, 1), "prompt:0-1")
    assert (goal().start, goal().start_source) == (TODAY, "to verify")
    assert goal(day(date(2025, 3, 1), "start")).start == TODAY


def test_a_start_after_something_is_due_is_that_of_a_part() -> None:
    builders = goal(day(date(2027, 10, 4), "start"), day(date(2027, 6, 18), "milestone"))

    assert (builders.start, builders.start_source) == (TODAY, "to verify")
    assert "no start was found" not in builders.start_text
    assert "4 October 2027" in builders.start_text
    assert "no start was found" in goal().start_text


def test_the_deadline_is_the_last_one_named_or_the_start_and_the_whole_time() -> None:
    named = goal(day(date(2027, 6, 18), "deadline"), day(date(2029, 3, 29), "deadline"))

    assert named.deadline == date(2029, 3, 29)
    assert goal().deadline is None
