"""Graphs over HTTP and MCP: created, tried, run, watched, resumed; tool servers; other accounts; errors with codes."""

import json
from datetime import timedelta
from typing import Any

import pytest

from planloom.planes.graphs.endpoints import ENDPOINTS
from planloom.tools.tool import Tool
from planloom.wiring import approvals as wiring_approvals
from planloom.wiring import graphs as wiring_graphs
from tests.fake_ports import Fakes
from tests.unit.api.calling import ToolAnswer, http, rpc, stream
from tests.unit.graphs.planners import Scripted
from tests.unit.graphs.services import Services
from tests.unit.graphs.tools import DIAMOND, Tools, graph, step

GRAPHS = "/mcp/graphs"
HOURLY = "cron(0 * * * ? *)"


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch, fakes: Fakes) -> Services:
    made = Services()
    made.servers.add("acme", "web", made.URL)
    monkeypatch.setattr(wiring_graphs, "graphs", lambda: made.graphs)
    monkeypatch.setattr(wiring_graphs, "runs", lambda: made.runs)
    monkeypatch.setattr(wiring_graphs, "tool_servers", lambda: made.servers)
    monkeypatch.setattr(wiring_graphs, "budgets", lambda: made.budgets)
    monkeypatch.setattr(wiring_graphs, "schedules", lambda: made.schedules)
    monkeypatch.setattr(wiring_approvals, "approvals", lambda: made.approvals)
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
    created = call("plan_create", graph=DIAMOND)
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


@pytest.mark.parametrize("path", ["/v1/graphs/validate", "/v1/graphs", "/v1/plans"])
def test_half_a_surrogate_pair_is_refused_on_every_plane(services: Services, path: str) -> None:
    body = b'{"goal": "\\ud83d", "prompt": "\\ud83d", "graph": {"steps": []}, "variables": {"a": "\\uD800"}}'
    answer = http("POST", path, body)
    assert (answer.status, answer.body["error"]["code"]) == (422, "INVALID_ARGUMENT")
    whole = http("POST", "/v1/graphs/validate", b'{"graph": {"steps": [], "title": "\\ud83d\\udcdd"}}')
    assert whole.status == 200
    call = {"name": "plan_create", "arguments": {"goal": "x", "variables": {"a": "\ud83d"}}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    assert http("POST", GRAPHS, message).status == 400, "the MCP library reads no such JSON"


def test_a_goal_is_drafted_while_the_caller_polls_and_then_run(services: Services) -> None:
    services.planner = Scripted(DIAMOND, DIAMOND)
    created = http("POST", "/v1/graphs", {"goal": "Do all four", "variables": {"x": 1}})
    plan_id, draft = created.body["plan_id"], created.body["draft"]
    assert (created.status, created.body["revision"], draft["state"], draft["poll_after_sec"]) == (201, 0, "running", 5)
    early = http("GET", f"/v1/graphs/{plan_id}").body
    assert (early["graph"], early["draft"]["run_id"]) == (None, draft["run_id"])
    assert http("POST", f"/v1/graphs/{plan_id}/runs", {}).body["error"]["code"] == "GRAPH_NOT_READY"

    services.work(draft["run_id"])

    found = call("plan_get", plan_id=plan_id)
    assert (found["revision"], found.get("draft"), len(found["graph"]["steps"])) == (1, None, 4)
    run = call("plan_create_and_execute", goal="Do all four", wait_sec=0)
    assert services.until_ended(run["run_id"]).state == "completed"
    assert call("run_status", run_id=run["run_id"])["plan_id"] == run["plan_id"]


def test_a_goal_or_a_graph_is_needed_and_for_a_goal_a_model(services: Services) -> None:
    assert refused("plan_create") == "INVALID_ARGUMENT"
    assert refused("plan_create_and_execute", goal="g", graph=DIAMOND) == "INVALID_ARGUMENT"
    answer = http("POST", "/v1/graphs", {"goal": "Do it"})
    assert (answer.status, answer.body["error"]["code"]) == (503, "MODEL_PROFILES_UNAVAILABLE")


def test_a_revision_is_compared_with_another(services: Services) -> None:
    plan_id = call("plan_create", graph=graph(step("1"), step("2"), variables={"a": 1}))["plan_id"]
    changed = graph(step("2", "3", tool="tool5"), step("3"), variables={"a": 2})
    call("plan_update", plan_id=plan_id, graph=changed, revision=1, note="better")

    found = call("plan_get", plan_id=plan_id, compare_with=1)

    assert found["note"] == "better"
    assert found["difference"] == {
        "compared_with": 1,
        "added": ["3"],
        "removed": ["1"],
        "changed": {"2": ["depends_on", "tool"]},
        "variables": ["a"],
    }


def test_a_quote_counts_calls_and_measures_by_the_last_runs(services: Services) -> None:
    services.client.tools[services.URL].append(Tool(name="erase", destructive=True))
    services.servers.add("acme", "web", services.URL, trusted=True)
    document = graph(
        step("1", args={"seconds": 0.05}, result_variable="rows"),
        step("2", for_each=["a", "b"], retry={"attempts": 3}),
        step("3", ["1", "2"], for_each="${rows}", when="rows != null"),
        step("4", "3", tool="erase"),
    )
    services.called = Tools(answers={"tool1": [1]})
    plan_id = call("plan_create", graph=document)["plan_id"]
    first = http("POST", f"/v1/graphs/{plan_id}/quote", {}).body
    assert {name: first[name] for name in ("steps", "calls", "retries", "seconds", "measured_runs")} == {
        "steps": 4,
        "calls": 4,
        "retries": 4,
        "seconds": None,
        "measured_runs": 0,
    }
    assert (first["conditional"], first["open_ended"], first["destructive"]) == (["3"], ["3"], ["4"])

    run = call("plan_execute", plan_id=plan_id, allow_destructive=True, wait_sec=0)
    assert services.work(run["run_id"]).state == "completed"

    second = call("plan_quote", plan_id=plan_id)
    assert (second["measured_runs"], second["unmeasured"]) == (1, [])
    assert 0.05 <= second["seconds"] < 2


def test_a_run_is_a_trace_with_a_span_for_each_step_and_item(services: Services) -> None:
    run = call("plan_create_and_execute", graph=graph(step("1", for_each=["a", "b"]), step("2", "1")), wait_sec=0)
    services.work(run["run_id"])

    (resource,) = http("GET", f"/v1/runs/{run['run_id']}/trace").body["resourceSpans"]

    (scope,) = resource["scopeSpans"]
    root, *spans = scope["spans"]
    ids = {span["name"]: span["spanId"] for span in scope["spans"]}
    assert {(span["name"], span["parentSpanId"]) for span in spans} == {
        ("Step 1", root["spanId"]),
        ("Step 2", root["spanId"]),
        ("Step 1 items/0", ids["Step 1"]),
        ("Step 1 items/1", ids["Step 1"]),
    }
    assert {span["traceId"] for span in scope["spans"]} == {root["traceId"]}
    assert all(int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"]) for span in scope["spans"])
    assert [span["status"] for span in scope["spans"]] == [{"code": 1}] * 5
    assert (len(root["traceId"]), len(root["spanId"]), len(set(ids.values()))) == (32, 16, 5)


def test_events_of_a_run_are_a_stream_that_ends_with_the_run(services: Services) -> None:
    run_id = call("plan_create_and_execute", graph=DIAMOND, wait_sec=0)["run_id"]
    path = f"/v1/runs/{run_id}/events"
    first = stream(path)
    assert (first.status, first.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
    assert '"name": "run_started"' in first.body
    assert stream(path, query={"after": "1000"}).body.endswith(": nothing yet\n\n")
    services.work(run_id)

    rest = stream(path, last_event_id="1")

    events = [json.loads(line.removeprefix("data: ")) for line in rest.body.splitlines() if line.startswith("data: ")]
    assert [event["name"] for event in events].count("step_completed") == 4
    assert events[-1]["name"] == "run_completed"
    assert stream(path, last_event_id=str(events[-1]["cursor"])).status == 204
    assert stream(path, last_event_id="x").body == stream(path).body
    assert http("GET", path).body["events"][0]["name"] == "run_started"
    assert (stream(path, account="other").status, stream(path, account=None).status) == (404, 403)


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

    answer = http("POST", "/v1/runs", {"graph": DIAMOND})

    assert (answer.status, answer.body["state"]) == (201, "completed")
    assert [each["value"] for each in answer.body["steps"]] == [f"tool{n} done" for n in range(1, 5)]


def test_a_blocked_run_says_what_to_do_and_goes_on_as_told(services: Services) -> None:
    services.called = Tools(failing={"tool1": 1})
    run = call("plan_create_and_execute", graph=graph(step("1")), wait_sec=0)
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
    run = call("plan_create_and_execute", graph=graph(step("1")), wait_sec=0)
    assert refused("run_approve", run_id=run["run_id"], step="1", approved=True) == "STEP_NOT_WAITING"
    assert refused("run_delete", run_id=run["run_id"]) == "RUN_ACTIVE"
    assert call("run_stop", run_id=run["run_id"])["state"] == "stopped"
    assert call("run_resume", run_id=run["run_id"])["state"] == "running"


def test_the_key_that_approved_a_step_is_named_over_mcp_and_http(services: Services) -> None:
    services.client.tools[services.URL].append(Tool(name="erase", destructive=True, input_schema={"type": "object"}))
    services.servers.add("acme", "erasing", services.URL, trusted=True)
    document = graph(step("1", tool="erase", server="erasing"))
    run_id = call("plan_create_and_execute", graph=document, wait_sec=0)["run_id"]
    services.work(run_id)

    call("run_approve", run_id=run_id, step="1", approved=True)
    services.work(run_id)

    said = {"by": "owner", "key": "pex_key of acme", "comment": ""}
    approved = next(each for each in call("run_events", run_id=run_id)["events"] if each["name"] == "step_approved")
    assert approved["data"].items() >= said.items()
    shown = http("GET", f"/v1/runs/{run_id}/steps/1").body["approval"]
    assert shown == {**said, "approval_id": approved["data"]["approval_id"]}
    (response,) = http("GET", f"/v1/approvals/{shown['approval_id']}").body["responses"]
    assert (response["by"], response["key"], response["by_link"]) == ("owner", "pex_key of acme", False)


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


def test_runs_share_a_budget_of_calls(services: Services) -> None:
    assert http("PUT", "/v1/budgets/shared", {"calls": 3}).body == {"name": "shared", "calls": 3, "taken": 0, "left": 3}
    assert refused("plan_create_and_execute", graph=DIAMOND, shared_budget="none") == "BUDGET_NOT_FOUND"
    two = graph(step("1"), step("2", "1"))
    first, second = (
        call("plan_create_and_execute", graph=two, shared_budget="shared", wait_sec=0)["run_id"] for _ in range(2)
    )

    assert services.work(first).state == "completed"
    blocked = services.work(second)

    assert blocked.failure
    assert (blocked.state, blocked.failure.code) == ("failed", "CALL_BLOCKED")
    assert len(services.called.calls) == 3
    assert http("GET", "/v1/budgets").body["budgets"][0]["left"] == 0
    assert call("budget_set", name="shared", calls=9)["taken"] == 3
    call("run_resume", run_id=second)
    assert services.work(second).state == "completed"
    assert call("budget_delete", name="shared") == {"deleted": "shared"}
    assert refused("budget_get", name="shared") == "BUDGET_NOT_FOUND"


def test_a_graph_is_scheduled(services: Services) -> None:
    plan_id = call("plan_create", graph=graph(step("1")))["plan_id"]
    made = http("PUT", "/v1/schedules/nightly", {"plan_id": plan_id, "when": HOURLY, "options": {"budget": 1}})
    assert (made.status, made.body["missed"], made.body["last_run"]) == (200, [], None)
    assert made.body["next_due"] > services.clock().isoformat()
    services.clock.ahead += timedelta(hours=1)
    run_id = services.schedules.run_due("acme", "nightly")
    assert run_id
    assert services.work(run_id).state == "completed"
    assert call("schedule_get", name="nightly")["last_run"] == run_id
    assert [each["name"] for each in call("schedule_list")["schedules"]] == ["nightly"]
    assert refused("schedule_set", name="nightly", plan_id=plan_id, when="never") == "INVALID_ARGUMENT"
    assert call("schedule_delete", name="nightly") == {"deleted": "nightly"}
    assert services.timer.timers == {}


def test_another_account_is_refused_on_every_route(services: Services) -> None:
    run = call("plan_create_and_execute", graph=graph(step("1")), wait_sec=0)
    call("budget_set", name="shared", calls=1)
    call("schedule_set", name="nightly", plan_id=run["plan_id"], when=HOURLY)
    plan, run_id = f"/v1/graphs/{run['plan_id']}", f"/v1/runs/{run['run_id']}"
    routes: list[tuple[str, str, Any]] = [
        ("GET", plan, None),
        ("PUT", plan, {"graph": DIAMOND, "revision": 1}),
        ("DELETE", plan, None),
        ("POST", f"{plan}/dry-run", {}),
        ("POST", f"{plan}/quote", {}),
        ("GET", f"{run_id}/trace", None),
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
        ("GET", "/v1/budgets/shared", None),
        ("DELETE", "/v1/budgets/shared", None),
        ("GET", "/v1/schedules/nightly", None),
        ("DELETE", "/v1/schedules/nightly", None),
        ("PUT", "/v1/schedules/nightly", {"plan_id": run["plan_id"], "when": HOURLY}),
    ]
    named = {
        (method, path.replace(run["plan_id"], "{plan_id}").replace(run["run_id"], "{run_id}"))
        for method, path, _ in routes
    }
    parts = {"/steps/1": "/steps/{step}", **dict.fromkeys(("/web", "/shared", "/nightly"), "/{name}")}
    for part, parameter in parts.items():
        named = {(method, path.replace(part, parameter)) for method, path in named}
    table = {(each.http.method, each.http.path) for each in ENDPOINTS if each.http and "{" in each.http.path}
    # a budget is set for the account that asks
    assert named == table - {("PUT", "/v1/budgets/{name}")}
    for method, path, body in routes:
        assert http(method, path, body, account="other").status == 404, (method, path)
        assert http(method, path, body, account=None).status == 403, (method, path)
    for path in ("/v1/graphs", "/v1/runs", "/v1/tool-servers", "/v1/budgets", "/v1/schedules"):
        (listed,) = (value for value in http("GET", path, account="other").body.values() if isinstance(value, list))
        assert listed == []


def test_another_account_is_refused_by_every_tool(services: Services) -> None:
    run = call("plan_create_and_execute", graph=graph(step("1")), wait_sec=0)
    call("budget_set", name="shared", calls=1)
    known: dict[str, Any] = {
        "plan_id": run["plan_id"],
        "run_id": run["run_id"],
        "step": "1",
        "approved": True,
        "graph": DIAMOND,
        "revision": 1,
        "when": HOURLY,
    }
    for endpoint in ENDPOINTS:
        fields = endpoint.request.model_fields
        names = {"budget": "shared", "tool": "web", "schedule": "nightly"}
        mine = {"name": names[endpoint.name.partition("_")[0]]} if "name" in fields else {}
        given = {name: value for name, value in (known | mine).items() if name in fields}
        # what names nothing in its path lists what is the account's own; a budget is set for the account that asks
        if endpoint.http is None or "{" not in endpoint.http.path or endpoint.name == "budget_set":
            continue
        result = rpc("tools/call", {"name": endpoint.name, "arguments": given}, account="other", path=GRAPHS)
        assert result.get("isError"), endpoint.name
        assert result["structuredContent"]["error"]["code"].endswith("_NOT_FOUND"), endpoint.name
    asked = {"name": "run_list", "arguments": {"plan_id": run["plan_id"]}}
    assert rpc("tools/call", asked, account="other", path=GRAPHS)["structuredContent"]["runs"] == []
    assert call("run_status", run_id=run["run_id"])["state"] == "running"


@pytest.mark.parametrize(
    ("large", "code"),
    [
        (graph(step("1", args={"text": "x" * 5_000_000})), "TOO_LARGE"),
        (graph(*(step(str(number)) for number in range(10_001))), "TOO_MANY_STEPS"),
        (graph(step("1", args={"deep": json.loads("[" * 60 + "]" * 60)})), "TOO_DEEP"),
        (graph(step("1", args="text")), "INVALID_FIELD"),
        (graph(step("1", retries=3)), "UNKNOWN_FIELD"),
    ],
)
def test_a_graph_beyond_the_bounds_is_refused_with_a_code(services: Services, large: Any, code: str) -> None:
    answer = http("POST", "/v1/graphs", {"graph": large})
    assert (answer.status, answer.body["error"]["code"]) == (422, "INVALID_GRAPH")
    assert answer.body["error"]["details"]["problems"][0]["code"] == code
    assert call("plan_validate", graph=large)["problems"][0]["code"] == code
    assert call("plan_list")["plans"] == []
