"""The small commands: status, list, stop, download, examples."""

import json
import os
from pathlib import Path

import pytest

from planloom import __version__
from planloom.planes.strategic.services.example_plans import Sample
from planloom_cli import examples, exits, save_files
from planloom_cli.service import Address, ServiceError
from tests.unit.cli import conftest
from tests.unit.cli.conftest import PLAN, Command, ended, status

REPORT, ZIP = f"{PLAN}-030-report.html", f"{PLAN}-run.zip"


def test_status_prints_one_line(command: Command) -> None:
    command.service.statuses = [status("processing", 7, "Repair")]

    result = command.at_url("status", PLAN)

    assert (ended(result), result.stdout) == ((0, ""), "processing: 7 of 15 steps, at Repair\n")


def test_status_without_an_id_is_that_of_the_newest_plan_and_prints_its_id(command: Command) -> None:
    shown = command.at_url("status").stdout

    assert shown.splitlines() == [f"plan {PLAN}", "completed: 15 of 15 steps"]
    assert command.service.asked == [("plan_get_latest", {})]


def test_status_of_a_failed_plan_says_where_and_why(command: Command) -> None:
    why = {"failed_step": "018-documents", "message": "The worker was lost.", "recoverable": True}
    command.service.statuses = [status("failed", 7, error=why)]

    result = command.at_url("status", PLAN)

    assert ended(result)[0] == 0
    assert result.stdout.splitlines() == [
        "failed: 7 of 15 steps",
        "018-documents: The worker was lost.",
        f"Run `planloom resume {PLAN}` to continue it; `planloom logs {PLAN}` shows what happened.",
    ]


@pytest.mark.parametrize(
    ("error", "state", "said"),
    [
        ({"failed_step": None, "message": "No worker came.", "recoverable": False}, "failed", "planloom retry"),
        ({"failure_reason": "version_mismatch", "message": "x", "recoverable": True}, "failed", "planloom retry"),
        (None, "stopped", "planloom resume"),
    ],
)
def test_status_prints_the_next_command(command: Command, error: object, state: str, said: str) -> None:
    command.service.statuses = [status(state, 7, **({"error": error} if error else {}))]

    told = command.at_url("status", PLAN).stdout

    assert f"{said} {PLAN}" in told
    assert "None" not in told


def test_status_as_json_is_the_response_of_the_service(command: Command) -> None:
    result = command.at_url("status", PLAN, "--json")

    assert ended(result)[0] == 0
    assert json.loads(result.stdout) == status()
    assert len(result.stdout.splitlines()) == 1


def test_an_unknown_plan_ends_with_2(command: Command) -> None:
    command.service.error = ServiceError("PLAN_NOT_FOUND", "No plan has the id x.")

    result = command.at_url("status", "x")

    assert ended(result) == (exits.REFUSED, "planloom: PLAN_NOT_FOUND: No plan has the id x.\n")
    assert result.stdout == ""


def test_list_shows_plans_or_what_to_do_if_there_are_none(command: Command) -> None:
    shown = command.at_url("list")
    command.service.plans = 0
    empty = command.at_url("list", "--limit", "3")

    assert PLAN in shown.stdout
    assert "2026-11-02 09:00" in shown.stdout
    assert empty.stdout == "No plans yet.\n"
    assert command.service.asked == [("plan_list", {"limit": 10}), ("plan_list", {"limit": 3})]


def test_stop_says_in_which_state_the_plan_is(command: Command) -> None:
    assert command.at_url("stop", PLAN).stdout == "stopped\n"
    assert json.loads(command.at_url("stop", PLAN, "--json").stdout)["state"] == "stopped"


def test_examples_are_listed_by_name(command: Command) -> None:
    assert command.at_url("examples").stdout.split() == ["bakery", "A", "bakery"]


def test_an_example_is_drafted_by_the_service_to_its_end(command: Command) -> None:
    command.service.statuses = [status("processing", 3, "Levers"), status("stopped", 4)]
    sample = Sample(id="bakery", title="A bakery", prompt="Open a bakery.")

    assert examples._draft(Address("u/mcp", "u", "pex_operator"), sample, "premium") == PLAN
    asked = {"prompt": "Open a bakery.", "model_profile": "premium", "user_api_key": "pex_operator"}
    assert command.service.asked[0] == ("plan_create", asked)
    assert (command.service.address.key, len(command.service.asked)) == ("pex_operator", 3)


def test_example_plans_are_listed_with_their_reports(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert command.at_url("examples", "--plans").stdout == "No examples are built here.\n"
    monkeypatch.setattr(conftest, "EXAMPLES", [{"id": "bakery", "report_url": "https://files.test/report"}])

    assert command.at_url("examples", "--plans").stdout.split() == ["bakery", "https://files.test/report"]


@pytest.mark.parametrize("variable", ["PLANLOOM_PATH", "PLANEXE_PATH"])
def test_the_folder_of_files_may_come_from_the_environment_where_no_shell_expanded_it(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    command.at_url("download", PLAN, **{variable: "~/plans"})

    assert sorted(path.name for path in (tmp_path / "plans").iterdir()) == [REPORT, ZIP]


def test_only_a_file_that_cannot_be_written_gets_the_advice_to_name_a_folder(command: Command) -> None:
    command.service.error = OSError(24, "Too many open files")
    assert ended(command.at_url("status", PLAN)) == (exits.REFUSED, "planloom: Too many open files.\n")


def test_a_download_saves_both_files_and_never_overwrites_one(command: Command, tmp_path: Path) -> None:
    (tmp_path / REPORT).write_text("mine")

    first = command.at_url("download", PLAN, "-o", str(tmp_path), "--json")
    command.service.files["zip"] = b"PK, another one"
    second = command.at_url("download", PLAN, "-o", str(tmp_path), "--json")

    assert json.loads(first.stdout) == {
        "zip": str(tmp_path / ZIP),
        "report": str(tmp_path / f"{PLAN}-030-report-1.html"),
    }
    assert json.loads(second.stdout)["zip"] == str(tmp_path / f"{PLAN}-run-1.zip")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == {
        REPORT: b"mine",
        f"{PLAN}-030-report-1.html": b"<!doctype html>",
        f"{PLAN}-030-report-2.html": b"<!doctype html>",
        ZIP: b"PK",
        f"{PLAN}-run-1.zip": b"PK, another one",
    }


def test_a_damaged_download_ends_with_2_and_leaves_nothing(command: Command, tmp_path: Path) -> None:
    command.service.damaged = True

    code, error = ended(command.at_url("download", PLAN, "-o", str(tmp_path)))

    assert code == exits.REFUSED
    assert "is damaged" in error
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_ends_with_2_and_leaves_no_part(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(save_files.os, "replace", full)

    code, error = ended(command.at_url("download", PLAN, "-o", str(tmp_path)))

    assert code == exits.REFUSED
    assert "No space left on device" in error
    assert "--output" in error
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_created_ends_with_2(command: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    assert ended(command.at_url("download", PLAN, "-o", str(tmp_path / "file")))[0] == exits.REFUSED


def test_a_stopped_plan_has_a_zip_and_no_report_and_ends_with_2(command: Command, tmp_path: Path) -> None:
    command.service.statuses = [status("stopped", 9)]
    del command.service.files["report"]

    result = command.at_url("download", PLAN, "-o", str(tmp_path))

    code, error = ended(result)
    assert (code, result.stdout) == (exits.REFUSED, f"{tmp_path / ZIP}\n")
    assert "The report is not ready" in error


def test_a_plan_that_is_not_finished_has_nothing_to_download(command: Command, tmp_path: Path) -> None:
    command.service.files.clear()

    result = command.at_url("download", PLAN, "-o", str(tmp_path / "plans"))

    assert (ended(result)[0], result.stdout) == (exits.REFUSED, "")
    assert not (tmp_path / "plans").exists()


@pytest.mark.parametrize("words", [["status", PLAN], ["list"], ["stop", PLAN], ["download", PLAN], ["examples"]])
def test_without_a_service_the_small_commands_end_with_3_and_start_none(command: Command, words: list[str]) -> None:
    code, error = ended(command.run(*words))

    assert code == exits.UNREACHABLE
    assert "planloom up" in error
    assert command.started == []


def test_the_version_is_printed(command: Command) -> None:
    assert command.run("--version").stdout == f"planloom {__version__}\n"
