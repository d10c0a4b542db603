"""What costs money while it waits is held back, and keeps a buffer."""

from dataclasses import replace
from datetime import date

from planloom.api.example_prompts import example_prompts
from planloom.domain.critical_path import Network
from planloom.domain.facts import Kind
from planloom.knowledge.just_in_time import BUFFER, held_back
from planloom.knowledge.pace import pace
from planloom.knowledge.sequence import orders
from planloom.knowledge.targets import goals
from planloom.knowledge.timetable import outline_timetable, outline_works
from planloom.knowledge.work_breakdown import works
from planloom.knowledge.work_calendars import work_calendars
from planloom.knowledge.work_network import network_tasks, step_of
from tests.unit.knowledge.planning import brief
from tests.unit.three_goals import CAFE


def solved_cafe():
    planned = brief(CAFE)
    made = works(planned)
    links = orders(planned, made)
    steps = [step_of(w) for w in made]
    tasks = network_tasks(steps, links, work_calendars(planned), pace(planned, made, links).estimates)
    ends = goals(planned, steps, links)
    early = Network(tasks, planned.start).solve(ends)
    held = held_back(steps, links, early, ends)
    late = Network([replace(t, not_before=held.get(t.id)) for t in tasks], planned.start).solve(ends)
    return {w.row.id: w.id for w in made}, early, held, late


def test_people_are_hired_weeks_before_the_opening_and_not_half_a_year():
    ids, early, held, late = solved_cafe()
    staffing = ids["staffing"]
    assert staffing in held
    assert (late.tasks[staffing].start - early.tasks[staffing].start).days > 60


def test_holding_back_keeps_the_end_and_leaves_a_buffer():
    _, early, held, late = solved_cafe()
    assert late.end == early.end
    assert all(abs(late.tasks[name].total_slack - BUFFER) <= 3 for name in held)


def test_terms_with_the_neighbours_stay_early():
    ids, early, held, late = solved_cafe()
    assert ids["neighbour_terms"] not in held
    assert late.tasks[ids["neighbour_terms"]].start == early.tasks[ids["neighbour_terms"]].start


def test_what_the_goal_wants_by_a_day_of_its_own_leads_up_to_that_day():
    trike = next(e["prompt"] for e in example_prompts() if e["id"] == "cargo-trike-product")
    planned = brief(trike, kind=Kind(table="product"))
    frozen = next(w.id for w in outline_works(planned) if w.row.id == "x_the_design_is_frozen")

    placed = outline_timetable(planned).solved.tasks[frozen]

    assert "The design is frozen by 15 January 2028" in trike
    assert date(2027, 11, 1) < placed.start < placed.end <= date(2028, 1, 15)
