"""Confidence dates by simulation."""

from datetime import date, timedelta

from planloom.domain.calendars import WorkCalendar
from planloom.domain.confidence import holds, simulate
from planloom.domain.critical_path import Network
from planloom.domain.pert import ThreePoint
from planloom.domain.tasks import Task, Wait

MONDAY = date(2027, 3, 1)
WEEK = WorkCalendar(MONDAY)
ESTIMATE = ThreePoint(10, 20, 45)


def side_by_side(number):
    """*number* equal tasks that one last task waits for."""
    tasks = [Task(f"t{n}", ESTIMATE.days, WEEK) for n in range(number)]
    return Network([*tasks, Task("join", 1, WEEK, tuple(Wait(t.id) for t in tasks))], MONDAY)


def estimates(network):
    return {name: ThreePoint(1, 1, 1) if name == "join" else ESTIMATE for name in network.tasks}


def test_four_of_five_takes_longer_than_half():
    network = side_by_side(1)
    sure = simulate(network, estimates(network))
    assert MONDAY < sure.p50 < sure.p80
    assert 0.5 <= sure.chance(sure.p50) <= sure.chance(sure.p80) <= 1
    assert sure.chance(sure.p80) >= 0.8
    assert sure.chance(MONDAY) == 0


def test_paths_that_meet_make_the_end_later_though_none_is_longer():
    one, six = side_by_side(1), side_by_side(6)
    assert one.solve().end == six.solve().end
    assert simulate(six, estimates(six)).p50 > simulate(one, estimates(one)).p50


def test_the_same_network_gives_the_same_dates_again():
    network = side_by_side(3)
    assert simulate(network, estimates(network)) == simulate(network, estimates(network))


def test_without_spread_every_run_ends_as_computed():
    network = Network([Task("dig", 5, WEEK), Task("pour", 3, WEEK, (Wait("dig"),))], MONDAY)
    fixed = {"dig": ThreePoint(5, 5, 5), "pour": ThreePoint(3, 3, 3)}
    assert set(simulate(network, fixed, runs=20).ends) == {network.solve().end}


def test_the_end_is_that_of_the_tasks_that_finish_the_work():
    network = side_by_side(2)
    goal = simulate(network, estimates(network), finish=["t0"])
    assert goal.p80 < simulate(network, estimates(network)).p80


def test_a_day_holds_where_the_simulation_reaches_it_in_four_of_five_runs():
    network = side_by_side(3)
    sure = simulate(network, estimates(network), runs=200)
    days = [sure.p50, sure.p80 - timedelta(1), sure.p80, sure.p80 + timedelta(1), MONDAY]
    assert [holds(network, estimates(network), day, runs=200) for day in days] == [day >= sure.p80 for day in days]
