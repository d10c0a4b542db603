"""`planloom mcp`: passes through what the service offers, adds plan_download, and fails with the specified codes."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mcp.client import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolResult, ListToolsResult, TextContent, Tool
from typer.testing import CliRunner

from planloom.planes.implementation.plane import IMPLEMENTATION
from planloom_cli import exits, mcp_proxy, plan_download, save_files
from planloom_cli.main import app
from planloom_cli.mcp_proxy import make_server
from planloom_cli.service import Address, KeyRefused, Service, Unreachable, innermost

PLAN = "7f1c1c52-1111-4222-8333-444455556666"
ADDRESS = Address("https://planloom.test/mcp", "https://planloom.test", "pex_secret")
REPORT = b"<!doctype html><title>A plan</title>"
REFUSED = {"error": {"code": "PERMISSION_DENIED", "message": "This plan belongs to another account."}}
INFO = {"plan_id": PLAN, "download_url": "https://files.test/report", "sha256": hashlib.sha256(REPORT).hexdigest()}

Ask = Callable[[Client], Coroutine[Any, Any, Any]]


def result(body: dict[str, Any], is_error: bool = False) -> CallToolResult:
    text = TextContent(type="text", text=json.dumps(body))
    return CallToolResult(content=[text], structured_content=body, is_error=is_error)


class Remote:
    """A service in memory: ``info`` is what plan_file_info answers; ``away`` is raised on connecting."""

    def __init__(self) -> None:
        self.info = result(INFO)
        self.away: Exception | None = None
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.output: dict[str, Any] | None = None
        self.url = ADDRESS.mcp_url

    @asynccontextmanager
    async def connect(self, address: Address) -> AsyncIterator[Service]:
        assert address == replace(ADDRESS, mcp_url=self.url)
        if self.away:
            raise self.away
        try:
            async with Client(self._server()) as client:
                yield Service(client, address)
        except BaseExceptionGroup as group:
            raise innermost(group) from group

    def _server(self) -> Server[Any]:
        schema = {"type": "object", "properties": {}}

        async def list_tools(_: Any, __: Any) -> ListToolsResult:
            return ListToolsResult(
                tools=[
                    Tool(name=name, input_schema=schema, output_schema=self.output)
                    for name in ("plan_status", "plan_file_info")
                ]
            )

        async def call_tool(_: Any, params: Any) -> CallToolResult:
            self.asked.append((params.name, params.arguments))
            return self.info if params.name == "plan_file_info" else result({"state": "processing"})

        async def read(_: Any, params: Any) -> Any:
            raise MCPError(code=INVALID_PARAMS, message="This plan belongs to another account.", data=REFUSED)

        return Server(
            "remote",
            instructions="Call me.",
            on_list_tools=list_tools,
            on_call_tool=call_tool,
            on_read_resource=read,
        )


@pytest.fixture
def remote(monkeypatch: pytest.MonkeyPatch) -> Remote:
    """The service behind the proxy; its files come without a socket."""
    made = Remote()
    monkeypatch.setattr(mcp_proxy, "connect", made.connect)

    class Files:
        def __init__(self, **_: Any) -> None: ...

        async def __aenter__(self) -> "Files":
            return self

        async def __aexit__(self, *_: object) -> None: ...

        async def get(self, url: str) -> SimpleNamespace:
            return SimpleNamespace(status_code=200 if url == INFO["download_url"] else 404, content=REPORT)

    monkeypatch.setattr(save_files.httpx2, "AsyncClient", Files)
    return made


def asked(ask: Ask, tools: str = "plans", **environment: str) -> Any:
    """Return what *ask* gets from the proxy of the plane *tools* over MCP, run with *environment*."""

    async def work() -> Any:
        async with Client(await make_server(ADDRESS, environment, tools)) as client:
            return await ask(client)

    try:
        return asyncio.run(work())
    except BaseExceptionGroup as group:
        raise innermost(group) from group


def call(tool: str, **arguments: Any) -> Ask:
    return lambda client: client.call_tool(tool, arguments)


def code(answer: CallToolResult) -> tuple[bool, str]:
    return bool(answer.is_error), (answer.structured_content or {})["error"]["code"]


def test_the_tools_of_the_service_are_listed_and_plan_download_after_them(remote: Remote) -> None:
    listed = asked(lambda client: client.list_tools())

    assert [tool.name for tool in listed.tools] == ["plan_status", "plan_file_info", "plan_download"]


def test_the_tools_of_implementation_plans_are_only_those_of_their_endpoint(remote: Remote) -> None:
    remote.url = "https://planloom.test/mcp/implementation"

    async def ask(client: Client) -> tuple[Any, Any]:
        return await client.list_tools(), client.instructions

    listed, told = asked(ask, tools="implementation")
    assert ([tool.name for tool in listed.tools], told) == (["plan_status", "plan_file_info"], "Call me.")


def test_a_call_and_its_response_are_forwarded(remote: Remote) -> None:
    answer = asked(call("plan_status", plan_id=PLAN))

    assert answer.structured_content == {"state": "processing"}
    assert remote.asked == [("plan_status", {"plan_id": PLAN})]


def test_the_instructions_are_those_of_the_service_and_an_addition(remote: Remote) -> None:
    async def instructions(client: Client) -> str | None:
        return client.instructions

    told = asked(instructions)

    assert told.startswith("Call me.\n")
    assert "plan_download" in told


@pytest.mark.parametrize(
    ("tools", "expected"), [("plans", "Required order:"), ("implementation", IMPLEMENTATION.instructions)]
)
@pytest.mark.parametrize("away", [Unreachable("It does not answer."), KeyRefused("It refused the API key (403).")])
def test_the_instructions_are_complete_if_the_service_is_down_at_the_start(
    remote: Remote, away: Exception, tools: str, expected: str
) -> None:
    remote.away = away
    remote.url = ADDRESS.mcp_url if tools == "plans" else ADDRESS.implementation_url

    async def instructions(client: Client) -> str | None:
        return client.instructions

    told = asked(instructions, tools=tools)

    assert expected.strip() in told
    assert ("plan_download" in told) == (tools == "plans")


@pytest.mark.parametrize(
    ("tools", "expected"), [("plans", {"planexe/interface": {"planexe.version": "1.0"}}), ("implementation", None)]
)
def test_14_1_the_local_server_says_the_version_of_the_interface_too(
    remote: Remote, tools: str, expected: dict[str, Any] | None
) -> None:
    remote.url = ADDRESS.mcp_url if tools == "plans" else ADDRESS.implementation_url

    async def extensions(client: Client) -> Any:
        return client.server_capabilities.extensions

    assert asked(extensions, tools=tools) == expected


@pytest.mark.parametrize("variable", ["PLANLOOM_PATH", "PLANEXE_PATH"])
def test_6_7_a_download_says_where_it_was_saved_and_never_overwrites(
    remote: Remote, tmp_path: Path, variable: str
) -> None:
    saved = [
        asked(call("plan_download", plan_id=PLAN), **{variable: str(tmp_path)}).structured_content["saved_path"]
        for _ in range(3)
    ]

    names = [f"{PLAN}-030-report.html", f"{PLAN}-030-report-1.html", f"{PLAN}-030-report-2.html"]
    assert saved == [str(tmp_path / name) for name in names]
    assert [(tmp_path / name).read_bytes() for name in names] == [REPORT] * 3


def test_6_7_the_zip_has_its_own_name(remote: Remote, tmp_path: Path) -> None:
    answer = asked(call("plan_download", plan_id=PLAN, artifact="zip"), PLANEXE_PATH=str(tmp_path))

    assert answer.structured_content == {**INFO, "saved_path": str(tmp_path / f"{PLAN}-run.zip")}
    assert remote.asked == [("plan_file_info", {"plan_id": PLAN, "artifact": "zip"})]


def test_6_7_without_a_folder_it_is_the_current_one(
    remote: Remote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    answer = asked(call("plan_download", plan_id=PLAN))

    assert answer.structured_content["saved_path"] == str(tmp_path / f"{PLAN}-030-report.html")


def test_6_7_a_folder_that_is_a_file_is_an_error(remote: Remote, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")

    answer = asked(call("plan_download", plan_id=PLAN), PLANEXE_PATH=str(file))

    assert code(answer) == (True, "DOWNLOAD_FAILED")
    assert "PLANEXE_PATH" in answer.structured_content["error"]["message"]
    assert file.read_text() == "in the way"
    assert remote.asked == [], "whether or not there is a file to save"


def test_6_7_a_folder_that_cannot_be_written_is_an_error_that_says_what_to_set(remote: Remote, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    answer = asked(call("plan_download", plan_id=PLAN), PLANLOOM_PATH=str(tmp_path / "file" / "plans"))

    assert code(answer) == (True, "DOWNLOAD_FAILED")
    assert "Set PLANLOOM_PATH" in answer.structured_content["error"]["message"]


def test_6_7_a_home_that_no_shell_has_expanded_is_the_users(
    remote: Remote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    answer = asked(call("plan_download", plan_id=PLAN.upper()), PLANEXE_PATH="~/plans")

    expected = tmp_path / "plans" / f"{PLAN}-030-report.html"
    assert answer.structured_content["saved_path"] == str(expected), "named by the plan's own id, however it was asked"


def test_a_damaged_download_is_an_error_and_leaves_nothing(remote: Remote, tmp_path: Path) -> None:
    remote.info = result({**INFO, "sha256": "0" * 64})

    answer = asked(call("plan_download", plan_id=PLAN), PLANLOOM_PATH=str(tmp_path))

    assert code(answer) == (True, "DOWNLOAD_FAILED")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "told",
    [
        result({}),
        result({"error": {"code": "generation_failed", "message": "It failed."}}),
        result({"error": {"code": "PLAN_NOT_FOUND", "message": "No such plan."}}, is_error=True),
    ],
)
def test_without_a_file_the_response_of_plan_file_info_is_returned(
    remote: Remote, tmp_path: Path, told: CallToolResult
) -> None:
    remote.info = told

    answer = asked(call("plan_download", plan_id=PLAN), PLANLOOM_PATH=str(tmp_path))

    assert (answer.structured_content, answer.is_error) == (told.structured_content, told.is_error)
    assert list(tmp_path.iterdir()) == []


def test_invalid_arguments_are_named(remote: Remote) -> None:
    answer = asked(call("plan_download", plan_id=PLAN, artifact="poster"))

    assert code(answer) == (True, "INVALID_ARGUMENT")
    assert remote.asked == []


@pytest.mark.parametrize(
    ("away", "expected"),
    [
        (Unreachable("It does not answer."), "REMOTE_ERROR"),
        (KeyRefused("It refused the API key (403)."), "PERMISSION_DENIED"),
    ],
)
def test_9_3_a_service_that_cannot_be_called_may_be_called_again_but_not_with_a_refused_key(
    remote: Remote, capsys: pytest.CaptureFixture[str], away: Exception, expected: str
) -> None:
    remote.away = away

    answer = asked(call("plan_status", plan_id=PLAN))

    assert code(answer) == (True, expected)
    said = capsys.readouterr()
    assert str(away) in said.err
    assert said.out == ""


def test_9_3_an_answer_that_is_none_by_the_protocol_is_a_remote_error(
    remote: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the schema of what is listed asks for another answer than the one that comes
    schema = {"type": "object", "properties": {"state": {"type": "integer"}}}
    monkeypatch.setattr(remote, "output", schema)

    answer = asked(call("plan_status", plan_id=PLAN))

    assert code(answer) == (True, "REMOTE_ERROR")
    assert "increasing delays" in answer.structured_content["error"]["message"]


def test_9_3_a_fault_of_the_local_server_is_an_internal_error_that_stderr_tells(
    remote: Remote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(plan_download, "write_file", lambda *_: 1 / 0)

    answer = asked(call("plan_download", plan_id=PLAN), PLANLOOM_PATH=str(tmp_path))

    assert code(answer) == (True, "INTERNAL_ERROR")
    assert ("ZeroDivisionError" in capsys.readouterr().err, "Zero" in str(answer)) == (True, False)


def test_what_the_service_refuses_by_protocol_is_passed_on_with_its_code(remote: Remote) -> None:
    with pytest.raises(MCPError) as refused:
        asked(lambda client: client.read_resource(f"planexe://plan/{PLAN}/report"))

    assert (refused.value.error.code, refused.value.error.data) == (INVALID_PARAMS, REFUSED)


def test_a_list_that_cannot_be_read_is_an_error(remote: Remote) -> None:
    remote.away = Unreachable("It does not answer.")

    with pytest.raises(MCPError, match="REMOTE_ERROR: It does not answer"):
        asked(lambda client: client.list_tools())
    remote.away = KeyRefused("It refused the API key (403).")
    with pytest.raises(MCPError, match="PERMISSION_DENIED: It refused the API key"):
        asked(lambda client: client.list_tools())


def test_the_next_call_after_an_outage_succeeds(remote: Remote) -> None:
    async def twice(client: Client) -> list[bool]:
        remote.away = Unreachable("It does not answer.")
        first = await client.call_tool("plan_status", {"plan_id": PLAN})
        remote.away = None
        second = await client.call_tool("plan_status", {"plan_id": PLAN})
        return [bool(first.is_error), bool(second.is_error)]

    assert asked(twice) == [True, False]


def test_unknown_tools_are_rejected_with_the_known_ones() -> None:
    ended = CliRunner().invoke(app, ["mcp", "--tools", "flowers"])
    assert ended.exit_code == exits.REFUSED
    assert "There are no tools 'flowers'. Use one of: plans, implementation" in ended.output
