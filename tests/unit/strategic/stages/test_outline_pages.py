"""What programs say of a plan without a model is true of it, short, and never denies what was only not found."""

import pytest

from planloom.planes.strategic.quality.words import count_words as word_count
from planloom.planes.strategic.spine.rows import Frame, Package
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.annexes import ORDER
from planloom.planes.strategic.stages.main_document import CHAPTERS
from planloom.planes.strategic.stages.outline_pages import outline_page, outline_summary
from planloom.planes.strategic.stages.schedule import STAGE
from tests.unit.strategic.compute.sound import framed
from tests.unit.strategic.compute.spines import START, realistic
from tests.unit.strategic.stages.computed_plans import a_plan, a_schedule, a_spine

NAMES = [*CHAPTERS, *(name for name in ORDER if name != "tables")]


@pytest.mark.parametrize("name", NAMES)
def test_every_section_says_something_of_any_plan(name: str) -> None:
    least = Spine(frame=Frame(title="A", objective="It runs", start=START), packages=(Package(id="P1", title="Do it"),))

    for spine in (least, a_spine()):
        assert outline_page(name, a_plan(spine)).strip()


def test_what_was_not_found_in_the_goal_is_not_said_to_be_none() -> None:
    plan = a_plan(framed(a_spine(), end=None, budget=0))
    text = "\n".join([outline_page("budget", plan), outline_page("calendar", plan), outline_summary(plan)])

    assert "No amount could be read in the goal" in text
    assert "No day could be read in the goal" in text
    assert "The limit found" not in text


def test_the_budget_is_set_against_the_limit() -> None:
    assert "EUR 19,730 more than all lines" in outline_page("budget", a_plan())
    assert "EUR 80,270 less than all lines" in outline_page("budget", a_plan(framed(a_spine(), budget=300_000)))


def test_assumed_rows_are_said_to_be_assumed() -> None:
    assert "assumed" in outline_page("budget", a_plan()).partition("## ")[0]


def test_forty_packages_take_less_than_six_thousand_words() -> None:
    spine = realistic(5)
    plan = a_plan(spine)
    pages = [outline_page(name, plan) for name in NAMES]
    schedule = STAGE.pages(a_schedule(spine))["schedule"]

    assert word_count("\n".join([schedule, outline_summary(plan), *pages])) < 6000
