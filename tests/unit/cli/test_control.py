"""Beginning another run from the command line: resume, retry, invalidate, validate; once each."""

import json
from pathlib import Path
from typing import Any

import pytest

from planloom_cli import exits
from planloom_cli.service import ServiceError, Unreachable
from tests.unit.cli.conftest import PATH, PLAN, Command, ended, status


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
def test_another_run_is_started_followed_and_its_files_are_saved(
    command: Command, tmp_path: Path, words: tuple[str, ...], asked: tuple[str, dict[str, Any]]
) -> None:
    command.service.statuses = [status("processing", 12, "Annexes"), status()]
    result = command.at_url(*words, "--output", str(tmp_path))
    code, told = ended(result)
    report, archive = tmp_path / f"{PLAN}-030-report.html", tmp_path / f"{PLAN}-run.zip"
    assert (code, result.stdout.split()) == (0, [str(report), str(archive)])
    assert report.read_bytes() == b"<!doctype html>"
    assert command.service.asked[0] == (asked[0], {"plan_id": PLAN} | asked[1])
    assert f"plan {PLAN}" in told
    assert ("12 finished steps are kept" in told) == (words[0] == "resume")
    assert "12/15 Annexes" in told


def test_a_plan_that_cannot_be_resumed_ends_with_2_and_says_what_to_do(command: Command) -> None:
    command.service.error = ServiceError("PLAN_NOT_RESUMABLE", "The plan is processing. Poll plan_status.")
    result = command.at_url("resume", PLAN)
    assert ended(result) == (exits.REFUSED, "planloom: PLAN_NOT_RESUMABLE: The plan is processing. Poll plan_status.\n")


def test_a_run_that_fails_again_ends_with_1_and_prints_the_reason(command: Command, tmp_path: Path) -> None:
    command.service.statuses = [
        status("failed", 12, error={"message": "The provider answered 503.", "recoverable": True})
    ]
    result = command.at_url("resume", PLAN, "--output", str(tmp_path), "--json")
    code, told = ended(result)
    assert (code, json.loads(result.stdout)["state"]) == (exits.FAILED, "failed")
    assert f"The provider answered 503. Run `planloom resume {PLAN}` to continue it" in told
    assert list(tmp_path.iterdir()) == []


def test_without_a_service_there_is_nothing_to_resume(command: Command) -> None:
    assert ended(command.run("resume", PLAN))[0] == exits.UNREACHABLE


INVALIDATED = {
    "plan_id": PLAN,
    "state": "stopped",
    "next_steps": "Call plan_resume.",
    "steps": [
        {"step": "016-expert_criticism", "why": "named", "cost": {"calls": 4}},
        {"step": "024-review_plan", "why": "depends", "cost": None},
    ],
    "cost_at_most": {
        "calls": 4,
        "input_tokens": 12000,
        "output_tokens": 900,
        "price": {"amount": 0.125, "currency": "USD", "known": True},
    },
    "credits_at_most": 12,
    "edits_lost": ["024-2-review_plan.md"],
}


def test_a_dry_run_prints_the_cost_of_an_invalidation(command: Command) -> None:
    command.service.changed = INVALIDATED
    result = command.at_url("invalidate", PLAN, "016", "024-2-review_plan.md", "--dry-run")
    assert ended(result) == (0, "")
    assert result.stdout.splitlines() == [
        "016-expert_criticism         named    4 calls",
        "024-review_plan              depends  never finished",
        "at most 4 calls, 12,000 input tokens, 900 output tokens, USD 0.12, 12 credits",
        "your edit of 024-2-review_plan.md would be lost: the file would be written again",
    ]
    asked = {"stages": ["016"], "artifacts": ["024-2-review_plan.md"], "dry_run": True, "plan_id": PLAN}
    assert command.service.asked == [("plan_invalidate", asked)]
    assert command.service.begun == []


def test_an_invalidation_prints_the_next_command(command: Command) -> None:
    command.service.changed = INVALIDATED
    assert (
        command.at_url("invalidate", PLAN, "016").stdout.splitlines()[-1]
        == f"Run `planloom resume {PLAN}` to continue the plan."
    )
    assert json.loads(command.at_url("invalidate", PLAN, "016", "--json").stdout) == INVALIDATED


def test_a_validation_is_followed_and_its_files_are_saved(command: Command, tmp_path: Path) -> None:
    result = command.at_url("validate", PLAN, "--profile", "premium", "--output", str(tmp_path))
    assert ended(result)[0] == 0
    assert command.service.asked[0] == ("plan_validate", {"plan_id": PLAN, "model_profile": "premium"})
    assert len(result.stdout.split()) == 2


BEGINS = [
    ("draft", "Open a bakery."),
    ("resume", PLAN),
    ("retry", PLAN),
    ("validate", PLAN),
    ("invalidate", PLAN, "016"),
    ("edit", PLAN, PATH, "--undo"),
]
BUSY = ServiceError("REQUEST_IN_PROGRESS", "The first call with this client_request_id is still running.")


@pytest.mark.parametrize("words", BEGINS)
def test_a_run_is_started_once_if_the_response_is_lost(
    command: Command, tmp_path: Path, words: tuple[str, ...]
) -> None:
    command.service.changed = {**INVALIDATED, "state": "pending"}
    command.service.lost_answers = [Unreachable("The service stopped answering."), BUSY]
    code, said = ended(command.at_url(*words, "--output", str(tmp_path)))
    assert (code, len(command.service.begun), len(set(command.service.begun))) == (0, 3, 1)
    assert "The service answers again." in said
    ended(command.at_url(*words, "--output", str(tmp_path)))
    assert len(set(command.service.begun)) == 2, "another command is another request"


def test_a_rejected_call_is_not_repeated(command: Command) -> None:
    command.service.lost_answers = [ServiceError("INSUFFICIENT_CREDITS", "Ask the operator.")]
    assert ended(command.at_url("draft", "Open a bakery."))[0] == exits.REFUSED
    assert len(command.service.begun) == 1


def test_several_changes_may_come_before_the_run_of_a_derived_plan(command: Command) -> None:
    command.service.changed = {**INVALIDATED, "derived_from": "origin"}
    result = command.at_url("invalidate", PLAN, "016", "--no-start")
    assert ended(result) == (0, f"planloom: plan {PLAN}, derived from origin\n")
    assert result.stdout.splitlines()[-1] == f"Run `planloom resume {PLAN}` to continue the plan."
    assert command.service.asked[-1][1]["start"] is False
