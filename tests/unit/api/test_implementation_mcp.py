"""The tools of implementation plans, as an agent calls them (planflow-mcp; sections in the names)."""

import asyncio
import copy
import hashlib
import json
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from planloom.api.app import make_app
from planloom.planes.implementation.document.codes import CODES
from planloom.planes.implementation.document.format import examples
from tests.fake_ports import Fakes
from tests.unit.api import calling
from tests.unit.api.calling import ToolAnswer

PATH = "/mcp/implementation"
NORMATIVE = ["get_plan_format", "validate_plan", "create_plan", "get_plan"]
REGISTRY = [
    "update_plan",
    "set_step_status",
    "comment",
    "list_comments",
    "list_plans",
    "plan_history",
    "plan_diff",
    "draft_from_markdown",
    "draft_from_strategic_plan",
]

#: SHA-256 of the specification's schema as JSON with sorted keys and without white space.
SPECIFIED = "510aa71f5c7053b2462f976e1683be75af0e39ab4bc16026542646a526ff6403"


def tool(name: str, account: str | None = "acme", **arguments: Any) -> ToolAnswer:
    return calling.tool(name, account, PATH, **arguments)


def rpc(method: str, params: dict[str, Any] | None = None) -> Any:
    return calling.rpc(method, params, path=PATH)


def example(number: int = 0, **changes: Any) -> dict[str, Any]:
    return copy.deepcopy(examples()[number]) | changes


def created(plan: dict[str, Any] | None = None) -> str:
    answer = tool("create_plan", schemaVersion="1.0.0", plan=plan or example())
    assert not answer.is_error, answer
    return str(answer.body["planId"])


def test_3_the_four_tools_come_first_and_the_registrys_are_set_apart(fakes: Fakes) -> None:
    listed = rpc("tools/list")["tools"]
    assert [each["name"] for each in listed] == NORMATIVE + REGISTRY
    assert [each["name"] for each in listed if each["title"].startswith("Registry: ")] == REGISTRY


def test_every_tool_describes_itself_its_arguments_and_its_answer(fakes: Fakes) -> None:
    for each in rpc("tools/list")["tools"]:
        assert len(each["description"]) > 80, each["name"]
        assert all("description" in field for field in each["inputSchema"]["properties"].values()), each["name"]
        assert each["outputSchema"]["type"] == "object"
        assert "required" not in each["outputSchema"], "an error result must fit the output schema too"
        assert "error" in each["outputSchema"]["properties"]


def test_3_the_four_tools_have_the_specified_fields(fakes: Fakes) -> None:
    listed = {each["name"]: each for each in rpc("tools/list")["tools"]}
    taken = {name: set(listed[name]["inputSchema"]["properties"]) for name in NORMATIVE}
    assert {name: set(listed[name]["inputSchema"].get("required", [])) for name in NORMATIVE} == {
        "get_plan_format": set(),
        "validate_plan": {"schemaVersion", "plan"},
        "create_plan": {"schemaVersion", "plan"},
        "get_plan": {"planId"},
    }
    assert taken == {
        "get_plan_format": {"schemaVersion"},
        "validate_plan": {"schemaVersion", "plan"},
        "create_plan": {"schemaVersion", "plan", "source", "clientRequestId"},
        "get_plan": {"planId", "revision"},
    }
    assert {name: set(listed[name]["outputSchema"]["properties"]) - {"error"} for name in NORMATIVE} == {
        "get_plan_format": {"schemaVersion", "jsonSchema", "constraints", "examples"},
        "validate_plan": {"isValid", "errors", "warnings", "normalizedPlan"},
        "create_plan": {"planId", "revision", "validation", "meta"},
        "get_plan": {"schemaVersion", "plan", "meta", "revision"},
    }


def test_5_the_schema_passes_through_unchanged(fakes: Fakes) -> None:
    answer = tool("get_plan_format").body
    text = json.dumps(answer["jsonSchema"], sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == SPECIFIED
    assert answer["schemaVersion"] == "1.0.0"
    assert [each["code"] for each in answer["constraints"]["rules"]] == [each.code for each in CODES]


def test_every_example_is_valid_and_draws_no_warning(fakes: Fakes) -> None:
    given = tool("get_plan_format").body["examples"]
    assert len(given) == 3
    for each in given:
        answer = tool("validate_plan", schemaVersion="1.0.0", plan=each).body
        assert (answer["isValid"], answer["errors"], answer["warnings"]) == (True, [], [])
        assert answer["normalizedPlan"]["steps"][0]["id"] == "S1"


def test_2_the_specified_walk_from_format_to_implementation(fakes: Fakes) -> None:
    plan = tool("get_plan_format").body["examples"][0]
    del plan["steps"][1]["actions"][0]["path"]
    found = tool("validate_plan", schemaVersion="1.0.0", plan=plan)
    assert not found.is_error, "an invalid plan is a good answer"
    assert found.body["errors"] == [
        {
            "path": "/steps/1/actions/0/path",
            "code": "MISSING_ACTION_FIELD",
            "message": "/steps/1/actions/0 is of type create_file and has no path.",
            "hint": "create_file needs path.",
        }
    ]
    plan["steps"][1]["actions"][0]["path"] = "app/auth/attempts.py"
    saved = tool("create_plan", schemaVersion="1.0.0", plan=plan, source={"mdHash": "ab", "origin": "plan.md"})
    assert saved.body == saved.text
    assert (saved.body["revision"], saved.body["validation"]["isValid"]) == (1, True)
    read = tool("get_plan", planId=saved.body["planId"]).body
    assert read["plan"] == plan | {"planId": saved.body["planId"]}
    assert read["meta"]["source"] == {"mdHash": "ab", "origin": "plan.md"}


def test_an_agent_reports_its_steps_and_people_answer(fakes: Fakes) -> None:
    plan_id = created()
    assert tool("set_step_status", planId=plan_id, stepId="S1", status="doing").body["revision"] == 2
    assert tool("set_step_status", planId=plan_id, stepId="S1", status="done").body["meta"]["status"] == "doing"
    tool("comment", planId=plan_id, stepId="S2", text="Redis is version 6: no EXPIRE NX.")
    assert [each["text"] for each in tool("list_comments", planId=plan_id, stepId="S2").body["comments"]] == [
        "Redis is version 6: no EXPIRE NX."
    ]
    history = tool("plan_history", planId=plan_id).body["revisions"]
    assert [each["changes"] for each in history] == [
        [{"path": "/steps/0/ui/status", "op": "replace", "stepId": "S1"}],
        [{"path": "/steps/0/ui/status", "op": "replace", "stepId": "S1"}],
        [],
    ]
    diff = tool("plan_diff", planId=plan_id, fromRevision=1).body
    assert (diff["fromRevision"], diff["toRevision"]) == (1, 3)
    assert [(each["before"], each["after"]) for each in diff["changes"]] == [("todo", "done")]
    assert [each["planId"] for each in tool("list_plans", q="sign-in").body["plans"]] == [plan_id]


def test_a_conflict_names_the_revision_to_build_upon(fakes: Fakes) -> None:
    plan_id = created()
    first = tool("update_plan", planId=plan_id, plan=example(title="First to save"), revision=1, note="Mine")
    assert first.body["revision"] == 2
    second = tool("update_plan", planId=plan_id, plan=example(title="Second to save"), revision=1)
    assert (second.is_error, second.body["error"]["code"]) == (True, "REVISION_CONFLICT")
    assert second.body["error"]["details"] == {"currentRevision": 2}


OWNED = [
    ("get_plan", {}),
    ("update_plan", {"plan": {}, "revision": 1}),
    ("set_step_status", {"stepId": "S1", "status": "done"}),
    ("comment", {"text": "mine"}),
    ("list_comments", {}),
    ("plan_history", {}),
    ("plan_diff", {}),
]


@pytest.mark.parametrize(("name", "arguments"), OWNED, ids=[name for name, _ in OWNED])
def test_plans_of_others_unknown_and_malformed_ids(fakes: Fakes, name: str, arguments: dict[str, Any]) -> None:
    mine = created()
    kept = copy.deepcopy(fakes.registry)
    asked = [(mine, "other"), (str(uuid4()), "acme"), ("nonsense", "acme"), (mine, None)]
    codes = [tool(name, account, planId=plan_id, **arguments).body["error"]["code"] for plan_id, account in asked]
    assert codes == ["PERMISSION_DENIED", "PLAN_NOT_FOUND", "INVALID_ARGUMENT", "PERMISSION_DENIED"]
    assert fakes.registry == kept


@pytest.mark.parametrize("name", ["get_plan_format", "validate_plan", "create_plan"])
def test_another_version_of_the_schema_is_refused(fakes: Fakes, name: str) -> None:
    plan = {} if name == "get_plan_format" else {"plan": example()}
    answer = tool(name, schemaVersion="2.0.0", **plan)
    assert (answer.is_error, answer.body["error"]["code"]) == (True, "UNSUPPORTED_SCHEMA_VERSION")
    assert answer.body["error"]["details"] == {"supported": ["1.0.0"]}
    assert fakes.registry.documents == {}


def test_strategic_plans_and_implementation_plans_do_not_mix(fakes: Fakes) -> None:
    assert calling.tool("create_plan", plan={}).body["error"]["code"] == "INVALID_TOOL"
    assert tool("plan_create", prompt="x").body["error"]["code"] == "INVALID_TOOL"


@pytest.mark.parametrize(("mode", "protocol"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
def test_a_plan_is_created_and_read_in_both_eras_of_the_protocol(fakes: Fakes, mode: str, protocol: str) -> None:
    app = make_app()

    async def gateway(scope: Any, receive: Any, send: Any) -> None:
        await app(scope | {"aws.event": {"requestContext": {"authorizer": {"account": "acme"}}}}, receive, send)

    async def work() -> tuple[str, list[str], dict[str, Any]]:
        async with (
            httpx2.AsyncClient(transport=httpx2.ASGITransport(app=gateway)) as http,
            Client(streamable_http_client(f"http://planloom.test{PATH}", http_client=http), mode=mode) as mcp,
        ):
            names = [each.name for each in (await mcp.list_tools()).tools]
            saved = await mcp.call_tool("create_plan", {"schemaVersion": "1.0.0", "plan": example()})
            read = await mcp.call_tool("get_plan", {"planId": saved.structured_content["planId"]})
            return mcp.protocol_version, names, read.structured_content

    spoken, names, read = asyncio.run(work())
    assert (spoken, names) == (protocol, NORMATIVE + REGISTRY)
    assert read["plan"] == example() | {"planId": read["plan"]["planId"]}
