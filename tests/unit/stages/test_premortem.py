"""Stage 028: stories that differ in kind, each with a measurable warning, a tripwire and a watcher."""

from datetime import date
from typing import get_args

import pytest

from planloom.stages.parts.countable import grows, has_figure
from planloom.stages.parts.premortem_answer import Kind
from planloom.stages.parts.premortem_outline import ending
from tests.unit.stages.finished import finished
from tests.unit.stages.more_goals import MARATHON, NO_BUDGET
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

ALL = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, "marathon": MARATHON, "no budget": NO_BUDGET}
EVERY_GOAL = pytest.mark.parametrize("prompt", ALL.values(), ids=ALL)


def stories(prompt):
    return finished(prompt)["premortem"].stories


@EVERY_GOAL
def test_the_stories_are_of_every_kind_and_none_is_told_twice(prompt):
    told = stories(prompt)

    assert {story.kind for story in told} == set(get_args(Kind))
    assert len({story.title for story in told}) == len(told)


@EVERY_GOAL
def test_each_story_can_be_watched(prompt):
    for story in stories(prompt):
        assert 3 <= len(story.chain) <= 6
        assert any(character.isdigit() for character in story.look)
        assert story.warning != story.tripwire


@EVERY_GOAL
def test_the_story_of_the_schedule_moves_the_computed_end(prompt):
    schedule, first = finished(prompt)["schedule"], stories(prompt)[0]

    assert f"{schedule.end.day} {schedule.end:%B %Y}" in first.chain[-1]


def test_the_market_story_is_of_the_measure_that_depends_on_people():
    story = next(story for story in stories(CAFE) if story.kind == "market")

    assert "180 paying customers a day" in story.title
    assert story.tripwire.startswith("Below two thirds of 180 paying customers a day on ")


@pytest.mark.parametrize("threshold", ["no overtopping at +2.1 m", "under 90 seconds", "fewer than 1%", "15 August"])
def test_two_thirds_are_asked_only_of_what_grows(threshold):
    assert has_figure(threshold)
    assert not grows(threshold)


def test_a_threshold_is_a_figure_in_digits_in_words_and_as_none():
    assert has_figure("at least 62%")
    assert has_figure("under eight minutes")
    assert has_figure("no complaint")
    assert not has_figure("to be set as a number before the first gate")
    assert not has_figure("good enough")


def test_an_overrun_within_the_slack_moves_no_date():
    schedule = finished(CAFE)["schedule"].model_copy(update={"end": date(2027, 3, 1)})

    assert ending(schedule, 0, 12) == (
        "Its 12 working days of slack were gone, and every later delay moved the end beyond 1 March 2027."
    )


def test_an_overrun_beyond_the_spare_days_misses_the_deadline_by_the_rest():
    schedule = finished(CAFE)["schedule"].model_copy(
        update={"end": date(2027, 4, 20), "deadline": date(2027, 5, 1), "spare": 8}
    )

    assert ending(schedule, 10, 0).endswith("and 1 May 2027 was missed by 2.")
    assert ending(schedule, 8, 0) == "The end moved by 8 working days from 20 April 2027."
