"""`planloom graph` against the API in memory: files of mcp-cli, variables, live lines, exit codes, prefixes."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from planloom import wiring
from planloom.wiring import graphs as wiring_graphs
from planloom_cli import exits, reach
from planloom_cli.main import app
from planloom_cli.service import Address, ServiceError
from tests.fake_ports import make_fakes
from tests.unit.api.calling import rpc
from tests.unit.graphs.planners import Scripted
from tests.unit.graphs.services import Services
from tests.unit.graphs.tools import DIAMOND, Tools, graph, step

Run = Callable[..., Result]


class InProcess:
    """Calls the tools of the API Lambda in this process."""

    def __init__(self, path: str) -> None:
        self._path = path

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        given = {name: value for name, value in arguments.items() if value is not None}
        # in a thread: the Lambda has an event loop of its own
        result = await asyncio.to_thread(rpc, "tools/call", {"name": tool, "arguments": given}, path=self._path)
        body: dict[str, Any] = result["structuredContent"]
        if result.get("isError"):
            raise ServiceError(body["error"]["code"], body["error"]["message"])
        return body


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch) -> Services:
    made = Services()
    made.servers.add("acme", "web", made.URL)
    fakes = make_fakes()
    monkeypatch.setattr(wiring, "ports", lambda: fakes.ports)
    monkeypatch.setattr(wiring_graphs, "graphs", lambda: made.graphs)
    monkeypatch.setattr(wiring_graphs, "runs", lambda: made.runs)
    monkeypatch.setattr(wiring_graphs, "tool_servers", lambda: made.servers)
    monkeypatch.setattr(wiring_graphs, "budgets", lambda: made.budgets)
    monkeypatch.setattr(wiring_graphs, "schedules", lambda: made.schedules)
    start = made.engine.start

    def work_at_once(run_id: str, number: int, part: int) -> None:
        start(run_id, number, part)
        made.work(run_id)

    monkeypatch.setattr(made.engine, "start", work_at_once)

    @asynccontextmanager
    async def connect(address: Address) -> AsyncIterator[InProcess]:
        yield InProcess("/" + address.mcp_url.split("/", 3)[3])

    monkeypatch.setattr(reach, "connect", connect)
    return made


@pytest.fixture
def command(services: Services) -> Run:
    def run(*words: str, stdin: str | None = None) -> Result:
        arguments = ["graph", *words, "--url", "https://planloom.test", "--key", "pex_secret"]
        return CliRunner().invoke(app, arguments, input=stdin)

    return run


@pytest.fixture
def file(tmp_path: Path) -> Callable[[Any], str]:
    def write(document: Any) -> str:
        path = tmp_path / "plan.json"
        path.write_text(json.dumps(document))
        return str(path)

    return write


def created(command: Run, path: str) -> str:
    result = command("create", path, "--json")
    assert result.exit_code == 0, result.output
    return str(json.loads(result.stdout)["plan_id"])


def test_a_plan_file_is_stored_shown_run_and_deleted(command: Run, file: Callable[[Any], str]) -> None:
    said = command("create", file(DIAMOND)).stdout
    assert "1. Step 1" in said
    graph_id = said.splitlines()[0].removeprefix("graph ")
    assert graph_id in command("list").stdout
    assert "∥ ← after: 1" in command("show", graph_id).stdout
    assert command("show", graph_id, "--mermaid").stdout.startswith("flowchart TD")

    ran = command("run", graph_id)

    assert (ran.exit_code, ran.stdout.splitlines()[0].rsplit(": ", 1)[-1]) == (0, "completed")
    assert "● 4 completed" in ran.stderr
    assert "completed" in command("list", "--runs").stdout
    assert command("delete", graph_id).stdout == f"Deleted {graph_id}.\n"


def test_a_goal_is_drafted_and_can_be_run(command: Run, services: Services) -> None:
    services.planner = Scripted(DIAMOND)
    result = command("create", "do all four", "--var", "x=1", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert [each["index"] for each in found["graph"]["steps"]] == ["1", "2", "3", "4"]
    assert command("run", found["plan_id"]).exit_code == 0


@pytest.mark.parametrize(("planner", "said"), [(None, "No model is set up"), (Scripted({}, {}), "not valid")])
def test_a_goal_that_cannot_be_drafted_is_refused(
    command: Run, services: Services, planner: Scripted | None, said: str
) -> None:
    services.planner = planner
    result = command("create", "do all four")
    assert (result.exit_code, said in result.stderr) == (exits.REFUSED, True), result.output
    assert command("create", " ").exit_code == exits.REFUSED


def test_variables_are_json_or_text_and_a_dry_run_calls_nothing(
    command: Run, services: Services, file: Callable[[Any], str]
) -> None:
    document = graph(step("1", args={"n": "${n}", "who": "${who}"}))
    graph_id = created(command, file(document))

    tried = command("run", graph_id, "--dry-run", "--var", "n=3", "--var", "who=me")

    assert tried.stdout == '○ 1. tool1 {"n": 3, "who": "me"}\n'
    assert not services.called.calls
    assert command("run", graph_id, "--var", "n").exit_code == exits.REFUSED


def test_the_exit_code_says_how_a_run_ended_and_a_resume_goes_on(
    command: Run, services: Services, file: Callable[[Any], str]
) -> None:
    services.called = Tools(failing={"tool1": 1})
    graph_id = created(command, file(graph(step("1"))))

    blocked = command("run", graph_id, "--json")
    assert blocked.exit_code == exits.FAILED
    run_id = json.loads(blocked.stdout)["run_id"]
    assert command("resume", run_id).exit_code == exits.REFUSED
    resumed = command("resume", run_id, "--on-unknown", "value", "--value", '{"a": 1}')
    assert resumed.exit_code == 0
    assert services.called.names() == ["tool1"]


def test_results_are_listed_and_one_is_printed_whole_and_traced(
    command: Run, services: Services, file: Callable[[Any], str]
) -> None:
    services.called = Tools(failing={"tool2": -1}, answers={"tool1": {"text": "x" * 200}})
    graph_id = created(command, file(graph(step("1", for_each=[7]), step("2", "1", idempotent=True))))
    run_id = json.loads(command("run", graph_id, "--json").stdout)["run_id"]

    first, second = command("steps", run_id).stdout.splitlines()

    assert first.startswith('● 1 tool1 completed [{"text": "xx')
    assert len(first) < 150
    assert second.startswith("✗ 2 tool2 failed")
    assert json.loads(command("steps", run_id, "1").stdout) == [{"text": "x" * 200}]
    assert json.loads(command("steps", run_id, "1", "--item", "0").stdout) == {"text": "x" * 200}
    assert command("follow", run_id).exit_code == exits.FAILED
    spans = json.loads(command("trace", run_id).stdout)["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert len(spans) == 4


def test_a_quote_counts_calls_and_measures_time_once_a_run_completed(command: Run, file: Callable[[Any], str]) -> None:
    graph_id = created(command, file(graph(step("1", for_each="${rows}"), step("2", "1"), variables={"rows": [1, 2]})))
    before = command("quote", graph_id, "--var", "rows=[1,2,3]").stdout.splitlines()
    assert (before[0], before[-1]) == ("calls: 4 at least", "time: not known: no run of it has completed")
    command("run", graph_id)
    assert "by the last 1 completed runs" in command("quote", graph_id).stdout


def test_schedules_and_budgets_are_set_listed_and_removed(
    command: Run, services: Services, file: Callable[[Any], str]
) -> None:
    graph_id = created(command, file(graph(step("1"))))
    assert "3 of 3 calls left" in command("budget", "set", "shared", "3").stdout
    when = "at(2999-01-31T08:00:00)"
    chosen = ("--timezone", "Europe/Lisbon", "--var", "n=3", "--shared-budget", "shared", "--max-concurrency", "2")
    assert "next due 2999-01-31 08:00" in command("schedule", "set", "once", graph_id, when, *chosen).stdout

    kept = services.schedules.get("acme", "once")
    assert (kept.timezone, kept.variables) == ("Europe/Lisbon", {"n": 3})
    assert (kept.options.shared_budget, kept.options.max_concurrency) == ("shared", 2)
    assert "once" in command("schedule", "list").stdout
    assert when in command("schedule", "show", "once").stdout
    command("run", graph_id, "--shared-budget", "shared")
    assert command("budget", "list").stdout == "shared: 2 of 3 calls left\n"
    assert command("schedule", "remove", "once").stdout == "Removed once.\n"
    assert command("budget", "remove", "shared").stdout == "Removed shared.\n"
    assert command("schedule", "show", "once").exit_code == exits.REFUSED


def test_the_first_characters_of_an_id_are_enough_unless_several_begin_so(
    command: Run, file: Callable[[Any], str]
) -> None:
    path = file(graph(step("1")))
    first = created(command, path)
    assert command("show", first).exit_code == 0
    created(command, path)
    several = command("show", "id")
    assert several.exit_code == exits.REFUSED
    assert first in several.stderr
    assert command("show", "none").exit_code == exits.REFUSED


def test_what_is_no_graph_is_refused(command: Run, file: Callable[[Any], str]) -> None:
    assert "INVALID_GRAPH" in command("create", file(graph(step("1", "1")))).stderr
    assert "cannot be read" in command("create", "nowhere.json").stderr
    assert "not JSON" in command("create", "-", stdin="{").stderr


def test_servers_are_added_with_headers_and_listed_without_their_values(command: Run, services: Services) -> None:
    added = command("servers", "add", "keyed", services.URL, "--header", "X-Key: hush", "--trusted")
    assert added.stdout == "keyed: 11 tools\n"
    assert services.client.headers[-1] == {"X-Key": "hush"}
    listed = command("servers", "list", "--json").stdout
    assert "hush" not in listed
    assert "tool1: " in command("servers", "test", "keyed").stdout
    assert command("servers", "remove", "keyed").stdout == "Removed keyed.\n"
