"""Beginning another run from the command line: resume and retry."""

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
    command.service.statuses = [status("failed", 12, error={"message": "The provider answered 503."})]
    result = command.at_url("resume", PLAN, "--output", str(tmp_path), "--json")
    code, told = ended(result)
    assert (code, json.loads(result.stdout)["state"]) == (exits.FAILED, "failed")
    assert "The provider answered 503." in told
    assert list(tmp_path.iterdir()) == []


def test_without_a_service_there_is_nothing_to_resume(command: Command) -> None:
    assert ended(command.run("resume", PLAN))[0] == exits.UNREACHABLE
