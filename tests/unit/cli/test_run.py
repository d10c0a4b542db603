"""`planloom run` against the API in memory: dry runs, handles, exit codes, one session per folder, the prompt."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from planloom.wiring import programs as wiring_programs
from planloom_cli import exits, reach
from planloom_cli import run as command_module
from planloom_cli.main import app
from planloom_cli.run import completions, words
from planloom_cli.service import Address, ServiceError, Unreachable
from tests.unit.api.calling import http, rpc
from tests.unit.operations.fakes import Bench

Run = Callable[..., Result]
LONG = "Run.filter{state = failed}[id].sort(id)"


class InProcess:
    """Calls the tools of the API Lambda in this process."""

    client: Any

    def __init__(self) -> None:
        self.client = SimpleNamespace(read_resource=self._read)

    async def _read(self, uri: str) -> Any:
        return await asyncio.to_thread(rpc, "resources/read", {"uri": uri}, path="/mcp/operations")

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        given = {name: value for name, value in arguments.items() if value is not None}
        sent = {"name": tool, "arguments": given}
        result = await asyncio.to_thread(rpc, "tools/call", sent, path="/mcp/operations")
        body: dict[str, Any] = result["structuredContent"]
        if result.get("isError"):
            raise ServiceError(body["error"]["code"], body["error"]["message"])
        return body


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    made = Bench()
    monkeypatch.setattr(wiring_programs, "programs", lambda: made.programs)

    @asynccontextmanager
    async def connect(address: Address) -> AsyncIterator[InProcess]:
        assert address.mcp_url.endswith("/mcp/operations")
        yield InProcess()

    monkeypatch.setattr(reach, "connect", connect)
    monkeypatch.setattr(command_module, "open_session", lambda _: http("POST", "/execute").body["session"])
    return made


@pytest.fixture
def command(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)

    def run(*options: str, stdin: str | None = None) -> Result:
        at = ["--url", "https://planloom.test", "--key", "pex_secret", "--state", str(tmp_path / "state")]
        return CliRunner().invoke(app, ["run", *options, *at], input=stdin)

    return run


def session_of(tmp_path: Path) -> str:
    (name,) = json.loads((tmp_path / "state" / "sessions.json").read_text()).values()
    return str(name)


def test_a_program_prints_a_table_and_as_json_its_rows(command: Run) -> None:
    said = command("-e", "Plan[id, title].limit(2)")
    assert (said.exit_code, [line.split() for line in said.stdout.splitlines()]) == (
        0,
        [["id", "title"], ["p000", "P000"], ["p001", "P001"]],
    )
    found = json.loads(command("-e", "Plan[id].limit(1)", "--json").stdout)
    assert found["results"][0]["rows"] == [{"id": "p000"}]


def test_a_dry_run_shows_the_plan_and_runs_nothing(command: Run, bench: Bench) -> None:
    said = command("--mode", "plan", "-e", "Plan.stop(p001)").stdout
    assert "Verdict: review" in said
    assert "pc0" in said
    assert bench.lists.asked == []


def test_an_operation_is_accepted_polled_and_ended_in_the_session_of_the_folder(
    command: Run, bench: Bench, tmp_path: Path
) -> None:
    accepted = command("--wait=false", "--force", "-e", LONG)
    assert (accepted.exit_code, accepted.stdout.splitlines()[0]) == (0, "`s0_o1` + pc0 review")
    assert command("-e", "wait(s0_o1)").stdout.startswith("`s0_o1` = 1/4 read Run")
    bench.work("s0_o1", "acme", session_of(tmp_path))
    ended = command("-e", "wait(s0_o1)")
    assert (ended.exit_code, ended.stdout.splitlines()[0]) == (0, "`s0_o1` ! 45r")
    assert "20 more rows: page(s0_pg1)" in ended.stdout
    command("--wait=false", "-e", "Plan[id]")
    assert command("-e", "cancel(s0_o2)").exit_code == exits.STOPPED


def test_another_folder_has_another_session(command: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command("--wait=false", "-e", "Plan[id]")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    refused = command("-e", "wait(s0_o1)")
    assert (refused.exit_code, "unknown_operation_handle" in refused.stderr) == (exits.REFUSED, True)


def test_an_expired_session_is_opened_again(command: Run, bench: Bench, tmp_path: Path) -> None:
    command("-e", "Plan[id].limit(1)")
    before = session_of(tmp_path)
    bench.store.sessions.clear()  # type: ignore[attr-defined]
    assert command("-e", "Plan[id].limit(1)").exit_code == 0
    assert session_of(tmp_path) != before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-e", "Plan.stop(p001)"], "plan_requires_review"),
        (["-e", "Plan["], "Line 1, column"),
        (["-e", "Plan", "--mode", "x"], "--mode is run or plan"),
        (["-e", "Plan", "--wait=maybe"], "--wait is true or false"),
    ],
)
def test_refusals_have_the_exit_code_2(command: Run, options: list[str], said: str) -> None:
    result = command(*options)
    assert (result.exit_code, said in result.stderr) == (exits.REFUSED, True)


def test_the_prompt_shows_a_plan_before_it_changes_anything(command: Run, bench: Bench) -> None:
    bench.work_at_once()
    typed = "Plan[id].limit(1)\n\nPlan.stop(p001)\nn\nPlan.stop(p002)\ny\nPlam\nexit\n"
    said = command(stdin=typed)
    assert said.exit_code == 0, said.output
    assert said.stdout.count("Verdict: review") == 2
    assert "program_needs_fix" in said.stderr
    stopped = [each["id"] for each in bench.lists.plans if each["state"] == "stopped"]
    assert stopped == ["p002"]


def test_the_prompt_runs_programs_as_the_options_say(command: Run, bench: Bench) -> None:
    planned = command("--mode", "plan", stdin="Plan.stop(p001)\nPlan[id].limit(1)\nquit\n")
    assert ("pc0" in planned.stdout, "Verdict: ok" in planned.stdout, bench.lists.asked) == (True, True, [])
    assert "`s0_o1` + pc2 review" in command("--wait=false", "--force", stdin=f"{LONG}\n").stdout
    bench.work_at_once()
    accepted = command("--plan-commit-ref", "pc0", stdin="Plan.stop(p001)\nPlan.stop(p002)\n")
    stopped = [each["id"] for each in bench.lists.plans if each["state"] == "stopped"]
    assert (stopped, accepted.stdout.count("Run it?"), accepted.exit_code) == (["p001"], 1, 0)


def test_ctrl_c_clears_the_line_of_the_prompt(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter([KeyboardInterrupt, "Plan[id].limit(1)", EOFError])

    def read(_: str) -> str:
        line = next(typed)
        if isinstance(line, str):
            return line
        raise line

    monkeypatch.setattr("builtins.input", read)
    said = command()
    assert (said.exit_code, "p000" in said.stdout) == (0, True)


def test_the_history_of_the_prompt_is_kept_when_the_service_is_lost(
    command: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(*_: Any, **__: Any) -> None:
        raise Unreachable("The service stopped answering.")

    monkeypatch.setattr(InProcess, "call", lost)
    assert command(stdin="Plan\n").exit_code == exits.UNREACHABLE
    assert (tmp_path / "state" / "history").exists()


def test_names_of_the_card_are_completed() -> None:
    known = words("Plan\tid title\nPlanEvent\tid")
    assert completions(known, "Pla") == ["Plan", "PlanEvent"]
    assert completions(known, "Plan[ti") == ["Plan[title"]
    assert completions(known, "Plan.") == []


def test_text_of_rows_is_no_markup_and_commands_no_terminal(command: Run, bench: Bench) -> None:
    bench.lists.plans[0]["title"] = "[bold]x[/bold] \x1b[31m"
    said = command("-e", "Plan[title].limit(1)").stdout
    assert "[bold]x[/bold]" in said
    assert "\x1b" not in said
