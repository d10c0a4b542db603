"""Whatever somebody types, the stages make a plan of it: no text is too long, too short or too strange."""

import re

import pytest

from planloom.planes.strategic.stages.pipeline import PIPELINE, stage_named
from tests.unit.strategic.services.strange_goals import STRANGE
from tests.unit.strategic.stages.whole import outline, sections


@pytest.mark.parametrize("prompt", STRANGE.values(), ids=STRANGE)
def test_any_prompt_becomes_a_whole_plan(prompt: str) -> None:
    made = outline(prompt)

    assert set(made) == {each.name for each in PIPELINE}
    assert [name for name, text in sections(made).items() if len(text) <= 40] == []
    report = stage_named("report").files(made["report"])["030-report.html"]
    assert len(report.encode()) < 1_000_000
    # the only script and style are the page's own, and the rows of a collapsed table are data
    assert len(re.findall(r'<script(?! type="application/json")', report)) == 1
    assert len(re.findall(r"<style", report)) == 1
    assert "<img" not in report
