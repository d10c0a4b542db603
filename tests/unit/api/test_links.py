"""Links between planes over HTTP: drafts of one thing from another, and what was made from what."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from typer.testing import CliRunner

from planloom.planes.links.link import LinkEnd
from planloom.wiring import graphs as wiring_graphs
from planloom.wiring import links as wiring_links
from planloom.wiring import workflows as wiring_workflows
from planloom_cli import exits, reach
from planloom_cli.main import app
from tests.fake_ports import Fakes
from tests.unit.api.calling import http, tool
from tests.unit.graphs.services import Services
from tests.unit.links.fakes import Linked
from tests.unit.links.test_implementation_links import a_plan, a_step
from tests.unit.strategic.services.test_draft_implementation_plan import finish, scheduled
from tests.unit.workflows.test_command import InProcess


@pytest.fixture
def linked(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> Linked:
    found = Linked(fakes)
    monkeypatch.setattr(wiring_links, "links", lambda: found.links)
    monkeypatch.setattr(wiring_workflows, "workflows", lambda: found.workflows)
    return found


def test_a_finished_strategic_plan_is_drafted_as_a_workflow_and_started_with_a_link(
    fakes: Fakes, linked: Linked
) -> None:
    plan_id = finish(fakes, scheduled().model_dump_json()).plan_id
    drafted = http("POST", f"/v1/plans/{plan_id}/workflow", {"executor": "agent"}).body
    assert (drafted["problems"], drafted["runId"], drafted["notes"]) == ([], None, [])
    assert linked.workflows.validate(drafted["draft"])[0] is not None
    started = http("POST", f"/v1/plans/{plan_id}/workflow", {"start": True}).body
    assert started["steps"] == drafted["steps"]
    assert linked.workflows.get("acme", started["runId"]).status in ("running", "awaiting-human")
    (link,) = http("GET", f"/v1/links/workflows/{started['runId']}").body["links"]
    assert link["source"] == {"plane": "strategic", "id": plan_id}
    assert http("GET", f"/v1/links/strategic/{plan_id}").body["links"] == [link]


def test_an_agent_drafts_a_workflow_of_a_plan_over_mcp(fakes: Fakes, linked: Linked) -> None:
    at = "/mcp/workflows"
    plan_id = finish(fakes, scheduled().model_dump_json()).plan_id
    drafted = tool("draftFromPlan", endpoint=at, plan_id=plan_id, executor="agent").body
    assert drafted["draft"] == http("POST", f"/v1/plans/{plan_id}/workflow", {"executor": "agent"}).body["draft"]
    implemented = linked.save(a_plan()).plan_id
    started = tool("draftFromImplementationPlan", endpoint=at, planId=implemented, start=True).body
    (link,) = http("GET", f"/v1/links/workflows/{started['runId']}").body["links"]
    assert link["source"] == {"plane": "implementation", "id": implemented}
    refused = tool("draftFromPlan", account="other", endpoint=at, plan_id=plan_id)
    assert (refused.is_error, refused.body["error"]["code"]) == (True, "PERMISSION_DENIED")


def test_the_command_prints_a_draft_of_a_plan_or_starts_it(
    fakes: Fakes, linked: Linked, monkeypatch: pytest.MonkeyPatch
) -> None:
    @asynccontextmanager
    async def connect(_: object) -> AsyncIterator[InProcess]:
        yield InProcess()

    monkeypatch.setattr(reach, "connect", connect)
    at = ("--url", "https://api.example/api/mcp", "--key", "pex_x")
    plan_id = finish(fakes, scheduled().model_dump_json()).plan_id
    printed = CliRunner().invoke(app, ["workflow", "draft", plan_id, *at])
    assert linked.workflows.validate(json.loads(printed.stdout))[0] is not None
    implemented = linked.save(a_plan()).plan_id
    started = CliRunner().invoke(app, ["workflow", "draft", implemented, "-i", "--start", *at])
    (link,) = linked.links.of("acme", LinkEnd(plane="implementation", id=implemented))
    assert started.stdout.splitlines()[0] == f"run {link.target.id}"
    refused = CliRunner().invoke(app, ["workflow", "draft", implemented, *at])
    assert refused.exit_code == exits.REFUSED


def test_a_workstream_has_one_active_run(fakes: Fakes, linked: Linked) -> None:
    plan_id = linked.save(a_plan()).plan_id
    codes = [
        http("POST", f"/v1/implementation-plans/{plan_id}/workflow", {"start": True}).body.get("error", {}).get("code")
        for _ in range(2)
    ]
    assert codes[0] is None
    assert codes[1] is not None
    assert len(linked.store.links) == 1


def test_a_strategic_plan_that_is_not_finished_or_of_another_account_is_refused(fakes: Fakes, linked: Linked) -> None:
    plan = finish(fakes, scheduled().model_dump_json())
    foreign = http("POST", f"/v1/plans/{plan.plan_id}/workflow", {}, account="other")
    fakes.plans.plans[plan.plan_id] = plan.model_copy(update={"state": "processing"})
    early = http("POST", f"/v1/plans/{plan.plan_id}/workflow", {})
    assert [(each.status, each.body["error"]["code"]) for each in (foreign, early)] == [
        (403, "PERMISSION_DENIED"),
        (409, "PLAN_NOT_COMPLETED"),
    ]


def test_steps_that_name_tools_become_a_graph_that_is_stored_with_a_link(
    fakes: Fakes, linked: Linked, monkeypatch: pytest.MonkeyPatch
) -> None:
    graphs = Services()
    graphs.servers.add("acme", "web", graphs.URL)
    monkeypatch.setattr(wiring_graphs, "graphs", lambda: graphs.graphs)
    tools = {"S1": {"tool": "tool1", "args": {}}}
    plan_id = linked.save(a_plan(a_step(1), a_step(2, 1), metadata={"tools": tools})).plan_id
    shown = http("POST", f"/v1/implementation-plans/{plan_id}/graph", {}).body
    assert ([step["tool"] for step in shown["graph"]["steps"]], shown["left_out"]) == (["tool1"], ["S2"])
    assert shown["graph_id"] is None
    by_tool = tool("graph_from_implementation_plan", endpoint="/mcp/graphs", plan_id=plan_id).body
    assert by_tool["graph"] == shown["graph"]
    stored = http("POST", f"/v1/implementation-plans/{plan_id}/graph", {"create": True}).body
    (link,) = http("GET", f"/v1/links/graphs/{stored['graph_id']}").body["links"]
    assert (link["source"], link["steps"]) == ({"plane": "implementation", "id": plan_id}, {"S1": "S1"})
    other = http("POST", f"/v1/implementation-plans/{plan_id}/graph", {}, account="other")
    assert other.body["error"]["code"] == "PERMISSION_DENIED"


def test_a_link_is_added_by_hand_and_not_to_what_others_have(fakes: Fakes, linked: Linked) -> None:
    plan_id = linked.save(a_plan()).plan_id
    run_id = linked.workflows.create("acme", draft_of(plan_id)).run_id
    ends = {"source": {"plane": "implementation", "id": plan_id}, "target": {"plane": "workflows", "id": run_id}}
    added = http("POST", "/v1/links", {**ends, "steps": {"S1": "S1"}})
    assert (added.status, added.body["steps"]) == (201, {"S1": "S1"})
    foreign = http("POST", "/v1/links", ends, account="other")
    assert (foreign.status, foreign.body["error"]["code"]) == (422, "INVALID_ARGUMENT")
    assert linked.links.of("other", LinkEnd(plane="workflows", id=run_id)) == []


@pytest.mark.parametrize("name", ["a.b", "a#b", ""])
def test_a_workstream_is_named_as_workflows_name_theirs(fakes: Fakes, linked: Linked, name: str) -> None:
    plan_id = linked.save(a_plan()).plan_id
    path = f"/v1/implementation-plans/{plan_id}/workflow"
    refused = http("POST", path, {"start": True, "workstream_id": name})
    assert (refused.status, refused.body["error"]["code"]) == (422, "INVALID_ARGUMENT")
    assert linked.workflows.workstreams("acme") == []


def test_a_link_whose_steps_would_not_fit_into_the_table_is_refused(fakes: Fakes, linked: Linked) -> None:
    plan_id = linked.save(a_plan()).plan_id
    run_id = linked.workflows.create("acme", draft_of(plan_id)).run_id
    ends = {"source": {"plane": "implementation", "id": plan_id}, "target": {"plane": "workflows", "id": run_id}}
    refused = http("POST", "/v1/links", {**ends, "steps": {"S1": "x" * 400_000}})
    assert (refused.status, refused.body["error"]["code"]) == (422, "INVALID_ARGUMENT")
    assert linked.store.links == {}


def draft_of(plan_id: str) -> Any:
    return http("POST", f"/v1/implementation-plans/{plan_id}/workflow", {}).body["draft"]
