"""Working days: what is open, and that counting forwards and backwards agree."""

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planloom.planes.strategic.calendars import NoWorkingDay, WorkCalendar
from planloom.planes.strategic.facts.fact import Closure

ORIGIN = date(2026, 11, 2)
sixty = settings(max_examples=60)


def closed(**conditions):
    return Closure(text="closed then", start=0, end=11, **conditions)


def only(**conditions):
    return Closure(text="only then", start=0, end=9, forbidden=False, **conditions)


AUGUST = closed(months=(8,))
SHORE = only(months=(4, 5, 6, 7, 8, 9))

calendars = st.builds(
    WorkCalendar,
    st.just(ORIGIN),
    st.lists(
        st.sampled_from(
            [AUGUST, SHORE, closed(weekdays=(0,)), only(weekdays=(5, 6)), closed(first=ORIGIN, last=date(2026, 12, 1))]
        ),
        max_size=3,
        unique_by=id,
    ),
)
days = st.dates(ORIGIN, date(2032, 1, 1))


def test_saturday_and_sunday_are_not_worked():
    assert [WorkCalendar(ORIGIN).is_open(ORIGIN + timedelta(days=n)) for n in range(7)] == [True] * 5 + [False] * 2


def test_a_forbidden_month_is_closed_every_year():
    calendar = WorkCalendar(ORIGIN, [AUGUST])
    assert calendar.add(date(2027, 7, 30), 1) == date(2027, 9, 1)
    assert calendar.add(date(2030, 8, 15), 0) == date(2030, 9, 2)


def test_a_season_opens_on_its_first_working_day():
    assert WorkCalendar(ORIGIN, [SHORE]).add(ORIGIN, 0) == date(2027, 4, 1)


def test_a_dated_closure_binds_between_its_ends():
    calendar = WorkCalendar(ORIGIN, [closed(first=date(2026, 12, 21), last=date(2027, 1, 1))])
    assert calendar.add(date(2026, 12, 18), 1) == date(2027, 1, 4)


def test_work_on_weekends_alone_opens_the_weekend_and_closes_the_week():
    calendar = WorkCalendar(ORIGIN, [only(weekdays=(5, 6))])
    assert [calendar.is_open(ORIGIN + timedelta(days=n)) for n in range(7)] == [False] * 5 + [True] * 2


def test_a_closure_of_weekdays_in_a_month_leaves_other_months_alone():
    calendar = WorkCalendar(ORIGIN, [closed(months=(12,), weekdays=(4,))])
    assert not calendar.is_open(date(2026, 12, 4))
    assert calendar.is_open(date(2026, 11, 6))


def test_two_seasons_add_up_and_a_season_and_weekdays_bind_together():
    calendar = WorkCalendar(ORIGIN, [only(months=(4,)), only(months=(6,)), only(weekdays=(0,))])
    assert calendar.is_open(date(2027, 4, 5))
    assert calendar.is_open(date(2027, 6, 7))
    assert not calendar.is_open(date(2027, 5, 3))
    assert not calendar.is_open(date(2027, 4, 6))


def test_a_closure_without_any_condition_closes_nothing():
    assert WorkCalendar(ORIGIN, [closed()]).add(ORIGIN, 0) == ORIGIN


@pytest.mark.parametrize(
    "closures",
    [
        [closed(months=tuple(range(1, 13)))],
        [only(months=(1,)), closed(months=(1,))],
        [closed(weekdays=(0, 1, 2, 3, 4))],
        [closed(first=date(2020, 1, 1))],
    ],
)
def test_a_calendar_without_any_open_day_says_which_closures_leave_none(closures):
    with pytest.raises(NoWorkingDay, match=closures[0].text):
        WorkCalendar(ORIGIN, closures).add(ORIGIN, 3)


def test_a_period_that_holds_too_few_days_is_refused_rather_than_searched_for_ever():
    calendar = WorkCalendar(ORIGIN, [only(first=date(2027, 1, 4), last=date(2027, 1, 8))])
    assert calendar.add(ORIGIN, 4) == date(2027, 1, 8)
    with pytest.raises(NoWorkingDay):
        calendar.add(ORIGIN, 5)


@sixty
@given(calendars, days, st.integers(1, 90))
def test_adding_days_counts_exactly_the_open_ones(calendar, day, number):
    start = day.toordinal()
    finish = calendar.finish(start, number)
    worked = [d for d in range(start, finish) if calendar.is_open(date.fromordinal(d))]
    assert len(worked) == number == calendar.count(start, finish)
    assert worked[-1] == finish - 1
