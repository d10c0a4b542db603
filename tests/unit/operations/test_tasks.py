"""The MCP extension for tasks at /mcp/operations, over the records of operations."""

from typing import Any

import pytest

from planloom.planes import PLANES
from tests.unit.api.calling import http, rpc
from tests.unit.operations.conftest import MCP
from tests.unit.operations.fakes import Bench

LONG = "Run.filter{state = failed}[id].sort(id)"
EXTENSION = "io.modelcontextprotocol/tasks"
VERSION = "2026-07-28"


def modern(
    method: str, account: str = "ann", path: str = MCP, *, declared: bool = True, asks: bool = False, **params: Any
) -> Any:
    """Return the result of a request of 2026-07-28, or its error; *asks*: the client shows forms to a person."""
    capabilities: dict[str, Any] = {"extensions": {EXTENSION: {}}} if declared else {}
    capabilities |= {"elicitation": {"form": {}}} if asks else {}
    meta = {"protocolVersion": VERSION, "clientInfo": {"name": "t", "version": "1"}, "clientCapabilities": capabilities}
    params["_meta"] = {f"io.modelcontextprotocol/{name}": value for name, value in meta.items()}
    headers = {"mcp-protocol-version": VERSION, "mcp-method": method}
    if name := params.get("taskId") or params.get("name"):
        headers["mcp-name"] = name
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    body = http("POST", path, message, account, headers=headers).body
    return body.get("result") or body["error"]


def run(program: str, **more: Any) -> Any:
    declared = more.pop("declared", True)
    return modern("tools/call", declared=declared, name="plasm_run", arguments={"program": program, **more})


def look(task: dict[str, Any], account: str = "ann") -> Any:
    return modern("tasks/get", account, taskId=task["taskId"])


def test_what_takes_long_goes_on_as_a_task_that_ends_with_the_result_of_the_tool(bench: Bench) -> None:
    task = run(LONG, force=True)
    assert (task["resultType"], task["status"], task["ttlMs"], task["pollIntervalMs"]) == (
        "task",
        "working",
        30 * 86_400_000,
        3_000,
    )
    assert not {"content", "result", "task"} & task.keys()
    polled = look(task)
    assert polled["resultType"] == "complete"
    assert {name: polled[name] for name in ("taskId", "status", "createdAt")} == {
        name: task[name] for name in ("taskId", "status", "createdAt")
    }
    bench.work("s0_o1")
    ended = look(task)
    assert (ended["resultType"], ended["status"]) == ("complete", "completed")
    assert ended["result"]["structuredContent"]["results"][0]["total"] == 45
    assert ended["result"]["isError"] is False
    # the same operation has its handle too
    assert rpc("tools/call", {"name": "plasm_run", "arguments": {"program": "wait(s0_o1)"}}, "ann", MCP)["content"]


def test_a_client_that_does_not_declare_the_extension_never_gets_a_task(bench: Bench) -> None:
    assert run(LONG, force=True, declared=False)["structuredContent"]["handle"] == "s0_o1"
    arguments = {"name": "plasm_run", "arguments": {"program": LONG, "force": True}}
    assert "taskId" not in rpc("tools/call", arguments, "ann", MCP)
    for method, params in (("tasks/get", {}), ("tasks/update", {"inputResponses": {}}), ("tasks/cancel", {})):
        refused = modern(method, declared=False, taskId="plasm_run.s0.s0_o1", **params)
        assert refused["code"] == -32021
        assert refused["data"] == {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}


def test_who_asks_for_a_handle_or_a_line_gets_it_and_a_short_program_its_rows(bench: Bench) -> None:
    assert run(LONG, force=True, wait=False)["structuredContent"]["handle"] == "s0_o1"
    assert "`s0_o1` =" in run("wait(s0_o1)")["content"][0]["text"]
    assert run("Plan[id].limit(2)")["structuredContent"]["results"][0]["total"] == 2


def test_a_cancelled_task_ends_and_is_acknowledged_again(bench: Bench) -> None:
    task = run(LONG, force=True)
    for _ in range(2):
        found = modern("tasks/cancel", taskId=task["taskId"])
        assert {name for name in found if name != "_meta"} == {"resultType"}
    bench.work("s0_o1")
    assert look(task)["status"] == "cancelled"


def test_a_program_that_fails_is_a_completed_task_with_the_error_of_the_tool(bench: Bench) -> None:
    task = run(f'{LONG}; Plan("nothing")', force=True)
    bench.work("s0_o1")
    ended = look(task)
    assert (ended["status"], ended["result"]["isError"]) == ("completed", True)
    assert ended["result"]["structuredContent"]["error"]["code"] == "operation_failed"


@pytest.mark.parametrize("key", ["", "plasm_run", "plasm_run.s0.s0_o9", "plasm_run.s9.s9_o1", "plasm.x", "x" * 401])
@pytest.mark.parametrize("method", ["tasks/get", "tasks/update", "tasks/cancel"])
def test_an_unknown_task_is_an_invalid_parameter(bench: Bench, method: str, key: str) -> None:
    more = {"inputResponses": {}} if method == "tasks/update" else {}
    assert modern(method, taskId=key, **more)["code"] == -32602


def test_a_task_belongs_to_its_account(bench: Bench) -> None:
    task = run(LONG, force=True)
    assert look(task, "bob")["code"] == -32602


def test_three_planes_advertise_tasks_and_strategic_plans_do_not() -> None:
    paths = {
        plane.mcp_path
        for plane in PLANES
        if EXTENSION in modern("server/discover", path=plane.mcp_path)["capabilities"].get("extensions", {})
    }
    assert paths == {"/mcp/graphs", "/mcp/workflows", "/mcp/operations"}
    for path in ("/mcp", "/mcp/implementation"):
        assert modern("tasks/get", path=path, taskId="plan_create.x")["code"] == -32601
