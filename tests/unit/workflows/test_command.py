"""`planloom workflow` and `planloom work` against the API in memory, with the example of two roles and one approval."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from planloom_cli import exits, reach
from planloom_cli.main import app
from planloom_cli.service import Address, ServiceError
from tests.unit.api.calling import http, rpc
from tests.unit.workflows.drafts import LAUNCH_FILE, launch
from tests.unit.workflows.fakes import Services
from tests.unit.workflows.test_advance import ARTIFACT, BRIEF

EXAMPLES = LAUNCH_FILE.parent
Run = Callable[..., Result]


class InProcess:
    """Calls the tools of the API Lambda in this process."""

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        given = {name: value for name, value in arguments.items() if value is not None}
        # in a thread: the Lambda has an event loop of its own
        params = {"name": tool, "arguments": given}
        result = await asyncio.to_thread(rpc, "tools/call", params, path="/mcp/workflows")
        body: dict[str, Any] = result["structuredContent"]
        if result.get("isError"):
            raise ServiceError(body["error"]["code"], body["error"]["message"])
        return body

    async def send(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        answer = await asyncio.to_thread(http, method, f"/v1/{path}", body)
        if answer.status >= 400:
            raise ServiceError(answer.body["error"]["code"], answer.body["error"]["message"])
        found: dict[str, Any] = answer.body
        return found


@pytest.fixture
def command(served: Services, monkeypatch: pytest.MonkeyPatch) -> Run:
    @asynccontextmanager
    async def connect(address: Address) -> AsyncIterator[InProcess]:
        assert address.mcp_url.endswith("/mcp/workflows")
        yield InProcess()

    monkeypatch.setattr(reach, "connect", connect)

    def run(*words: str, stdin: str | None = None) -> Result:
        given = ["--url", "https://api.example/api/mcp", "--key", "pex_x"]
        return CliRunner().invoke(app, [*words, *given], input=stdin)

    return run


def agent(text: str, folder: Path) -> str:
    """A program for ``--command``."""
    path = folder / "agent_of_test.py"
    path.write_text(text)
    return f"{sys.executable} {path}"


def test_the_example_runs_with_two_roles_and_one_approval_without_a_key(
    command: Run, served: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    started = json.loads(command("workflow", "start", str(EXAMPLES / "launch.json"), "--json").stdout)
    program = f"{sys.executable} {EXAMPLES / 'agent.py'}"
    drafted = command("work", "--role", "cmo", "--command", program, "--once")
    assert "draft-brief: rejected, attempt 1" in drafted.stdout
    assert "/structuredOutput/channels: channels is missing. A value of type array." in drafted.stdout
    assert "draft-brief: accepted, attempt 2" in drafted.stdout
    assert Path("launch-brief.md").exists()

    assert "Approve the launch brief" in command("workflow", "approvals", "--as", "founder").stdout
    approved = command("workflow", "approve", "approve-brief", "--comment", "Go")
    assert "approve-brief: decided, counted" in approved.stdout
    assert "1 results accepted" in command("work", "--role", "publisher", "--command", program, "--once").stdout

    assert f"run {started['runId']}: completed" in command("workflow", "status").stdout, "the last one"
    status = command("workflow", "status", started["runId"][:16])
    assert (status.exit_code, status.stdout.splitlines()[0]) == (0, f"run {started['runId']}: completed")
    events = command("workflow", "events", started["runId"], "--follow").stdout.splitlines()
    assert events[0].split()[2] == "plan_created"
    assert events[-1].split()[2] == "run_status_changed"


def test_a_draft_is_validated_started_submitted_replaced_resumed_and_stopped(command: Run, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(launch() | {"entryNodeIds": ["nobody"]}))
    refused = command("workflow", "validate", str(wrong))
    assert (refused.exit_code, "blocking: /entryNodeIds/0" in refused.stdout) == (exits.REFUSED, True)
    assert command("workflow", "validate", str(LAUNCH_FILE)).stdout == "valid: 2 nodes\n"
    assert command("workflow", "start", str(wrong)).exit_code == exits.REFUSED

    run_id = json.loads(command("workflow", "start", str(LAUNCH_FILE), "--json").stdout)["runId"]
    assert "○ draft-brief (ready) agent cmo" in command("workflow", "nodes", "--owner", "cmo").stdout
    for _ in range(2):
        bad = command("workflow", "submit", run_id, "draft-brief", "-", stdin="{}")
        assert (bad.exit_code, "rejected" in bad.stdout) == (exits.FAILED, True), bad.output
    assert command("workflow", "status").exit_code == exits.FAILED
    assert "running" in command("workflow", "resume", run_id).stdout
    result = json.dumps({"structuredOutput": BRIEF, "artifacts": [ARTIFACT]})
    assert command("workflow", "submit", run_id, "draft-brief", "-", stdin=result).exit_code == 0
    assert "the run is blocked" in command("workflow", "approve", "approve-brief", "--reject").stdout
    replaced = command("workflow", "replace", run_id, str(LAUNCH_FILE), "--reason", "changed", "--json")
    new_id = json.loads(replaced.stdout)["runId"]
    assert command("workflow", "status", run_id).exit_code == exits.STOPPED
    assert "aborted" in command("workflow", "stop", new_id).stdout
    assert new_id in command("workflow", "list").stdout
    assert new_id in command("workflow", "workstreams").stdout
    assert command("workflow", "workstreams", "--delete", "default").stdout == "default: deleted\n"
    assert "There are none yet" in command("workflow", "workstreams").stdout


def waiting(command: Run) -> None:
    """Start the example, so that its approval waits."""
    run_id = json.loads(command("workflow", "start", str(LAUNCH_FILE), "--json").stdout)["runId"]
    result = json.dumps({"structuredOutput": BRIEF, "artifacts": [ARTIFACT]})
    assert command("workflow", "submit", run_id, "draft-brief", "-", stdin=result).exit_code == 0


def test_an_approver_delegates_to_a_person_who_then_approves(command: Run) -> None:
    assert command("workflow", "delegate", "approve-brief", "--to", "deputy").exit_code == exits.REFUSED
    waiting(command)
    delegated = command("workflow", "delegate", "approve-brief", "--to", "deputy")
    assert delegated.stdout == "deputy may respond in place of founder\n"
    assert "decided, counted" in command("workflow", "approve", "approve-brief", "--as", "deputy").stdout


@pytest.mark.parametrize(
    ("program", "notes"),
    [
        ("raise SystemExit('no access')", "The program ended with code 1. no access"),
        ("print('hello')", "The program printed no JSON"),
        ("print([])", "The program printed JSON that is no object."),
    ],
)
def test_what_a_program_does_wrong_is_a_failed_attempt_that_says_so(
    command: Run, served: Services, tmp_path: Path, program: str, notes: str
) -> None:
    command("workflow", "start", str(LAUNCH_FILE))
    done = command("work", "--role", "cmo", "--command", agent(program, tmp_path), "--once")
    assert done.exit_code == 0, done.output
    run = served.workflows.active("acme")
    assert run
    assert run.nodes["draft-brief"].status == "blocked"
    assert notes in run.nodes["draft-brief"].reason


def test_a_result_that_says_it_failed_is_rejected_with_its_reason(command: Run) -> None:
    run_id = json.loads(command("workflow", "start", str(LAUNCH_FILE), "--json").stdout)["runId"]
    failed = json.dumps({"status": "failed", "notes": "The tracker does not answer."})
    answer = command("workflow", "submit", run_id, "draft-brief", "-", stdin=failed)

    assert (answer.exit_code, "The tracker does not answer." in answer.stdout) == (exits.FAILED, True), answer.output


@pytest.mark.parametrize("program", ["no-such-program", "/nope", str(LAUNCH_FILE)])
def test_a_program_that_cannot_run_is_named_and_no_node_is_claimed(
    command: Run, served: Services, program: str
) -> None:
    command("workflow", "start", str(LAUNCH_FILE))
    missing = command("work", "--role", "cmo", "--command", program, "--once")
    assert (missing.exit_code, f"The program '{program}'" in missing.output) == (exits.REFUSED, True)
    run = served.workflows.active("acme")
    assert run
    assert run.nodes["draft-brief"].claim is None


def test_to_reject_and_to_request_changes_at_once_is_refused(command: Run) -> None:
    waiting(command)
    both = command("workflow", "approve", "approve-brief", "--reject", "--changes")
    assert (both.exit_code, "Choose one" in both.output) == (exits.REFUSED, True)
    assert "founder" in command("workflow", "approvals").stdout


def test_next_steps_name_commands(command: Run) -> None:
    started = command("workflow", "start", str(LAUNCH_FILE))
    assert "planloom work --role ROLE --command PROGRAM or planloom workflow submit RUN NODE FILE." in started.stdout
    waiting_for = command("workflow", "status").stdout
    assert "ExecutionNode" not in started.stdout + waiting_for


@pytest.mark.parametrize(
    ("words", "default"), [("start", "the one named 'default'"), ("status", "'default', or"), ("nodes", "all of them")]
)
def test_the_help_says_which_line_of_work_is_meant_by_default(words: str, default: str) -> None:
    command = typer.main.get_command(app).commands["workflow"].commands[words]  # type: ignore[attr-defined]
    (option,) = [each for each in command.params if "-w" in each.opts]
    assert default in option.help
