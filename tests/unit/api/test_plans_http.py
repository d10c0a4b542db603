"""The same over HTTP: statuses, bodies and the error map."""

import inspect
from urllib.parse import urljoin

import pytest

from planloom.approvals import errors as of_approvals
from planloom.core import errors
from planloom.notifications import errors as of_webhooks
from planloom.planes import PLANES, SHARED
from planloom.planes.graphs import errors as of_graphs
from planloom.planes.implementation import errors as implementation_errors
from planloom.planes.programs import errors as of_programs
from planloom.planes.strategic.services.end_run import end_run
from planloom.planes.workflows import errors as of_workflows
from planloom.runs import errors as of_runs
from planloom.tools import errors as of_tools
from planloom.transports.errors import statuses_of
from tests.fake_ports import PROMPT, Fakes
from tests.unit.api.calling import http
from tests.unit.strategic.services.walk import in_order, work

WATCHING = {
    "/v1/plans/latest": "plan_get_latest",
    "/v1/plans/{plan_id}/wait": "plan_wait",
    "/v1/plans/{plan_id}/events": "plan_events",
    "/v1/plans/{plan_id}/events/ticket": "plan_events_ticket",
    "/v1/plans/{plan_id}/logs": "plan_logs_tail",
    "/v1/plans/{plan_id}/graph": "plan_graph",
}


def create() -> str:
    return str(http("POST", "/v1/plans", {"prompt": PROMPT}).body["plan_id"])


def test_a_plan_is_accepted_with_its_location(fakes: Fakes) -> None:
    answer = http("POST", "/v1/plans", {"prompt": PROMPT})
    assert answer.status == 202
    assert answer.headers["location"] == f"plans/{answer.body['plan_id']}"


def test_a_plan_is_read_listed_and_stopped(fakes: Fakes) -> None:
    plan_id = create()
    assert http("GET", f"/v1/plans/{plan_id}").body["state"] == "pending"
    assert [plan["plan_id"] for plan in http("GET", "/v1/plans").body["plans"]] == [plan_id]
    assert http("POST", f"/v1/plans/{plan_id}/stop").body["state"] == "stopped"


def test_pages_of_plans_end_where_the_plans_do(fakes: Fakes) -> None:
    older, newer = create(), create()
    first = http("GET", "/v1/plans", query={"limit": "1"}).body
    last = http("GET", "/v1/plans", query={"limit": "1", "before": first["next_before"]}).body
    assert [page["plans"][0]["plan_id"] for page in (first, last)] == [newer, older]
    assert last["next_before"] is None


@pytest.mark.parametrize(("before", "status"), [("nonsense", 422), ("6f1c9f0e-8f43-4c39-9d63-0b7a4f6f3a55", 404)])
def test_a_page_before_no_plan_of_ones_own_is_refused_and_not_the_first_page_again(
    fakes: Fakes, before: str, status: int
) -> None:
    create()
    assert http("GET", "/v1/plans", query={"before": before}).status == status


def test_files_are_204_until_they_are_ready(fakes: Fakes) -> None:
    plan = fakes.plans.get(create())
    assert http("GET", f"/v1/plans/{plan.plan_id}/files/zip").status == 204
    work(fakes, plan, *in_order())
    end_run(fakes.ports.run_control, plan.plan_id, 1, "SUCCEEDED")
    answer = http("GET", f"/v1/plans/{plan.plan_id}/files/zip")
    assert (answer.status, answer.body["content_type"]) == (200, "application/zip")


def test_an_unknown_artifact_is_refused(fakes: Fakes) -> None:
    assert http("GET", f"/v1/plans/{create()}/files/secrets").status == 422


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"prompt": ""}, 422),
        ({"prompt": "x" * 1_000_000}, 422),
        ({"prompt": PROMPT, "model_profile": "turbo"}, 422),
        ({"prompt": PROMPT, "model_profile": "frontier"}, 503),
        ({}, 422),
        (b"\x00\xff\xfe binary", 422),
        (["a", "list"], 422),
    ],
)
def test_bad_bodies_are_refused_with_a_code_and_nothing_is_stored(fakes: Fakes, body: object, status: int) -> None:
    answer = http("POST", "/v1/plans", body)
    assert answer.status == status
    assert answer.body["error"]["code"] in {"INVALID_ARGUMENT", "MODEL_PROFILES_UNAVAILABLE"}
    assert (fakes.plans.plans, fakes.files.contents) == ({}, {})


def test_unknown_routes_answer_in_the_same_shape(fakes: Fakes) -> None:
    answer = http("GET", "/v2/plans")
    assert (answer.status, set(answer.body["error"])) == (404, {"code", "message"})


def test_openapi_describes_every_route(fakes: Fakes) -> None:
    paths = http("GET", "/v1/openapi.json").body["paths"]
    assert set(paths) >= {
        "/v1/plans",
        "/v1/plans/{plan_id}",
        "/v1/plans/{plan_id}/stop",
        "/v1/plans/{plan_id}/retry",
        "/v1/plans/{plan_id}/resume",
        "/v1/plans/{plan_id}/files/{artifact}",
        "/v1/plans/{plan_id}/artifacts",
        "/v1/plans/{plan_id}/artifacts/{path}",
        "/v1/plans/{plan_id}/export",
        "/v1/plans/{plan_id}/diff/{other_plan_id}",
        "/v1/plans/{plan_id}/archive",
        *WATCHING,
        "/v1/example-prompts",
        "/v1/model-profiles",
        "/health",
    }


def test_openapi_names_operations_as_the_tools_the_key_and_the_shape_of_refusals(fakes: Fakes) -> None:
    described = http("GET", "/v1/openapi.json").body
    plans = {path: found for path, found in described["paths"].items() if "implementation-plans" not in path}
    operations = [operation for path in plans.values() for operation in path.values()]
    tools = {"plan_create", "plan_status", "plan_stop", "plan_file_info", "plan_list", *WATCHING.values()}
    named = {f"strategic_{tool}" for tool in (*tools, "example_prompts", "model_profiles")}
    assert {each["operationId"] for each in operations} >= named | {"health"}
    assert described["components"]["securitySchemes"] == {
        "API key": {"type": "apiKey", "in": "header", "name": "X-API-Key"}
    }
    refusals = {
        (status, answer["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[-1])
        for each in operations
        for status, answer in each["responses"].items()
        if int(status) >= 400
    }
    assert {shape for _, shape in refusals} == {"ErrorResponse"}
    assert {status for status, _ in refusals} >= {"401", "403", "404", "409", "422", "500", "503"}
    begins = {each["operationId"] for each in operations if "402" in each["responses"]}
    starts = ("plan_create", "plan_retry", "plan_resume", "plan_invalidate", "plan_artifact_edit")
    assert begins >= {f"strategic_{tool}" for tool in starts}
    assert all(each["security"] for each in operations if each["operationId"] != "health")


def test_each_component_of_openapi_has_a_name_of_its_own(fakes: Fakes) -> None:
    # of two classes with one name FastAPI calls both by their module
    assert [name for name in http("GET", "/v1/openapi.json").body["components"]["schemas"] if "__" in name] == []


def test_openapi_paths_lead_through_the_gateways_stage(fakes: Fakes) -> None:
    described = http("GET", "/v1/openapi.json").body
    base = urljoin("https://gateway.test/api/v1/openapi.json", described["servers"][0]["url"])
    assert base.rstrip("/") + "/v1/plans" == "https://gateway.test/api/v1/plans"
    assert "/v1/plans" in described["paths"]


def test_health_needs_no_account(fakes: Fakes) -> None:
    assert http("GET", "/health", account=None).body["planexe.version"] == "1.0"


def test_every_error_with_a_code_of_its_own_has_a_status() -> None:
    with_code = {
        kind
        for module in (
            errors,
            implementation_errors,
            of_graphs,
            of_programs,
            of_workflows,
            of_runs,
            of_tools,
            of_approvals,
            of_webhooks,
        )
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if issubclass(kind, errors.PlanloomError) and "code" in vars(kind)
    }
    assert with_code == set(statuses_of((*PLANES, *SHARED)))


def test_error_codes_are_unique() -> None:
    codes = [kind.code for kind in statuses_of((*PLANES, *SHARED))]
    assert len(codes) == len(set(codes))
