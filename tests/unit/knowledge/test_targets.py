"""The dated demands of a prompt and the packages that must be done by them."""

from datetime import date

from planloom.knowledge.sequence import orders
from planloom.knowledge.targets import goals, targets
from planloom.knowledge.work_breakdown import works
from planloom.knowledge.work_network import step_of
from tests.unit.knowledge.planning import brief, day
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP


def found_in(planned):
    made = works(planned)
    keys = {w.id: w.row.id for w in made}
    steps, links = [step_of(w) for w in made], orders(planned, made)
    return keys, targets(planned, steps, links), {keys[i] for i in goals(planned, steps, links)}


def test_a_dated_deadline_asks_for_acceptance_and_not_for_closing():
    planned = brief(CAFE, days=(day(CAFE, "1 May 2027", date(2027, 5, 1), "deadline", "We want to open a café"),))
    keys, found, wanted = found_in(planned)
    assert [(t.title, t.day, t.final) for t in found] == [("Open a café", date(2027, 5, 1), True)]
    assert {"acceptance", "trial_days", "oven_line"} <= wanted
    assert not {"opening", "handover", "success_read_1"} & wanted
    assert {keys[i] for i in found[0].tasks} == wanted


def test_a_time_frame_asks_for_closing_too():
    _, found, wanted = found_in(brief(NURSE_APP))
    assert found[-1].title == "End of the time frame"
    assert {"acceptance", "rollout", "handover"} <= wanted


def test_a_milestone_is_held_by_the_package_that_its_words_name():
    pilot = day(NURSE_APP, "November 2027", date(2027, 11, 30), "milestone", "Pilot with 60 nurses in Turkana")
    keys, found, _ = found_in(brief(NURSE_APP, days=(pilot,)))
    assert [keys[i] for i in found[0].tasks] == ["pilot"]
    assert NURSE_APP[slice(*map(int, found[0].source.removeprefix("prompt:").split("-")))] == "November 2027"


def test_a_goal_without_any_date_has_no_target():
    prompt = "Build a footbridge over the Sázava in Žďár."
    assert found_in(brief(prompt, days=(), durations=()))[1] == ()


def test_the_deadline_comes_last_whatever_its_date():
    late = day(FLOOD_WALL, "30 September 2029", date(2029, 9, 30), "deadline", "the wall must be closed")
    early = day(FLOOD_WALL, "before tendering", date(2028, 1, 31), "milestone", "the permit is issued")
    _, found, _ = found_in(brief(FLOOD_WALL, days=(late, early)))
    assert [t.final for t in found] == [False, True]
