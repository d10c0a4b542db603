"""A study collects its data on the days that its goal names, and ends after the last of them."""

from datetime import date

from planloom.api.example_prompts import example_prompts
from planloom.domain.pert import ThreePoint
from planloom.knowledge.observations import windows, within
from planloom.knowledge.targets import FixedDay
from planloom.knowledge.timetable import outline_timetable, outline_works
from planloom.knowledge.work_network import step_of
from tests.unit.knowledge.planning import brief
from tests.unit.three_goals import CAFE

SOIL = next(sample["prompt"] for sample in example_prompts() if sample["id"] == "soil-carbon-study")
SECOND, THIRD = (FixedDay(date(year, 10, 1), date(year, 10, 31)) for year in (2029, 2031))


def held(prompt: str) -> dict[str, FixedDay]:
    planned = brief(prompt)
    works = outline_works(planned)
    keys = {work.id: work.row.id for work in works}
    return {keys[name]: window for name, window in windows(planned, [step_of(work) for work in works]).items()}


def test_a_study_of_four_growing_seasons_samples_in_its_last_one_and_ends_after_it():
    planned = brief(SOIL)
    times = outline_timetable(planned)
    keys = {work.row.id: work.id for work in outline_works(planned)}
    days = {key: (times.solved.tasks[name].start, times.solved.tasks[name].end) for key, name in keys.items()}

    assert held(SOIL) == {"collection": SECOND, "collection_rest": THIRD}
    assert days["collection"] == (SECOND.first, SECOND.last)
    assert days["collection_rest"] == (date(2031, 10, 1), date(2031, 10, 31))
    assert SECOND.last < days["interim_check"][0] < date(2029, 12, 1), "it can be stopped after the second campaign"
    assert days["rehearsal"][1] < date(2029, 1, 1), "what is ready is not held back for years"
    assert times.solved.end > THIRD.last


def test_a_goal_that_names_no_series_of_days_to_observe_on_holds_nothing():
    assert held(CAFE) == {}
    assert held("Measure the noise of 40 wind farms and publish the study by 1 June 2028, starting in May 2027.") == {}


def test_what_is_observed_on_named_days_lasts_as_long_as_their_working_days():
    assert within({"1.1": ThreePoint(1, 2, 9), "1.2": ThreePoint(1, 2, 9)}, {"1.2": THIRD}) == {
        "1.1": ThreePoint(1, 2, 9),
        "1.2": ThreePoint(23, 23, 23),
    }
