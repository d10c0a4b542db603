"""Stage 030: every section once, the figures first, and the mark that the pipeline is complete."""

import asyncio
import json
import re
from dataclasses import replace

import pytest

from planloom.domain.artifacts import COMPLETE, QUALITY, REPORT
from planloom.quality.checks import CHECKS
from planloom.report import annexes
from planloom.stages import PIPELINE, report
from planloom.stages.report import ORDER, STAGE, files
from tests.unit.stages.drafting import desk_for
from tests.unit.stages.finished import finished, text_of
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

    assert tuple(found) == (ORDER[0], "goal", *ORDER[1:], "quality", "claims")


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

    assert f"Nothing was found. {len(CHECKS)} checks read the finished plan" in quality
    assert quality.count('<td dir="auto">nothing</td>') == len(CHECKS)
    assert '<dt>Quality</dt><dd dir="auto">not scored</dd>' in html(prompt)
    assert "an outline without a language model; the checks: they found nothing" in html(prompt)


def test_a_plan_with_ten_times_the_text_is_a_page_of_a_megabyte_and_annexes_that_are_its_files(monkeypatch):
    # what is tested is the form: the checks of so long a plan and the rendering of all of it take long
    quality = finished(CAFE)["report"].quality
    monkeypatch.setattr(report, "assess", lambda *_, **__: quality)
    monkeypatch.setattr(annexes, "RENDERED_CHARS", 1_000_000)
    texts = {name: text_of(CAFE, name) * 10 for name in ORDER}
    made = asyncio.run(STAGE.draft(replace(desk_for(CAFE, STAGE, finished(CAFE)), texts=texts)))

    assert len(made.html.encode()) <= 1_000_000
    assert sum(map(len, made.annexes.values())) > 1_000_000
    assert made.annexes.keys() <= files(made).keys()
    assert sorted(re.findall(r"<code data-file='([^']+)'>", made.html)) == sorted(made.annexes)
    assert "030-3-annex-executive_summary.html" not in made.annexes


def test_words_that_the_goal_bans_are_printed_in_the_goal_alone():
    sections = re.findall(r'<section id="([a-z_0-9]+)".*?</section>', html(CAFE), re.DOTALL)
    texts = re.findall(r"<section id=.*?</section>", html(CAFE), re.DOTALL)

    assert [name for name, text in zip(sections, texts, strict=True) if "curated" in text] == ["goal"]


def test_the_report_and_the_mark_of_completion_are_its_files():
    made = files(finished(CAFE)["report"])

    assert set(made) == {REPORT, QUALITY, COMPLETE}
    assert json.loads(made[QUALITY])["summary"] == {"score": None, "findings": {"high": 0, "medium": 0, "low": 0}}
    assert made[COMPLETE] == f"Complete: {len(ORDER)} sections in 030-report.html.\n"
