"""Graphs on the embedded AWS, with a real MCP server over HTTP: runs, crashes, approvals, stops."""

import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.e2e.conftest import Running, call_http, until
from tests.e2e.killing import kill, workers
from tests.e2e.tool_server import Tools


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory, service: Running) -> Iterator[Tools]:
    made = Tools(tmp_path_factory.mktemp("tools"))
    try:
        added = call(service, "POST", "/v1/tool-servers", {"name": "test", "url": made.url, "trusted": True})
        assert (added["error"], added["tool_count"]) == (None, 6)
        yield made
    finally:
        made.kill()


def call(service: Running, method: str, path: str, body: Any = None) -> dict[str, Any]:
    return dict(call_http(service.address, method, path, body))


def run(service: Running, steps: list[dict[str, Any]], **options: Any) -> dict[str, Any]:
    return call(service, "POST", "/v1/runs", {"graph": {"title": "e2e", "steps": steps}, **options})


def ended(service: Running, run_id: str) -> dict[str, Any]:
    def look() -> dict[str, Any] | None:
        found = call(service, "GET", f"/v1/runs/{run_id}/wait?timeout_sec=5")
        return found if found["state"] != "running" else None

    return until(look, f"the end of run {run_id}")


def values(service: Running, run_id: str) -> list[Any]:
    return [step["value"] for step in call(service, "GET", f"/v1/runs/{run_id}/steps?limit=100")["steps"]]


def step(index: str, tool: str, needs: list[str] | None = None, **fields: Any) -> dict[str, Any]:
    return {"index": index, "tool": tool, "depends_on": needs or []} | fields


def test_a_graph_of_twelve_steps_passes_results_on_and_runs_each_step_once(service: Running, tools: Tools) -> None:
    steps = [step("0", "add", args={"a": 1, "b": 1}, result_variable="s0")]
    for n in range(1, 10):
        args = {"a": f"${{s{n - 1}}}", "b": n}
        steps.append(step(str(n), "add", [str(n - 1)], args=args, result_variable=f"s{n}"))
    steps.append(step("10", "rows", args={"count": 20_000}, result_variable="many"))
    steps.append(step("11", "note", ["9", "10"], args={"text": "sum ${s9}, last ${many.rows[19999]}"}))

    started = run(service, steps)
    found = ended(service, started["run_id"])

    assert (found["state"], found["progress"]["completed"]) == ("completed", 12)
    assert values(service, started["run_id"])[9] == 47
    assert tools.calls()["sum 47, last 19999"] == 1
    whole = call(service, "GET", f"/v1/runs/{started['run_id']}/steps/10")
    assert whole["value"] == {"rows": list(range(20_000))}
    page = call(service, "GET", f"/v1/runs/{started['run_id']}/events?limit=1000")
    names = Counter(event["name"] for event in page["events"])
    assert (names["step_completed"], names["run_completed"]) == (12, 1)


def test_a_server_that_is_killed_in_the_middle_is_reached_again_and_its_open_call_is_unknown(
    service: Running, tools: Tools
) -> None:
    steps = [
        step("1", "note", args={"text": "before"}),
        step("2", "note", ["1"], args={"text": "open", "seconds": 20}),
        step("3", "add", ["2"], args={"a": 1, "b": 2}, retry={"attempts": 5, "backoff": 1}),
        step("4", "note", ["3"], args={"text": "after"}),
    ]
    started = run(service, steps, wait_sec=0)
    until(lambda: tools.calls()["open"], "the open call")
    tools.kill()
    found = ended(service, started["run_id"])
    assert (found["state"], found["failure"]["code"]) == ("blocked", "OUTCOME_UNKNOWN")
    assert found["failure"]["steps"] == ["2"]

    tools.start()
    call(service, "POST", f"/v1/runs/{started['run_id']}/resume", {"on_unknown": "value", "value": "open"})
    found = ended(service, started["run_id"])

    assert found["state"] == "completed"
    assert values(service, started["run_id"]) == ["before", "open", 3, "after"]
    assert [tools.calls()[text] for text in ("before", "open", "after")] == [1, 1, 1]


def test_a_worker_that_is_killed_repeats_no_call_unasked(service: Running, tools: Tools) -> None:
    steps = [step(str(n), "note", args={"text": f"killed {n}", "seconds": 0.05}) for n in range(60)]
    started = run(service, steps, wait_sec=0, max_concurrency=4)
    until(lambda: sum(count for text, count in tools.calls().items() if text.startswith("killed")) > 20, "20 calls")
    kill(workers(service.aws.folder, "POWERTOOLS_SERVICE_NAME=run_worker"))

    found = ended(service, started["run_id"])
    calls = {text: count for text, count in tools.calls().items() if text.startswith("killed")}
    assert set(calls.values()) == {1}
    assert found["state"] == "blocked"
    assert 1 <= len(found["failure"]["steps"]) <= 4
    call(service, "POST", f"/v1/runs/{started['run_id']}/resume", {"on_unknown": "skip"})

    assert ended(service, started["run_id"])["state"] == "completed"
    assert set(tools.calls().values()) == {1}


def test_a_parked_run_fails_when_its_deadline_passes(service: Running, tools: Tools) -> None:
    started = run(service, [step("1", "erase", args={"what": "it"})], deadline_sec=5)
    begun = time.monotonic()

    def failed() -> bool:
        found = call(service, "GET", f"/v1/runs/{started['run_id']}")
        return bool(found["failure"] and found["failure"]["code"] == "DEADLINE_EXCEEDED")

    until(failed, "the deadline")
    assert time.monotonic() - begun < 60


def test_a_run_is_stopped_within_five_seconds(service: Running, tools: Tools) -> None:
    started = run(service, [step("1", "note", args={"text": "long", "seconds": 60})], wait_sec=0)
    until(lambda: tools.calls()["long"], "the long call")

    begun = time.monotonic()
    stopped = call(service, "POST", f"/v1/runs/{started['run_id']}/stop")

    assert stopped["state"] == "stopped"
    # it takes five seconds at most, on a slow machine a few times that, and without a stop the sixty of the call
    assert time.monotonic() - begun < 30


def test_a_graph_runs_when_its_schedule_is_due(service: Running, tools: Tools) -> None:
    body = {"graph": {"title": "due", "steps": [step("1", "note", args={"text": "${said}"})]}}
    plan_id = call(service, "POST", "/v1/graphs", {"graph": body["graph"] | {"variables": {"said": ""}}})["plan_id"]
    due = datetime.now(UTC) + timedelta(seconds=5)
    when = {"when": f"at({due:%Y-%m-%dT%H:%M:%S})", "plan_id": plan_id, "variables": {"said": "scheduled"}}
    call(service, "PUT", "/v1/schedules/once", when)

    def started() -> str | None:
        run_id: str | None = call(service, "GET", "/v1/schedules/once")["last_run"]
        return run_id

    assert ended(service, until(started, "the scheduled run"))["state"] == "completed"
    assert tools.calls()["scheduled"] == 1
    found = call(service, "GET", "/v1/schedules/once")
    assert (found["next_due"], found["missed"]) == (None, [])
    call(service, "DELETE", "/v1/schedules/once")


def test_a_step_calls_a_tool_of_planloom_itself_for_the_account_of_the_run(service: Running, tools: Tools) -> None:
    steps = [
        step("1", "graphs_run_list", server="planloom", args={"limit": 1}, result_variable="runs"),
        step("2", "note", ["1"], args={"text": "${runs.runs[0].title}"}),
    ]
    started = run(service, steps)
    assert ended(service, started["run_id"])["state"] == "completed"
    assert values(service, started["run_id"])[1] == "e2e"
