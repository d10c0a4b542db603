"""The dates that the tables alone give are those of the schedule, and gates stand at the ends of phases."""

import pytest

from planloom.knowledge.timetable import outline_timetable
from planloom.knowledge.work_breakdown import works
from tests.unit.knowledge.planning import brief
from tests.unit.stages.drafted import drafted
from tests.unit.stages.more_goals import MORE
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = pytest.mark.parametrize("prompt", [CAFE, FLOOD_WALL, NURSE_APP], ids=["cafe", "flood wall", "nurse app"])


@GOALS
def test_the_outline_knows_the_dates_of_the_schedule_before_it_is_drafted(prompt):
    times = outline_timetable(brief(prompt))
    schedule = drafted(prompt)["schedule"]
    assert {t.id: (t.start, t.end) for t in schedule.tasks} == {
        name: (placed.start, placed.end) for name, placed in times.solved.tasks.items()
    }
    assert (times.solved.end, times.sure.p80) == (schedule.end, schedule.p80)


@GOALS
def test_every_package_belongs_to_a_phase_and_no_phase_ends_before_what_it_waits_for(prompt):
    planned = brief(prompt)
    times = outline_timetable(planned)
    order = [phase.id for phase in planned.phases]
    assert set(times.phases) == {work.id for work in works(planned)}
    for link in times.orders:
        if link.task not in times.held and link.after not in times.held:
            assert order.index(times.phases[link.after]) <= order.index(times.phases[link.task])


@GOALS
def test_a_gate_stands_where_the_last_package_of_its_phase_ends(prompt):
    times = outline_timetable(brief(prompt))
    for phase, (day, last) in times.gates.items():
        assert times.phases[last] == phase
        assert times.solved.tasks[last].end == day


def test_acceptance_is_the_end_of_launching_and_not_of_closing():
    planned = brief(CAFE)
    accepted = next(work.id for work in works(planned) if work.row.id == "acceptance")
    times = outline_timetable(planned)
    assert times.phases[accepted] == "launch"
    assert times.gates["launch"] == (times.solved.end, accepted)
    assert times.gates["close"][0] > times.solved.end


def test_the_same_goal_on_the_same_day_is_computed_once():
    assert outline_timetable(brief(CAFE)) is outline_timetable(brief(CAFE))
    assert outline_timetable(brief(CAFE)) is not outline_timetable(brief(CAFE, closures=()))


def test_the_drawings_that_a_choice_rests_on_end_with_its_phase():
    planned = brief(MORE["swimming hall"])
    times = outline_timetable(planned)
    kinds = {work.id: work.row.kind for work in works(planned)}
    order = [phase.id for phase in planned.phases]
    drawn = [
        link for link in times.orders if kinds[link.after] in ("research", "design") and link.after not in times.held
    ]
    assert drawn
    assert all(order.index(times.phases[k.after]) <= order.index(times.phases[k.task]) for k in drawn)
    assert times.gates["prepare"][0] < times.gates["design"][0] < times.gates["build"][0]
