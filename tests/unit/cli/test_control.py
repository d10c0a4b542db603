"""Beginning another run from the command line: resume and retry."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from planloom_cli import exits
from planloom_cli.service import ServiceError
from tests.unit.cli.conftest import PLAN, Command, ended, status


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (("resume", PLAN), ("plan_resume", {"model_profile": None, "force_upgrade": None})),
        (
            ("resume", PLAN, "--profile", "premium", "--force-upgrade"),
            ("plan_resume", {"model_profile": "premium", "force_upgrade": True}),
        ),
        (("retry", PLAN, "--profile", "custom"), ("plan_retry", {"model_profile": "custom"})),
    ],
)
def test_another_run_is_begun_followed_and_brought_home(
    command: Command, tmp_path: Path, words: tuple[str, ...], asked: tuple[str, dict[str, Any]]
) -> None:
    command.service.statuses = [status("processing", 12, "Team"), status()]
    result = command.at_url(*words, "--output", str(tmp_path))
    code, told = ended(result)
    report, archive = tmp_path / f"{PLAN}-030-report.html", tmp_path / f"{PLAN}-run.zip"
    assert (code, result.stdout.split()) == (0, [str(report), str(archive)])
    assert report.read_bytes() == b"<!doctype html>"
    assert command.service.asked[0] == (asked[0], {"plan_id": PLAN} | asked[1])
    assert f"plan {PLAN}" in told
    assert ("12 finished steps are kept" in told) == (words[0] == "resume")
    assert "12/30 Team" in told


def test_a_plan_that_cannot_be_resumed_ends_with_2_and_says_what_to_do(command: Command) -> None:
    command.service.error = ServiceError("PLAN_NOT_RESUMABLE", "The plan is processing. Poll plan_status.")
    result = command.at_url("resume", PLAN)
    assert ended(result) == (exits.REFUSED, "planloom: PLAN_NOT_RESUMABLE: The plan is processing. Poll plan_status.\n")


def test_a_run_that_fails_again_ends_with_1_and_tells_why(command: Command, tmp_path: Path) -> None:
    command.service.statuses = [
        status("failed", 12, error={"message": "The provider answered 503.", "recoverable": True})
    ]
    result = command.at_url("resume", PLAN, "--output", str(tmp_path), "--json")
    code, told = ended(result)
    assert (code, json.loads(result.stdout)["state"]) == (exits.FAILED, "failed")
    assert f"The provider answered 503. `planloom resume {PLAN}` goes on from there" in told
    assert list(tmp_path.iterdir()) == []


def test_without_a_service_there_is_nothing_to_resume(command: Command) -> None:
    assert ended(command.run("resume", PLAN))[0] == exits.UNREACHABLE


def test_a_file_is_edited_under_the_hash_of_what_was_read(command: Command, tmp_path: Path) -> None:
    written = tmp_path / "mine.md"
    written.write_text("mine\n")
    result = command.at_url("edit", PLAN, "004-2-purpose.md", "--file", str(written))
    assert (ended(result), result.stdout) == ((0, ""), "Call plan_resume.\n")
    assert command.service.asked[-1] == (
        "plan_artifact_edit",
        {
            "plan_id": PLAN,
            "path": "004-2-purpose.md",
            "content": "mine\n",
            "expected_sha256": hashlib.sha256(command.service.text.encode()).hexdigest(),
        },
    )


def test_the_editor_opens_with_the_whole_file(command: Command, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf "and a third\\n" >> "$1"\n')
    editor.chmod(0o755)
    result = command.at_url("edit", PLAN, "004-2-purpose.md", EDITOR=str(editor), VISUAL=str(editor))
    assert ended(result) == (0, "")
    assert command.service.asked[-1][1]["content"] == "one line\nand another\nand a third\n"


def test_what_was_not_changed_is_not_sent(command: Command, tmp_path: Path) -> None:
    result = command.at_url("edit", PLAN, "004-2-purpose.md", EDITOR="true", VISUAL="true")
    assert ended(result) == (exits.REFUSED, "planloom: 004-2-purpose.md was not changed.\n")
    assert {name for name, _ in command.service.asked} == {"plan_artifact_read"}


def test_a_derived_plan_is_followed_and_brought_home(command: Command, tmp_path: Path) -> None:
    command.service.changed = {"plan_id": PLAN, "state": "pending", "derived_from": "origin", "next_steps": "Poll."}
    result = command.at_url("edit", PLAN, "004-2-purpose.md", "--undo", "--output", str(tmp_path))
    assert ended(result)[0] == 0
    assert result.stdout.split() == [str(tmp_path / f"{PLAN}-030-report.html"), str(tmp_path / f"{PLAN}-run.zip")]
    assert "derived from origin" in result.stderr


INVALIDATED = {
    "plan_id": PLAN,
    "state": "stopped",
    "next_steps": "Call plan_resume.",
    "steps": [
        {"step": "016-expert_criticism", "why": "named", "cost": {"calls": 4}},
        {"step": "024-review_plan", "why": "depends", "cost": None},
    ],
    "cost_at_most": {"calls": 4, "input_tokens": 12000, "output_tokens": 900},
    "edits_lost": ["024-2-review_plan.md"],
}


def test_what_an_invalidation_costs_is_said_first(command: Command) -> None:
    command.service.changed = INVALIDATED
    result = command.at_url("invalidate", PLAN, "016", "024-2-review_plan.md", "--dry-run")
    assert ended(result) == (0, "")
    assert result.stdout.splitlines() == [
        "016-expert_criticism         named    4 calls",
        "024-review_plan              depends  never finished",
        "at most 4 calls, 12,000 tokens read, 900 written",
        "your edit of 024-2-review_plan.md would be made again from scratch",
    ]
    asked = {"stages": ["016"], "artifacts": ["024-2-review_plan.md"], "dry_run": True, "plan_id": PLAN}
    assert command.service.asked == [("plan_invalidate", asked)]


def test_an_invalidation_says_what_to_do_next(command: Command) -> None:
    command.service.changed = INVALIDATED
    assert command.at_url("invalidate", PLAN, "016").stdout.splitlines()[-1] == "Call plan_resume."
    assert json.loads(command.at_url("invalidate", PLAN, "016", "--json").stdout) == INVALIDATED


def test_a_validation_is_followed_and_brought_home(command: Command, tmp_path: Path) -> None:
    result = command.at_url("validate", PLAN, "--profile", "premium", "--output", str(tmp_path))
    assert ended(result)[0] == 0
    assert command.service.asked[0] == ("plan_validate", {"plan_id": PLAN, "model_profile": "premium"})
    assert len(result.stdout.split()) == 2
