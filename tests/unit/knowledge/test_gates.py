"""Gates and due days fall on open days, in order, between the start and the end."""

from datetime import date, timedelta

import pytest

from planloom.knowledge.brief import Brief, make_brief
from planloom.knowledge.gates import closed_days, due_day, gate_day, gate_text, open_day
from planloom.knowledge.package_days import package_start
from planloom.knowledge.targets import fixed_day
from planloom.knowledge.timetable import outline_timetable
from tests.unit.stages.drafted import drafted
from tests.unit.stages.drafting import TODAY
from tests.unit.stages.more_goals import MORE
from tests.unit.stated_facts import stated_facts as read_facts
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP


def brief(prompt: str) -> Brief:
    return make_brief(prompt, read_facts(prompt, TODAY), TODAY)


@pytest.mark.parametrize("prompt", [CAFE, FLOOD_WALL, NURSE_APP, *MORE.values()])
def test_gates_follow_each_other_on_working_days_or_on_the_event(prompt: str) -> None:
    mine = brief(prompt)
    held = fixed_day(mine)
    days = [gate_day(mine, phase.id) for phase in mine.phases]
    assert days == sorted(days)
    assert all((day.weekday() < 5 or (held and day == held.last)) and day >= mine.start for day in days)


@pytest.mark.parametrize("prompt", [CAFE, FLOOD_WALL, NURSE_APP, *MORE.values()])
def test_gates_are_the_phase_ends_of_the_schedule_to_the_day(prompt: str) -> None:
    mine = brief(prompt)
    drawn = {m.title: m.day for m in drafted(prompt)["schedule"].milestones if m.kind == "phase"}
    assert {f"{phase.title}: done": gate_day(mine, phase.id) for phase in mine.phases} == drawn
    tasks = {task.key: task.start for task in drafted(prompt)["schedule"].tasks}
    assert {key: package_start(mine, key) for key in tasks} == tasks


def test_a_deadline_by_date_is_the_day_of_launching_and_a_time_frame_includes_closing() -> None:
    cafe, app = brief(CAFE), brief(NURSE_APP)
    assert gate_day(cafe, "launch") == outline_timetable(cafe).solved.end
    assert gate_day(cafe, cafe.phases[-1].id) > date(2027, 5, 1)
    assert gate_day(app, app.phases[-1].id) <= app.end_assumed


def test_an_unknown_phase_means_the_first() -> None:
    mine = brief(CAFE)
    assert gate_day(mine, "nowhere") == gate_day(mine, mine.phases[0].id)
    assert gate_text(mine, "nowhere").startswith(f"the gate after {mine.phases[0].title} (")


def test_nothing_falls_due_in_a_closed_month() -> None:
    mine = brief("Open a bookshop in Porto by 1 December 2027. August is closed for holidays.")
    assert open_day(mine, date(2027, 8, 31)) == date(2027, 7, 30)
    assert due_day(mine, 0) == TODAY


def test_working_days_are_counted_from_the_start() -> None:
    mine = brief("Open a bookshop in Porto by 1 December 2027.")
    assert due_day(mine, 5) == TODAY + timedelta(days=7)


def test_a_prompt_that_closes_every_day_of_the_week_still_gets_due_days() -> None:
    mine = brief("Open a bookshop in Porto by 1 December 2027. Nobody works on weekdays or at weekends.")
    assert due_day(mine, 3) >= mine.start


def test_outdoor_closures_are_counted_apart() -> None:
    mine = brief(FLOOD_WALL)
    year = date(2028, 1, 1), date(2028, 12, 31)
    assert closed_days(mine, *year, outdoor=True) == 183
    assert closed_days(mine, *year, outdoor=False) == 0
