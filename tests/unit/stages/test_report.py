"""Stage 030: every section once, the figures first, and the mark that the pipeline is complete."""

import json
import re

import pytest

from planloom.domain.artifacts import COMPLETE, QUALITY, REPORT
from planloom.stages import PIPELINE
from planloom.stages.report import ORDER, STAGE, files
from tests.unit.stages.finished import finished
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

EVERY_GOAL = pytest.mark.parametrize("prompt", [CAFE, FLOOD_WALL, NURSE_APP], ids=["cafe", "wall", "app"])


def html(prompt):
    return finished(prompt)["report"].html


def test_each_stage_but_the_report_is_a_section_once():
    assert sorted(ORDER) == sorted(stage.name for stage in PIPELINE if stage.name != "report")
    assert set(STAGE.needs) == set(ORDER)


@EVERY_GOAL
def test_every_section_stands_in_the_page_in_order(prompt):
    found = re.findall(r'<section id="([a-z_0-9]+)"', html(prompt))

    assert tuple(found) == (*ORDER, "quality", "claims", "prompt")


@EVERY_GOAL
def test_the_computed_dates_stand_among_the_figures(prompt):
    schedule = finished(prompt)["schedule"]
    cards = html(prompt).partition('class="cards"')[2].partition("</dl>")[0]

    for day in (schedule.start, schedule.end, schedule.p80):
        assert f"{day.day} {day:%B %Y}" in cards
    assert "of 25" in cards


@EVERY_GOAL
def test_the_report_is_smaller_than_a_megabyte_and_says_how_it_was_drafted(prompt):
    assert len(html(prompt).encode()) < 1_000_000
    assert "Drafted by outline, without a language model" in html(prompt)


@EVERY_GOAL
def test_the_chart_holds_every_package_and_milestone_and_the_dependencies(prompt):
    schedule = finished(prompt)["schedule"]

    assert set(re.findall(r'data-id="([^"]+)"', html(prompt))) == {
        *(task.id for task in schedule.tasks),
        *(milestone.id for milestone in schedule.milestones),
    }
    assert html(prompt).count('class="g-arrow') == len(schedule.links)


@EVERY_GOAL
def test_nothing_found_is_said_plainly_and_what_was_read_is_listed(prompt):
    quality = html(prompt).partition('<section id="quality"')[2].partition("</section>")[0]

    assert "Nothing was found. 11 checks read the finished plan" in quality
    assert quality.count('<td dir="auto">nothing</td>') == 11
    assert '<dt>Quality</dt><dd dir="auto">100 of 100</dd>' in html(prompt)
    assert "score of the checks; they found nothing" in html(prompt)


def test_the_report_and_the_mark_of_completion_are_its_files():
    made = files(finished(CAFE)["report"])

    assert set(made) == {REPORT, QUALITY, COMPLETE}
    assert json.loads(made[QUALITY])["summary"] == {"score": 100, "findings": {"high": 0, "medium": 0, "low": 0}}
    assert made[COMPLETE] == f"Complete: {len(ORDER)} sections in 030-report.html.\n"
