"""A stage that says, asks or makes something else has another version: what an older one made is then made again."""

import shutil
from pathlib import Path

import pytest

from planloom.planes.strategic.stages.pipeline import PIPELINE
from tests.unit.strategic.stages import versions


def test_no_stage_changed_without_its_version() -> None:
    assert versions.unraised(versions.kept()) == [], "let python -m tests.unit.strategic.stages.versions --raise do it"


def test_the_table_holds_every_stage_as_it_is() -> None:
    assert versions.kept() == {stage.name: versions.entry(stage.name) for stage in PIPELINE}, (
        "renew it: python -m tests.unit.strategic.stages.versions"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Then name the base", "Now name the base"),
        ("max_length=12)", "max_length=13)"),
        ('"# Choice"', '"# The choice"'),
    ],
    ids=["instructions", "answer", "Markdown"],
)
def test_a_change_of_what_is_asked_answered_or_shown_is_seen(
    old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _hash_after("stages/choice.py", old, new, tmp_path, monkeypatch) != versions.kept()["choice"][1]


@pytest.mark.parametrize(
    ("file", "old", "new", "stage"),
    [
        ("stages/whole_plan.py", "Headings, order and tables are", "Headings and tables are", "draft"),
        ("stages/quality_section.py", "Not scored", "No score", "report"),
        ("quality/values.py", "million", "millions", "report"),
    ],
)
def test_a_change_of_a_part_or_of_a_check_is_a_change_of_the_stage(
    file: str, old: str, new: str, stage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _hash_after(file, old, new, tmp_path, monkeypatch, stage) != versions.kept()[stage][1]


def test_what_an_answer_is_sent_back_with_belongs_to_every_stage_that_asks_and_a_check_to_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent_back = _hash_after("quality/answers.py", "not even quoted", "not in quotes", tmp_path / "a", monkeypatch)
    monkeypatch.undo()
    checked = _hash_after("quality/values.py", "million", "millions", tmp_path / "b", monkeypatch)

    assert (sent_back == versions.kept()["choice"][1], checked == versions.kept()["choice"][1]) == (False, True)


def test_comments_layout_and_the_version_itself_are_no_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    same = _hash_after("stages/choice.py", "    version=", "    # why\n\n    version=1", tmp_path, monkeypatch)

    assert same == versions.kept()["choice"][1]


def test_the_command_raises_a_version_by_one(tmp_path: Path) -> None:
    stage = tmp_path / "pitch.py"
    stage.write_text("STAGE = Stage(\n    version=9,\n)\n")

    versions.raise_version(stage)

    assert stage.read_text() == "STAGE = Stage(\n    version=10,\n)\n"


def _hash_after(
    file: str, old: str, new: str, folder: Path, monkeypatch: pytest.MonkeyPatch, stage: str = "choice"
) -> str:
    for package in versions.PACKAGES:
        source = versions.FOLDER.parent / package
        shutil.copytree(source, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    changed = folder / file
    text = changed.read_text(encoding="utf-8")
    assert old in text
    changed.write_text(text.replace(old, new), encoding="utf-8")
    monkeypatch.setattr(versions, "FOLDER", folder / "stages")
    return versions.source_hash(stage)
