"""The tools of the plan interface, as an agent calls them (planexe-mcp-interface 1.0; sections in the names)."""

import re
from uuid import uuid4

import pytest

from planloom.core.artifacts import REPORT
from planloom.core.errors import RequestConflict
from planloom.planes.strategic.plans import Failure
from planloom.planes.strategic.services.create_plan import create_plan
from planloom.planes.strategic.services.end_run import end_run
from tests.fake_ports import PROMPT, Fakes
from tests.unit.api.calling import http, rpc, tool
from tests.unit.strategic.services.walk import deliver, in_order, work

TOOLS = ["example_prompts", "model_profiles", "plan_create", "plan_status", "plan_stop", "plan_file_info", "plan_list"]


def create() -> str:
    return str(tool("plan_create", prompt=PROMPT).body["plan_id"])


def test_6_the_tools_are_named_as_specified(fakes: Fakes) -> None:
    assert [each["name"] for each in rpc("tools/list")["tools"]][: len(TOOLS)] == TOOLS


def test_17_the_tools_for_watching_are_named_as_specified(fakes: Fakes) -> None:
    names = {each["name"] for each in rpc("tools/list")["tools"]}
    assert {"plan_wait", "plan_get_latest", "plan_logs_tail", "plan_graph"} <= names


def test_every_tool_describes_itself_its_arguments_and_its_answer(fakes: Fakes) -> None:
    for each in rpc("tools/list")["tools"]:
        assert len(each["description"]) > 80, each["name"]
        assert all("description" in field for field in each["inputSchema"]["properties"].values()), each["name"]
        assert each["outputSchema"]["type"] == "object"
        assert "required" not in each["outputSchema"], "an error result must fit the output schema too"
        assert "error" in each["outputSchema"]["properties"]


def test_6_2_plan_create_takes_the_specified_arguments(fakes: Fakes) -> None:
    schema = next(each for each in rpc("tools/list")["tools"] if each["name"] == "plan_create")["inputSchema"]
    assert schema["required"] == ["prompt"]
    assert schema["properties"]["model_profile"]["enum"] == ["baseline", "premium", "frontier", "custom"]
    assert schema["properties"]["model_profile"]["default"] == "baseline"
    assert "user_api_key" in schema["properties"]


def instructions() -> str:
    version = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    return " ".join(rpc("initialize", version)["instructions"].split())


def test_1_2_1_the_server_tells_agents_what_it_does_and_in_which_order(fakes: Fakes) -> None:
    told = instructions()
    order = (
        "example_plans",
        "example_prompts",
        "model_profiles",
        "flowing prose (no headers, no bullet lists), typically 300-800 words",
        "Get the user's approval. 3. Only then call plan_create",
        "plan_status",
        "pending and processing: keep polling. completed: download now. failed: terminal, read error. stopped: "
        "plan_stop was called, or it was derived and not started.",
        "plan_resume continues without discarding completed work; plan_retry is a full restart",
        "plan_file_info",
    )
    places = [told.find(words) for words in order]
    assert -1 not in places
    assert places == sorted(places)
    assert "draft to refine, not an executable" in told
    names = {each["name"] for each in rpc("tools/list")["tools"]}
    assert set(re.findall(r"(?:example|plan)_[a-z_]+|model_profiles", told)) - {"plan_id", "plan_ids"} <= names


def test_8_1_the_server_tells_agents_how_many_plans_they_keep_track_of(fakes: Fakes) -> None:
    told = instructions()
    assert "Each plan_create makes a plan of its own, with the same prompt too: keep your own list of plan_ids" in told
    assert "Start with one plan at a time, two where needed; more than four side by side" in told


def test_5_1_the_states_are_the_five_of_the_interface(fakes: Fakes) -> None:
    states = ["pending", "processing", "completed", "failed", "stopped"]
    # a reading of a goal is no plan
    of_plans = [each for each in rpc("tools/list")["tools"] if each["name"] != "plan_facts"]
    schemas = {each["name"]: each["outputSchema"]["properties"] for each in of_plans}
    shown = {name: fields["state"]["anyOf"][0]["enum"] for name, fields in schemas.items() if "state" in fields}
    assert {"plan_create", "plan_status", "plan_stop", "plan_wait", "plan_logs_tail"} <= set(shown)
    assert {name: enum for name, enum in shown.items() if enum != states} == {}


def test_4_1_a_plan_and_its_execution_tell_when_they_began_and_ended(fakes: Fakes) -> None:
    plan = fakes.plans.get(create())
    fakes.clock.pass_(minutes=1)
    work(fakes, plan, "start")
    fakes.clock.pass_(minutes=2)
    end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    fakes.clock.pass_(minutes=4)
    (listed,) = tool("plan_list").body["plans"]
    assert (listed["plan_id"], listed["created_at"]) == (plan.plan_id, "2026-11-02T09:00:00Z")
    status = tool("plan_status", plan_id=plan.plan_id).body
    assert (status["state"], status["timing"]["started_at"]) == ("failed", "2026-11-02T09:01:00Z")
    assert status["timing"]["elapsed_sec"] == 120.0
    events = http("GET", f"/v1/plans/{plan.plan_id}/events").body["events"]
    assert next(each["ts"] for each in events if each["data"].get("state") == "failed") == "2026-11-02T09:03:00Z"


def test_3_1_tasks_are_neither_advertised_nor_answered(fakes: Fakes) -> None:
    version = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    assert "tasks" not in rpc("initialize", version)["capabilities"]
    assert not any("execution" in each for each in rpc("tools/list")["tools"]), "no tool asks to be run as a task"
    for method in ("tasks/list", "tasks/get", "tasks/result", "tasks/cancel"):
        assert rpc(method, {"taskId": "1"})["error"]["code"] == -32601, "method not found"


def test_6_arguments_and_their_defaults_are_as_specified(fakes: Fakes) -> None:
    schemas = {each["name"]: each["inputSchema"] for each in rpc("tools/list")["tools"]}
    assert schemas["example_prompts"]["properties"] == schemas["model_profiles"]["properties"] == {}
    for name in ("plan_status", "plan_stop", "plan_file_info", "plan_retry", "plan_resume", "plan_wait"):
        assert schemas[name]["required"] == ["plan_id"], name
    artifact = schemas["plan_file_info"]["properties"]["artifact"]
    assert (artifact["enum"], artifact["default"]) == (["report", "zip"], "report")
    assert set(schemas["plan_wait"]["properties"]) == {"plan_id", "timeout_sec", "poll_interval_sec"}
    assert set(schemas["plan_logs_tail"]["properties"]) == {"plan_id", "max_lines", "since_cursor"}
    assert schemas["plan_list"]["properties"]["limit"] == {
        "default": 10,
        "description": "How many plans to return.",
        "maximum": 50,
        "minimum": 1,
        "title": "Limit",
        "type": "integer",
    }


def test_6_7_a_file_is_told_with_the_plans_own_id_however_it_was_asked_for(fakes: Fakes) -> None:
    plan_id = create()
    end_run(fakes.ports.run_control, plan_id, 1, "FAILED")
    told = tool("plan_file_info", plan_id=plan_id.upper().join("{}"), artifact="zip").body
    assert told["plan_id"] == plan_id


def test_6_1_example_prompts_are_twelve_in_flowing_prose(fakes: Fakes) -> None:
    answer = tool("example_prompts").body
    assert len(answer["samples"]) == 12
    for sample in answer["samples"]:
        assert 300 <= len(sample["prompt"].split()) <= 800, sample["id"]
        assert not any(line.startswith(("#", "-", "*", "1.")) for line in sample["prompt"].splitlines()), sample["id"]
    assert len({sample["id"] for sample in answer["samples"]}) == 12


def test_6_1_1_profiles_without_a_model_are_left_out(fakes: Fakes) -> None:
    answer = tool("model_profiles").body
    assert answer["default_profile"] == "baseline"
    assert [profile["profile"] for profile in answer["profiles"]] == ["baseline"]
    assert answer["profiles"][0]["models"] == [
        {"key": "outline", "provider_class": "Outline", "model": "outline", "priority": 0}
    ]


def test_6_1_1_without_a_model_in_any_profile_the_code_says_so(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(fakes.ports.models), "available", lambda _: {})
    answer = tool("model_profiles")
    assert (answer.is_error, answer.body["error"]["code"]) == (True, "MODEL_PROFILES_UNAVAILABLE")


def test_6_2_a_plan_is_created_and_answers_with_its_id(fakes: Fakes) -> None:
    answer = tool("plan_create", prompt=PROMPT)
    assert not answer.is_error
    assert answer.body == answer.text
    assert fakes.plans.get(answer.body["plan_id"]).account == "acme"
    assert answer.body["state"] == "pending"


def test_a_plan_has_the_detail_that_it_was_created_with(fakes: Fakes) -> None:
    full = tool("plan_create", prompt=PROMPT, detail="full").body["plan_id"]
    assert tool("plan_status", plan_id=full).body["detail"] == "full"
    brief = http("POST", "/v1/plans", {"prompt": PROMPT, "detail": "brief"}).body["plan_id"]
    assert http("GET", f"/v1/plans/{brief}").body["detail"] == "brief"
    refused = tool("plan_create", prompt=PROMPT, detail="endless")
    assert (refused.is_error, refused.body["error"]["code"]) == (True, "INVALID_ARGUMENT")
    assert http("POST", "/v1/plans", {"prompt": PROMPT, "detail": "endless"}).status == 422


def test_a_request_for_another_detail_is_another_request(fakes: Fakes) -> None:
    create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1", detail="brief")
    with pytest.raises(RequestConflict):
        create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1", detail="full")


def test_6_3_status_of_a_new_plan(fakes: Fakes) -> None:
    plan_id = create()
    assert tool("plan_status", plan_id=plan_id).body == {
        "plan_id": plan_id,
        "state": "pending",
        "progress_percentage": 0.0,
        "steps_completed": 0,
        "steps_total": 15,
        "current_step": None,
        "model_profile": "baseline",
        "target": "build_plan",
        "detail": "standard",
        "derived_from": None,
        "archived": False,
        "timing": {"started_at": None, "ended_at": None, "elapsed_sec": 0.0, "last_progress_at": None},
        "queue_position": None,
        "stalled": False,
        "files_count": 0,
        "files": [],
        "usage": {
            "calls": 0,
            "retries": 0,
            "input_tokens": 0,
            "cached_tokens": 0,
            "output_tokens": 0,
            "price": {"amount": 0.0, "currency": "USD", "known": True},
        },
        "quality": None,
        "poll_after_sec": 5,
    }


def test_6_3_status_of_a_plan_under_way_names_step_and_newest_files(asking: Fakes) -> None:
    plan = asking.plans.get(create())
    work(asking, plan, "start", "premise_attack", "screening", "draft")
    asking.clock.pass_(seconds=30)
    deliver(asking)
    answer = tool("plan_status", plan_id=plan.plan_id).body
    assert (answer["state"], answer["steps_completed"], answer["progress_percentage"]) == ("processing", 4, 26.7)
    assert answer["timing"]["elapsed_sec"] == 30.0
    assert len(answer["files"]) == 10
    assert answer["files"][0]["path"] == "004-3-second_draft.md"
    assert answer["files_count"] > 10
    assert answer["usage"]["calls"] == 5, "the goal, the attacks, the verdict and two drafts"
    assert "error" not in answer


@pytest.mark.parametrize(
    ("profile", "seconds"), [("baseline", 60), ("custom", 60), ("premium", 300), ("frontier", 300)]
)
def test_6_3_poll_after_sec_suits_the_models(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, profile: str, seconds: int
) -> None:
    plan_id = create()
    fakes.plans.plans[plan_id] = fakes.plans.plans[plan_id].model_copy(update={"model_profile": profile})
    monkeypatch.setattr(type(fakes.ports.models), "outline_only", lambda *_: False)
    assert tool("plan_status", plan_id=plan_id).body["poll_after_sec"] == seconds


def test_6_3_a_failed_plan_says_why_and_what_can_help(fakes: Fakes) -> None:
    plan = fakes.plans.get(create())
    why = Failure(
        failure_reason="generation_error", failed_step="016-expert_criticism", message="503", recoverable=True
    )
    fakes.plans.record_failure(plan.plan_id, 1, why)
    end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    answer = tool("plan_status", plan_id=plan.plan_id)
    assert not answer.is_error, "a failed plan is a good answer"
    assert (answer.body["state"], answer.body["error"]) == ("failed", why.model_dump())
    assert answer.body["poll_after_sec"] is None


def test_6_3_a_plan_that_failed_before_reasons_were_kept_has_an_error_of_nulls(fakes: Fakes) -> None:
    plan_id = create()
    old = {"state": "failed", "failure": None}
    fakes.plans.plans[plan_id] = fakes.plans.plans[plan_id].model_copy(update=old)
    error = tool("plan_status", plan_id=plan_id).body["error"]
    assert error == dict.fromkeys(("failure_reason", "failed_step", "message", "recoverable"))
    assert tool("plan_wait", plan_id=plan_id).body["next_steps"][0].startswith("Call plan_retry")


def test_6_4_a_plan_is_stopped_and_stays_stopped(fakes: Fakes) -> None:
    plan_id = create()
    expected = {"plan_id": plan_id, "state": "stopped", "stop_requested": True}
    assert tool("plan_stop", plan_id=plan_id).body == expected
    assert tool("plan_stop", plan_id=plan_id).body == expected
    status = tool("plan_status", plan_id=plan_id).body
    assert (status["state"], status["timing"]["ended_at"]) == ("stopped", "2026-11-02T09:00:00Z")


@pytest.mark.parametrize(("status", "state"), [("FAILED", "failed"), ("SUCCEEDED", "completed")])
def test_6_4_a_plan_that_had_ended_is_not_stopped(fakes: Fakes, status: str, state: str) -> None:
    plan_id = create()
    fakes.files.write(plan_id, REPORT, b"<html>", "text/html")
    end_run(fakes.ports.run_control, plan_id, 1, status)
    expected = {"plan_id": plan_id, "state": state, "stop_requested": False}
    assert tool("plan_stop", plan_id=plan_id).body == expected


def test_6_7_a_file_that_is_not_ready_is_an_empty_answer_and_no_error(fakes: Fakes) -> None:
    plan_id = create()
    for artifact in ("report", "zip"):
        answer = tool("plan_file_info", plan_id=plan_id, artifact=artifact)
        assert (answer.body, answer.is_error) == ({}, False)


@pytest.mark.parametrize("artifact", ["report", "zip"])
def test_6_7_a_finished_plan_gives_links_that_live_an_hour(fakes: Fakes, artifact: str) -> None:
    plan = fakes.plans.get(create())
    work(fakes, plan, *in_order())
    end_run(fakes.ports.run_control, plan.plan_id, 1, "SUCCEEDED")
    answer = tool("plan_file_info", plan_id=plan.plan_id, artifact=artifact).body
    assert answer["download_url"].startswith("https://")
    assert answer["download_expires_at"] == "2026-11-02T10:00:00Z"
    assert answer["download_size"] > 10_000
    assert len(answer["sha256"]) == 64


def test_9_2_the_report_of_a_failed_plan_is_generation_failed_and_not_an_error_of_the_call(fakes: Fakes) -> None:
    plan_id = create()
    end_run(fakes.ports.run_control, plan_id, 1, "FAILED")
    answer = tool("plan_file_info", plan_id=plan_id)
    assert (answer.body["error"]["code"], answer.is_error) == ("generation_failed", False)


def test_9_2_a_report_or_a_zip_that_cannot_be_read_is_content_unavailable_and_not_an_error_of_the_call(
    fakes: Fakes,
) -> None:
    plan = fakes.plans.get(create())
    work(fakes, plan, *in_order())
    end_run(fakes.ports.run_control, plan.plan_id, 1, "SUCCEEDED")
    fakes.files.delete(plan.plan_id, ["030-report.html"])
    for artifact in ("report", "zip"):
        answer = tool("plan_file_info", plan_id=plan.plan_id, artifact=artifact)
        assert (answer.body["error"]["code"], answer.is_error) == ("content_unavailable", False)
        assert http("GET", f"/v1/plans/{plan.plan_id}/files/{artifact}").status == 503
    shared = tool("plan_share", plan_id=plan.plan_id)
    assert (shared.body["error"]["code"], shared.is_error) == ("content_unavailable", True)


def test_17_1_plans_are_listed_newest_first_for_their_account_only(fakes: Fakes) -> None:
    ids = []
    for _ in range(3):
        ids.append(create())
        fakes.clock.pass_(minutes=1)
    tool("plan_create", account="other", prompt=PROMPT)
    first = tool("plan_list", limit=2).body
    assert [plan["plan_id"] for plan in first["plans"]] == [ids[2], ids[1]]
    specified = {"plan_id", "state", "progress_percentage", "created_at", "prompt_excerpt"}
    assert set(first["plans"][0]) == specified | {"target", "derived_from"}
    rest = tool("plan_list", limit=2, before=first["next_before"]).body
    assert ([plan["plan_id"] for plan in rest["plans"]], rest["next_before"]) == ([ids[0]], None)


def test_6_2_a_plan_and_the_list_name_the_plan_that_it_comes_from(fakes: Fakes) -> None:
    origin = create()
    fakes.clock.pass_(minutes=1)
    over_mcp = tool("plan_create", prompt=PROMPT, derived_from=origin, target="build_plan_and_validate").body["plan_id"]
    fakes.clock.pass_(minutes=1)
    over_http = http("POST", "/v1/plans", {"prompt": PROMPT, "derived_from": origin}).body["plan_id"]
    listed = [(plan["plan_id"], plan["derived_from"], plan["target"]) for plan in tool("plan_list").body["plans"]]
    assert listed == [
        (over_http, origin, "build_plan"),
        (over_mcp, origin, "build_plan_and_validate"),
        (origin, None, "build_plan"),
    ]
    for plan_id, named, target in listed:
        status = tool("plan_status", plan_id=plan_id).body
        assert (status["derived_from"], status["target"]) == (named, target)


@pytest.mark.parametrize("name", ["plan_status", "plan_stop", "plan_file_info"])
def test_9_1_errors_have_codes_and_set_is_error(fakes: Fakes, name: str) -> None:
    mine = create()
    cases = {str(uuid4()): "PLAN_NOT_FOUND", "not-a-uuid": "INVALID_ARGUMENT", "../../etc": "INVALID_ARGUMENT"}
    for plan_id, code in cases.items():
        answer = tool(name, plan_id=plan_id)
        assert (answer.body["error"]["code"], answer.is_error) == (code, True)
        assert re.search("stop polling|do not poll", answer.body["error"]["message"]), "9.4: agents poll on otherwise"
        assert answer.body == answer.text
    other = tool(name, account="other", plan_id=mine)
    assert (other.body["error"]["code"], other.is_error) == ("PERMISSION_DENIED", True)


def test_9_3_an_unknown_tool_is_invalid_tool(fakes: Fakes) -> None:
    answer = tool("plan_everything")
    assert (answer.body["error"]["code"], answer.is_error) == ("INVALID_TOOL", True)


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ({}, "prompt"),
        ({"prompt": ""}, "prompt"),
        ({"prompt": "   "}, "prompt"),
        ({"prompt": "x" * 1_000_000}, "prompt"),
        ({"prompt": "a\u0000b"}, "prompt"),
        ({"prompt": 7}, "prompt"),
        ({"prompt": PROMPT, "model_profile": "turbo"}, "model_profile"),
    ],
)
def test_bad_arguments_are_named_and_nothing_is_stored(fakes: Fakes, arguments: dict[str, object], names: str) -> None:
    answer = tool("plan_create", **arguments)
    assert answer.is_error
    assert answer.body["error"]["code"] == "INVALID_ARGUMENT"
    assert names in answer.body["error"]["message"]
    assert "xxxxxxxxxx" not in answer.body["error"]["message"]
    assert (fakes.plans.plans, fakes.files.contents) == ({}, {})


def test_a_fault_of_ours_tells_callers_nothing_of_its_text(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> None:
        raise RuntimeError("table arn:aws:secret")

    monkeypatch.setattr(fakes.plans, "get", fail)
    answer = tool("plan_status", plan_id=str(uuid4()))
    assert (answer.body["error"]["code"], answer.is_error) == ("INTERNAL_ERROR", True)
    assert "arn" not in str(answer.body)


def test_without_an_account_every_call_is_denied(fakes: Fakes) -> None:
    answer = tool("plan_list", account=None)
    assert (answer.body["error"]["code"], answer.is_error) == ("PERMISSION_DENIED", True)


def test_get_is_not_allowed_on_the_mcp_endpoint(fakes: Fakes) -> None:
    answer = http("GET", "/mcp")
    assert (answer.status, answer.headers.get("allow")) == (405, "POST")


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_warm_calls_answer_on_both_spellings_of_the_path(fakes: Fakes, path: str) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    for _ in range(3):
        assert http("POST", path, message).status == 200
