"""Every route, tool and resource that takes a plan refuses another account's plan and an unknown one.

They are taken from the routing tables, so that a new one is held to it without being named here. What names no plan,
of routes, tools and fields alike, is listed below, so that a new one is not forgotten either.
"""

import json
import re
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

import pytest
from fastapi.routing import iter_route_contexts

from planloom.api.app import make_app
from planloom.planes import PLANES, SHARED
from planloom.planes.graphs.plane import GRAPHS
from planloom.planes.implementation.document.format import examples
from planloom.planes.links.endpoints import OF_GRAPHS, OF_WORKFLOWS
from planloom.planes.workflows.plane import WORKFLOWS
from planloom.transports.mcp import as_tool
from planloom.wiring import links as wiring_links
from planloom.wiring import workflows as wiring_workflows
from tests.fake_ports import Fakes
from tests.unit.api.calling import http, rpc
from tests.unit.links.fakes import Linked
from tests.unit.strategic.services.walk import begin, deliver, work

Schema = dict[str, Any]

#: Graphs, runs and tool servers have ids of their own: test_graphs.py tries each of their routes. So have workflows
#: (tests/unit/workflows/test_calls.py), programs (tests/unit/operations), approvals and webhooks.
HERE = (
    *(plane for plane in (*PLANES, *SHARED) if plane.name in ("strategic", "implementation", "links")),
    # of the planes that run something what is made from a plan
    replace(GRAPHS, endpoints=OF_GRAPHS),
    replace(WORKFLOWS, endpoints=OF_WORKFLOWS),
)

#: What an argument is called that names a plan. ``planId`` is one of the registry's, which has ids of its own.
PLAN_IDS = {"plan_id", "other_plan_id", "planId", "derived_from", "before"}
#: In the registry's list a place comes before, not a plan.
PLACES = {("/v1/implementation-plans", "before"), ("list_plans", "before")}
#: What names no plan: wherever a field that is neither here nor above is added, it must be placed.
NO_PLAN_NAMED = {
    # ids of other things, each within what the caller owns: requests, steps, versions, places in a log
    *("client_request_id", "clientRequestId", "step", "stepId", "stages", "version", "revision"),
    *("fromRevision", "toRevision", "from", "to", "after", "since_cursor", "last-event-id", "expected_sha256"),
    # files, within the plan beside them
    *("path", "artifact", "artifacts", "prefix", "offset", "Range", "if-range", "if-none-match"),
    # secrets that open one thing: see test_share.py, test_watch.py and test_keys.py
    *("token", "ticket", "user_api_key"),
    # what is to be stored, or checked
    *("prompt", "content", "markdown", "plan", "text", "note", "context", "repo", "ref", "stack", "source"),
    # corrections of a goal's facts; a facts_id names a reading of the caller's own account
    *("facts", "facts_id", "total", "low", "high", "currency", "deadline", "earliest", "latest", "kind"),
    *("people", "count", "who", "bans", "what", "places", "name"),
    # feedback
    *("rating", "category"),
    # how it is to be done, and what lists hold
    *("model_profile", "target", "detail", "dry_run", "start", "force_upgrade", "archived", "days", "format", "accept"),
    *("rules_only",),
    # links: a plane, and an id that is looked for within the caller's own; see test_links.py
    *("plane", "id", "target", "steps", "create", "executor", "role", "workstreamId"),
    # programs: a session of the caller's own, and its contents; see tests/unit/operations
    *("prompt_hash", "session", "handle", "key", "plan_commit_ref", "program", "mode", "wait", "force", "ask"),
    # a run of the caller's own; see test_graphs.py
    "run_id",
    *("timeout_sec", "poll_interval_sec", "limit", "max_lines", "schemaVersion", "planType", "status", "q"),
}
#: Values for texts of which a schema says more than that they are texts.
SAMPLES = ("016", "a" * 64, "001-2-plan.txt", "word", "00000000-0000-4000-8000-000000000000")
#: A step of it names a tool, so that a graph can be made of the plan.
PLAN = examples()[0].get("plan", examples()[0])
PLAN = {**PLAN, "metadata": {**PLAN.get("metadata", {}), "tools": {PLAN["steps"][0]["id"]: {"tool": "t", "args": {}}}}}
REFUSALS = {"PERMISSION_DENIED", "PLAN_NOT_FOUND"}

#: Everything else that is served, and why it cannot show another account's plan.
NO_PLAN = {
    "GET /v1/plans/latest": "the caller's own",
    "GET /v1/example-plans": "nobody's plans, for all",
    "GET /v1/example-prompts": "for all",
    "GET /v1/model-profiles": "for all",
    "GET /v1/implementation-plans": "lists the caller's own; its cursor is a place, not a plan",
    "POST /v1/implementation-plans": "makes one",
    "POST /v1/implementation-plans/validate": "stores nothing",
    "POST /v1/implementation-plans/from-markdown": "stores nothing",
    "GET /v1/implementation-plans/schema": "for all",
    "GET /shared/{token}": "opened by a secret, see test_share.py",
    "GET /v1/openapi.json": "for all",
    "GET /health": "for all",
    **dict.fromkeys(
        (f"/mcp{name}{slash}" for name in ("", "/implementation", "/graphs", "/workflows") for slash in ("", "/")),
        "the tools, each tried below",
    ),
    **dict.fromkeys(("example_plans", "example_prompts", "model_profiles", "get_plan_format"), "for all"),
    "create_plan": "makes one",
    **dict.fromkeys(("validate_plan", "draft_from_markdown"), "stores nothing"),
    **dict.fromkeys(("plan_get_latest", "list_plans"), "the caller's own"),
    "GET /v1/links/{plane}/{id}": "the caller's own links, see test_links.py",
    "POST /v1/links": "both ends must be the caller's own, see test_links.py",
    **dict.fromkeys(("GET /approve/{token}", "POST /approve/{token}"), "opened by a secret, see test_approvals.py"),
    "GET /v1/runs/{run_id}/events": "a run, see test_graphs.py",
    "POST /execute": "makes a session",
    **dict.fromkeys(
        (
            f"{method} /execute/{{prompt_hash}}/{{session}}{rest}"
            for method, rest in (
                ("GET", ""),
                ("POST", ""),
                ("GET", "/operations/{handle}"),
                ("GET", "/operations/{handle}/stream"),
                ("GET", "/results/{key}"),
            )
        ),
        "a session of the caller's own, see tests/unit/operations",
    ),
    **dict.fromkeys(("POST /v1/facts", "GET /v1/facts/{facts_id}", "plan_facts"), "of a goal, see test_facts.py"),
}


@dataclass(frozen=True)
class Argument:
    """One argument that names a plan, of a route or of a tool."""

    where: str
    method: str
    name: str
    schema: Schema
    definitions: Schema
    path_names: tuple[str, ...] = ()
    query: tuple[Schema, ...] = ()

    def __str__(self) -> str:
        return f"{self.method} {self.where} {self.name}"


def resolved(schema: Schema, definitions: Schema) -> Schema:
    """Return *schema* with its reference followed, and the first of its alternatives that is not null."""
    if "$ref" in schema:
        return resolved(definitions[schema["$ref"].rsplit("/", 1)[-1]], definitions)
    for alternative in schema.get("anyOf", schema.get("oneOf", [])):
        if alternative.get("type") != "null":
            return resolved(alternative, definitions)
    return schema


def sample(name: str, schema: Schema, definitions: Schema, ids: dict[str, str]) -> Any:
    """Return a value that fits *schema*; *ids* are the values of arguments that name plans."""
    schema = resolved(schema, definitions)
    known = {"path": "001-2-plan.txt", "plan": PLAN, **ids}
    if name in known:
        return known[name]
    if "enum" in schema or "const" in schema:
        return schema.get("enum", [schema.get("const")])[0]
    kind = schema.get("type")
    if kind == "object":
        wanted = {*schema.get("required", []), *(ids.keys() & schema.get("properties", {}).keys())}
        inner = schema.get("properties", {})
        return {each: sample(each, inner[each], definitions, ids) for each in sorted(wanted)}
    if kind == "array":
        count = schema.get("minItems", 0)
        return [sample(name, schema["items"], definitions, ids) for _ in range(count)]
    if kind in ("integer", "number"):
        return max(schema.get("minimum", 1), 1)
    if kind == "boolean":
        return True
    fitting = (each for each in SAMPLES if re.search(schema.get("pattern", ""), each))
    return next(each for each in fitting if len(each) <= schema.get("maxLength", 1000))


def routes() -> list[Argument]:
    """Return each argument of each HTTP route that names a plan, in its path, its query or its body."""
    described = make_app(HERE).openapi()
    definitions = described["components"]["schemas"]
    found = []
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            given = operation.get("parameters", [])
            content = operation.get("requestBody", {}).get("content", {})
            body = resolved(content.get("application/json", {}).get("schema", {}), definitions)
            named = {each["name"] for each in given if each["in"] != "header"} | set(body.get("properties", {}))
            named -= {name for where, name in PLACES if where == path}
            query = tuple(
                each for each in given if each["in"] == "query" and (each["required"] or each["name"] in PLAN_IDS)
            )
            path_names = tuple(each["name"] for each in given if each["in"] == "path")
            found += [
                Argument(path, method.upper(), name, body, definitions, path_names, query)
                for name in sorted(named & PLAN_IDS)
            ]
    return found


def offered() -> list[tuple[str, str, Schema]]:
    """Return endpoint, name and input schema of each MCP tool."""
    return [
        (plane.mcp_path, endpoint.name, as_tool(plane, endpoint).input_schema)
        for plane in HERE
        for endpoint in plane.endpoints
        if endpoint.tool
    ]


def tools() -> list[Argument]:
    """Return each argument of each MCP tool that names a plan."""
    return [
        Argument(path, tool, name, schema, schema.get("$defs", {}))
        for path, tool, schema in offered()
        for name in sorted(PLAN_IDS & set(schema["properties"]))
        if (tool, name) not in PLACES
    ]


def fields(schema: Schema, definitions: Schema, within: tuple[str, ...] = ()) -> set[str]:
    """Return the name of every field of *schema*, those of its parts too, but not of one *within* itself."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return set() if name in within else fields(definitions[name], definitions, (*within, name))
    properties = schema.get("properties", {})
    parts = [*properties.values(), *(part for kind in ("anyOf", "oneOf", "allOf") for part in schema.get(kind, []))]
    parts += [schema[kind] for kind in ("items", "additionalProperties") if isinstance(schema.get(kind), dict)]
    return set(properties).union(*(fields(part, definitions, within) for part in parts))


def accepted() -> set[str]:
    """Return the name of all that a caller can send: in paths, queries, headers and bodies, and to tools."""
    described = make_app(HERE).openapi()
    operations = [operation for path in described["paths"].values() for operation in path.values()]
    bodies = [kind for each in operations for kind in each.get("requestBody", {}).get("content", {}).values()]
    found = {parameter["name"] for each in operations for parameter in each.get("parameters", [])}
    found |= {part for path in served() for part in re.findall(r"{(\w+)", path)}
    for body in bodies:
        found |= fields(body.get("schema", {}), described["components"]["schemas"])
    for _, _, schema in offered():
        found |= fields(schema, schema.get("$defs", {}))
    return found


def served() -> set[str]:
    """Return every route that the app answers on, those too that its description leaves out."""
    contexts = iter_route_contexts(make_app(HERE).routes)
    return {
        f"{method} {context.path}".strip() for context in contexts for method in (context.methods or {""}) - {"HEAD"}
    }


@dataclass(frozen=True)
class Plans:
    """The plans of acme: one that is drafted, and one of implementation."""

    plan_id: str
    implementation: str

    def ids(self, where: str, one: str = "", value: str = "") -> dict[str, str]:
        """Return acme's ids by argument of *where*; *one* of them has *value* instead."""
        mine = dict.fromkeys(PLAN_IDS, self.plan_id) | {"planId": self.implementation}
        if where == "/mcp/graphs" or where.startswith("/v1/implementation-plans/{plan_id}"):
            mine["plan_id"] = self.implementation
        return mine | ({one: value} if one else {})


@pytest.fixture
def theirs(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> Plans:
    """Plans of another account."""
    linked = Linked(fakes)
    monkeypatch.setattr(wiring_links, "links", lambda: linked.links)
    monkeypatch.setattr(wiring_workflows, "workflows", lambda: linked.workflows)
    return _plans(fakes, "acme")


def _plans(fakes: Fakes, account: str) -> Plans:
    plan = begin(fakes)
    work(fakes, plan, "start")
    deliver(fakes)
    fakes.plans.plans[plan.plan_id] = fakes.plans.plans[plan.plan_id].model_copy(update={"account": account})
    body = {"schemaVersion": "1.0.0", "plan": sample("plan", {}, {}, {})}
    made = http("POST", "/v1/implementation-plans", body, account)
    assert made.status == 201, made
    return Plans(plan.plan_id, made.body["planId"])


def kept(fakes: Fakes) -> tuple[Any, ...]:
    """Return all that a refused request must leave as it is."""
    return dict(fakes.plans.plans), dict(fakes.files.contents), dict(fakes.registry.views)


def ask(argument: Argument, account: str | None, ids: dict[str, str]) -> tuple[Any, str | None]:
    """Send the request; return its status, or whether it is an error, and the code of its error."""
    if argument.where.startswith("/mcp"):
        return _call(argument, account, ids)
    path = argument.where
    for name in argument.path_names:
        value = ids.get(name) or _in_path(name)
        path = path.replace("{" + name + "}", str(value))
    query = {
        each["name"]: str(sample(each["name"], each["schema"], argument.definitions, ids)) for each in argument.query
    }
    body = sample("body", argument.schema, argument.definitions, ids) if argument.schema else None
    answer = http(argument.method, path, body, account, query or None)
    return answer.status, _code(answer.body)


def _in_path(name: str) -> str:
    return {"path": "001-2-plan.txt", "artifact": "zip"}.get(name, "word")


def _call(argument: Argument, account: str | None, ids: dict[str, str]) -> tuple[Any, str | None]:
    arguments = sample("arguments", {"type": "object", **argument.schema}, argument.definitions, ids)
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": argument.method, "arguments": arguments},
    }
    answer = http("POST", argument.where, message, account).body["result"]
    return answer.get("isError", False), _code(json.loads(answer["content"][0]["text"]))


def _code(body: Any) -> str | None:
    error = body.get("error") if isinstance(body, dict) else None
    return error.get("code") if isinstance(error, dict) else None


ROUTES, TOOLS = routes(), tools()


def test_the_tables_are_read() -> None:
    assert {str(each) for each in ROUTES} >= {
        "GET /v1/plans/{plan_id} plan_id",
        "DELETE /v1/plans/{plan_id} plan_id",
        "GET /v1/plans/{plan_id}/artifacts/{path} plan_id",
        "GET /v1/plans/{plan_id}/diff/{other_plan_id} other_plan_id",
        "PUT /v1/implementation-plans/{planId} planId",
        "POST /v1/plans derived_from",
        "GET /v1/plans before",
    }
    assert {str(each) for each in TOOLS} >= {
        "plan_status /mcp plan_id",
        "plan_diff /mcp other_plan_id",
        "get_plan /mcp/implementation planId",
        "plan_create /mcp derived_from",
        "plan_list /mcp before",
    }


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_10_2_a_route_refuses_plans_of_others_and_unknown_ones(fakes: Fakes, theirs: Plans, route: Argument) -> None:
    mine = _plans(fakes, "other")
    before = kept(fakes)
    other = theirs.ids(route.where)[route.name]
    assert ask(route, "other", mine.ids(route.where, route.name, other)) == (403, "PERMISSION_DENIED")
    assert ask(route, "other", mine.ids(route.where, route.name, str(uuid4()))) == (404, "PLAN_NOT_FOUND")
    assert ask(route, "other", mine.ids(route.where, route.name, "nonsense")) == (422, "INVALID_ARGUMENT")
    assert ask(route, None, theirs.ids(route.where)) == (403, "PERMISSION_DENIED")
    assert kept(fakes) == before
    assert ask(route, "acme", theirs.ids(route.where))[1] not in {*REFUSALS, "INVALID_ARGUMENT"}, "but its owner may"


@pytest.mark.parametrize("tool", TOOLS, ids=str)
def test_10_2_a_tool_refuses_plans_of_others_and_unknown_ones(fakes: Fakes, theirs: Plans, tool: Argument) -> None:
    mine = _plans(fakes, "other")
    before = kept(fakes)
    other = theirs.ids(tool.where)[tool.name]
    assert ask(tool, "other", mine.ids(tool.where, tool.name, other)) == (True, "PERMISSION_DENIED")
    assert ask(tool, "other", mine.ids(tool.where, tool.name, str(uuid4()))) == (True, "PLAN_NOT_FOUND")
    assert ask(tool, "other", mine.ids(tool.where, tool.name, "nonsense")) == (True, "INVALID_ARGUMENT")
    assert ask(tool, None, theirs.ids(tool.where)) == (True, "PERMISSION_DENIED")
    assert kept(fakes) == before
    assert ask(tool, "acme", theirs.ids(tool.where))[1] not in {*REFUSALS, "INVALID_ARGUMENT"}, "but its owner may"


def test_10_2_no_route_and_no_tool_is_left_out() -> None:
    tried = {f"{each.method} {each.where}" for each in ROUTES} | {each.method for each in TOOLS}
    everything = served() | {tool for _, tool, _ in offered()}
    assert everything - tried == set(NO_PLAN)


def test_10_2_no_argument_names_a_plan_in_another_way() -> None:
    assert accepted() - PLAN_IDS == NO_PLAN_NAMED


def test_10_2_a_page_of_resources_before_another_accounts_plan_is_refused(fakes: Fakes, theirs: Plans) -> None:
    refused = rpc("resources/list", {"cursor": theirs.plan_id}, "other")
    assert refused["error"]["data"]["error"]["code"] == "PERMISSION_DENIED"


def test_10_2_a_plan_for_a_user_does_not_show_them_what_the_caller_made_from_it(fakes: Fakes, theirs: Plans) -> None:
    plan = fakes.plans.plans[theirs.plan_id].model_copy(update={"user_account": "ann"})
    fakes.plans.plans[plan.plan_id] = plan
    made = fakes.registry.views[theirs.implementation]
    fakes.registry.views[made.plan_id] = made.model_copy(update={"made_from": plan.plan_id})
    path = f"/v1/plans/{plan.plan_id}/implementation-plans"
    assert [each["planId"] for each in http("GET", path).body["plans"]] == [made.plan_id]
    assert http("GET", path, account="ann").body["plans"] == []
