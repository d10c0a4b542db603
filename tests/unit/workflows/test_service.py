"""Workflows as callers use them: accounts, workstreams, submissions, approvals, replacement, what a crash leaves."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from planloom.approvals.approval import Decision, Outcome, Response
from planloom.approvals.errors import ApprovalNotFound
from planloom.core.errors import PlanloomError
from planloom.planes.workflows.errors import (
    ActiveRunExists,
    ExecutionEnded,
    ExecutionNotFound,
    InvalidDraft,
    NodeNotOpen,
    ReplanRequired,
)
from planloom.planes.workflows.states import Execution, Result
from tests.unit.runs.fakes import Killed
from tests.unit.workflows.drafts import draft, edge, launch, node
from tests.unit.workflows.fakes import Services
from tests.unit.workflows.test_advance import ARTIFACT, BRIEF


@pytest.fixture
def services() -> Services:
    return Services()


def brief(**more: Any) -> Result:
    return Result.model_validate({"structuredOutput": BRIEF, "artifacts": [ARTIFACT], **more})


def approve(services: Services, run: Execution, decision: str = "approve", by: str = "founder") -> Outcome:
    approval_id = run.approval_ids[-1]
    response = Response(by=by, decision=Decision(decision))
    return services.workflows.respond(run.account, approval_id, response)[0].outcome


def test_a_workflow_is_created_executed_approved_and_leaves_its_workstream_free(services: Services) -> None:
    flows = services.workflows
    run = flows.create("ann", launch())
    assert (run.workstream_id, run.spec_version, services.host.started) == ("default", 1, [run.run_id])
    with pytest.raises(ActiveRunExists) as refused:
        flows.create("ann", launch())
    assert refused.value.details == {"run_id": run.run_id}
    assert flows.create("ann", launch(), "other").run_id != run.run_id
    assert flows.create("bob", launch()).workstream_id == "default"

    rejected = flows.submit("ann", run.run_id, "draft-brief", brief(structuredOutput={}))
    assert (rejected.attempt.outcome, rejected.attempts_left) == ("rejected", 1)
    after = flows.submit("ann", run.run_id, "draft-brief", brief()).run
    assert after.status == "awaiting-human"
    assert approve(services, after) is Outcome.DECIDED
    assert flows.get("ann", run.run_id).status == "completed"
    assert flows.active("ann") is None
    assert flows.create("ann", launch()).spec_version == 2


def test_another_account_sees_and_changes_nothing(services: Services) -> None:
    flows = services.workflows
    run = flows.create("ann", launch())
    waiting = flows.submit("ann", run.run_id, "draft-brief", brief()).run
    calls: list[Callable[[], object]] = [
        lambda: flows.get("bob", run.run_id),
        lambda: flows.submit("bob", run.run_id, "draft-brief", brief()),
        lambda: flows.replace("bob", run.run_id, "", launch()),
        lambda: flows.claim("bob", run_id=run.run_id, node_id="draft-brief", by="b", seconds=60),
        lambda: flows.stop("bob", run.run_id, ""),
        lambda: flows.resume("bob", run.run_id),
        lambda: flows.records("bob", run.run_id, "planEvent", 0, 10),
        lambda: flows.export("bob", run.run_id),
        lambda: flows.new_upload("bob", run.run_id, "text/plain", 5),
        lambda: flows.open_nodes("bob", run_id=run.run_id),
        lambda: flows.delete("bob", run.run_id),
    ]
    for call in calls:
        with pytest.raises(ExecutionNotFound):
            call()
    with pytest.raises(ApprovalNotFound):
        flows.respond("bob", waiting.approval_ids[0], Response(by="founder", decision=Decision.APPROVE))
    assert flows.active("bob") is None
    assert flows.open_nodes("bob") == []
    assert flows.get("ann", run.run_id) == waiting


def test_a_draft_that_does_not_compile_starts_nothing_and_says_why(services: Services) -> None:
    with pytest.raises(InvalidDraft) as refused:
        services.workflows.create("ann", launch() | {"entryNodeIds": ["nobody"]})
    assert [(each["path"], each["code"], each["severity"]) for each in refused.value.details["issues"]] == [
        ("/entryNodeIds/0", "UNKNOWN_NODE", "blocking")
    ]
    assert services.store.runs == {}


def test_a_rejection_by_a_person_needs_a_new_plan_which_keeps_finished_work_on_request(services: Services) -> None:
    flows = services.workflows
    run = flows.create("ann", launch())
    run = flows.submit("ann", run.run_id, "draft-brief", brief()).run
    approve(services, run, "reject")
    blocked = flows.get("ann", run.run_id)
    assert (blocked.status, blocked.reason) == ("blocked", "replan_required")
    with pytest.raises(ReplanRequired):
        flows.resume("ann", run.run_id)

    changed = launch() | {"title": "Another launch"}
    changed["nodes"][1]["owner"]["ref"] = "chair"
    new = flows.replace("ann", run.run_id, "The strategy changed", changed, carry_over=True)
    old = flows.get("ann", run.run_id)
    assert (old.status, old.replaced_by, new.replaced_run_id) == ("aborted", new.run_id, run.run_id)
    assert {name: str(each.status) for name, each in new.nodes.items()} == {
        "draft-brief": "completed",
        "approve-brief": "awaiting-human",
    }
    assert new.nodes["draft-brief"].carried
    active = flows.active("ann")
    assert active
    assert active.run_id == new.run_id
    with pytest.raises(ExecutionEnded):
        flows.replace("ann", run.run_id, "", launch())


def test_an_uploaded_artifact_of_finished_work_is_read_from_the_run_that_made_it(services: Services) -> None:
    flows = services.workflows
    first = flows.create("ann", launch()).run_id
    pointer, _ = flows.new_upload("ann", first, "text/plain", 5)
    services.uploads.content[pointer.removeprefix("planloom:")] = b"brief"
    flows.submit("ann", first, "draft-brief", brief(artifacts=[ARTIFACT | {"pointer": pointer}]))
    link = flows.read_artifact("ann", first, pointer)
    run_id = first
    for title in ("second", "third"):
        run_id = flows.replace("ann", run_id, "", launch() | {"title": title}, carry_over=True).run_id
        assert flows.read_artifact("ann", run_id, pointer) == link
    with pytest.raises(ExecutionNotFound):
        flows.read_artifact("bob", run_id, pointer)


def test_of_a_hundred_parallel_submissions_one_is_accepted_and_the_others_are_told_why(services: Services) -> None:
    flows = services.workflows
    run = flows.create("ann", launch())

    def submit(number: int) -> str:
        try:
            return flows.submit("ann", run.run_id, "draft-brief", brief(), by=f"agent{number}").attempt.outcome
        except NodeNotOpen as error:
            return error.message

    with ThreadPoolExecutor(20) as pool:
        said = list(pool.map(submit, range(100)))
    winner = flows.get("ann", run.run_id).nodes["draft-brief"].executor
    assert said.count("accepted") == 1
    assert said[int(winner.removeprefix("agent"))] == "accepted"
    assert sum(f"{winner} completed it" in each for each in said) == 99
    assert len(flows.records("ann", run.run_id, "planNodeAttempt", 0, 1000)) == 1


def test_agents_of_a_role_find_and_claim_ready_work(services: Services) -> None:
    flows = services.workflows
    flows.create("ann", draft(node("a"), node("b", owner="agent:cmo"), entries=("a", "b")))
    assert [each.node.id for each in flows.open_nodes("ann", owner="cmo")] == ["b"]
    found = flows.claim("ann", by="one", seconds=60, role="cmo")
    assert found
    assert found.state.claim
    assert (found.node.id, found.state.claim.by) == ("b", "one")
    assert flows.claim("ann", by="two", seconds=60, role="cmo") is None

    services.clock.pass_(seconds=61)
    services.executor.reconcile(found.run.run_id)
    taken = flows.claim("ann", by="two", seconds=60, role="cmo")
    assert taken
    assert taken.state.claim
    assert taken.state.claim.by == "two"


def test_content_that_is_kept_here_is_hashed_and_a_foreign_pointer_is_unverified(services: Services) -> None:
    flows = services.workflows
    run = flows.create("ann", launch())
    pointer, url = flows.new_upload("ann", run.run_id, "text/markdown", 7)
    assert url.endswith("?text/markdown&7")
    services.uploads.content[pointer.removeprefix("planloom:")] = b"# Brief"
    own = ARTIFACT | {"pointer": pointer, "sha256": "0" * 64}
    foreign = ARTIFACT | {"name": "copy", "verified": True}
    flows.submit("ann", run.run_id, "draft-brief", brief(artifacts=[own, foreign]))
    artifacts = [each for _, each in flows.records("ann", run.run_id, "planArtifact", 0, 10)]
    assert [(each.name, each.size, each.verified) for each in artifacts] == [  # type: ignore[union-attr]
        ("launch-brief", 7, True),
        ("copy", None, False),
    ]
    link = flows.read_artifact("ann", run.run_id, pointer)
    services.uploads.content[pointer.removeprefix("planloom:")] = b"# Other"
    assert flows.read_artifact("ann", run.run_id, pointer) == link, "what was hashed is what is kept"


def test_a_required_deliverable_that_was_never_uploaded_is_refused(services: Services) -> None:
    run = services.workflows.create("ann", draft(node("a", deliverables=[{"name": "brief", "kind": "markdown"}])))
    pointer, _ = services.workflows.new_upload("ann", run.run_id, "text/markdown", 7)
    artifact = {"name": "brief", "kind": "markdown", "pointer": pointer}
    found = services.workflows.submit("ann", run.run_id, "a", Result.model_validate({"artifacts": [artifact]}))
    (finding,) = [each for check in found.attempt.checks for each in check.findings]
    assert (found.attempt.outcome, finding.path) == ("rejected", "/artifacts/0/pointer")
    assert finding.message.startswith('No content was sent for "brief"')


def test_a_run_continues_whose_draft_would_not_compile_any_more(services: Services) -> None:
    run = services.workflows.create("ann", draft(node("a", deliverables=[{"name": "brief", "kind": "markdown"}])))
    stored = services.store.specs[run.spec_id]
    stored.draft["nodes"][0]["owner"] = {"executorType": "plugin", "ref": "web/fetch"}
    assert services.workflows.spec(run).nodes["a"].owner.ref == "web/fetch"


def test_too_little_content_is_told_with_its_size(services: Services) -> None:
    check = {"type": "artifact", "config": {"name": "brief", "minBytes": 8}}
    part = node("a", completionChecks=[check], retryPolicy={"maxAttempts": 1, "retryOn": ["artifact_missing"]})
    run = services.workflows.create("ann", draft(part))
    outcomes = []
    for content in (b"# Brief", b"# A brief"):
        pointer, _ = services.workflows.new_upload("ann", run.run_id, "text/markdown", len(content))
        services.uploads.content[pointer.removeprefix("planloom:")] = content
        artifact = {"name": "brief", "kind": "markdown", "pointer": pointer, "size": 9_000}
        found = services.workflows.submit("ann", run.run_id, "a", Result.model_validate({"artifacts": [artifact]}))
        outcomes.append((found.attempt.outcome, [each.message for c in found.attempt.checks for each in c.findings]))
    assert outcomes == [("rejected", ['"brief" has 7 bytes.']), ("accepted", [])]


def test_a_check_by_a_model_that_is_there_no_more_says_so(services: Services) -> None:
    check = {"type": "model-judge", "config": {"criterion": "It is long"}}
    judged = Services(judges=True)
    run = judged.workflows.create("ann", draft(node("a", completionChecks=[check])))
    object.__setattr__(judged.workflows, "judges", lambda: False)
    found = judged.workflows.submit("ann", run.run_id, "a", Result(structured_output="Hello"))
    assert (found.attempt.outcome, found.attempt.checks[0].findings[0].expected) == ("rejected", "It is long")
    with pytest.raises(InvalidDraft):
        services.workflows.create("ann", draft(node("a", completionChecks=[check])))


def test_a_subworkflow_gets_the_input_and_its_end_ends_its_node(services: Services) -> None:
    flows = services.workflows
    inner = draft(node("x"), title="Inner")
    run = flows.create(
        "ann",
        draft(node("a"), node("sub", "subworkflow", subworkflow=inner), node("z"), edge("a", "sub"), edge("sub", "z")),
    )
    run = flows.submit("ann", run.run_id, "a", Result(structured_output={"n": 1})).run
    assert services.host.woken == [run.run_id]
    for each in services.executor.to_host(run):
        flows.start_child(run, each)
    run = flows.get("ann", run.run_id)
    child = flows.get("ann", run.nodes["sub"].child_run_id or "")
    assert (child.nodes["x"].input, child.parent_run_id) == ({"n": 1}, run.run_id)
    assert [each.workstream_id for each in flows.workstreams("ann")] == ["default"]

    flows.submit("ann", child.run_id, "x", Result(structured_output={"m": 2}))
    run = flows.get("ann", run.run_id)
    assert (run.nodes["sub"].output, run.nodes["z"].input) == ({"m": 2}, {"m": 2})


def test_a_replaced_subworkflow_ends_its_node_and_no_workstream_of_one_is_left(services: Services) -> None:
    flows = services.workflows
    parts = (node("sub", "subworkflow", subworkflow=draft(node("x"))), node("z"), edge("sub", "z"))
    run = flows.create("ann", draft(*parts))
    for _ in range(2):
        # as after a crash between the two writes
        flows.start_child(run, flows.spec(run).nodes["sub"])
    child_id = flows.get("ann", run.run_id).nodes["sub"].child_run_id or ""
    other = flows.replace("ann", child_id, "other", draft(node("y")))
    assert len(services.store.streams) == 2
    flows.submit("ann", other.run_id, "y", Result(structured_output={"m": 2}))
    assert flows.get("ann", run.run_id).nodes["sub"].output == {"m": 2}
    assert len(services.store.streams) == 1


def test_a_workstream_without_an_active_run_can_be_deleted_and_its_runs_stay(services: Services) -> None:
    flows = services.workflows
    run = flows.create("ann", launch(), "spring")
    with pytest.raises(ActiveRunExists, match="Stop it first"):
        flows.forget_workstream("ann", "spring")
    flows.forget_workstream("bob", "spring")
    flows.stop("ann", run.run_id, "")
    for _ in range(2):
        flows.forget_workstream("ann", "spring")
    assert flows.workstreams("ann") == []
    assert flows.get("ann", run.run_id).ended
    assert flows.create("ann", launch(), "spring").spec_version == 1


def test_a_stopped_run_stops_its_subworkflows_and_withdraws_its_approvals(services: Services) -> None:
    flows = services.workflows
    inner = draft(node("x"))
    parts = (node("sub", "subworkflow", subworkflow=inner), node("ok", "human-approval"))
    run = flows.create("ann", draft(*parts, entries=("sub", "ok")))
    flows.start_child(run, flows.spec(run).nodes["sub"])
    child_id = flows.get("ann", run.run_id).nodes["sub"].child_run_id or ""
    stopped = flows.stop("ann", run.run_id, "not needed")
    assert (stopped.status, flows.get("ann", child_id).status) == ("aborted", "aborted")
    assert [str(each.state) for each in flows.approvals_of(stopped)] == ["withdrawn"]
    assert flows.stop("ann", run.run_id, "again") == stopped


def test_an_approval_expires_by_the_host_alone(services: Services) -> None:
    rule = [{"on": "approval_expired", "action": "fail"}]
    parts = node("ok", "human-approval", timeoutMs=86_400_000, failurePolicy=rule)
    run = services.workflows.create("ann", draft(parts))
    assert services.executor.due(run) == services.clock.time.replace(day=2)
    services.clock.pass_(days=1)
    after = services.executor.reconcile(run.run_id)
    assert after
    assert (after.status, after.nodes["ok"].cause) == ("failed", "approval_expired")
    assert approve(services, after, by="boss") is Outcome.EXPIRED


def test_an_answer_given_twice_or_late_counts_once_and_says_so(services: Services) -> None:
    flows = services.workflows
    run = flows.create("ann", draft(node("ok", "human-approval", approval={"approvers": ["x", "y"]})))
    assert approve(services, run, by="x") is Outcome.DECIDED
    assert approve(services, run, by="x") is Outcome.REPEATED
    assert approve(services, run, "reject", by="y") is Outcome.ALREADY_DECIDED
    assert flows.get("ann", run.run_id).status == "completed"


def test_every_record_of_a_run_is_exported(services: Services) -> None:
    flows = services.workflows
    run = flows.create("ann", launch())
    flows.submit("ann", run.run_id, "draft-brief", brief())
    exported = flows.export("ann", run.run_id)
    assert {kind: len(records) for kind, records in exported.items() if kind != "planEvent"} == {
        "planSpec": 1,
        "planNodeSpec": 2,
        "planRun": 1,
        "planNodeRun": 2,
        "planApproval": 1,
        "planNodeAttempt": 1,
        "planArtifact": 1,
        "planCheckpoint": 2,
        "planValidationIssue": 0,
    }
    assert exported["planSpec"][0]["draft"] == launch()
    names = [each["name"] for each in exported["planEvent"]]
    assert names[:2] == ["plan_created", "node_ready"]
    assert {"node_completed", "approval_requested", "run_status_changed"} <= set(names)


def test_a_run_under_way_is_not_deleted_and_one_that_ended_is(services: Services) -> None:
    flows = services.workflows
    run = flows.create("ann", launch())
    with pytest.raises(PlanloomError, match="Stop it first"):
        flows.delete("ann", run.run_id)
    flows.stop("ann", run.run_id, "")
    flows.delete("ann", run.run_id)
    assert services.host.started == []
    with pytest.raises(ExecutionNotFound):
        flows.get("ann", run.run_id)


def test_what_a_crashed_call_left_undone_is_done_by_the_next_caller(services: Services) -> None:
    flows = services.workflows
    parts = (node("ok", "human-approval"), node("call", owner="plugin:web/x"))
    services.approval_store.writes.die_at = 1
    with pytest.raises(Killed):
        flows.create("ann", draft(*parts, entries=("ok", "call")))
    services.approval_store.writes.revive()
    run = flows.active("ann")
    assert run
    assert services.approval_store.approvals == {}, "it may still be on its way"
    services.clock.pass_(seconds=31)
    assert flows.active("ann")
    assert set(services.approval_store.approvals) == set(run.approvals)
    assert services.host.woken == [run.run_id]


def test_an_approval_is_requested_once_however_often_the_host_looks(services: Services) -> None:
    run = services.workflows.create("ann", draft(node("ok", "human-approval")))
    published = []
    approvals = services.executor.approvals
    object.__setattr__(approvals, "listeners", (*approvals.listeners, lambda each, change: published.append(change)))
    for _ in range(3):
        services.executor.reconcile(run.run_id)
    assert published == []


def test_an_answer_whose_call_crashed_before_it_reached_the_run_reaches_it_with_the_next_look(
    services: Services,
) -> None:
    run = services.workflows.create("ann", draft(node("ok", "human-approval"), node("b"), edge("ok", "b")))
    approvals = services.executor.approvals
    listeners = approvals.listeners
    object.__setattr__(approvals, "listeners", ())
    approve(services, run, by="boss")
    object.__setattr__(approvals, "listeners", listeners)
    services.clock.pass_(seconds=31)
    found = services.workflows.active("ann")
    assert found
    assert str(found.nodes["b"].status) == "ready"
