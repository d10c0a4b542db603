"""Graphs over real MCP servers: over HTTP, as a process, one that is not there, and one that ends in between."""

import asyncio
import logging
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from planloom.adapters.tool_servers import McpToolClient
from planloom.graphs import PlanningContext, PlanRunner
from planloom.tools import mcp_client
from planloom.tools.address_guard import AddressRefused
from planloom.tools.mcp_client import HttpServer, ToolServers
from planloom.tools.tool import NotReached
from planloom.tools.unwrap import ToolFailed, unwrap
from tests.integration.bad_server import GARBAGE, bad_server

SERVER = str(Path(__file__).with_name("mcp_tool_server.py"))
STDIO = [sys.executable, SERVER, "stdio"]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, SERVER, "http", str(port)], stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert time.monotonic() < deadline, "the tool server does not start"
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(10)


def test_a_graph_calls_tools_of_two_servers(url: str, tmp_path: Path) -> None:
    plan = {
        "id": "two",
        "steps": [
            {"index": "1", "tool": "add", "server": "web", "args": {"a": 1, "b": 2}, "result_variable": "sum"},
            {"index": "2", "tool": "rows", "server": "process", "args": {"count": "${sum}"}, "depends_on": ["1"],
             "result_variable": "rows"},
        ],
    }  # fmt: skip

    async def run() -> dict[str, object]:
        async with ToolServers({"web": url, "process": STDIO}) as servers:
            return (await PlanRunner(PlanningContext(servers, tmp_path)).execute_plan(plan)).variables

    assert asyncio.run(run()) == {"sum": 3, "rows": {"rows": [0, 1, 2]}}


def test_tools_are_listed_with_their_hints(url: str) -> None:
    async def listed() -> dict[str, bool | None]:
        async with ToolServers({"web": url}) as servers:
            return {tool.name: tool.read_only for tool in await servers.list_tools()}

    assert asyncio.run(listed()) == {"add": True} | dict.fromkeys(("rows", "leave", "note", "erase", "refuse"))


def test_what_a_server_refuses_is_a_failure_of_the_tool(url: str) -> None:
    async def call(tool: str) -> None:
        async with ToolServers({"web": url}) as servers:
            unwrap(await servers.execute_tool(tool, {}))

    for tool in ("refuse", "nothing", "add"):
        with pytest.raises(ToolFailed):
            asyncio.run(call(tool))


@pytest.mark.parametrize("server", [HttpServer("http://127.0.0.1:9/mcp", loopback=True), [sys.executable, "-c", ""]])
def test_a_server_that_is_not_there_was_not_reached(server: object) -> None:
    async def call() -> None:
        async with ToolServers({"gone": server}) as servers:  # type: ignore[dict-item]
            await servers.execute_tool("add", {})

    with pytest.raises(NotReached, match="The tool server “gone” cannot be reached"):
        asyncio.run(call())


@pytest.mark.parametrize("error", [httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout])
def test_a_call_without_a_connection_was_not_made_and_the_session_continues(
    url: str, monkeypatch: pytest.MonkeyPatch, error: type[httpx2.TransportError]
) -> None:
    send, refused = httpx2.AsyncHTTPTransport.handle_async_request, [error]

    async def sometimes(transport: httpx2.AsyncHTTPTransport, request: httpx2.Request) -> httpx2.Response:
        if b'"tools/call"' in request.content and refused:
            raise refused.pop()("no connection")
        return await send(transport, request)

    monkeypatch.setattr(httpx2.AsyncHTTPTransport, "handle_async_request", sometimes)

    async def call() -> object:
        async with ToolServers({"web": url}) as servers:
            with pytest.raises(NotReached, match="no connection"):
                await servers.execute_tool("add", {"a": 1, "b": 2})
            return unwrap(await servers.execute_tool("add", {"a": 1, "b": 2}))

    assert asyncio.run(call()) == 3


def test_this_machine_is_refused_unless_it_is_admitted(url: str) -> None:
    async def call() -> None:
        async with ToolServers({"inside": HttpServer(url)}) as servers:
            await servers.execute_tool("add", {})

    with pytest.raises(NotReached, match="no public address"):
        asyncio.run(call())


def test_a_server_that_ends_during_a_call_breaks_the_connection_and_the_next_call_opens_a_new_one() -> None:
    async def calls() -> object:
        async with ToolServers({"process": STDIO}) as servers:
            with pytest.raises(ConnectionError):
                await servers.execute_tool("leave", {})
            return unwrap(await servers.execute_tool("add", {"a": 1, "b": 1}))

    assert asyncio.run(calls()) == 2


@pytest.fixture(scope="module")
def bad() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    with bad_server() as server:
        yield server


def answer(url: str, tool: str, seconds: float = 20) -> object:
    async def call() -> object:
        async with ToolServers({"bad": url}) as servers, asyncio.timeout(seconds):
            return unwrap(await servers.execute_tool(tool, {}))

    return asyncio.run(call())


@pytest.mark.parametrize(
    ("tool", "error"),
    [
        *((tool, ConnectionError) for tool in GARBAGE),
        ("too_large_stream", ConnectionError),
        ("redirect", ToolFailed),
        ("throttled", NotReached),
        ("too_large", ToolFailed),
    ],
)
def test_an_answer_that_is_none_of_an_mcp_server_is_an_error_that_says_whether_the_call_was_made(
    bad: tuple[str, list[tuple[str, str]]], tool: str, error: type[Exception], caplog: pytest.LogCaptureFixture
) -> None:
    # the library logs what it cannot parse
    caplog.set_level(logging.CRITICAL)
    url, seen = bad
    with pytest.raises(error) as raised:
        answer(url, tool)
    assert type(raised.value) is error
    assert ("/elsewhere", "tools/call") not in seen


#: Tools after whose answers the session continues: the server was reached, and what it said is the fault of one call.
KEPT = ("throttled", "wrong_types")


@pytest.mark.parametrize("tool", [*GARBAGE, "too_large_stream", "never", "throttled"])
def test_a_call_that_fails_ends_no_other_call_of_its_session(tool: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    released = threading.Event()

    async def calls(url: str, seen: list[tuple[str, str]]) -> tuple[object, object]:
        async with asyncio.timeout(20), ToolServers({"bad": url}) as servers:
            slow = asyncio.create_task(servers.execute_tool("slow", {}))
            while ("/mcp", "tools/call") not in seen:  # noqa: ASYNC110 - the server counts in another thread
                await asyncio.sleep(0.01)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(mcp_client, "ANSWERING", 0.5 if tool == "never" else 10)
                with pytest.raises((ConnectionError, TimeoutError)):
                    await servers.execute_tool(tool, {})
            later = asyncio.create_task(servers.execute_tool("slow", {}))
            while seen.count(("/mcp", "tools/call")) < 3:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)
            assert ("/mcp", "end of session 1") not in seen, "it is in use"
            released.set()
            return unwrap(await slow), unwrap(await later)

    with bad_server(released) as (url, seen):
        first, second = asyncio.run(calls(url, seen))
    assert first == "of session 1"
    assert second == ("of session 1" if tool in KEPT else "of session 2")
    ended = [method for _, method in seen if method.startswith("end of session")]
    assert sorted(ended) == [f"end of session {n + 1}" for n in range(len(ended))]
    assert len(ended) == [method for _, method in seen].count("initialize")


def test_a_tool_that_never_answers_is_given_up_in_time(bad: tuple[str, list[tuple[str, str]]]) -> None:
    with pytest.raises(TimeoutError):
        answer(bad[0], "never", seconds=0.3)
    assert ("/mcp", "gave up") not in bad[1], "the call ends before the server ends it"


def test_a_session_that_the_server_forgot_is_opened_again_and_the_call_made_once(
    bad: tuple[str, list[tuple[str, str]]],
) -> None:
    with bad_server() as (url, seen):
        assert answer(url, "forgotten") == "known again"
    methods = [method for _, method in seen]
    assert (methods.count("initialize"), methods.count("tools/call")) == (2, 2)


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/mcp",
        "https://localhost/mcp",
        "https://2130706433/mcp",
        "https://0x7f000001/mcp",
        "https://017700000001/mcp",
        "https://[::1]/mcp",
        "https://[::ffff:127.0.0.1]/mcp",
        "https://[64:ff9b::a9fe:a9fe]/mcp",
        "https://169.254.169.254/latest/meta-data/",
        "https://10.0.0.1/mcp",
        "https://0/mcp",
        "http://93.184.216.34/mcp",
    ],
)
def test_an_address_inside_the_network_is_refused_as_the_system_resolves_it(url: str) -> None:
    with pytest.raises(AddressRefused):
        McpToolClient(loopback=False).check(url)
