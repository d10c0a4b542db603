"""Implementation plans over HTTP: create, read, save, conflict, history, comments; refusals leave nothing behind."""

import copy
from typing import Any
from uuid import uuid4

import pytest

from planloom.planes.implementation.document.format import examples
from tests.fake_ports import Fakes
from tests.unit.api.calling import Answer, http

ROOT = "/v1/implementation-plans"


def example(number: int = 0, **changes: Any) -> dict[str, Any]:
    return copy.deepcopy(examples()[number]) | changes


def create(plan: dict[str, Any] | None = None, **more: Any) -> Answer:
    return http("POST", ROOT, {"schemaVersion": "1.0.0", "plan": plan or example(), **more})


def created(plan: dict[str, Any] | None = None, **more: Any) -> str:
    answer = create(plan, **more)
    assert answer.status == 201, answer
    return str(answer.body["planId"])


def save(plan_id: str, plan: dict[str, Any], revision: int, **more: Any) -> Answer:
    return http("PUT", f"{ROOT}/{plan_id}", {"plan": plan, "revision": revision, **more})


def test_a_plan_is_stored_and_read_back_as_it_was_sent(fakes: Fakes) -> None:
    answer = create(source={"mdHash": "ab12", "origin": "docs/plan.md"})
    plan_id = answer.body["planId"]
    assert (answer.status, answer.body["revision"]) == (201, 1)
    assert answer.headers["location"] == f"implementation-plans/{plan_id}"
    assert answer.body["validation"] == {"isValid": True, "errors": [], "warnings": []}

    found = http("GET", f"{ROOT}/{plan_id}").body
    assert found["plan"] == example() | {"planId": plan_id}
    assert (found["schemaVersion"], found["revision"]) == ("1.0.0", 1)
    assert found["meta"] == answer.body["meta"]
    assert found["meta"]["source"] == {"mdHash": "ab12", "origin": "docs/plan.md"}
    assert found["meta"]["statusCounts"] == {"todo": 4, "doing": 0, "blocked": 0, "done": 0}


def test_an_invalid_plan_is_refused_with_its_findings_and_nothing_is_stored(fakes: Fakes) -> None:
    plan = example()
    plan["steps"][0]["dependsOn"] = ["S9"]
    answer = create(plan)
    assert (answer.status, answer.body["error"]["code"]) == (422, "INVALID_PLAN")
    assert answer.body["error"]["details"]["validation"]["errors"] == [
        {
            "path": "/steps/0/dependsOn/0",
            "code": "UNKNOWN_DEPENDENCY",
            "message": "S1 waits for S9, which is no step of this plan.",
            "hint": "Add the step, or remove the dependency.",
        }
    ]
    assert (fakes.registry.views, fakes.registry.documents) == ({}, {})


def test_validation_answers_well_for_good_and_bad_plans(fakes: Fakes) -> None:
    good = http("POST", f"{ROOT}/validate", {"schemaVersion": "1.0.0", "plan": example()})
    assert (good.status, good.body["isValid"]) == (200, True)
    assert good.body["normalizedPlan"]["steps"][0]["rollback"] == []
    bad = http("POST", f"{ROOT}/validate", {"plan": example(title="x")})
    assert (bad.status, bad.body["isValid"]) == (200, False)
    assert [each["code"] for each in bad.body["errors"]] == ["TOO_SHORT"]
    assert "normalizedPlan" not in bad.body
    assert fakes.registry.documents == {}


def test_a_repeat_with_the_same_request_id_is_the_same_plan(fakes: Fakes) -> None:
    first = create(clientRequestId="a")
    assert create(clientRequestId="a").body == first.body
    assert create(example(1), clientRequestId="a").body["error"]["code"] == "REQUEST_CONFLICT"
    assert len(fakes.registry.documents) == 1


def test_a_save_upon_the_current_revision_makes_the_next_and_keeps_the_one_before(fakes: Fakes) -> None:
    plan_id = created()
    changed = example(title="Lock accounts for a while")
    answer = save(plan_id, changed, 1, note="Clearer title")
    assert (answer.status, answer.body["revision"]) == (200, 2)
    assert http("GET", f"{ROOT}/{plan_id}").body["plan"]["title"] == "Lock accounts for a while"
    earlier = http("GET", f"{ROOT}/{plan_id}", query={"revision": "1"}).body
    assert (earlier["plan"]["title"], earlier["revision"]) == (example()["title"], 1)
    assert earlier["meta"]["currentRevision"] == 2

    history = http("GET", f"{ROOT}/{plan_id}/history").body["revisions"]
    assert [each["revision"] for each in history] == [2, 1]
    assert (history[0]["note"], history[0]["changeCount"], history[0]["author"]) == ("Clearer title", 1, "acme")
    assert history[0]["changes"] == [{"path": "/title", "op": "replace", "stepId": None}]
    assert http("GET", f"{ROOT}/{plan_id}/diff", query={"from": "1", "to": "2"}).body["changes"] == [
        {
            "path": "/title",
            "op": "replace",
            "stepId": None,
            "before": example()["title"],
            "after": "Lock accounts for a while",
        }
    ]


def test_a_save_upon_a_stale_revision_is_a_conflict_that_names_the_current_one(fakes: Fakes) -> None:
    plan_id = created()
    save(plan_id, example(title="First to save"), 1)
    answer = save(plan_id, example(title="Second to save"), 1)
    assert (answer.status, answer.body["error"]["code"]) == (409, "REVISION_CONFLICT")
    assert answer.body["error"]["details"] == {"currentRevision": 2}
    assert http("GET", f"{ROOT}/{plan_id}").body["plan"]["title"] == "First to save"


def test_a_save_without_a_change_makes_no_revision(fakes: Fakes) -> None:
    plan_id = created()
    assert save(plan_id, example(), 1).body["revision"] == 1
    assert len(fakes.registry.documents) == 1


def test_a_plan_is_not_saved_over_another(fakes: Fakes) -> None:
    one, other = created(), created(example(1))
    answer = save(one, example(1, planId=other), 1)
    assert (answer.status, answer.body["error"]["code"]) == (422, "INVALID_ARGUMENT")


def test_the_state_of_a_step_is_set_by_a_revision_of_its_own(fakes: Fakes) -> None:
    plan_id = created()
    answer = http("PUT", f"{ROOT}/{plan_id}/steps/S2/status", {"status": "doing"})
    assert (answer.status, answer.body["revision"], answer.body["meta"]["status"]) == (200, 2, "doing")
    stale = http("PUT", f"{ROOT}/{plan_id}/steps/S2/status", {"status": "done", "revision": 1})
    assert (stale.status, stale.body["error"]["details"]) == (409, {"currentRevision": 2})
    unknown = http("PUT", f"{ROOT}/{plan_id}/steps/S99/status", {"status": "done"})
    assert (unknown.status, unknown.body["error"]["code"]) == (404, "STEP_NOT_FOUND")
    assert unknown.body["error"]["message"].endswith("Take the id from get_plan.")
    assert http("PUT", f"{ROOT}/{plan_id}/steps/S2/status", {"status": "finished"}).status == 422


def test_comments_are_kept_with_the_step_and_the_revision_that_they_are_about(fakes: Fakes) -> None:
    plan_id = created()
    on_step = http("POST", f"{ROOT}/{plan_id}/comments", {"stepId": "S2", "text": " Why not a token bucket? "})
    assert (on_step.status, on_step.body["text"], on_step.body["revision"]) == (201, "Why not a token bucket?", 1)
    http("POST", f"{ROOT}/{plan_id}/comments", {"text": "Ship it."})
    both = http("GET", f"{ROOT}/{plan_id}/comments").body["comments"]
    assert [(each["stepId"], each["text"]) for each in both] == [("S2", "Why not a token bucket?"), (None, "Ship it.")]
    assert len(http("GET", f"{ROOT}/{plan_id}/comments", query={"stepId": "S2"}).body["comments"]) == 1
    assert http("POST", f"{ROOT}/{plan_id}/comments", {"stepId": "S9", "text": "?"}).status == 404
    assert http("POST", f"{ROOT}/{plan_id}/comments", {"text": "  "}).status == 422


def test_plans_are_listed_last_saved_first_in_pages_and_by_filter(fakes: Fakes) -> None:
    ids = []
    for number in range(3):
        ids.append(created(example(number)))
        fakes.clock.pass_(seconds=1)
    save(ids[0], example(0, title="Saved last"), 1)

    def listed(**query: str) -> list[str]:
        return [each["planId"] for each in http("GET", ROOT, query=query).body["plans"]]

    assert listed() == [ids[0], ids[2], ids[1]]
    first = http("GET", ROOT, query={"limit": "2"}).body
    last = http("GET", ROOT, query={"limit": "2", "before": first["nextBefore"]}).body
    assert [each["planId"] for page in (first, last) for each in page["plans"]] == listed()
    assert last["nextBefore"] is None
    assert listed(planType="migration") == [ids[2]]
    assert listed(status="doing") == [ids[2]]
    assert listed(repo="reports") == [ids[1]]
    assert listed(q="ADDRESSES crm") == [ids[2]]
    assert listed(q="nothing of the kind") == []
    assert http("GET", ROOT, query={"before": "nonsense"}).status == 422


PLAN_ROUTES = [
    ("GET", "", None),
    ("PUT", "", {"plan": {}, "revision": 1}),
    ("GET", "/history", None),
    ("GET", "/diff", None),
    ("PUT", "/steps/S1/status", {"status": "done"}),
    ("GET", "/comments", None),
    ("POST", "/comments", {"text": "mine"}),
]


@pytest.mark.parametrize(("method", "tail", "body"), PLAN_ROUTES)
def test_plans_of_others_unknown_and_malformed_ids(fakes: Fakes, method: str, tail: str, body: Any) -> None:
    mine = created()
    kept = copy.deepcopy(fakes.registry)
    other = http(method, f"{ROOT}/{mine}{tail}", body, account="other")
    assert (other.status, other.body["error"]["code"]) == (403, "PERMISSION_DENIED")
    unknown = http(method, f"{ROOT}/{uuid4()}{tail}", body)
    assert (unknown.status, unknown.body["error"]["code"]) == (404, "PLAN_NOT_FOUND")
    assert http(method, f"{ROOT}/nonsense{tail}", body).status == 422
    assert http(method, f"{ROOT}/{mine}{tail}", body, account=None).status == 403
    assert fakes.registry == kept
    assert http("GET", ROOT, account="other").body["plans"] == []


@pytest.mark.parametrize("revision", [2, 999_999])
def test_a_revision_that_is_not_there_is_told(fakes: Fakes, revision: int) -> None:
    answer = http("GET", f"{ROOT}/{created()}", query={"revision": str(revision)})
    assert (answer.status, answer.body["error"]["code"]) == (404, "REVISION_NOT_FOUND")
    assert answer.body["error"]["message"].endswith("Call plan_history.")
