"""Drafts over HTTP and MCP."""

import hashlib

from planloom.planes.strategic.services.end_run import end_run
from tests.fake_ports import Fakes
from tests.unit.api import calling
from tests.unit.api.calling import http
from tests.unit.implementation.test_from_markdown import PLAN
from tests.unit.strategic.services.walk import begin, in_order, work

ROOT = "/v1/implementation-plans"


def test_markdown_becomes_a_draft_that_can_be_created_and_nothing_is_stored_before(fakes: Fakes) -> None:
    answer = http("POST", f"{ROOT}/from-markdown", {"markdown": PLAN, "context": {"repo": "other"}})
    assert (answer.status, answer.body["validation"]["isValid"]) == (200, True)
    assert answer.body["plan"]["context"]["repo"] == "other"
    assert answer.body["unplaced"][0] == {
        "line": 27,
        "text": "It may be slow",
        "reason": "a risk needs its mitigation: Risk — what is done about it",
    }
    assert answer.body["source"] == {"mdHash": hashlib.sha256(PLAN.encode()).hexdigest(), "origin": "markdown"}
    assert fakes.registry.documents == {}
    stored = http("POST", ROOT, {"plan": answer.body["plan"], "source": answer.body["source"]})
    assert (stored.status, stored.body["meta"]["source"]) == (201, answer.body["source"])
    same = calling.tool("draft_from_markdown", endpoint="/mcp/implementation", markdown=PLAN, repo="other")
    assert same.body == answer.body


def test_a_text_that_is_empty_or_too_long_is_refused(fakes: Fakes) -> None:
    for text in ("", " \n", "x" * 200_001):
        assert http("POST", f"{ROOT}/from-markdown", {"markdown": text}).status == 422


def test_a_finished_strategic_plan_becomes_an_implementation_plan_linked_both_ways(fakes: Fakes) -> None:
    plan = begin(fakes)
    early = http("POST", f"{ROOT}/from-plan", {"plan_id": plan.plan_id})
    assert (early.status, early.body["error"]["code"]) == (409, "PLAN_NOT_COMPLETED")
    work(fakes, plan, *in_order())
    end_run(fakes.ports.run_control, plan.plan_id, 1, "SUCCEEDED")
    made = http("POST", f"{ROOT}/from-plan", {"plan_id": plan.plan_id, "context": {"repo": "cafe"}})
    assert (made.status, made.body["revision"], made.body["meta"]["madeFrom"]) == (201, 1, plan.plan_id)
    linked = http("GET", f"/v1/plans/{plan.plan_id}/implementation-plans").body["plans"]
    assert [(each["planId"], each["repo"]) for each in linked] == [(made.body["planId"], "cafe")]
    tool = calling.tool("draft_from_strategic_plan", endpoint="/mcp/implementation", plan_id=plan.plan_id)
    assert (tool.is_error, tool.body["meta"]["madeFrom"]) == (False, plan.plan_id)


def test_strategic_plans_of_others_are_refused(fakes: Fakes) -> None:
    plan = begin(fakes)
    for answer in (
        http("POST", f"{ROOT}/from-plan", {"plan_id": plan.plan_id}, account="other"),
        http("GET", f"/v1/plans/{plan.plan_id}/implementation-plans", account="other"),
    ):
        assert (answer.status, answer.body["error"]["code"]) == (403, "PERMISSION_DENIED")
    tool = calling.tool("draft_from_strategic_plan", "other", endpoint="/mcp/implementation", plan_id=plan.plan_id)
    assert tool.body["error"]["code"] == "PERMISSION_DENIED"
