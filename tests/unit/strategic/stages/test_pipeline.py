"""The pipeline as a whole: every stage reads what it declares, every section is written, an outline asks nobody."""

import pytest

from planloom.planes.strategic.pipeline_map import CURRENT
from planloom.planes.strategic.quality.words import count_words
from planloom.planes.strategic.stages.pipeline import PIPELINE, stage_named
from planloom.planes.strategic.stages.report import ORDER, Report
from tests.unit.strategic.stages.whole import modelled, outline, sections
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

#: Sections that a plan of standard detail leaves out.
FULL_ONLY = {"wbs_level3"}


def test_what_a_stage_needs_comes_before_it() -> None:
    order = [stage.name for stage in PIPELINE]

    for stage in PIPELINE:
        assert {*stage.needs} <= {*order[: order.index(stage.name)]}, stage.name
        assert {each.name for each in CURRENT.before(stage.key)} >= {*stage.needs}


def test_names_and_files_of_sections_are_unique() -> None:
    paths = [path for stage in PIPELINE for path in (stage.json_path, *stage.section_paths.values())]
    names = [name for stage in PIPELINE for name in stage.section_paths]

    assert (len(set(paths)), len(set(names))) == (len(paths), len(names))


def test_a_plan_by_a_language_model_has_every_section() -> None:
    names = {name for stage in PIPELINE for name in stage.section_paths}

    assert names - sections(modelled(CAFE)).keys() == FULL_ONLY


def test_a_stage_may_not_read_what_it_does_not_declare() -> None:
    declared = {name for stage in PIPELINE for name in stage.needs}

    # all but the last two are read by somebody: a stage that nobody reads is one too many
    assert {stage.name for stage in PIPELINE} - declared == {"report"}
    assert set(stage_named("report").needs) == {stage.name for stage in PIPELINE} - {"report"}


@pytest.mark.parametrize("goal", [CAFE, FLOOD_WALL, NURSE_APP], ids=["cafe", "wall", "app"])
def test_an_outline_has_at_most_8000_words_and_a_heading_for_each_section(goal: str) -> None:
    results = outline(goal)
    texts = sections(results)
    shown = {name for names in ORDER.values() for name in names}

    assert all(text.startswith("# ") for text in texts.values())
    assert sum(count_words(text) for name, text in texts.items() if name in shown) <= 8_000
    report = results["report"]
    assert isinstance(report, Report)
    assert report.quality.score is None
