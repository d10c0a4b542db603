"""Graphs over HTTP and MCP: created, tried, run, watched, resumed; tool servers; other accounts; errors with codes."""

from typing import Any

import pytest

from planloom import wiring_graphs
from planloom.planes.graphs.endpoints import ENDPOINTS
from tests.unit.api.calling import ToolAnswer, http, rpc
from tests.unit.graphs.services import Services
from tests.unit.graphs.tools import DIAMOND, Tools, graph, step
from tests.worlds import Fakes

GRAPHS = "/mcp/graphs"


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch, fakes: Fakes) -> Services:
    made = Services()
    made.servers.add("acme", "web", made.URL)
    monkeypatch.setattr(wiring_graphs, "graphs", lambda: made.graphs)
    monkeypatch.setattr(wiring_graphs, "runs", lambda: made.runs)
    monkeypatch.setattr(wiring_graphs, "tool_servers", lambda: made.servers)
    return made


def called(name: str, arguments: dict[str, Any]) -> ToolAnswer:
    result = rpc("tools/call", {"name": name, "arguments": arguments}, path=GRAPHS)
    return ToolAnswer(result.get("structuredContent", {}), {}, result.get("isError", False))


def call(name: str, /, **arguments: Any) -> dict[str, Any]:
    """Call a tool that succeeds."""
    answer = called(name, arguments)
    assert not answer.is_error, answer.body
    return answer.body


def refused(name: str, /, **arguments: Any) -> str:
    """Call a tool that fails and return the code of its error."""
    answer = called(name, arguments)
    assert answer.is_error, answer.body
    return str(answer.body["error"]["code"])


def test_a_graph_from_its_creation_to_its_results_over_mcp(services: Services) -> None:
    checked = call("plan_validate", graph=DIAMOND)
    assert (checked["is_valid"], checked["batches"]) == (True, [["1"], ["2", "3"], ["4"]])
    created = call("plan_create", goal="Do it", graph=DIAMOND)
    assert created["steps"][0] == "1. Step 1"
    assert call("plan_list")["plans"][0]["plan_id"] == created["plan_id"]
    tried = call("plan_dry_run", plan_id=created["plan_id"])
    assert [each["step"] for each in tried["steps"]] == ["1", "2", "3", "4"]

    run = call("plan_execute", plan_id=created["plan_id"], wait_sec=0)
    assert (run["state"], run["poll_after_sec"]) == ("running", 5)
    services.work(run["run_id"])

    ended = call("run_wait", run_id=run["run_id"])
    assert (ended["state"], ended["progress"]["completed"]) == ("completed", 4)
    steps = call("run_steps", run_id=run["run_id"], limit=3)
    assert [each["value"] for each in steps["steps"]] == ["tool1 done", "tool2 done", "tool3 done"]
    assert (steps["total"], steps["next"]) == (4, 3)
    events = call("run_events", run_id=run["run_id"])
    assert [events["events"][0]["name"], events["events"][-1]["name"]] == ["run_started", "run_completed"]
    assert call("run_step", run_id=run["run_id"], step="4")["value"] == "tool4 done"
    assert call("run_list")["runs"][0]["run_id"] == run["run_id"]
    assert call("run_delete", run_id=run["run_id"]) == {"deleted": run["run_id"]}
    assert refused("run_status", run_id=run["run_id"]) == "RUN_NOT_FOUND"


def test_the_same_over_http(services: Services) -> None:
    created = http("POST", "/v1/graphs", {"graph": graph(step("1"))})
    plan_id = created.body["plan_id"]
    assert (created.status, created.headers["location"]) == (201, f"/v1/graphs/{plan_id}")
    assert http("GET", f"/v1/graphs/{plan_id}").body["text"].startswith("○ 1. Step 1")
    changed = http("PUT", f"/v1/graphs/{plan_id}", {"graph": DIAMOND, "revision": 1})
    assert (changed.body["revision"], changed.body["step_count"]) == (2, 4)
    assert http("PUT", f"/v1/graphs/{plan_id}", {"graph": DIAMOND, "revision": 1}).status == 409

    started = http("POST", f"/v1/graphs/{plan_id}/runs", {"wait_sec": 0, "deadline_sec": 60})
    assert started.status == 201
    run_id = started.body["run_id"]
    services.work(run_id)
    assert http("GET", f"/v1/runs/{run_id}").body["state"] == "completed"
    assert http("GET", f"/v1/runs/{run_id}/events", query={"after": "0", "limit": "1"}).body["next"] == 1
    assert http("GET", f"/v1/runs/{run_id}/steps/2").body["state"] == "completed"
    assert http("GET", f"/v1/runs/{run_id}/steps/9").status == 404
    assert http("DELETE", f"/v1/graphs/{plan_id}").body == {"deleted": plan_id}
    assert http("GET", "/v1/graphs/schema").body["json_schema"]["title"] == "Graph"


def test_a_run_that_ends_in_time_returns_its_results_at_once(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = services.engine.start

    def work_at_once(run_id: str, number: int, part: int) -> None:
        start(run_id, number, part)
        services.work(run_id)

    monkeypatch.setattr(services.engine, "start", work_at_once)

    answer = http("POST", "/v1/runs", {"graph": DIAMOND, "goal": "All"})

    assert (answer.status, answer.body["state"]) == (201, "completed")
    assert [each["value"] for each in answer.body["steps"]] == [f"tool{n} done" for n in range(1, 5)]


def test_a_blocked_run_says_what_to_do_and_goes_on_as_told(services: Services) -> None:
    services.called = Tools(failing={"tool1": 1})
    run = call("plan_create_and_execute", goal="g", graph=graph(step("1")), wait_sec=0)
    services.work(run["run_id"])

    blocked = call("run_status", run_id=run["run_id"])
    assert (blocked["state"], blocked["failure"]["code"]) == ("blocked", "OUTCOME_UNKNOWN")
    assert "on_unknown" in blocked["next_steps"][0]
    assert refused("run_resume", run_id=run["run_id"]) == "OUTCOME_UNKNOWN"
    resumed = call("run_resume", run_id=run["run_id"], on_unknown="value", value={"given": 1})
    assert (resumed["state"], resumed["number"]) == ("running", 2)
    services.work(run["run_id"])
    assert call("run_steps", run_id=run["run_id"])["steps"][0]["value"] == {"given": 1}


def test_runs_are_stopped_and_approved(services: Services) -> None:
    run = call("plan_create_and_execute", goal="g", graph=graph(step("1")), wait_sec=0)
    assert refused("run_approve", run_id=run["run_id"], step="1", approved=True) == "STEP_NOT_WAITING"
    assert refused("run_delete", run_id=run["run_id"]) == "RUN_ACTIVE"
    assert call("run_stop", run_id=run["run_id"])["state"] == "stopped"
    assert call("run_resume", run_id=run["run_id"])["state"] == "running"


def test_a_graph_that_is_wrong_is_refused_with_its_problems(services: Services) -> None:
    answer = http("POST", "/v1/graphs", {"graph": graph(step("1", "2"))})

    assert (answer.status, answer.body["error"]["code"]) == (422, "INVALID_GRAPH")
    assert answer.body["error"]["details"]["problems"][0]["code"] == "UNKNOWN_DEPENDENCY"
    run = http("POST", "/v1/runs", {"graph": graph(step("1", tool="none"))})
    assert (run.status, run.body["error"]["details"]["problems"][0]["code"]) == (422, "UNKNOWN_TOOL")


def test_tool_servers_are_added_read_and_removed_and_their_headers_never_shown(services: Services) -> None:
    body = {"name": "keyed", "url": services.URL, "headers": {"X-Key": "hush"}}
    added = http("POST", "/v1/tool-servers", body)
    assert (added.status, added.body["tool_count"], added.body["headers"]) == (201, 11, ["X-Key"])
    for answer in (
        added,
        http("GET", "/v1/tool-servers"),
        http("GET", "/v1/tool-servers/keyed"),
        http("POST", "/v1/tool-servers/keyed/test"),
    ):
        assert answer.status < 300
        assert "hush" not in str(answer.body)
    assert call("tool_server_get", name="keyed")["tools"][0]["name"] == "tool1"
    assert http("DELETE", "/v1/tool-servers/keyed").body == {"deleted": "keyed"}
    assert http("GET", "/v1/tool-servers/keyed").status == 404
    wrong = http("POST", "/v1/tool-servers", {"name": "x", "url": "https://private.example"})
    assert (wrong.status, wrong.body["error"]["code"]) == (422, "INVALID_TOOL_SERVER")
    assert call("tool_server_add", name="away", url="https://away.example")["error"]
    assert refused("tool_server_test", name="away") == "TOOL_SERVER_UNREACHABLE"


def test_another_account_is_refused_on_every_route(services: Services) -> None:
    run = call("plan_create_and_execute", goal="g", graph=graph(step("1")), wait_sec=0)
    plan, run_id = f"/v1/graphs/{run['plan_id']}", f"/v1/runs/{run['run_id']}"
    routes: list[tuple[str, str, Any]] = [
        ("GET", plan, None),
        ("PUT", plan, {"graph": DIAMOND, "revision": 1}),
        ("DELETE", plan, None),
        ("POST", f"{plan}/dry-run", {}),
        ("POST", f"{plan}/runs", {}),
        ("GET", run_id, None),
        ("GET", f"{run_id}/wait", None),
        ("GET", f"{run_id}/events", None),
        ("GET", f"{run_id}/steps", None),
        ("GET", f"{run_id}/steps/1", None),
        ("POST", f"{run_id}/stop", {}),
        ("POST", f"{run_id}/resume", {}),
        ("POST", f"{run_id}/approve", {"step": "1", "approved": True}),
        ("DELETE", run_id, None),
        ("GET", "/v1/tool-servers/web", None),
        ("POST", "/v1/tool-servers/web/test", None),
        ("DELETE", "/v1/tool-servers/web", None),
    ]
    named = {
        (method, path.replace(run["plan_id"], "{plan_id}").replace(run["run_id"], "{run_id}"))
        for method, path, _ in routes
    }
    named = {(method, path.replace("/steps/1", "/steps/{step}").replace("/web", "/{name}")) for method, path in named}
    table = {(each.http.method, each.http.path) for each in ENDPOINTS if each.http and "{" in each.http.path}
    assert named == table
    for method, path, body in routes:
        assert http(method, path, body, account="other").status == 404, (method, path)
        assert http(method, path, body, account=None).status == 403, (method, path)
    for path in ("/v1/graphs", "/v1/runs", "/v1/tool-servers"):
        (listed,) = (value for value in http("GET", path, account="other").body.values() if isinstance(value, list))
        assert listed == []
