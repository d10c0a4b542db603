"""Bad input: the specified error, by every operation that takes a plan; nothing stored, nothing run."""

import json
from typing import Any

import pytest

from planloom.planes.implementation.document.limits import MOST_BYTES, MOST_DEPTH, MOST_STEPS
from tests.corpus.base import base
from tests.fake_ports import Fakes
from tests.unit.api import calling
from tests.unit.api.calling import http

ROOT = "/v1/implementation-plans"
OPERATIONS = ["create", "validate", "save"]


def send(operation: str, plan: Any, saved: str = "") -> calling.Answer:
    body = {"schemaVersion": "1.0.0", "plan": plan}
    if operation == "save":
        return http("PUT", f"{ROOT}/{saved}", body | {"revision": 1})
    return http("POST", ROOT if operation == "create" else f"{ROOT}/validate", body)


def nested(depth: int) -> dict[str, Any]:
    inner: Any = 1
    for _ in range(depth):
        inner = [inner]
    return base() | {"metadata": {"deep": inner}}


def many_steps(count: int) -> dict[str, Any]:
    plan = base()
    return plan | {"steps": [plan["steps"][4] | {"id": f"S{n}", "dependsOn": []} for n in range(count)]}


@pytest.fixture
def saved(fakes: Fakes) -> str:
    """A plan that was there before."""
    return str(send("create", base()).body["planId"])


OVER = {
    "bytes": base() | {"metadata": {"text": "x" * 5_000_000}},
    "depth": nested(MOST_DEPTH),
    "steps": {"steps": [0] * (MOST_STEPS + 1)},
}


@pytest.mark.parametrize("limit", OVER)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_plan_over_a_limit_is_refused_before_it_is_looked_into(
    fakes: Fakes, saved: str, operation: str, limit: str
) -> None:
    kept = dict(fakes.registry.documents)
    answer = send(operation, OVER[limit], saved)
    assert (answer.status, answer.body["error"]["code"]) == (413, "PLAN_TOO_LARGE")
    assert answer.body["error"]["details"]["limit"] == limit
    assert fakes.registry.documents == kept


@pytest.mark.parametrize("limit", OVER)
@pytest.mark.parametrize("name", ["validate_plan", "create_plan"])
def test_the_tools_refuse_it_alike(fakes: Fakes, name: str, limit: str) -> None:
    answer = calling.tool(name, endpoint="/mcp/implementation", schemaVersion="1.0.0", plan=OVER[limit])
    assert (answer.is_error, answer.body["error"]["code"]) == (True, "PLAN_TOO_LARGE")
    assert answer.body["error"]["details"]["limit"] == limit
    assert fakes.registry.documents == {}


def test_what_is_just_within_the_limits_is_taken(fakes: Fakes) -> None:
    assert send("validate", nested(MOST_DEPTH - 3)).body["isValid"]
    assert send("validate", many_steps(MOST_STEPS)).body["errors"] == []
    size = len(json.dumps(base(), separators=(",", ":")).encode())
    room = base() | {"metadata": {"text": "x" * (MOST_BYTES - size - 100)}}
    assert send("create", room).status == 201


@pytest.mark.parametrize("depth", [100, 5_000, 400_000])
def test_nesting_that_would_exhaust_the_stack_is_refused(fakes: Fakes, depth: int) -> None:
    body = b'{"schemaVersion": "1.0.0", "plan": {"metadata": ' + b"[" * depth + b"]" * depth + b"}}"
    answer = http("POST", ROOT, body)
    assert (answer.status, answer.body["error"]["code"]) == (413, "PLAN_TOO_LARGE")
    assert fakes.registry.documents == {}


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400"])
def test_numbers_that_json_does_not_know_are_refused(fakes: Fakes, number: str) -> None:
    text = json.dumps({"plan": base()}).replace("12.5", number)
    for path in (ROOT, f"{ROOT}/validate"):
        answer = http("POST", path, text.encode())
        assert (answer.status, answer.body["error"]["code"]) == (422, "INVALID_ARGUMENT")
    assert fakes.registry.documents == {}


def test_half_a_surrogate_pair_is_refused(fakes: Fakes) -> None:
    text = json.dumps({"plan": base()}).replace("Ask the writers", "\\\\ud83d".replace("\\\\", "\\"))
    answer = http("POST", ROOT, text.encode())
    assert (answer.status, answer.body["error"]["code"]) == (422, "INVALID_ARGUMENT")


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("version", ["2.0.0", "", "1.0.0\n"])
def test_a_wrong_schema_version_of_the_call_is_refused(fakes: Fakes, saved: str, operation: str, version: str) -> None:
    body = {"schemaVersion": version, "plan": base(), "revision": 1}
    method, path = (
        ("PUT", f"{ROOT}/{saved}")
        if operation == "save"
        else ("POST", f"{ROOT}{'' if operation == 'create' else '/validate'}")
    )
    answer = http(method, path, body)
    assert (answer.status, answer.body["error"]["code"]) == (422, "UNSUPPORTED_SCHEMA_VERSION")
    assert len(fakes.registry.documents) == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [({"schemaVersion": "9.9.9"}, "UNSUPPORTED_SCHEMA_VERSION"), ({"layout": {}}, "UNKNOWN_FIELD")],
)
def test_a_plan_of_another_version_or_with_unknown_fields_is_invalid(
    fakes: Fakes, change: dict[str, Any], code: str
) -> None:
    answer = send("create", base() | change)
    assert (answer.status, answer.body["error"]["code"]) == (422, "INVALID_PLAN")
    assert [each["code"] for each in answer.body["error"]["details"]["validation"]["errors"]] == [code]
    assert fakes.registry.documents == {}


def test_script_in_texts_is_kept_as_text_and_answered_as_json(fakes: Fakes) -> None:
    script = "<script>alert(document.cookie)</script>"
    answer = send("create", base() | {"title": script})
    found = http("GET", f"{ROOT}/{answer.body['planId']}")
    assert found.body["plan"]["title"] == script
    assert found.headers["content-type"] == "application/json"
    assert http("GET", ROOT).body["plans"][0]["title"] == script


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\x00\xff", b"[]", b'{"plan": []}', b'{"plan": "text"}', b'{"plan": null}']
)
def test_a_body_that_is_no_plan_is_refused(fakes: Fakes, body: bytes) -> None:
    for path in (ROOT, f"{ROOT}/validate"):
        answer = http("POST", path, body)
        assert (answer.status, answer.body["error"]["code"]) == (422, "INVALID_ARGUMENT")


@pytest.mark.parametrize("source", [{"mdHash": "x" * 5_000}, {"n": "\ud800"}])
def test_a_source_that_is_no_small_object_of_text_is_refused(fakes: Fakes, source: dict[str, Any]) -> None:
    answer = http("POST", ROOT, {"plan": base(), "source": source})
    assert (answer.status, answer.body["error"]["code"]) == (422, "INVALID_ARGUMENT")
    assert fakes.registry.documents == {}
