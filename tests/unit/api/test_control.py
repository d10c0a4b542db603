"""Retry, resume, edits, invalidation and validation as callers see them, over HTTP and MCP alike."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from planloom.core.artifacts import sha256_of
from planloom.planes.strategic.plans import PIPELINE_VERSION, Plan
from planloom.planes.strategic.services.end_run import end_run
from planloom.planes.strategic.services.read_artifact import MOST_BYTES
from planloom.planes.strategic.stages.pipeline import PIPELINE
from tests.fake_ports import Fakes
from tests.unit.api.calling import fetch, http, rpc, tool
from tests.unit.strategic.services.drafted import completed
from tests.unit.strategic.services.spy import Spy
from tests.unit.strategic.services.walk import begin, deliver, in_order, work

SCREENING, CRITICISM = "002-2-screening.md", "016-2-expert_criticism.md"


@pytest.fixture
def failed(fakes: Fakes) -> Plan:
    """A plan that failed after five stages."""
    plan = begin(fakes)
    work(fakes, plan, *in_order()[:5])
    deliver(fakes)
    end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    return fakes.plans.get(plan.plan_id)


@pytest.fixture
def drafted(fakes: Fakes) -> Plan:
    """A plan that is completed."""
    kept, plan = completed(Spy())
    fakes.ports.new_id()
    fakes.plans.plans.update(kept.plans.plans)
    fakes.plans.files.update(kept.plans.files)
    for name in ("contents", "types", "kept"):
        getattr(fakes.files, name).update(getattr(kept.files, name))
    return plan


def test_6_5_a_retry_answers_as_specified(fakes: Fakes, failed: Plan) -> None:
    fakes.clock.pass_(minutes=5)
    answer = tool("plan_retry", plan_id=failed.plan_id).body
    specified = {"plan_id": failed.plan_id, "state": "pending", "model_profile": "baseline"}
    assert answer == specified | {"retried_at": "2026-11-02T09:05:00Z", "poll_after_sec": 5}


def test_6_6_a_resume_answers_as_specified(fakes: Fakes, failed: Plan) -> None:
    fakes.clock.pass_(minutes=5)
    answer = http("POST", f"/v1/plans/{failed.plan_id}/resume")
    specified = {"plan_id": failed.plan_id, "state": "pending", "model_profile": "baseline", "resume_count": 1}
    assert answer.status == 202
    assert answer.body == specified | {"resumed_at": "2026-11-02T09:05:00Z", "steps_kept": 5, "poll_after_sec": 5}


@pytest.mark.parametrize("name", ["plan_retry", "plan_resume"])
def test_6_5_left_out_the_profile_is_that_of_the_plan_and_not_baseline(
    fakes: Fakes, failed: Plan, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(type(fakes.ports.models), "names", lambda _, profile: (f"a model of {profile}",))
    fakes.plans.plans[failed.plan_id] = failed.model_copy(update={"model_profile": "premium"})
    assert tool(name, plan_id=failed.plan_id).body["model_profile"] == "premium"
    end_run(fakes.ports.run_control, failed.plan_id, 2, "FAILED")
    assert tool(name, plan_id=failed.plan_id, model_profile="frontier").body["model_profile"] == "frontier"


def test_6_6_the_resumes_are_counted_from_the_last_retry_on(fakes: Fakes, failed: Plan) -> None:
    counts = []
    for run, name in enumerate(("plan_resume", "plan_resume", "plan_retry", "plan_resume"), start=2):
        tool(name, plan_id=failed.plan_id)
        counts.append(fakes.plans.get(failed.plan_id).resume_count)
        end_run(fakes.ports.run_control, failed.plan_id, run, "FAILED")
    assert counts == [1, 2, 0, 1]


@pytest.mark.parametrize("name", ["plan_retry", "plan_resume"])
def test_8_1_a_retry_and_a_resume_make_no_other_plan(fakes: Fakes, failed: Plan, name: str) -> None:
    assert tool(name, plan_id=failed.plan_id).body["plan_id"] == failed.plan_id
    assert [each["plan_id"] for each in tool("plan_list").body["plans"]] == [failed.plan_id]
    assert [plan_id for plan_id, _, _ in fakes.pipeline.started] == [failed.plan_id] * 2


@pytest.mark.parametrize(
    ("name", "path", "code"),
    [("plan_retry", "retry", "PLAN_NOT_FAILED"), ("plan_resume", "resume", "PLAN_NOT_RESUMABLE")],
)
def test_9_4_a_plan_that_is_going_is_refused_with_guidance(fakes: Fakes, name: str, path: str, code: str) -> None:
    plan = begin(fakes)
    answer = tool(name, plan_id=plan.plan_id)
    assert (answer.is_error, answer.body["error"]["code"]) == (True, code)
    assert "only once its state is failed or stopped" in answer.body["error"]["message"]
    assert answer.body["error"]["details"] == {"state": "pending"}
    over_http = http("POST", f"/v1/plans/{plan.plan_id}/{path}")
    assert (over_http.status, over_http.body["error"]) == (409, answer.body["error"])


def test_9_4_another_pipeline_version_is_refused_with_guidance(fakes: Fakes, failed: Plan) -> None:
    fakes.plans.plans[failed.plan_id] = failed.model_copy(update={"pipeline_version": None})
    answer = tool("plan_resume", plan_id=failed.plan_id)
    assert (answer.is_error, answer.body["error"]["code"]) == (True, "PIPELINE_VERSION_MISMATCH")
    assert "plan_retry" in answer.body["error"]["message"]
    forced = http("POST", f"/v1/plans/{failed.plan_id}/resume", {"force_upgrade": True})
    assert forced.status == 202
    assert fakes.plans.get(failed.plan_id).pipeline_version == PIPELINE_VERSION


def by_tool(plan_id: str, path: str, content: str, expected: str) -> dict[str, Any]:
    return tool("plan_artifact_edit", plan_id=plan_id, path=path, content=content, expected_sha256=expected).body


def by_http(plan_id: str, path: str, content: str, expected: str) -> dict[str, Any]:
    body = {"content": content, "expected_sha256": expected}
    return dict(http("PUT", f"/v1/plans/{plan_id}/artifacts/{path}", body).body)


@pytest.mark.parametrize("edit", [by_tool, by_http])
def test_5_3_an_edit_of_a_completed_plan_names_the_derived_one_and_what_is_made_again(
    fakes: Fakes, drafted: Plan, edit: Callable[..., dict[str, Any]]
) -> None:
    expected = fakes.files.sha256(drafted.plan_id, CRITICISM)
    answer = edit(drafted.plan_id, CRITICISM, "# Ask a baker\n", expected)
    assert (answer["derived_from"], answer["state"], answer["path"]) == (drafted.plan_id, "pending", CRITICISM)
    assert answer["plan_id"] != drafted.plan_id
    assert [file["path"] for file in answer["files"]] == [CRITICISM]
    assert answer["remade"][0] == "024-review_plan"
    assert "Poll plan_status" in answer["next_steps"]
    listed = http("GET", f"/v1/plans/{answer['plan_id']}/artifacts").body["artifacts"]
    assert [each["path"] for each in listed if each["edited"]] == [CRITICISM]
    kept = http("GET", f"/v1/plans/{answer['plan_id']}").body["steps_completed"]
    assert kept == len(PIPELINE) - len(answer["remade"])


@pytest.mark.parametrize("edit", [by_tool, by_http])
def test_the_other_editor_is_told_the_current_hash(
    fakes: Fakes, failed: Plan, edit: Callable[..., dict[str, Any]]
) -> None:
    expected = fakes.files.sha256(failed.plan_id, SCREENING)
    mine = edit(failed.plan_id, SCREENING, "Mine.\n", expected)
    assert (mine["plan_id"], mine["derived_from"]) == (failed.plan_id, None)
    theirs = edit(failed.plan_id, SCREENING, "Theirs.\n", expected)
    assert theirs["error"]["code"] == "ARTIFACT_CONFLICT"
    assert theirs["error"]["details"]["current_sha256"] == mine["sha256"]


def test_versions_are_listed_read_and_put_back(fakes: Fakes, failed: Plan) -> None:
    made = fakes.files.read(failed.plan_id, SCREENING)
    by_tool(failed.plan_id, SCREENING, "Mine.\n", fakes.files.sha256(failed.plan_id, SCREENING))
    base = f"/v1/plans/{failed.plan_id}/versions/{SCREENING}"
    listed = http("GET", base).body["versions"]
    assert [(each["current"], each["size"]) for each in listed] == [(True, 6), (False, len(made))]
    assert tool("plan_artifact_versions", plan_id=failed.plan_id, path=SCREENING).body["versions"] == listed
    raw = fetch(f"{base}/{listed[1]['version']}")
    assert (raw.status, raw.content) == (200, made)
    assert raw.headers["content-type"].startswith("text/markdown")
    assert raw.headers["x-content-type-options"] == "nosniff"
    undone = http("POST", base).body
    assert (undone["sha256"], undone["files"][0]["edited"]) == (listed[1]["sha256"], False)
    assert fakes.files.read(failed.plan_id, SCREENING) == made
    again = tool("plan_artifact_undo", plan_id=failed.plan_id, path=SCREENING, version=listed[0]["version"])
    assert again.body["sha256"] == listed[0]["sha256"]


@pytest.mark.parametrize("size", [6, MOST_BYTES + 7])
def test_11_2_an_earlier_version_is_read_in_parts_as_the_current_one_is(fakes: Fakes, failed: Plan, size: int) -> None:
    text = ("abcé" * size).encode()[:size]
    fakes.files.write(failed.plan_id, SCREENING, text, "text/markdown")
    fakes.files.write(failed.plan_id, SCREENING, b"Mine.\n", "text/markdown")
    base = f"/v1/plans/{failed.plan_id}/versions/{SCREENING}"
    version = http("GET", base).body["versions"][1]["version"]
    whole = http("GET", f"{base}/{version}")
    assert (whole.status, size > MOST_BYTES) in ((200, False), (413, True))
    part = fetch(f"{base}/{version}", {"range": f"bytes=2-{size}"})
    assert (part.status, part.content) == (206, text[2 : 2 + MOST_BYTES])
    same = fetch(f"{base}/{version}", {"if-none-match": part.headers["etag"]})
    assert (same.status, part.headers["etag"]) == (304, f'"{sha256_of(text)}"')

    read = tool("plan_artifact_read", plan_id=failed.plan_id, path=SCREENING, version=version, offset=2, limit=100).body
    assert read["text"] == text[2 : read["next_offset"] or size].decode()
    assert (read["size"], read["sha256"], read["edited"]) == (size, sha256_of(text), None)
    gone = tool("plan_artifact_read", plan_id=failed.plan_id, path=SCREENING, version="none such").body
    assert gone["error"]["code"] == "ARTIFACT_NOT_FOUND"


def test_a_dry_run_tells_steps_reasons_and_cost_and_changes_nothing(fakes: Fakes, drafted: Plan) -> None:
    before = dict(fakes.files.contents)
    asked = {"stages": ["expert_criticism"], "dry_run": True}
    answer = http("POST", f"/v1/plans/{drafted.plan_id}/invalidate", asked)
    assert tool("plan_invalidate", plan_id=drafted.plan_id, **asked).body == answer.body
    assert answer.body["steps"][0] == {
        "step": "016-expert_criticism",
        "title": "Expert criticism",
        "why": "named",
        "cost": {
            "calls": answer.body["steps"][0]["cost"]["calls"],
            "input_tokens": 0,
            "output_tokens": 0,
            "price": {"amount": 0.0, "currency": "USD", "known": False},
        },
    }
    assert answer.body["credits_at_most"] is None
    assert answer.body["cost_at_most"]["calls"] == sum(step["cost"]["calls"] for step in answer.body["steps"])
    assert (answer.body["plan_id"], answer.body["state"]) == (drafted.plan_id, "completed")
    assert fakes.files.contents == before


def test_appendix_b_a_validation_is_a_derived_plan_of_its_own_target(fakes: Fakes, drafted: Plan) -> None:
    answer = http("POST", f"/v1/plans/{drafted.plan_id}/validate")
    assert (answer.status, answer.body["derived_from"]) == (202, drafted.plan_id)
    assert fakes.pipeline.started[-1] == (answer.body["plan_id"], 2, "validate_plan")
    assert tool("plan_validate", plan_id=drafted.plan_id).body["plan_id"] != answer.body["plan_id"]


def test_7_1_plan_create_takes_a_target(fakes: Fakes) -> None:
    schema = next(each for each in rpc("tools/list")["tools"] if each["name"] == "plan_create")["inputSchema"]
    assert schema["properties"]["target"]["enum"] == ["build_plan", "validate_plan", "build_plan_and_validate"]
    made = tool("plan_create", prompt="Open a café.", target="build_plan_and_validate").body
    assert fakes.pipeline.started == [(made["plan_id"], 1, "build_plan_and_validate")]
    refused = http("POST", "/v1/plans", {"prompt": "Open a café.", "target": "validate_plan"})
    assert (refused.status, refused.body["error"]["details"]) == (422, {"field": "target"})
    assert "plan_validate" in refused.body["error"]["message"]


def test_a_dry_run_tells_the_price_of_the_steps_as_plan_status_tells_that_of_a_plan(
    fakes: Fakes, drafted: Plan
) -> None:
    path = "steps/016.json"
    record = json.loads(fakes.files.read(drafted.plan_id, path))
    record["usage"] |= {"price": "0.0125", "unpriced": 1}
    fakes.files.write(drafted.plan_id, path, json.dumps(record).encode(), "application/json")
    answer = tool("plan_invalidate", plan_id=drafted.plan_id, stages=["016"], dry_run=True).body
    price = {"amount": 0.0125, "currency": "USD", "known": False}
    assert answer["steps"][0]["cost"]["price"] == answer["cost_at_most"]["price"] == price


def test_an_edit_says_which_edited_markdown_its_json_replaced_and_how_to_have_it_back(
    fakes: Fakes, failed: Plan
) -> None:
    result, page = "002-1-screening.json", SCREENING
    by_tool(failed.plan_id, page, "Mine.\n", fakes.files.sha256(failed.plan_id, page))
    told = json.loads(fakes.files.read(failed.plan_id, result))
    told["screening"]["reason"] = "Another bakery harms nobody."
    answer = by_http(failed.plan_id, result, json.dumps(told), fakes.files.sha256(failed.plan_id, result))
    assert answer["edits_lost"] == [page]
    assert f"The edit of {page} was replaced" in answer["next_steps"]
    tool("plan_artifact_undo", plan_id=failed.plan_id, path=page)
    assert fakes.files.read(failed.plan_id, page) == b"Mine.\n"
