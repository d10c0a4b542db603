"""Editing a file from the command line, with its hash; listing files and versions."""

import hashlib
import json
from pathlib import Path

import pytest

from planloom_cli import edit, exits, retry_calls
from planloom_cli.service import KeyRefused, ServiceError, Unreachable
from tests.unit.cli.conftest import HASH, PATH, PLAN, Command, ended


@pytest.fixture
def editor(tmp_path: Path) -> dict[str, str]:
    """An environment whose editor adds a line at the end of the file."""
    script = tmp_path / "editor"
    script.write_text('#!/bin/sh\nprintf "and a third\\n" >> "$1"\n')
    script.chmod(0o755)
    return {"EDITOR": str(script), "VISUAL": str(script)}


def test_a_file_is_edited_under_the_hash_of_what_was_read(command: Command, tmp_path: Path) -> None:
    written = tmp_path / "mine.md"
    written.write_text("mine\n")
    result = command.at_url("edit", PLAN, PATH, "--file", str(written))
    assert (ended(result), result.stdout) == ((0, ""), f"Run `planloom resume {PLAN}` to continue the plan.\n")
    assert command.service.asked[-1] == (
        "plan_artifact_edit",
        {
            "plan_id": PLAN,
            "path": PATH,
            "content": "mine\n",
            "start": True,
            "expected_sha256": hashlib.sha256(command.service.text.encode()).hexdigest(),
        },
    )


def test_the_editor_opens_with_the_whole_file(command: Command, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf "and a third\\n" >> "$1"\n')
    editor.chmod(0o755)
    result = command.at_url("edit", PLAN, PATH, EDITOR=str(editor), VISUAL=str(editor))
    assert ended(result) == (0, "")
    assert command.service.asked[-1][1]["content"] == "one line\nand another\nand a third\n"


def test_an_unchanged_file_is_not_sent(command: Command, tmp_path: Path) -> None:
    result = command.at_url("edit", PLAN, PATH, EDITOR="true", VISUAL="true")
    assert ended(result) == (
        exits.REFUSED,
        f"planloom: {PATH} was not changed: the new text equals the current text.\n",
    )
    assert {name for name, _ in command.service.asked} == {"plan_artifact_read"}


def test_a_derived_plan_is_followed_and_its_files_are_saved(command: Command, tmp_path: Path) -> None:
    lost = ["016-2-expert_criticism.md"]
    command.service.changed |= {"state": "pending", "derived_from": "origin", "next_steps": "Poll.", "edits_lost": lost}
    result = command.at_url("edit", PLAN, PATH, "--undo", "--output", str(tmp_path))
    assert ended(result)[0] == 0
    assert result.stdout.split() == [str(tmp_path / f"{PLAN}-030-report.html"), str(tmp_path / f"{PLAN}-run.zip")]
    assert "derived from origin" in result.stderr
    assert "your edit of 016-2-expert_criticism.md was replaced" in result.stderr


TYPED = "one line\nand another\nand a third\n"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ServiceError("ARTIFACT_CONFLICT", "Somebody changed it."), exits.REFUSED),
        (ServiceError("PLAN_ACTIVE", "Stop it first."), exits.REFUSED),
        (ServiceError("INVALID_ARGUMENT", "It does not fit its model."), exits.REFUSED),
        (Unreachable("The service does not answer."), exits.UNREACHABLE),
        (KeyRefused("It refused the API key."), exits.KEY_REFUSED),
        (KeyboardInterrupt(), exits.INTERRUPTED),
    ],
)
def test_typed_text_is_saved_if_the_service_does_not_accept_it(
    command: Command,
    tmp_path: Path,
    editor: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    code: int,
) -> None:
    monkeypatch.setattr(retry_calls, "RETRY_SECONDS", -1.0)
    output = tmp_path / "plans"
    output.mkdir()
    (output / PATH).write_text("of yesterday")
    command.service.lost_answers = [error]
    left, said = ended(command.at_url("edit", PLAN, PATH, "--output", str(output), **editor))
    assert left == code
    kept = output / "002-2-screening-1.md"
    assert kept.read_text() == TYPED
    sha256 = hashlib.sha256(command.service.text.encode()).hexdigest()
    assert f"planloom edit {PLAN} {PATH} --file {kept} --expected-sha256 {sha256}" in said
    assert (output / PATH).read_text() == "of yesterday"


def test_typed_text_is_saved_if_the_folder_cannot_be_written(
    command: Command, tmp_path: Path, editor: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edit.tempfile, "mkdtemp", lambda prefix: str(tmp_path / prefix))
    command.service.lost_answers = [ServiceError("PLAN_ACTIVE", "Stop it first.")]
    command.at_url("edit", PLAN, PATH, "--output", str(tmp_path / "editor"), **editor)
    assert (tmp_path / "planloom-" / PATH).read_text() == TYPED


def test_on_a_terminal_the_editor_opens_again_with_invalid_text(
    command: Command, editor: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edit, "sys", type("Sys", (), {"stdin": type("Terminal", (), {"isatty": lambda: True})}))
    command.service.lost_answers = [ServiceError("INVALID_ARGUMENT", "It does not fit its model.")]
    result = command.at_url("edit", PLAN, PATH, typed="y\n", **editor)
    assert ended(result)[0] == 0
    assert "It does not fit its model." in result.stderr
    sent = [arguments["content"] for tool, arguments in command.service.asked if tool == "plan_artifact_edit"]
    assert sent == [TYPED, TYPED + "and a third\n"]


def test_an_offline_edit_names_the_hash_of_its_original(command: Command, tmp_path: Path) -> None:
    written = tmp_path / "mine.md"
    written.write_text("mine\n")
    result = command.at_url("edit", PLAN, PATH, "--file", str(written), "--expected-sha256", HASH)
    assert ended(result)[0] == 0
    ((tool, asked),) = command.service.asked
    assert (tool, asked["expected_sha256"]) == ("plan_artifact_edit", HASH)


def test_the_editor_does_not_open_if_the_file_was_changed(command: Command, editor: dict[str, str]) -> None:
    code, said = ended(command.at_url("edit", PLAN, PATH, "--expected-sha256", HASH, **editor))
    assert (code, "was changed since you read it" in said) == (exits.REFUSED, True)
    assert {name for name, _ in command.service.asked} == {"plan_artifact_read"}


def test_a_named_version_is_restored_and_needs_undo(command: Command) -> None:
    assert ended(command.at_url("edit", PLAN, PATH, "--undo", "--version", "v1", "--no-start"))[0] == 0
    asked = {"plan_id": PLAN, "path": PATH, "version": "v1", "expected_sha256": None, "start": False}
    assert command.service.asked == [("plan_artifact_undo", asked)]
    assert ended(command.at_url("edit", PLAN, PATH, "--version", "v1"))[0] == exits.REFUSED


def test_files_are_listed_with_hash_and_size_on_all_pages(command: Command) -> None:
    assert command.at_url("files", PLAN).stdout.splitlines() == [
        f"{HASH}      1,234  001-2-plan.txt",
        f"{HASH}      1,234  {PATH}",
    ]
    listed = json.loads(command.at_url("files", PLAN, "--json").stdout)
    assert ([file["path"] for file in listed["artifacts"]], listed["total"]) == (["001-2-plan.txt", PATH], 2)


def test_a_file_is_printed_as_it_is_and_its_hash_beside(command: Command) -> None:
    result = command.at_url("files", PLAN, PATH)
    sha256 = hashlib.sha256(command.service.text.encode()).hexdigest()
    assert (ended(result), result.stdout) == ((0, f"sha256 {sha256}\n"), command.service.text)
    as_json = json.loads(command.at_url("files", PLAN, PATH, "--json").stdout)
    assert as_json == {"plan_id": PLAN, "path": PATH, "sha256": sha256, "text": command.service.text}


def test_versions_are_listed_newest_first(command: Command) -> None:
    assert command.at_url("versions", PLAN, PATH).stdout.splitlines() == [
        f"v2  2026-11-02 09:00      1,234  {HASH}  current",
        "v1  2026-11-02 09:00         99  -",
    ]
