"""`planloom draft`: from a goal in any form to files on disk, or to an exit code that says why not."""

import json
from pathlib import Path

import pytest

from planloom_cli import exits, retry_calls
from planloom_cli.service import KeyRefused, ServiceError, Unreachable
from tests.unit.cli.conftest import KEY, PLAN, URL, Command, ended, status

GOAL = "Open a bakery in Lisbon."
AGAIN = f"Run `planloom retry {PLAN}` to restart it, or `planloom draft` with another goal."


def test_a_draft_shows_each_change_once_and_prints_the_paths_of_its_files(command: Command, tmp_path: Path) -> None:
    command.service.statuses = [
        status("pending", 0, queue_position=2),
        status("pending", 0),
        status("processing", 3, "Premise attack"),
        status("processing", 3, "Premise attack"),
        status(),
    ]

    result = command.at_url("draft", GOAL, "--output", str(tmp_path / "plans"))

    assert ended(result)[0] == 0
    report, archive = tmp_path / "plans" / f"{PLAN}-030-report.html", tmp_path / "plans" / f"{PLAN}-run.zip"
    assert result.stdout == f"{report}\n{archive}\n"
    assert (report.read_bytes(), archive.read_bytes()) == (b"<!doctype html>", b"PK")
    assert result.stderr.splitlines() == [
        f"plan {PLAN}",
        " 0/15 waiting in the queue, position 2",
        " 0/15 waiting for a worker",
        " 3/15 Premise attack",
        "15/15 completed",
    ]


@pytest.mark.parametrize(
    ("profiles", "said"),
    [
        ({"baseline": "Outline", "custom": "OpenAI"}, "--profile custom uses openai-1"),
        ({"baseline": "Outline"}, "`planloom models` shows how to add one"),
    ],
)
def test_a_draft_without_a_language_model_says_so(
    command: Command, tmp_path: Path, profiles: dict[str, str], said: str
) -> None:
    command.service.profiles = profiles

    result = command.at_url("draft", GOAL, "--output", str(tmp_path))

    # as wide as the terminal: words may be on two lines
    assert f"drafting with the outline, without a language model; {said}" in " ".join(result.stderr.split())


def test_with_json_standard_output_is_one_line(command: Command, tmp_path: Path) -> None:
    result = command.at_url("draft", GOAL, "--output", str(tmp_path), "--json")

    assert ended(result)[0] == 0
    assert len(result.stdout.splitlines()) == 1
    assert json.loads(result.stdout) == {
        "plan_id": PLAN,
        "state": "completed",
        "steps_completed": 15,
        "steps_total": 15,
        "report": str(tmp_path / f"{PLAN}-030-report.html"),
        "zip": str(tmp_path / f"{PLAN}-run.zip"),
    }


def test_the_goal_comes_from_words_a_file_standard_input_or_an_example(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "goal.txt"
    file.write_text("From a file: 24 chairs, café.", encoding="utf-8")
    output = ["--output", str(tmp_path)]

    command.at_url("draft", GOAL, *output)
    command.at_url("draft", "--file", str(file), "--profile", "premium", *output)
    command.at_url("draft", "--file", "-", *output, typed="From a pipe.\n")
    command.at_url("draft", "--example", "bakery", "--derived-from", PLAN, "--detail", "brief", *output)

    assert [arguments for tool, arguments in command.service.asked if tool == "plan_create"] == [
        {"prompt": GOAL, "model_profile": "baseline"},
        {"prompt": "From a file: 24 chairs, café.", "model_profile": "premium"},
        {"prompt": "From a pipe.\n", "model_profile": "baseline"},
        {"prompt": "Open a bakery.", "model_profile": "baseline", "derived_from": PLAN, "detail": "brief"},
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "The goal is missing or given twice"),
        ([GOAL, "--example", "bakery"], "The goal is missing or given twice"),
        ([""], "The goal is empty"),
        (["   \n"], "The goal is empty"),
        (["--file", "-"], "The goal is empty"),
        (["--file", "no/such/file"], "no/such/file cannot be read as text"),
        (["--file", "."], ". cannot be read as text"),
    ],
)
def test_a_missing_or_empty_goal_is_rejected_before_a_service_is_started(
    command: Command, words: list[str], said: str
) -> None:
    result = command.run("draft", *words, typed="")

    code, error = ended(result)
    assert (code, result.stdout) == (exits.REFUSED, "")
    assert said in error
    assert (command.service.asked, command.started) == ([], [])


def test_a_binary_file_is_rejected(command: Command, tmp_path: Path) -> None:
    (tmp_path / "goal.txt").write_bytes(b"\xff\xfe\x00")

    code, error = ended(command.run("draft", "--file", str(tmp_path / "goal.txt")))

    assert code == exits.REFUSED
    assert "goal.txt cannot be read as text" in error


def test_an_unknown_example_is_rejected_with_the_known_ones(command: Command) -> None:
    code, error = ended(command.at_url("draft", "--example", "castle"))

    assert code == exits.REFUSED
    assert error == "planloom: There is no example 'castle'. Use one of: bakery.\n"
    assert [tool for tool, _ in command.service.asked] == ["example_prompts"]


def test_a_failed_plan_ends_with_1_and_prints_the_reason(command: Command, tmp_path: Path) -> None:
    why = {"failed_step": "002-screening", "message": "It aims at harm.", "recoverable": False}
    command.service.statuses = [status("failed", 3, error=why)]

    result = command.at_url("draft", GOAL, "--json", "--output", str(tmp_path))

    assert ended(result) == (
        exits.FAILED,
        f"plan {PLAN}\n 3/15 failed\nplanloom: plan {PLAN}: It aims at harm. {AGAIN}\n",
    )
    assert json.loads(result.stdout) == {
        "plan_id": PLAN,
        "state": "failed",
        "message": "It aims at harm.",
        "next_step": AGAIN,
        "steps_completed": 3,
        "steps_total": 15,
    }
    assert list(tmp_path.iterdir()) == []


def test_a_stopped_plan_ends_with_5(command: Command) -> None:
    command.service.statuses = [status("processing", 2, "Screening"), status("stopped", 2)]

    result = command.at_url("draft", GOAL)

    code, error = ended(result)
    assert (code, result.stdout) == (exits.STOPPED, "")
    assert error.endswith(
        f"planloom: plan {PLAN}: The plan was stopped. Run `planloom resume {PLAN}` to continue it.\n"
    )


def test_an_error_of_the_service_ends_with_2_and_its_message(command: Command) -> None:
    command.service.error = ServiceError("INVALID_ARGUMENT", "The prompt has 60,000 characters.")

    assert ended(command.at_url("draft", GOAL)) == (
        exits.REFUSED,
        "planloom: INVALID_ARGUMENT: The prompt has 60,000 characters.\n",
    )


def test_a_rejected_key_ends_with_4_and_names_the_key(command: Command) -> None:
    command.service.refusal = KeyRefused("https://planloom.test refused the API key (403).")

    code, error = ended(command.at_url("draft", GOAL))

    assert code == exits.KEY_REFUSED
    assert "Check your API key (--key or PLANLOOM_KEY)" in error
    assert KEY not in error


def test_a_service_that_does_not_answer_ends_with_3(command: Command) -> None:
    command.service.refusal = Unreachable("https://planloom.test does not answer (ConnectError).")

    code, error = ended(command.at_url("draft", GOAL))

    assert code == exits.UNREACHABLE
    assert "does not answer" in error


def test_a_service_that_is_lost_while_the_plan_runs_ends_with_3(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry_calls, "RETRY_SECONDS", 0.0)
    command.service.error = Unreachable("The service stopped answering (Connection closed).")

    assert ended(command.at_url("draft", GOAL))[0] == exits.UNREACHABLE


def test_without_a_service_one_is_started_for_the_time_of_the_draft(command: Command, tmp_path: Path) -> None:
    assert ended(command.run("draft", GOAL, "--output", str(tmp_path)))[0] == 0

    assert command.started == [command.state]
    assert [address.key for address in command.service.addresses] == ["pex_local"]


def test_the_url_and_the_key_may_come_from_the_environment(command: Command, tmp_path: Path) -> None:
    result = command.run("draft", GOAL, "--output", str(tmp_path), PLANLOOM_URL=URL + "/mcp/", PLANLOOM_KEY=KEY)

    assert ended(result)[0] == 0
    (address,) = command.service.addresses
    assert (address.mcp_url, address.http_url, address.key) == (f"{URL}/mcp", URL, KEY)
    assert command.started == []


def test_a_url_without_a_key_is_rejected(command: Command) -> None:
    code, error = ended(command.run("draft", GOAL, "--url", URL))

    assert code == exits.REFUSED
    assert "PLANLOOM_KEY" in error
    assert command.service.addresses == []


def test_an_unknown_option_ends_with_2(command: Command) -> None:
    assert ended(command.run("draft", GOAL, "--colour", "blue"))[0] == exits.REFUSED
