"""On which days packages are worked."""

from datetime import date, timedelta

import pytest

from planloom.planes.strategic.calendars import WorkCalendar
from planloom.planes.strategic.compute.calendars import Grid, calendars, day_of
from planloom.planes.strategic.facts.fact import Closure
from planloom.planes.strategic.spine.rows import Closed
from tests.unit.strategic.compute.spines import START, package


def closure(text="closed", **rule):
    return Closure(text=text, start=0, end=len(text), **rule)


SHORE = closure("between April and September", forbidden=False, outdoor=True, months=(4, 5, 6, 7, 8, 9))
WINTER = date(2028, 1, 12)


def test_a_closed_month_binds_everyone_but_what_counts_every_day():
    found = calendars(START, (closure(months=(8,)),))
    august = date(2027, 8, 9)
    assert [found.of(p).is_open(august) for p in (package("P1"), package("P2", outdoor=True))] == [False, False]
    assert found.of(package("P3", every_day=True)).is_open(august)
    assert any("in August" in note for note in found.notes)


def test_nobody_works_on_the_holidays_of_the_plan():
    own = (Closed(what="Day of the dead", first=date(2027, 11, 2)), Closed(what="Nothing"))
    found = calendars(START, (), own)
    assert [found.ours.is_open(date(2027, 11, day)) for day in (1, 2, 3)] == [True, False, True]
    assert "the plan's holidays" in found.notes[0]


@pytest.mark.parametrize(
    ("worked", "open_days", "said"),
    [
        ((), 5, "Monday to Friday,"),
        (("Sunday", "Saturday"), 2, "Saturday, Sunday,"),
        (("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"), 7, "Every day of the week,"),
    ],
)
def test_the_plan_says_which_weekdays_are_worked(worked, open_days, said):
    found = calendars(START, (), (), worked)
    assert sum(found.of(package("P1")).is_open(START + timedelta(n)) for n in range(7)) == open_days
    assert found.notes[0].startswith(said)


def test_a_season_binds_outdoor_work_alone():
    found = calendars(START, (SHORE,))
    assert not found.of(package("P1", outdoor=True)).is_open(WINTER)
    assert found.of(package("P2")).is_open(WINTER)
    assert any("from April to September" in note for note in found.notes)


def test_a_season_over_the_turn_of_the_year_is_named_from_its_first_month():
    assert any("from December to March" in n for n in calendars(START, (closure(months=(12, 1, 2, 3)),)).notes)


def test_closures_that_leave_no_day_are_set_aside_and_named():
    never = closure("we never work", months=tuple(range(1, 13)))
    found = calendars(START, (never, SHORE))
    assert found.closures == (SHORE,)
    assert found.ours.is_open(START)
    assert any("we never work" in note for note in found.notes)


def test_outdoor_closures_that_leave_no_day_are_set_aside_and_the_others_bind():
    everyone, never = closure(weekdays=(0,)), closure("no day", outdoor=True, months=tuple(range(1, 13)))
    found = calendars(START, (everyone, never))
    assert found.closures == (everyone,)
    assert found.outdoor is found.ours
    assert not found.ours.is_open(START)


def test_a_closure_without_a_rule_says_nothing():
    assert calendars(START, (closure(),)).closures == ()


def test_a_grid_counts_as_the_calendar_does():
    calendar = calendars(START, (closure(months=(8,)),)).ours
    grid = Grid(calendar)
    first = START.toordinal()
    for start in range(first, first + 300, 7):
        assert grid.finish(start, 9) == calendar.finish(start, 9)
        latest = grid.latest_start(start + 60, 5)
        assert grid.finish(latest, 5) <= start + 60 < grid.finish(latest + 1, 5)
        assert grid.count(start, start + 40) == calendar.count(start, start + 40)
        assert grid.days(start, 3) == [grid.finish(start, n) - 1 for n in (1, 2, 3)]


def test_a_grid_answers_before_its_origin_and_beyond_all_calendars():
    grid = Grid(WorkCalendar(START))
    first = START.toordinal()
    assert grid.place(first - 10, 2) == (first - 10, first - 8)
    far = first + 100 * 366
    assert grid.place(far, 1000) == (far, far + 1000)
    assert grid.count(far, far + 1000) == 1000
    assert grid.count(far, far - 10) == -10
    assert day_of(grid.place(date.max.toordinal(), 10_000)[1]) == date.max


def test_a_grid_without_some_days_skips_them():
    first = START.toordinal()
    assert Grid(WorkCalendar(START)).closing(range(first, first + 3)).place(first, 2) == (first + 3, first + 5)
