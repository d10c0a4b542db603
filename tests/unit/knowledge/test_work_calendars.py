"""On which days which work is done, and that the plan says whose words decide it."""

from datetime import date

from planloom.knowledge.work_calendars import work_calendars
from tests.unit.knowledge.planning import TODAY, brief, closure
from tests.unit.three_goals import CAFE, FLOOD_WALL

AUGUST = closure(CAFE, "August is closed for holidays", months=(8,))
SHORE = closure(FLOOD_WALL, "between April and September", forbidden=False, outdoor=True, months=(4, 5, 6, 7, 8, 9))


def test_a_closed_month_binds_everyone_but_those_who_set_lead_times():
    calendars = work_calendars(brief(CAFE, closures=(AUGUST,)))
    monday = date(2027, 8, 9)
    assert not calendars.ours.is_open(monday)
    assert not calendars.of("build", outdoor=False, fixed=False).is_open(monday)
    assert calendars.of("permit", outdoor=False, fixed=True).is_open(monday)
    assert not calendars.starts("permit", outdoor=False, fixed=True).is_open(monday)
    assert any("in August" in note and "August is closed for holidays" in note for note in calendars.notes)


def test_a_season_on_the_shore_binds_outdoor_building_and_spares_desks():
    calendars = work_calendars(brief(FLOOD_WALL, closures=(SHORE,)))
    winter = date(2028, 1, 12)
    assert not calendars.of("build", outdoor=True, fixed=False).is_open(winter)
    assert calendars.of("design", outdoor=False, fixed=False).is_open(winter)
    assert any("from April to September" in note for note in calendars.notes)


def test_a_rule_on_construction_spares_surveys_and_asks_to_verify():
    calendars = work_calendars(brief(FLOOD_WALL, closures=(SHORE,)))
    assert calendars.of("research", outdoor=True, fixed=False).is_open(date(2028, 1, 12))
    assert any("Surveys" in note and "to verify" in note for note in calendars.notes)


def test_a_rule_that_does_not_speak_of_building_binds_surveys_too():
    prompt = "Restore the dunes of Texel by 2029. Nobody may enter the dunes in June."
    rule = closure(prompt, "in June", outdoor=True, months=(6,))
    calendars = work_calendars(brief(prompt, closures=(rule,)))
    assert not calendars.of("research", outdoor=True, fixed=False).is_open(date(2027, 6, 9))


def test_a_season_over_the_turn_of_the_year_is_named_from_its_first_month():
    prompt = "Repair the ski lift of Abetone by 2028. The slope is closed to works in the snow season."
    rule = closure(prompt, "in the snow season", outdoor=True, months=(12, 1, 2, 3))
    notes = work_calendars(brief(prompt, closures=(rule,))).notes
    assert any("no work from December to March" in note for note in notes)


def test_closures_that_leave_no_day_are_set_aside_and_named():
    never = closure(CAFE, "August is closed", months=tuple(range(1, 13)))
    calendars = work_calendars(brief(CAFE, closures=(never,)))
    assert calendars.ours.is_open(TODAY)
    assert calendars.closures == ()
    assert any("August is closed" in note and "settle which" in note for note in calendars.notes)


def test_nobody_starts_on_new_years_day_or_at_christmas():
    calendars = work_calendars(brief(CAFE, closures=()))
    assert not calendars.ours.is_open(date(2027, 1, 1))
    assert not calendars.others.is_open(date(2028, 12, 25))
    assert any("public holidays" in note for note in calendars.notes)
