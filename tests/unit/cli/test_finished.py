"""Commands for drafted plans: open, export, diff, share, archive, rm."""

import json
from pathlib import Path
from typing import Any

import pytest

from planloom_cli import exits, finished
from tests.unit.cli.conftest import PLAN, Command, ended

OTHER = "8f1c1c52-1111-4222-8333-444455556666"
SECTION = {"path": "016-2-expert_criticism.md", "title": "Expert criticism", "lines_added": 2, "lines_removed": 1}


@pytest.fixture
def asked(command: Command, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """The recorded calls of a service with fixed responses."""
    usual = command.service.call
    told: dict[str, dict[str, Any]] = {
        "plan_export": {"plan_id": PLAN, "download_url": "https://files.test/zip", "sha256": _sha(command, "zip")},
        "plan_share": {"plan_id": PLAN, "url": "https://planloom.test/api/shared/t0ken"},
        "plan_unshare": {"plan_id": PLAN, "revoked": 2},
        "plan_delete": {"plan_id": PLAN, "deleted": True, "message": "All is gone."},
        "plan_diff": {
            "same": False,
            "sections": [
                {"title": "Prompt", "change": "same"},
                {**SECTION, "change": "changed", "diff": "-old\n+new\n+newer", "truncated": True},
            ],
        },
    }
    asked: list[tuple[str, dict[str, Any]]] = []

    async def call(tool: str, **arguments: Any) -> dict[str, Any]:
        asked.append((tool, arguments))
        if tool == "plan_archive":
            return {"plan_id": PLAN, "archived": arguments["archived"]}
        return told[tool] if tool in told else await usual(tool, **arguments)

    monkeypatch.setattr(command.service, "call", call)
    return asked


def _sha(command: Command, name: str) -> str:
    import hashlib

    return hashlib.sha256(command.service.files[name]).hexdigest()


def test_open_saves_the_report_and_opens_it(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(finished.webbrowser, "open", opened.append)
    result = command.at_url("open", PLAN, "-o", str(tmp_path))
    path = tmp_path / f"{PLAN}-030-report.html"
    assert (ended(result), result.stdout) == ((0, ""), f"{path}\n")
    assert (opened, path.read_bytes()) == ([path.as_uri()], b"<!doctype html>")


def test_open_prints_only_the_link(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finished.webbrowser, "open", lambda _: pytest.fail("nothing is opened"))
    result = command.at_url("open", PLAN, "--print-url", "-o", str(tmp_path))
    assert (ended(result), result.stdout) == ((0, ""), "https://files.test/report\n")
    assert list(tmp_path.iterdir()) == []


def test_the_link_of_a_report_that_is_not_ready_is_an_error_with_the_next_command(command: Command) -> None:
    del command.service.files["report"]
    for words in (("open", PLAN, "--print-url"), ("open", PLAN)):
        code, said = ended(command.at_url(*words))
        assert code == exits.REFUSED
        assert said.startswith("planloom: PLAN_NOT_COMPLETED: The report is not ready. `planloom status")


def test_files_are_named_by_the_plans_own_id(
    command: Command, tmp_path: Path, asked: list[tuple[str, dict[str, Any]]]
) -> None:
    for words in (("export", PLAN.upper()), ("download", PLAN.upper())):
        command.at_url(*words, "-o", str(tmp_path))
    names = (f"{PLAN}-030-report.html", f"{PLAN}-export.zip", f"{PLAN}-run.zip")
    assert sorted(path.name for path in tmp_path.iterdir()) == list(names)


def test_export_saves_the_zip_of_everything(
    command: Command, tmp_path: Path, asked: list[tuple[str, dict[str, Any]]]
) -> None:
    result = command.at_url("export", PLAN, "-o", str(tmp_path), "--json")
    path = tmp_path / f"{PLAN}-export.zip"
    assert (ended(result)[0], json.loads(result.stdout)) == (0, {"export": str(path)})
    assert path.read_bytes() == b"PK"


def test_diff_shows_each_section_that_differs(command: Command, asked: list[tuple[str, dict[str, Any]]]) -> None:
    result = command.at_url("diff", PLAN, OTHER)
    assert ended(result) == (0, "")
    assert result.stdout.splitlines() == [
        "1 of 2 sections differ.",
        "",
        "## Expert criticism (changed, +2 -1)",
        "-old",
        "+new",
        "+newer",
        "(truncated: --step 016 shows the whole difference)",
    ]
    command.at_url("diff", PLAN, OTHER, "--step", "016")
    assert asked[-1] == ("plan_diff", {"plan_id": PLAN, "other_plan_id": OTHER, "step": "016"})


def test_share_prints_the_link_and_revokes_it(command: Command, asked: list[tuple[str, dict[str, Any]]]) -> None:
    assert command.at_url("share", PLAN, "--days", "7").stdout == "https://planloom.test/api/shared/t0ken\n"
    assert command.at_url("share", PLAN, "--revoke").stdout == "2 links revoked\n"
    assert asked == [("plan_share", {"plan_id": PLAN, "days": 7}), ("plan_unshare", {"plan_id": PLAN})]


def test_archive_and_back(command: Command, asked: list[tuple[str, dict[str, Any]]]) -> None:
    assert command.at_url("archive", PLAN).stdout == "archived\n"
    assert command.at_url("archive", PLAN, "--undo").stdout == "restored\n"
    command.at_url("list", "--archived")
    assert asked[-1] == ("plan_list", {"limit": 10, "archived": True})


def test_rm_asks_first_and_deletes_nothing_on_no(command: Command, asked: list[tuple[str, dict[str, Any]]]) -> None:
    refused = command.at_url("rm", PLAN, typed="n\n")
    assert (ended(refused)[0], asked) == (exits.INTERRUPTED, [])
    assert "was not deleted" in refused.stderr
    assert command.at_url("rm", PLAN, typed="y\n").stdout.endswith("All is gone.\n")
    assert json.loads(command.at_url("rm", PLAN, "--yes", "--json").stdout)["deleted"] is True


@pytest.mark.parametrize("words", [["keys", "list", "--account", "a", "--local"], ["share", PLAN], ["rm", PLAN, "-y"]])
def test_without_a_service_they_end_with_3(command: Command, words: list[str]) -> None:
    code, error = ended(command.run(*words))
    assert code == exits.UNREACHABLE
    assert "planloom up" in error
