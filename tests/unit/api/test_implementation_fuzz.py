"""Whatever is sent to the routes of implementation plans, nothing fails inside: no 500, and statuses as described."""

from functools import cache
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from planloom import wiring
from planloom.api.app import make_app
from planloom.wiring import graphs as wiring_graphs
from planloom.wiring import links as wiring_links
from planloom.wiring import workflows as wiring_workflows
from tests.corpus.base import base
from tests.fake_ports import Fakes, make_fakes
from tests.thorough import THOROUGH
from tests.unit.api import calling
from tests.unit.api.calling import http
from tests.unit.graphs.services import Services
from tests.unit.implementation.test_check_plan import JSON, PLACES, set_in
from tests.unit.links.fakes import Linked

ROOT = "/v1/implementation-plans"


#: How many operations on implementation plans the description names.
OPERATIONS = 16


@cache
def operations() -> list[Any]:
    """Return every one of them. To describe them takes seconds, which every collection of tests would wait."""
    described = make_app().openapi()
    described["paths"] = {path: found for path, found in described["paths"].items() if "implementation-plans" in path}
    return [found.ok() for found in schemathesis.openapi.from_dict(described).get_all_operations()]


@pytest.fixture(scope="module")
def served() -> Any:
    """Ports in memory with one plan behind the API Lambda, shared by all examples of a test."""
    fakes = make_fakes()
    linked, graphs = Linked(fakes), Services().graphs
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wiring, "ports", lambda: fakes.ports)
        patch.setattr(wiring_links, "links", lambda: linked.links)
        patch.setattr(wiring_workflows, "workflows", lambda: linked.workflows)
        patch.setattr(wiring_graphs, "graphs", lambda: graphs)
        patch.setattr(wiring, "request_state_key", lambda: b"0123456789abcdef0123456789abcdef")
        yield fakes


def sent(operation: Any, case: Any, plan_id: str) -> calling.Answer:
    """Send *case* as the gateway does; half of the time about a plan that is there."""
    path = case.formatted_path
    if len(path) % 2:
        path = operation.path.replace("{planId}", plan_id).replace("{stepId}", "S1").replace("{plan_id}", plan_id)
    query = {name: str(value) for name, value in (case.query or {}).items()}
    body = case.body if isinstance(case.body, dict | list | str | int | float | bool) else None
    return http(case.method, path, body, query=query)


def test_every_route_is_tried() -> None:
    assert len(operations()) == OPERATIONS


@pytest.mark.parametrize("number", range(OPERATIONS))
@given(data=st.data())
@settings(max_examples=25 if THOROUGH else 8, suppress_health_check=list(HealthCheck))
def test_requests_made_from_the_description_are_answered_with_a_described_status(
    served: Fakes, number: int, data: st.DataObject
) -> None:
    operation = operations()[number]
    plan_id = next(iter(served.registry.views), None) or http("POST", ROOT, {"plan": base()}).body["planId"]
    note(operation.label)
    answer = sent(operation, data.draw(operation.as_strategy()), plan_id)
    # 400: no JSON at all; 404 and 405: a path that another route, or none, answers
    assert str(answer.status) in {*operation.definition.raw["responses"], "400", "404", "405"}
    assert answer.status < 500


@given(st.lists(st.tuples(st.sampled_from(PLACES), JSON), max_size=3))
@settings(max_examples=40 if THOROUGH else 12, suppress_health_check=list(HealthCheck))
def test_plans_that_are_nearly_right_are_stored_or_refused_the_same_way_by_every_operation(
    served: Fakes, changes: list[tuple[str, Any]]
) -> None:
    plan = base()
    for path, value in changes:
        try:
            plan = set_in(plan, path, value)
        except (KeyError, IndexError, TypeError):
            continue
    checked = http("POST", f"{ROOT}/validate", {"plan": plan})
    stored = http("POST", ROOT, {"plan": plan})
    tool = calling.tool("validate_plan", endpoint="/mcp/implementation", schemaVersion="1.0.0", plan=plan)
    assert tool.body == checked.body
    if checked.status == 200 and checked.body["isValid"]:
        read = http("GET", f"{ROOT}/{stored.body['planId']}").body["plan"]
        assert (stored.status, read) == (201, plan | {"planId": stored.body["planId"]})
    else:
        assert (stored.status, stored.body["error"]["code"]) == (422, "INVALID_PLAN")


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
@settings(max_examples=40 if THOROUGH else 12, suppress_health_check=list(HealthCheck))
def test_bodies_that_are_anything_are_refused_in_the_shape_of_every_refusal(served: Fakes, body: bytes) -> None:
    for path in (ROOT, f"{ROOT}/validate", f"{ROOT}/from-markdown", f"{ROOT}/from-plan"):
        answer = http("POST", path, body)
        assert answer.status in (400, 422)
        assert set(answer.body["error"]) <= {"code", "message", "details"}
