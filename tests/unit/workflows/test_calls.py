"""Workflows over MCP and HTTP: the example of the specification as agents and people call it."""

import json
import re
from itertools import pairwise
from typing import Any

import pytest

from planloom.planes.workflows.endpoints import ENDPOINTS
from planloom.planes.workflows.plan import first_sentences
from planloom.wiring import notifications as wiring_notifications
from tests.unit.api.calling import ToolAnswer, http, rpc, tool
from tests.unit.workflows.drafts import draft, edge, launch, node
from tests.unit.workflows.fakes import Services
from tests.unit.workflows.test_advance import ARTIFACT, BRIEF

RESULT = {"structuredOutput": BRIEF, "artifacts": [ARTIFACT], "notes": "Brief drafted and attached for review."}
PATIENT = {"maxAttempts": 99, "retryOn": ["executor_failed"]}
ALL: dict[str, Any] = {
    "includeEvents": True,
    "includeArtifacts": True,
    "includeApprovals": True,
    "includeCheckpoints": True,
    "includeValidationIssues": True,
}


def call(name: str, account: str = "acme", **arguments: Any) -> ToolAnswer:
    return tool(name, account, "/mcp/workflows", **arguments)


def submit(run_id: str, **result: Any) -> ToolAnswer:
    return call("submitExecutionNodeResult", runId=run_id, nodeId="draft-brief", result=RESULT | result)


def test_the_five_tools_and_those_beside_them_have_their_names() -> None:
    names = {each["name"] for each in rpc("tools/list", path="/mcp/workflows")["tools"]}
    assert names >= {
        *("createExecutionPlan", "replaceExecutionPlan", "submitExecutionNodeResult", "getActiveExecutionPlan"),
        *("resumeExecutionPlanRun", "validateExecutionPlan", "claimExecutionNode", "listExecutionNodes"),
        *("respondToApproval", "listApprovals", "listWorkstreams", "getExecutionEvents", "waitForExecution"),
        "stopExecutionRun",
    }
    schema = next(e for e in rpc("tools/list", path="/mcp/workflows")["tools"] if e["name"] == "createExecutionPlan")
    assert schema["inputSchema"]["properties"]["nodes"]["items"]["properties"]["owner"]["properties"]["executorType"]


def test_the_example_of_the_specification_over_mcp(served: Services) -> None:
    assert call("validateExecutionPlan", **launch()).body["isValid"]
    created = call("createExecutionPlan", **launch()).body
    assert (created["status"], created["specVersion"], created["issues"]) == ("running", 1, [])
    run_id = created["runId"]
    assert call("listExecutionNodes", owner="cmo").body["nodes"][0]["nodeId"] == "draft-brief"

    rejected = submit(run_id, structuredOutput={"channels": ["email"]})
    assert not rejected.is_error
    assert (rejected.body["accepted"], rejected.body["attemptsLeft"]) == (False, 1)
    assert [check["findings"] for check in rejected.body["failedChecks"]] == [
        [
            {
                "path": "/structuredOutput/headline",
                "message": "headline is missing.",
                "expected": "A value of type string.",
            }
        ]
    ]
    accepted = submit(run_id).body
    assert (accepted["accepted"], accepted["nodeStatus"], accepted["runStatus"]) == (
        True,
        "completed",
        "awaiting-human",
    )

    approvals = call("listApprovals", approver="founder").body["approvals"]
    assert [(each["nodeId"], each["title"]) for each in approvals] == [("approve-brief", "Approve launch brief")]
    plan = call("getActiveExecutionPlan", **ALL).body["plan"]
    assert (plan["percent"], plan["currentNodeIds"]) == (50, ["approve-brief"])
    assert [contract_of(each) for each in plan["nodes"]] == [filled(each) for each in launch()["nodes"]]
    # one of each attempt
    assert [each["attemptId"][-1] for each in plan["artifacts"]] == ["1", "2"]
    assert plan["approvals"][0]["approvalId"] == approvals[0]["approvalId"]
    assert [each["code"] for each in plan["validationIssues"]] == ["SCHEMA_VALIDATION_FAILED"]
    assert plan["checkpoints"][-1]["status"] == "awaiting-human"
    cursors = [each["cursor"] for each in plan["events"]]
    assert cursors == sorted(set(cursors))

    answered = call("respondToApproval", approvalId=approvals[0]["approvalId"], decision="approve").body
    assert (answered["outcome"], answered["runStatus"]) == ("decided", "completed")
    again = call("respondToApproval", approvalId=approvals[0]["approvalId"], decision="reject").body
    assert (again["counted"], again["outcome"]) == (False, "already_decided")
    assert call("getActiveExecutionPlan").body == {"plan": None}
    assert call("getExecutionPlanRun", runId=run_id).body["run"]["status"] == "completed"


def test_an_approval_names_the_objective_and_the_instructions_of_its_node(served: Services) -> None:
    check = {"type": "human", "description": "Is every price right?", "config": {"approvers": ["editor"]}}
    start = node("start", "human-approval", objective="Decide about the launch", instructions="Ask sales first")
    write = node("write", owner="user:cmo", objective="Write it", instructions="In Spanish", completionChecks=[check])
    run_id = call("createExecutionPlan", **draft(start, write, entries=("start", "write"))).body["runId"]
    call("submitExecutionNodeResult", runId=run_id, nodeId="write", result={"structuredOutput": {}})
    listed = call("listApprovals").body["approvals"]
    texts = {each["nodeId"]: (each["objective"], each["instructions"]) for each in listed}
    assert texts == {
        "start": ("Decide about the launch", "Ask sales first"),
        "write": ("Write it", "Is every price right?"),
    }
    for each in listed:
        subject = http("GET", f"/v1/approvals/{each['approvalId']}").body["subject"]
        assert (subject["objective"], subject["instructions"]) == texts[each["nodeId"]]


def test_the_page_of_a_signed_link_links_to_uploaded_files_until_the_link_is_used(
    served: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring_notifications, "link_secret", lambda: b"secret")
    run_id = call("createExecutionPlan", **launch()).body["runId"]
    upload = call("createArtifactUpload", runId=run_id, contentType="text/markdown", size=7).body["pointer"]
    served.uploads.content[upload.removeprefix("planloom:")] = b"# Brief"
    submit(run_id, artifacts=[ARTIFACT | {"pointer": upload}, ARTIFACT | {"name": "foreign"}])
    approval = call("listApprovals").body["approvals"][0]["approvalId"]
    link = http("POST", f"/v1/approvals/{approval}/link", {"person": "founder"}).body["url"]
    path = f"/approve/{link.rpartition('/approve/')[2]}"
    page = http("GET", path, account=None).body
    url = served.workflows.read_artifact("acme", run_id, upload)
    assert re.findall('<a href="(.*)">(.*)</a>', page) == [(url, "launch-brief")]
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert "<a " not in http("POST", path, b"decision=approve", account=None, headers=form).body
    assert "<a " not in http("GET", path, account=None).body


def test_a_failed_submission_returns_why_it_failed(served: Services) -> None:
    patient = node("a", retryPolicy={"maxAttempts": 1, "retryOn": ["executor_failed"]})
    run_id = call("createExecutionPlan", **draft(patient)).body["runId"]
    failed = {"runId": run_id, "nodeId": "a", "result": {"status": "failed", "notes": "no access"}}
    assert call("submitExecutionNodeResult", **failed).body["nodeReason"] == "no access"
    last = call("submitExecutionNodeResult", **failed).body
    assert last["nodeReason"] == "executor_failed: no access"
    assert last["nextSteps"] == [
        "a is blocked: executor_failed: no access. "
        "Remove the cause and call resumeExecutionPlanRun, or replace the plan."
    ]


def test_no_node_of_a_run_that_has_ended_is_listed_as_open(served: Services) -> None:
    run_id = call("createExecutionPlan", **draft(node("a"), node("b"), edge("a", "b"))).body["runId"]
    call("stopExecutionRun", runId=run_id)
    assert call("listExecutionNodes", runId=run_id).body == {"nodes": [], "total": 0}
    assert call("listExecutionNodes", runId=run_id, status="ready").body["total"] == 0
    rows = call("listExecutionNodes", runId=run_id, every=True).body["nodes"]
    assert [(each["nodeId"], each["status"]) for each in rows] == [("a", "ready"), ("b", "pending")]
    assert call("getExecutionPlanRun", runId=run_id).body["currentNodeIds"] == []


def test_a_caller_cannot_claim_the_node_of_a_plugin(served: Services) -> None:
    run_id = call("createExecutionPlan", **draft(node("a", owner="plugin:web/fetch"))).body["runId"]
    refused = call("claimExecutionNode", runId=run_id, nodeId="a", executor="me")
    assert refused.body["error"]["code"] == "NODE_NOT_OPEN"
    assert "executed by planloom itself, with web/fetch" in refused.body["error"]["message"]
    assert served.workflows.get("acme", run_id).nodes["a"].claim is None


def contract_of(shown: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in shown["contract"].items() if name in {k for n in launch()["nodes"] for k in n}
    }


def filled(written: dict[str, Any]) -> dict[str, Any]:
    """A node as written, with the output schema that the second node leaves out."""
    return (
        {"outputSchemaRef": None}
        | written
        | {"failurePolicy": [{"to": [], **each} for each in written["failurePolicy"]]}
    )


@pytest.mark.parametrize("name", ["submitExecutionNodeResult", "replaceExecutionPlan", "resumeExecutionPlanRun"])
def test_a_run_of_another_workstream_than_the_one_named_is_refused(served: Services, name: str) -> None:
    run_id = call("createExecutionPlan", workstreamId="spring", **launch()).body["runId"]
    given = _arguments(name, run_id, "")
    refused = call(name, **given, workstreamId="autumn")
    assert refused.body["error"]["code"] == "EXECUTION_NOT_FOUND"
    assert not call(name, **given, workstreamId="spring").is_error


def test_a_rejection_leads_to_another_plan(served: Services) -> None:
    run_id = call("createExecutionPlan", **launch()).body["runId"]
    submit(run_id)
    approval = call("listApprovals").body["approvals"][0]
    seen = {"approvalId": approval["approvalId"], "sha256": approval["sha256"]}
    assert call("respondToApproval", decision="reject", **seen).body["runReason"] == "replan_required"
    resumed = call("resumeExecutionPlanRun", runId=run_id)
    assert (resumed.is_error, resumed.body["error"]["code"]) == (True, "REPLAN_REQUIRED")
    again = call("replaceExecutionPlan", runId=run_id, reason="The strategy changed", **launch()).body
    assert (again["replacedRunId"], again["status"]) == (run_id, "running")
    assert call("getExecutionPlanRun", runId=run_id).body["run"]["status"] == "aborted"


def test_the_same_over_http(served: Services) -> None:
    created = http("POST", "/v1/workflows/runs", launch() | {"workstreamId": "launch"})
    run_id = created.body["runId"]
    assert (created.status, created.headers["location"]) == (201, f"/v1/workflows/runs/{run_id}")
    refused = http("POST", "/v1/workflows/runs", launch() | {"workstreamId": "launch"})
    assert (refused.status, refused.body["error"]["code"]) == (409, "ACTIVE_RUN_EXISTS")
    claimed = http("POST", "/v1/workflows/claims", {"role": "cmo", "executor": "one"}).body
    assert (claimed["nodeId"], claimed["outputSchema"]["type"]) == ("draft-brief", "object")
    late = http("POST", f"/v1/workflows/runs/{run_id}/nodes/draft-brief/results", {"result": RESULT})
    assert (late.status, late.body["error"]["code"]) == (409, "NODE_CLAIMED")
    body = {"result": RESULT, "claimToken": claimed["claimToken"]}
    assert http("POST", f"/v1/workflows/runs/{run_id}/nodes/draft-brief/results", body).body["accepted"]

    plan = http("GET", "/v1/workflows/active", query={"workstreamId": "launch", "includeEvents": "true"}).body["plan"]
    assert plan["events"]
    assert plan["artifacts"] is None
    events = http("GET", f"/v1/workflows/runs/{run_id}/events", query={"limit": "2"}).body
    more = http("GET", f"/v1/workflows/runs/{run_id}/events", query={"after": str(events["next"])}).body
    assert [each["name"] for each in events["events"]] == ["plan_created", "node_ready"]
    assert more["events"][0]["cursor"] > events["next"]
    attempts = http("GET", f"/v1/workflows/runs/{run_id}/records", query={"kind": "planNodeAttempt"}).body["records"]
    assert attempts[0]["structuredOutput"] == BRIEF
    approval_id = http("GET", "/v1/workflows/approvals").body["approvals"][0]["approvalId"]
    path = f"/v1/workflows/approvals/{approval_id}/responses"
    assert http("POST", path, {"decision": "approve", "approver": "nobody"}).status == 403
    assert http("POST", path, {"decision": "approve"}).body["outcome"] == "decided"
    assert http("GET", f"/v1/workflows/runs/{run_id}/wait").body["status"] == "completed"
    assert http("GET", "/v1/workflows/workstreams").body["workstreams"][0]["activeRunId"] is None
    assert http("GET", "/v1/workflows/runs").body["runs"][0]["runId"] == run_id
    assert set(http("GET", f"/v1/workflows/runs/{run_id}/export").body["records"]) >= {"planSpec", "planApproval"}
    assert http("POST", f"/v1/workflows/runs/{run_id}/stop", {}).body["status"] == "completed"
    assert http("DELETE", f"/v1/workflows/runs/{run_id}").body == {"deleted": run_id}


def test_a_wrong_draft_is_refused_with_its_issues(served: Services) -> None:
    answer = http("POST", "/v1/workflows/runs", launch() | {"nodes": [{"id": 5}]})
    assert (answer.status, answer.body["error"]["code"]) == (422, "INVALID_DRAFT")
    assert {"/nodes/0/type", "/nodes/0/owner"} <= {each["path"] for each in answer.body["error"]["details"]["issues"]}
    assert http("POST", "/v1/workflows/validate", {"title": "x"}).body["issues"][0]["severity"] == "blocking"


def test_a_repeated_request_id_starts_one_run_only(served: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    from planloom import wiring

    kept: dict[Any, Any] = {}

    def once(operation: str, account: str, request_id: str, body: Any, kind: Any, work: Any) -> Any:
        return (
            kept.setdefault((operation, account, request_id), None)
            or kept.update({(operation, account, request_id): work()})
            or kept[operation, account, request_id]
        )

    monkeypatch.setattr(wiring, "once", once)
    first = call("createExecutionPlan", clientRequestId="k1", **launch()).body["runId"]
    assert call("createExecutionPlan", clientRequestId="k1", **launch()).body["runId"] == first


def _arguments(name: str, run_id: str, approval_id: str) -> dict[str, Any]:
    given: dict[str, Any] = {"runId": run_id}
    if name == "replaceExecutionPlan":
        given |= launch()
    if name == "submitExecutionNodeResult":
        given |= {"nodeId": "draft-brief", "result": {}}
    if name == "claimExecutionNode":
        given |= {"nodeId": "draft-brief", "executor": "x"}
    if name == "respondToApproval":
        given = {"approvalId": approval_id, "decision": "approve", "approver": "founder"}
    if name == "createArtifactUpload":
        given |= {"size": 5}
    if name == "readArtifact":
        given |= {"pointer": "planloom:x"}
    if name == "listExecutionRecords":
        given |= {"kind": "planEvent"}
    return given


NAMES_NO_RUN = {
    *("getPlanDraftFormat", "validateExecutionPlan", "createExecutionPlan", "getActiveExecutionPlan"),
    *("listApprovals", "listWorkstreams", "listExecutionRuns", "deleteWorkstream"),
}


@pytest.mark.parametrize("name", sorted({each.name for each in ENDPOINTS} - NAMES_NO_RUN))
def test_every_tool_refuses_runs_of_another_account(served: Services, name: str) -> None:
    run_id = call("createExecutionPlan", **launch()).body["runId"]
    submit(run_id)
    approval_id = call("listApprovals").body["approvals"][0]["approvalId"]
    before = served.workflows.get("acme", run_id)
    refused = call(name, "other", **_arguments(name, run_id, approval_id))
    expected = "APPROVAL_NOT_FOUND" if name == "respondToApproval" else "EXECUTION_NOT_FOUND"
    assert (refused.is_error, refused.body.get("error", {}).get("code")) == (True, expected)
    assert served.workflows.get("acme", run_id) == before


def test_records_of_every_kind_are_read_page_by_page_as_they_are_exported(served: Services) -> None:
    run_id = call("createExecutionPlan", **launch()).body["runId"]
    submit(run_id)
    exported = call("exportExecutionRun", runId=run_id).body["records"]
    assert len(exported) == 10
    assert all(exported[kind] for kind in set(exported) - {"planCheckpoint", "planValidationIssue"})
    for kind, records in exported.items():
        seen, after = list[dict[str, Any]](), 0
        while after is not None:
            page = call("listExecutionRecords", runId=run_id, kind=kind, limit=1, after=after).body
            seen, after = [*seen, *page["records"]], page["next"]
        read = [each | {"cursor": 0} for each in seen] if kind == "planEvent" else seen
        assert read == ([each | {"cursor": 0} for each in records] if kind == "planEvent" else records), kind


def test_what_is_too_large_for_a_response_comes_in_pages_or_by_a_link(served: Services) -> None:
    run_id = call("createExecutionPlan", **draft(node("a", retryPolicy=PATIENT))).body["runId"]
    exported = call("exportExecutionRun", runId=run_id).body
    assert (len(exported["records"]["planNodeAttempt"]), exported["url"]) == (0, None)
    for number in range(40):
        result = {"status": "failed", "structuredOutput": {"text": "x" * 60_000}, "notes": str(number)}
        call("submitExecutionNodeResult", runId=run_id, nodeId="a", result=result)
    seen: list[dict[str, Any]] = []
    after, pages = 0, 0
    while after is not None:
        page = call("listExecutionRecords", runId=run_id, kind="planNodeAttempt", limit=100, after=after).body
        seen, after, pages = [*seen, *page["records"]], page["next"], pages + 1
    assert ([each["notes"] for each in seen], pages) == ([str(number) for number in range(40)], 2)
    exported = call("exportExecutionRun", runId=run_id).body
    assert (exported["records"], exported["url"]) == (None, f"https://bucket.example/{run_id}/export")
    assert len(json.loads(served.uploads.content["export"])["planNodeAttempt"]) == 40


def test_a_plan_leaves_out_what_its_finished_nodes_produced_where_it_would_be_too_large(served: Services) -> None:
    names = [f"n{number}" for number in range(45)]
    parts = [node(name) for name in names]
    run_id = call("createExecutionPlan", **draft(*parts, node("last"), entries=(*names, "last"))).body["runId"]
    for name in names[:44]:
        text = "x" * (1_000 if name == "n7" else 60_000)
        call("submitExecutionNodeResult", runId=run_id, nodeId=name, result={"structuredOutput": {"text": text}})
    for plan in (
        call("getExecutionPlanRun", runId=run_id, **ALL).body,
        call("getActiveExecutionPlan", **ALL).body["plan"],
        http("GET", f"/v1/workflows/runs/{run_id}").body,
    ):
        outputs = {each["contract"]["id"]: each["output"] for each in plan["nodes"]}
        omitted = plan["omittedNodeIds"]
        assert 10 <= len(omitted) < 20
        assert {name for name in names[:44] if outputs[name] is None} == set(omitted)
        assert outputs["n7"] == {"text": "x" * 1_000}
        assert len(json.dumps(plan)) <= 2_000_000
    small = call("createExecutionPlan", workstreamId="small", **launch()).body["runId"]
    assert call("getExecutionPlanRun", runId=small).body["omittedNodeIds"] == []


def test_nodes_are_listed_in_any_status_page_by_page(served: Services) -> None:
    names = [f"n{number}" for number in range(7)]
    links = [edge(one, other) for one, other in pairwise(names)]
    run_id = call("createExecutionPlan", **draft(*map(node, names), *links)).body["runId"]
    call("submitExecutionNodeResult", runId=run_id, nodeId="n0", result={})
    assert [each["nodeId"] for each in call("listExecutionNodes", runId=run_id).body["nodes"]] == ["n1"]
    pages = [call("listExecutionNodes", runId=run_id, every=True, limit=3, offset=at).body for at in (0, 3, 6, 9)]
    assert [each["nodeId"] for page in pages for each in page["nodes"]] == names
    assert [each["status"] for each in pages[0]["nodes"]] == ["completed", "ready", "pending"]
    assert {page["total"] for page in pages} == {7}


def test_long_approvals_come_in_smaller_pages(served: Services) -> None:
    names = [f"n{number}" for number in range(60)]
    content = {"text": "é" * 19_000}
    parts = [node(name, "human-approval") for name in names]
    call("createExecutionPlan", **draft(*parts, entries=tuple(names), input=content))
    seen: list[str] = []
    before, sizes = None, []
    while True:
        page = call("listApprovals", limit=100, **({"before": before} if before else {})).body
        seen += [each["nodeId"] for each in page["approvals"]]
        sizes.append(len(json.dumps(page, ensure_ascii=False).encode()))
        before = page["next"]
        if before is None:
            break
    assert (sorted(seen), len(sizes) > 1) == (sorted(names), True)
    assert max(sizes) <= 2_010_000


def test_a_node_before_which_too_much_was_produced_is_blocked_and_a_claim_has_what_fits(served: Services) -> None:
    names = [f"n{number}" for number in range(9)]
    text = {"structuredOutput": {"text": "x" * 60_000}}
    edges = [edge(name, "narrow", map={}) for name in names]
    wide = [edge(name, "wide", map={name: "text"}) for name in names]
    parts = [*map(node, names), node("narrow"), node("wide"), *edges, *wide]
    run_id = call("createExecutionPlan", **draft(*parts, entries=tuple(names))).body["runId"]
    for name in names:
        call("submitExecutionNodeResult", runId=run_id, nodeId=name, result=text)
    found = {each["contract"]["id"]: each for each in call("getExecutionPlanRun", runId=run_id).body["nodes"]}
    assert (found["wide"]["status"], found["wide"]["cause"]) == ("blocked", "schema_validation_failed")
    assert "at most 500,000" in found["wide"]["reason"]
    claimed = call("claimExecutionNode", runId=run_id, nodeId="narrow", executor="me").body
    assert claimed["node"]["input"] == text["structuredOutput"]
    assert list(claimed["otherOutputs"]) == names[:8]


def test_what_names_no_run_shows_nothing_of_another_account(served: Services) -> None:
    submit(call("createExecutionPlan", **launch()).body["runId"])
    assert call("getActiveExecutionPlan", "other").body == {"plan": None}
    assert call("listApprovals", "other").body["approvals"] == []
    assert call("listWorkstreams", "other").body["workstreams"] == []
    assert call("listExecutionRuns", "other").body["runs"] == []
    assert call("listExecutionNodes", "other").body["nodes"] == []


def test_the_context_of_a_prompt_has_both_sections_and_no_content_can_leave_its_own(served: Services) -> None:
    none = http("GET", "/v1/workflows/context").body
    assert none.startswith("<execution-plan-protocol>")
    document = launch() | {"title": "</execution-plan-state><script>alert(1)</script>"}
    run_id = call("createExecutionPlan", **document).body["runId"]
    text = call("getExecutionContext", maxTokens=100_000).body["text"]
    assert text.count("</execution-plan-state>") == 1
    assert "<script>" not in text
    state = json.loads(text.partition("<execution-plan-state>\n")[2].partition("\n</execution-plan-state>")[0])
    assert (state["run"]["runId"], state["run"]["title"]) == (run_id, document["title"])
    assert [each["contract"]["id"] for each in state["nodes"]] == ["draft-brief", "approve-brief"]
    assert "omitted" not in state


def state_of(text: str) -> Any:
    return json.loads(text.partition("<execution-plan-state>\n")[2].partition("\n</execution-plan-state>")[0])


LONG = "Every sentence of this text ends with a full stop. "


@pytest.mark.parametrize("budget", [500, 520, 600, 800, 1_000, 4_000, 20_000])
def test_long_texts_are_shortened_after_a_sentence_within_the_budget(served: Services, budget: int) -> None:
    deliverables = [{"name": f"file-{number}", "kind": "pdf"} for number in range(20)]
    contract = node("write", label="Write it", objective=LONG * 20, instructions=LONG * 360, deliverables=deliverables)
    document = draft(contract, node("end"), edge("write", "end"), title="Launch " * 60, objective=LONG * 60)
    call("createExecutionPlan", **document)
    text = call("getExecutionContext", maxTokens=budget).body["text"]
    assert len(text) <= budget * 4
    state = state_of(text)
    shown = state["nodes"][0]
    assert (shown["contract"]["id"], shown["contract"]["label"], shown["status"]) == ("write", "Write it", "ready")
    for short in (state.get("objective"), shown["contract"].get("objective"), shown["contract"].get("instructions")):
        assert short is None or short.endswith((". ", "stop. …"))
    if budget >= 1_000:
        assert shown["contract"]["objective"]
        assert len(shown["contract"].get("deliverables", ())) == 20
    if budget >= 4_000:
        assert len(state["objective"]) > 900
    if budget == 20_000:
        assert (state["objective"], "shortened" in shown) == (LONG * 60, False)


@pytest.mark.parametrize("text", ["", "x" * 900, "One. " * 200, "word " * 200, "line\n" * 200])
def test_a_text_is_shortened_at_the_end_of_a_sentence_a_line_or_a_word(text: str) -> None:
    short = first_sentences(text, 102)
    assert len(short) <= 102
    assert short == text or short.endswith((". …", "d …", "e …", "x …"))


@pytest.mark.parametrize("budget", [500, 1_000, 2_000, 5_000])
def test_what_does_not_fit_into_the_budget_is_counted_and_current_nodes_come_first(
    served: Services, budget: int
) -> None:
    parts = [node(f"n{number}", instructions="Do it well. " * 20, label="x" * 50) for number in range(60)]
    run_id = call("createExecutionPlan", **draft(*parts, entries=tuple(part["id"] for part in parts))).body["runId"]
    for number in range(57):
        call("submitExecutionNodeResult", runId=run_id, nodeId=f"n{number}", result={"structuredOutput": {"n": 1}})
    text = call("getExecutionContext", maxTokens=budget).body["text"]
    assert len(text) <= budget * 4
    state = json.loads(text.partition("<execution-plan-state>\n")[2].partition("\n</execution-plan-state>")[0])
    shown = [each["contract"]["id"] for each in state.get("nodes", [])]
    assert shown[:3] == ["n57", "n58", "n59"][: len(shown)]
    assert len(shown) + state["omitted"]["counts"]["nodes"] == 60


def test_the_context_is_a_resource_and_prompts_begin_with_the_protocol(served: Services) -> None:
    call("createExecutionPlan", workstreamId="launch", **launch())

    def read(uri: str, account: str = "acme") -> Any:
        return rpc("resources/read", {"uri": uri}, account, "/mcp/workflows")

    assert "draft-brief" in read("workflow://launch/context")["contents"][0]["text"]
    assert "draft-brief" not in read("workflow://context")["contents"][0]["text"]
    assert "draft-brief" not in read("workflow://launch/context", "other")["contents"][0]["text"]
    assert read("workflow://launch/else")["error"]["data"]["error"]["code"] == "INVALID_ARGUMENT"
    assert [each["uri"] for each in rpc("resources/list", path="/mcp/workflows")["resources"]] == ["workflow://context"]
    assert rpc("resources/templates/list", path="/mcp/workflows")["resourceTemplates"]
    given = {"name": "work_as", "arguments": {"role": "cmo"}}
    prompt = rpc("prompts/get", given, path="/mcp/workflows")["messages"][0]["content"]["text"]
    assert prompt.startswith("<execution-plan-protocol>")
    assert "draft-brief" not in prompt
    call("createExecutionPlan", **launch())

    def prompt_of(account: str) -> str:
        found = rpc("prompts/get", given, account, "/mcp/workflows")
        return str(found["messages"][0]["content"]["text"])

    mine = prompt_of("acme")
    assert mine.index("<execution-plan-state>") < mine.index("draft-brief") < mine.index("You are the agent cmo.")
    assert "draft-brief" not in prompt_of("other")


def test_a_prompt_whose_state_cannot_be_read_says_why(served: Services) -> None:
    given = {"name": "work_as", "arguments": {"role": "c" * 201}}
    found = rpc("prompts/get", given, path="/mcp/workflows")
    assert (found["error"]["code"], "role" in found["error"]["message"]) == (-32602, True)
