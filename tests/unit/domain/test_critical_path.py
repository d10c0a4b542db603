"""The critical path against a brute-force longest path, and slack against what it promises."""

from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planloom.domain.calendars import WorkCalendar
from planloom.domain.critical_path import CycleFound, Network, UnknownTask
from planloom.domain.facts import Closure
from planloom.domain.tasks import Task, Wait

MONDAY = date(2027, 3, 1)
WEEK = WorkCalendar(MONDAY)
sixty = settings(max_examples=60)
EVERY_DAY = WorkCalendar(MONDAY, [Closure(text="daily", start=0, end=5, forbidden=False, weekdays=tuple(range(7)))])
SUMMER = WorkCalendar(MONDAY, [Closure(text="in summer", start=0, end=9, forbidden=False, months=(4, 5, 6, 7, 8, 9))])


@st.composite
def networks(draw, calendars=(WEEK, EVERY_DAY, SUMMER), most=9):
    """A DAG of tasks, each waiting for some earlier ones, on mixed calendars."""
    tasks = []
    for number in range(draw(st.integers(1, most))):
        earlier = draw(st.lists(st.sampled_from(tasks), max_size=3, unique_by=lambda t: t.id)) if tasks else []
        tasks.append(
            Task(
                id=f"t{number}",
                days=draw(st.integers(1, 30)),
                calendar=draw(st.sampled_from(calendars)),
                after=tuple(Wait(t.id, draw(st.integers(0, 4))) for t in earlier),
                not_before=draw(st.none() | st.dates(MONDAY, MONDAY + timedelta(days=200))),
                starts_on=draw(st.none() | st.just(WEEK)),
                lags_on=draw(st.none() | st.just(EVERY_DAY)),
            )
        )
    return draw(st.permutations(tasks))


def plain(tasks):
    """The same tasks without dates and on one calendar without closed days."""
    return [replace(t, calendar=EVERY_DAY, not_before=None, starts_on=None, lags_on=None) for t in tasks]


def longest(tasks, name):
    """Days to the end of task *name* along the longest chain, by walking every chain."""
    task = tasks[name]
    return task.days + max((longest(tasks, w.task) + w.lag for w in task.after), default=0)


def delayed(tasks, name, first_day):
    """The same tasks, with *name* held back until *first_day*."""
    return [replace(t, not_before=first_day) if t.id == name else t for t in tasks]


@sixty
@given(networks())
def test_every_task_ends_as_late_as_the_longest_chain_to_it(tasks):
    tasks = plain(tasks)
    by_id = {t.id: t for t in tasks}
    placed = Network(tasks, MONDAY).solve().tasks
    for name in by_id:
        assert (placed[name].end - MONDAY).days + 1 == longest(by_id, name)


@sixty
@given(networks())
def test_the_critical_path_without_closed_days_is_as_long_as_the_work(tasks):
    tasks = plain(tasks)
    solved = Network(tasks, MONDAY).solve()
    by_id = {t.id: t for t in tasks}
    chain = [by_id[name] for name in solved.path]
    lags = [w.lag for first, then in pairwise(chain) for w in then.after if w.task == first.id]
    assert sum(t.days for t in chain) + sum(lags) == (solved.last_day - MONDAY).days + 1
    assert all(solved.tasks[name].critical for name in solved.path)


@sixty
@given(networks())
def test_a_delay_within_total_slack_keeps_the_end_and_one_day_more_moves_it(tasks):
    solved = Network(tasks, MONDAY).solve()
    for task in tasks:
        placed = solved.tasks[task.id]
        assert Network(delayed(tasks, task.id, placed.late_start), MONDAY).solve().end == solved.end
        later = delayed(tasks, task.id, placed.late_start + timedelta(days=1))
        assert Network(later, MONDAY).solve().end > solved.end


@sixty
@given(networks())
def test_a_delay_within_free_slack_moves_no_other_task(tasks):
    solved = Network(tasks, MONDAY).solve()
    for task in tasks:
        placed = solved.tasks[task.id]
        free = date.fromordinal(task.opens.last_open(task.calendar.finish(placed.start.toordinal(), placed.free_slack)))
        held = placed.start if placed.free_slack == 0 else free
        again = Network(delayed(tasks, task.id, held), MONDAY).solve()
        moved = [n for n in solved.tasks if n != task.id and again.tasks[n].start != solved.tasks[n].start]
        assert moved == []


@sixty
@given(networks())
def test_free_slack_is_never_more_than_total_slack(tasks):
    for placed in Network(tasks, MONDAY).solve().tasks.values():
        assert 0 <= placed.free_slack <= placed.total_slack


@sixty
@given(networks(), st.integers(0, 8))
def test_only_what_leads_to_the_goal_is_critical_for_it(tasks, index):
    goal = tasks[index % len(tasks)].id
    solved = Network(tasks, MONDAY).solve([goal])
    assert solved.end == solved.tasks[goal].end
    assert solved.path[-1] == goal
    assert solved.tasks[goal].critical
    assert all(0 <= t.free_slack <= t.total_slack for t in solved.tasks.values())


@sixty
@given(networks())
def test_no_task_starts_or_ends_on_a_closed_day(tasks):
    solved = Network(tasks, MONDAY).solve()
    for task in tasks:
        placed = solved.tasks[task.id]
        assert task.opens.is_open(placed.start)
        assert task.calendar.is_open(placed.end)
        assert placed.start >= placed.ready >= MONDAY


@sixty
@given(networks())
def test_the_order_in_which_tasks_are_given_changes_no_date(tasks):
    forward, backward = (Network(t, MONDAY).solve().tasks for t in (tasks, list(reversed(tasks))))
    assert {n: (p.start, p.end, p.total_slack) for n, p in forward.items()} == {
        n: (p.start, p.end, p.total_slack) for n, p in backward.items()
    }


def test_a_worked_example_has_the_textbook_slack():
    tasks = [
        Task("dig", 5, WEEK),
        Task("order", 2, WEEK),
        Task("pour", 3, WEEK, (Wait("dig"),)),
        Task("fit", 2, WEEK, (Wait("pour"), Wait("order"))),
        Task("tidy", 1, WEEK, (Wait("dig"),)),
    ]
    solved = Network(tasks, MONDAY).solve()
    assert solved.path == ("dig", "pour", "fit")
    assert solved.end == date(2027, 3, 12)
    assert {n: (t.total_slack, t.free_slack) for n, t in solved.tasks.items()} == {
        "dig": (0, 0),
        "order": (6, 6),
        "pour": (0, 0),
        "fit": (0, 0),
        "tidy": (4, 4),
    }


def test_a_season_breaks_the_path_and_gives_slack_to_what_comes_before_it():
    march = date(2027, 10, 1)
    summer = WorkCalendar(march, SUMMER.closures)
    tasks = [Task("permit", 20, WorkCalendar(march)), Task("wall", 30, summer, (Wait("permit"),))]
    solved = Network(tasks, march).solve()
    assert solved.tasks["wall"].start == date(2028, 4, 3)
    assert solved.tasks["wall"].ready == date(2027, 10, 29)
    assert solved.path == ("wall",)
    assert solved.tasks["permit"].total_slack > 100


def test_others_work_through_our_holidays_but_begin_on_a_day_of_ours():
    august = Closure(text="August is closed", start=0, end=16, months=(8,))
    ours = WorkCalendar(MONDAY, [august])
    loan = Task("loan", 30, WEEK, not_before=date(2027, 8, 2), starts_on=ours)
    offer = Task("offer", 30, WEEK, not_before=date(2027, 7, 26), starts_on=ours)
    placed = Network([loan, offer], MONDAY).solve().tasks
    assert (placed["loan"].start, placed["offer"].end) == (date(2027, 9, 1), date(2027, 9, 3))


def test_a_cycle_is_named_in_the_order_of_waiting():
    ring = [Task(n, 1, WEEK, (Wait(before),)) for n, before in (("a", "c"), ("b", "a"), ("c", "b"), ("d", "a"))]
    with pytest.raises(CycleFound) as raised:
        Network(ring, MONDAY)
    cycle = raised.value.details["cycle"]
    assert cycle[0] == cycle[-1]
    assert all((then, first) in {("a", "c"), ("b", "a"), ("c", "b")} for then, first in pairwise(cycle))


def test_a_wait_for_a_task_that_is_not_there_is_refused():
    with pytest.raises(UnknownTask, match="fit waits for glue"):
        Network([Task("fit", 1, WEEK, (Wait("glue"),))], MONDAY)


def test_the_work_cannot_end_with_a_task_that_is_not_there():
    with pytest.raises(UnknownTask, match="opening"):
        Network([Task("fit", 1, WEEK)], MONDAY).solve(["opening"])
