"""A stage that says, asks or makes something else has another version: what an older one made is then made again."""

import shutil
from pathlib import Path

import pytest

from planloom.drafting.pipeline import PIPELINE
from tests.unit.stages import versions


def test_no_stage_changed_without_its_version() -> None:
    assert versions.unraised(versions.kept()) == [], "let python -m tests.unit.stages.versions --raise do it"


def test_the_table_holds_every_stage_as_it_is() -> None:
    assert versions.kept() == {stage.name: versions.entry(stage.name) for stage in PIPELINE}, (
        "renew it: python -m tests.unit.stages.versions"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Write the pitch: one page", "Write the pitch: two pages"),
        ("READS = of_plan(6000, GOAL", "READS = of_plan(5000, GOAL"),
        ('"# Pitch"', '"# The pitch"'),
    ],
    ids=["instructions", "excerpt", "Markdown"],
)
def test_a_change_of_what_is_asked_read_or_shown_is_seen(
    old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _hash_after("stages/pitch.py", old, new, tmp_path, monkeypatch) != versions.kept()["pitch"][1]


def test_a_change_of_a_part_is_a_change_of_the_stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = _hash_after("stages/parts/pitch_answer.py", "max_length=", "max_length=1", tmp_path, monkeypatch)

    assert changed != versions.kept()["pitch"][1]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("quality/money.py", "ROUNDING = 0.01", "ROUNDING = 0.02"),
        ("quality/values.py", "million", "millions"),
        ("stages/parts/quality_section.py", "Not scored", "No score"),
    ],
)
def test_a_change_of_a_check_or_of_what_is_said_of_it_is_a_change_of_the_report(
    file: str, old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = _hash_after(file, old, new, tmp_path, monkeypatch, "report")

    assert changed != versions.kept()["report"][1]


def test_what_an_answer_is_sent_back_with_belongs_to_every_stage_that_asks_and_a_check_to_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = _hash_after("quality/answers.py", "not even quoted", "not in quotes", tmp_path / "told", monkeypatch)
    monkeypatch.undo()
    checked = _hash_after("quality/money.py", "ROUNDING = 0.01", "ROUNDING = 0.02", tmp_path / "check", monkeypatch)

    assert (told == versions.kept()["pitch"][1], checked == versions.kept()["pitch"][1]) == (False, True)


def test_comments_layout_and_the_version_itself_are_no_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    same = _hash_after("stages/pitch.py", "    version=", "    # why\n\n    version=1", tmp_path, monkeypatch)

    assert same == versions.kept()["pitch"][1]


def test_the_command_raises_a_version_by_one(tmp_path: Path) -> None:
    stage = tmp_path / "pitch.py"
    stage.write_text("STAGE = Stage(\n    version=9,\n)\n")

    versions.raise_version(stage)

    assert stage.read_text() == "STAGE = Stage(\n    version=10,\n)\n"


def _hash_after(
    file: str, old: str, new: str, folder: Path, monkeypatch: pytest.MonkeyPatch, stage: str = "pitch"
) -> str:
    for room in ("stages", "quality"):
        shutil.copytree(versions.FOLDER.parent / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    changed = folder / file
    text = changed.read_text(encoding="utf-8")
    assert old in text
    changed.write_text(text.replace(old, new), encoding="utf-8")
    monkeypatch.setattr(versions, "FOLDER", folder / "stages")
    return versions.source_hash(stage)
