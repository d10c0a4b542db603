"""What takes place on a day takes place on it, and what sets it up lies in the days before."""

from datetime import date

from planloom.domain.pert import ThreePoint
from planloom.knowledge.targets import fixed_day, takes_place
from planloom.knowledge.work_breakdown import works
from planloom.knowledge.work_calendars import work_calendars
from planloom.knowledge.work_network import network_tasks, on_the_day, step_of
from tests.unit.knowledge.planning import brief, day
from tests.unit.three_goals import CAFE

FESTIVAL = (
    "Organise a two-day science festival for families in Graz on 18 and 19 September 2027 with 40 stands, 6,000 "
    "visitors and a budget of EUR 85,000 from the city and two sponsors. Volunteers run the stands."
)


def test_a_festival_has_fixed_days_and_a_cafe_has_a_deadline():
    found = fixed_day(brief(FESTIVAL))
    assert (found.first, found.last, found.days) == (date(2027, 9, 18), date(2027, 9, 19), 2)
    assert fixed_day(brief(CAFE)) is None


def test_a_month_is_not_a_day():
    whole = day(FESTIVAL, "18 and 19 September 2027", date(2027, 9, 30), "deadline")
    month = whole.model_copy(update={"earliest": date(2027, 9, 1)})
    assert fixed_day(brief(FESTIVAL, days=(month,))) is None
    assert fixed_day(brief(FESTIVAL, days=(whole,))).days == 1


def test_the_event_is_on_its_weekend_for_as_long_as_it_lasts():
    planned = brief(FESTIVAL)
    steps = [step_of(w) for w in works(planned)]
    day = fixed_day(planned)
    estimates = on_the_day({s.id: ThreePoint(1, 5, 9) for s in steps}, steps, day)
    tasks = {t.id: t for t in network_tasks(steps, [], work_calendars(planned), estimates, day)}
    event = next(s for s in steps if takes_place(s))
    assert event.key == "event_days"
    assert (tasks[event.id].days, tasks[event.id].not_before) == (2, date(2027, 9, 18))
    assert tasks[event.id].calendar.is_open(date(2027, 9, 18))
    assert all(t.not_before is None for name, t in tasks.items() if name != event.id)
