"""Runs whose tools answer badly or not at all, over HTTP: each ends, with a clear code, and what completed is kept."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest

from planloom import wiring
from planloom.tools.mcp_client import ToolServers
from planloom.wiring import approvals as wiring_approvals
from planloom.wiring import graphs as wiring_graphs
from tests.fake_ports import make_fakes
from tests.integration.bad_server import MEGABYTES, TOOLS, bad_server
from tests.unit.api.calling import http
from tests.unit.graphs.services import Services
from tests.unit.graphs.tools import Tools, graph, step


class OverHttp(Tools):
    """Calls the tools of a server, in a session for each call."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url

    async def execute_tool(self, name: str, args: dict[str, Any], /, **_: Any) -> Any:
        if name == "tool1":
            return await super().execute_tool(name, args)
        async with ToolServers({"bad": self._url}) as servers:
            return await servers.execute_tool(name, args)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with bad_server() as (address, _):
        yield address


@pytest.fixture
def services(url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Services:
    # the library logs what it cannot parse
    caplog.set_level(logging.CRITICAL)
    made = Services(OverHttp(url))
    offered = made.client.tools[made.URL]
    offered += [offered[0].model_copy(update={"name": name}) for name in TOOLS]
    made.servers.add("acme", "bad", made.URL)
    fakes = make_fakes()
    monkeypatch.setattr(wiring, "ports", lambda: fakes.ports)
    monkeypatch.setattr(wiring_graphs, "graphs", lambda: made.graphs)
    monkeypatch.setattr(wiring_graphs, "runs", lambda: made.runs)
    monkeypatch.setattr(wiring_approvals, "approvals", lambda: made.approvals)
    return made


def ended(services: Services, tool: str, **fields: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Run a step of *tool* after one that completes; return the run and its steps as a caller reads them."""
    document = graph(step("1"), step("2", "1", tool=tool, **fields))
    run_id = http("POST", "/v1/runs", {"graph": document, "wait_sec": 0}).body["run_id"]
    services.work(run_id)
    steps = http("GET", f"/v1/runs/{run_id}/steps").body["steps"]
    return http("GET", f"/v1/runs/{run_id}").body, steps


@pytest.mark.parametrize(
    ("tool", "fields", "state", "code"),
    [
        ("not_json", {}, "blocked", "OUTCOME_UNKNOWN"),
        ("not_json", {"idempotent": True}, "failed", "CONNECTION_FAILED"),
        ("never", {"timeout_sec": 0.3}, "blocked", "OUTCOME_UNKNOWN"),
        ("never", {"timeout_sec": 0.3, "idempotent": True}, "failed", "CALL_TIMED_OUT"),
        ("too_large", {}, "failed", "TOOL_FAILED"),
        ("throttled", {}, "failed", "CONNECTION_FAILED"),
    ],
)
def test_a_tool_that_answers_badly_ends_its_run_with_a_code(
    services: Services, tool: str, fields: dict[str, Any], state: str, code: str
) -> None:
    run, steps = ended(services, tool, **fields)

    assert (run["state"], run["failure"]["code"]) == (state, code)
    assert [each["state"] for each in steps] == ["completed", "unknown" if state == "blocked" else "failed"]
    assert steps[1]["code"] == code


def test_a_result_of_fifty_megabytes_is_kept_and_its_size_shown(services: Services) -> None:
    run, steps = ended(services, "fifty_megabytes")

    assert run["state"] == "completed"
    assert (steps[1]["value"], steps[1]["value_bytes"]) == (None, MEGABYTES * 1_000_000 + 2)
    whole = http("GET", f"/v1/runs/{run['run_id']}/steps/2").body
    assert (whole["value"], whole["value_bytes"]) == (None, MEGABYTES * 1_000_000 + 2)
    _, text = services.graphs.step("acme", run["run_id"], "2")
    assert text == f'"{"x" * (MEGABYTES * 1_000_000)}"'
