"""The pace of the work: planning values scaled to the days of the prompt, lead times of others left alone."""

from datetime import date

from planloom.domain.confidence import simulate
from planloom.domain.critical_path import Network
from planloom.knowledge.pace import FASTEST, SLOWEST, pace
from planloom.knowledge.sequence import orders
from planloom.knowledge.work_breakdown import works
from planloom.knowledge.work_calendars import work_calendars
from planloom.knowledge.work_network import network_tasks, step_of
from tests.unit.knowledge.planning import brief, day
from tests.unit.three_goals import CAFE, NURSE_APP


def paced(planned):
    made = works(planned)
    found = orders(planned, made)
    return made, found, pace(planned, made, found)


def cafe_by(when):
    return brief(CAFE, days=(day(CAFE, "1 May 2027", when, "deadline"),), closures=())


def test_lead_times_that_others_set_are_never_scaled():
    made, _, found = paced(cafe_by(date(2027, 5, 1)))
    for work in made:
        if work.row.fixed:
            estimate = found.estimates[work.id]
            assert (estimate.optimistic, estimate.likely, estimate.pessimistic) == work.row.days


def test_a_later_deadline_gives_a_slower_pace_within_what_is_credible():
    factors = [
        paced(cafe_by(when))[2].stretches[-1].factor
        for when in (date(2026, 12, 24), date(2027, 7, 1), date(2027, 9, 1), date(2029, 1, 1))
    ]
    assert factors == sorted(factors)
    assert (factors[0], factors[-1]) == (FASTEST, SLOWEST)
    assert len(set(factors)) > 2


def test_the_pace_is_the_slowest_that_four_of_five_runs_hold():
    planned = cafe_by(date(2027, 7, 1))
    made, found, result = paced(planned)
    stretch = result.stretches[-1]
    assert stretch.holds
    tasks = network_tasks([step_of(w) for w in made], found, work_calendars(planned), result.estimates)
    network = Network(tasks, planned.start)
    assert simulate(network, result.estimates, stretch.target.tasks, 200).p80 <= date(2027, 7, 1)


def test_an_impossible_day_is_not_made_to_hold():
    stretch = paced(cafe_by(date(2026, 12, 24)))[2].stretches[-1]
    assert not stretch.holds
    assert stretch.factor == FASTEST


def test_what_leads_to_an_early_milestone_has_a_pace_of_its_own():
    made, _, found = paced(brief(NURSE_APP))
    first, last = found.stretches
    assert (first.target.day, last.target.final) == (date(2027, 11, 30), True)
    assert first.factor < last.factor
    factor = {w.row.id: found.factors[w.id] for w in made}
    assert factor["core_build"] == first.factor
    assert factor["rollout"] == last.factor


def test_durations_differ_from_package_to_package():
    made, _, found = paced(cafe_by(date(2027, 5, 1)))
    assert len({found.estimates[w.id] for w in made}) > len(made) / 3
