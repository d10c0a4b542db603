"""What one fact does to a run: each type of node, each policy, and what comes late, twice or from somebody else."""

import json
import time
from typing import Any

import pytest

from planloom.planes.workflows import facts
from planloom.planes.workflows.advance import attempts_left
from planloom.planes.workflows.compile import compile_draft
from planloom.planes.workflows.errors import ExecutionEnded, NodeClaimed, NodeNotFound, NodeNotOpen, ReplanRequired
from planloom.planes.workflows.states import NODE_DONE, NodeStatus, next_wake
from tests.unit.workflows.bench import START, Bench
from tests.unit.workflows.drafts import draft, edge, launch, node

BRIEF = {"headline": "Lota launches its contract-driven runtime", "channels": ["email", "blog", "social"]}
ARTIFACT = {
    "name": "launch-brief",
    "kind": "markdown",
    "pointer": "generated-documents/launch-brief.md",
    "description": "Drafted brief in markdown",
}


def briefed() -> Bench:
    run = Bench(launch())
    run.submit("draft-brief", BRIEF, artifacts=[ARTIFACT], notes="Brief drafted and attached for review.")
    return run


def test_the_brief_of_the_specification_is_rejected_once_then_approved_and_the_run_completes() -> None:
    run = Bench(launch())
    assert (run.status, run.states()) == ("running", {"draft-brief": "ready", "approve-brief": "pending"})

    run.submit("draft-brief", {"channels": "email"}, artifacts=[ARTIFACT])
    assert run.states() == {"draft-brief": "ready", "approve-brief": "pending"}
    assert run.issues() == [
        ("SCHEMA_VALIDATION_FAILED", "/structuredOutput/headline", "headline is missing.", "A value of type string."),
        ("SCHEMA_VALIDATION_FAILED", "/structuredOutput/channels", 'It is "email".', "A value of type array."),
    ]

    run.submit("draft-brief", BRIEF, artifacts=[ARTIFACT], notes="Brief drafted and attached for review.")
    assert (run.status, run.states()["approve-brief"]) == ("awaiting-human", "awaiting-human")
    run.answer("approve-brief", "approve", by="founder")
    assert (run.status, set(run.states().values())) == ("completed", {"completed"})
    assert [(each.number, each.outcome, each.cause) for each in run.attempts()] == [
        (1, "rejected", "schema_validation_failed"),
        (2, "accepted", None),
    ]


def test_a_second_rejection_exhausts_the_attempts_and_blocks_the_run_until_it_is_resumed() -> None:
    run = Bench(launch())
    run.submit("draft-brief", {}, artifacts=[ARTIFACT])
    run.submit("draft-brief", {}, artifacts=[ARTIFACT])
    assert (run.status, run.states()["draft-brief"]) == ("blocked", "blocked")
    with pytest.raises(NodeNotOpen, match="blocked"):
        run.submit("draft-brief", BRIEF, artifacts=[ARTIFACT])

    run.apply(facts.Resumed(at=run.at))
    assert run.submit("draft-brief", BRIEF, artifacts=[ARTIFACT]).status == "awaiting-human"


def test_a_cause_that_retry_on_does_not_name_is_not_retried() -> None:
    run = Bench(launch())
    run.submit("draft-brief", BRIEF)
    assert run.states()["draft-brief"] == "blocked"
    assert run.run.nodes["draft-brief"].cause == "artifact_missing"
    assert [issue[2:] for issue in run.issues()] == [
        (
            'No artifact is named "launch-brief". Submitted: none.',
            'An artifact with name "launch-brief", kind "markdown" and a pointer to its content.',
        )
    ]


def test_a_human_rejection_needs_another_plan_and_nothing_else_is_accepted() -> None:
    run = briefed()
    run.answer("approve-brief", "reject", by="founder", comment="Another market")
    assert (run.status, run.run.reason) == ("blocked", "replan_required")
    for fact in (facts.Resumed(at=run.at), facts.Claimed(at=run.at, node="draft-brief", by="a", token="t", seconds=9)):
        with pytest.raises(ReplanRequired):
            run.apply(fact)
    run.apply(facts.Stopped(at=run.at, reason="replaced", replaced_by="planRun:2"))
    assert (run.status, run.run.replaced_by) == ("aborted", "planRun:2")


def test_requested_changes_reach_the_agent_and_its_new_work_needs_a_new_approval() -> None:
    run = briefed()
    first = run.run.nodes["approve-brief"].approval_id
    run.answer("approve-brief", "request_changes", by="founder", comment="Name the price")
    assert run.states() == {"draft-brief": "ready", "approve-brief": "pending"}
    assert run.run.nodes["draft-brief"].feedback == ("Changes were requested: founder: Name the price",)

    run.submit("draft-brief", BRIEF | {"headline": "Now 5 €"}, artifacts=[ARTIFACT])
    again = run.run.nodes["approve-brief"].approval_id
    assert again
    assert again != first
    assert "Now 5 €" in run.run.approvals[again].subject.content
    assert run.answer("approve-brief", "approve", by="founder").status == "completed"


def test_a_second_or_late_submission_is_told_what_became_of_the_node() -> None:
    run = briefed()
    with pytest.raises(NodeNotOpen, match="cmo completed it"):
        run.submit("draft-brief", BRIEF, artifacts=[ARTIFACT])
    with pytest.raises(NodeNotOpen, match="respondToApproval"):
        run.submit("approve-brief", {})
    with pytest.raises(NodeNotFound):
        run.submit("nobody", {})
    run.answer("approve-brief", "approve", by="founder")
    with pytest.raises(ExecutionEnded):
        run.submit("draft-brief", BRIEF)


def test_of_two_agents_one_gets_the_claim_and_without_heartbeats_the_other_gets_it() -> None:
    run = Bench(draft(node("a")))
    run.claim("a", "one", seconds=60)
    with pytest.raises(NodeClaimed, match="claimed by one"):
        run.claim("a", "two")
    with pytest.raises(NodeClaimed, match="claimed by one"):
        run.submit("a", {}, by="two")

    run.later(seconds=50)
    run.claim("a", "one", renews=True)
    run.later(seconds=50)
    assert run.run.nodes["a"].claim
    run.later(seconds=11)
    assert run.states() == {"a": "ready"}
    run.claim("a", "two")
    with pytest.raises(NodeClaimed):
        run.submit("a", {}, token="one")
    assert run.submit("a", {}, token="two").status == "completed"
    assert run.run.nodes["a"].executor == "two"


def test_a_claim_outlasts_a_rejection_so_that_its_holder_can_repair_the_result() -> None:
    schema = {"s": {"type": "object", "properties": {"n": {"type": "integer", "required": True}}}}
    retry = {"maxAttempts": 1, "retryOn": ["schema_validation_failed"]}
    run = Bench(draft(node("a", outputSchemaRef="s", retryPolicy=retry), schemas=schema))
    run.claim("a", "one")
    run.submit("a", {"n": "x"}, token="one")
    assert run.states() == {"a": "running"}
    assert run.submit("a", {"n": 1}, token="one").status == "completed"


def test_fields_of_a_result_reach_the_next_node_as_the_edges_say() -> None:
    run = Bench(
        draft(
            node("a"),
            node("b"),
            node("c"),
            edge("a", "b", map={"brief.title": "text.head", "lost": "no.where"}),
            edge("a", "c"),
            input={"topic": "x"},
        )
    )
    assert run.run.nodes["a"].input == {"topic": "x"}
    run.submit("a", {"text": {"head": "H"}})
    assert run.run.nodes["b"].input == {"brief": {"title": "H"}}
    assert run.run.nodes["c"].input == {"text": {"head": "H"}}


def test_input_that_does_not_match_the_schema_blocks_the_node_instead_of_starting_it() -> None:
    schema = {"s": {"type": "object", "properties": {"n": {"type": "integer", "required": True}}}}
    run = Bench(draft(node("a"), node("b", inputSchemaRef="s"), edge("a", "b"), schemas=schema))
    run.submit("a", {"n": "1"})
    assert (run.status, run.states()["b"]) == ("blocked", "blocked")
    assert run.issues()[0][:3] == ("INPUT_DOES_NOT_FIT", "/input/n", 'It is "1". Needed: A value of type integer.')


def branches(*, default: bool = True) -> dict[str, Any]:
    other = {} if default else {"when": "input.kind = 'small'"}
    return draft(
        node("ask"),
        node("which", "decision"),
        node("big"),
        node("small"),
        node("end", "join"),
        edge("ask", "which"),
        edge("which", "big", when="input.kind = 'big'"),
        edge("which", "small", **other),
        edge("big", "end"),
        edge("small", "end"),
    )


@pytest.mark.parametrize(("kind", "taken", "left"), [("big", "big", "small"), ("other", "small", "big")])
def test_a_decision_takes_the_edges_whose_condition_holds_else_the_one_without(
    kind: str, taken: str, left: str
) -> None:
    run = Bench(branches())
    run.submit("ask", {"kind": kind})
    assert (run.states()[taken], run.states()[left], run.states()["end"]) == ("ready", "skipped", "pending")
    assert run.submit(taken, {"n": 1}).status == "completed"
    assert run.run.nodes["end"].output == {"n": 1}


def test_a_decision_that_takes_no_edge_skips_what_follows() -> None:
    run = Bench(branches(default=False))
    run.submit("ask", {"kind": "other"})
    assert run.status == "completed"
    assert [name for name, state in run.states().items() if state == "skipped"] == ["big", "small", "end"]


def test_a_decision_of_a_person_chooses_by_what_the_person_submits() -> None:
    run = Bench(
        draft(
            node("go", "decision", owner="user:boss"),
            node("on"),
            node("off"),
            edge("go", "on", when="output.go = true"),
            edge("go", "off"),
        )
    )
    assert run.status == "awaiting-human"
    run.submit("go", {"go": True})
    assert (run.states()["on"], run.states()["off"]) == ("ready", "skipped")


@pytest.mark.parametrize(
    ("rule", "ready_after"), [({"mode": "any"}, 1), ({"mode": "count", "count": 2}, 2), ({"mode": "all"}, 3), (None, 3)]
)
def test_a_join_runs_when_as_many_edges_are_taken_as_it_says(rule: dict[str, Any] | None, ready_after: int) -> None:
    parts = [node("start"), node("join", "join", "", **({"join": rule} if rule else {})), node("end")]
    parts += [node(name) for name in "abc"]
    parts += [edge("start", name) for name in "abc"] + [edge(name, "join") for name in "abc"] + [edge("join", "end")]
    run = Bench(draft(*parts))
    run.submit("start")
    for number, name in enumerate("abc", 1):
        run.submit(name, {name: number})
        assert (run.states()["end"] == "ready") is (number >= ready_after)
    run.submit("end")
    assert run.status == "completed"


def test_a_skipped_node_skips_what_follows_unless_the_edge_says_continue() -> None:
    lax = node("a", failurePolicy=[{"on": "executor_failed", "action": "skip"}])
    document = draft(lax, node("b"), node("c"), edge("a", "b"), edge("a", "c", onSkip="continue"))
    run = Bench(document)
    run.submit("a", status="failed", notes="no access")
    assert run.states() == {"a": "skipped", "b": "skipped", "c": "ready"}
    assert run.run.nodes["c"].input == {}


SKIPPED_BRANCH = (
    node("x"),
    node("p", "human-approval", failurePolicy=[{"on": "human_rejected", "action": "skip"}]),
    node("y"),
    edge("x", "p"),
    edge("x", "y"),
    edge("y", "z"),
)


@pytest.mark.parametrize(
    ("target", "on_skip", "state"),
    [
        (node("z"), "propagate", "skipped"),
        (node("z"), "continue", "ready"),
        (node("z", "join", join={"mode": "all"}), "propagate", "skipped"),
        (node("z", "join", join={"mode": "any"}), "propagate", "completed"),
        (node("z", "join", join={"mode": "count", "count": 2}), "propagate", "skipped"),
    ],
)
def test_one_skipped_source_skips_a_node_that_needs_it(target: dict[str, Any], on_skip: str, state: str) -> None:
    run = Bench(draft(*SKIPPED_BRANCH, target, edge("p", "z", onSkip=on_skip)))
    run.submit("x")
    run.answer("p", "reject")
    run.submit("y")
    assert run.states() == {"x": "completed", "p": "skipped", "y": "completed", "z": state}


def test_a_branch_that_a_decision_did_not_choose_skips_no_node_after_the_chosen_one() -> None:
    parts = [node("ask", "decision", "user:boss"), *map(node, ("a", "b", "b2", "end"))]
    edges = [edge("ask", "a", when="output.a = true"), edge("ask", "b"), edge("b", "b2")]
    run = Bench(draft(*parts, *edges, edge("a", "end"), edge("b2", "end")))
    run.submit("ask", {"a": True})
    run.submit("a")
    assert run.states() == {"ask": "completed", "a": "completed", "b": "skipped", "b2": "skipped", "end": "ready"}


LOOP = (
    node("write", maxIterations=3),
    node("good", "decision"),
    node("publish"),
    edge("write", "good"),
    edge("good", "write", when="input.score < 5", map={"last": "score"}),
    edge("good", "publish"),
)


def test_a_loop_runs_its_nodes_again_until_the_condition_fails() -> None:
    run = Bench(draft(*LOOP))
    run.submit("write", {"score": 1})
    assert run.states() == {"write": "ready", "good": "pending", "publish": "pending"}
    assert (run.run.nodes["write"].iteration, run.run.nodes["write"].input) == (2, {"last": 1})
    run.submit("write", {"score": 7})
    assert run.states() == {"write": "completed", "good": "completed", "publish": "ready"}


def test_a_loop_that_is_exhausted_blocks_the_run_and_a_resume_grants_one_more() -> None:
    run = Bench(draft(*LOOP))
    for _ in range(3):
        run.submit("write", {"score": 1})
    assert (run.status, run.states()["good"]) == ("blocked", "blocked")
    run.apply(facts.Resumed(at=run.at))
    assert run.states()["write"] == "ready"
    run.submit("write", {"score": 9})
    assert run.states()["publish"] == "ready"


def test_a_wait_ends_at_its_time_or_with_its_event() -> None:
    run = Bench(draft(node("a", "wait", wait={"durationMs": 30 * 86_400_000}), node("b"), edge("a", "b")))
    assert (run.status, next_wake(run.run)) == ("running", START.replace(month=1, day=31))
    run.later(days=29)
    assert run.states()["a"] == "running"
    run.later(days=1)
    assert run.states() == {"a": "completed", "b": "ready"}

    run = Bench(draft(node("a", "wait", wait={"event": "paid"}), node("b"), edge("a", "b")))
    assert next_wake(run.run) is None
    run.submit("a", {"amount": 5})
    assert run.run.nodes["b"].input == {"amount": 5}


@pytest.mark.parametrize(
    ("action", "state", "run_status"),
    [
        ("retry", "ready", "running"),
        ("replan", "blocked", "blocked"),
        ("skip", "skipped", "completed"),
        ("block", "blocked", "blocked"),
        ("fail", "failed", "failed"),
        ("escalate", "awaiting-human", "awaiting-human"),
    ],
)
def test_each_action_of_a_failure_policy(action: str, state: str, run_status: str) -> None:
    rule = {"on": "timeout", "action": action, "to": ["boss"]}
    run = Bench(draft(node("a", timeoutMs=60_000, failurePolicy=[rule], retryPolicy={"maxAttempts": 1})))
    run.later(seconds=59)
    assert run.states() == {"a": "ready"}
    run.later(seconds=1)
    assert (run.states()["a"], run.status) == (state, run_status)


@pytest.mark.parametrize(
    ("decision", "state", "status"),
    [("approve", "partial", "completed"), ("request_changes", "ready", "running"), ("reject", "failed", "failed")],
)
def test_a_person_decides_about_an_escalated_node(decision: str, state: str, status: str) -> None:
    rule = {"on": "executor_failed", "action": "escalate", "to": ["boss"]}
    run = Bench(draft(node("a", failurePolicy=[rule])))
    run.submit("a", status="failed", notes="cannot")
    run.answer("a", decision)
    assert (run.states()["a"], run.status) == (state, status)


SCORED = {"s": {"type": "object", "properties": {"n": {"type": "integer", "required": True}}}}


@pytest.mark.parametrize("cause", ["schema_validation_failed", "timeout"])
def test_who_a_node_is_escalated_to_sees_what_failed_and_accepts_what_was_submitted(cause: str) -> None:
    retry = {"maxAttempts": 2, "retryOn": ["schema_validation_failed"] if cause == "timeout" else []}
    rule = [{"on": cause, "action": "escalate", "to": ["boss"]}]
    lax = node("a", outputSchemaRef="s", timeoutMs=60_000, retryPolicy=retry, failurePolicy=rule)
    run = Bench(draft(lax, node("b"), edge("a", "b"), schemas=SCORED))
    artifact = {"name": "text", "kind": "markdown", "pointer": "text.md"}
    run.submit("a", {"n": "many"}, artifacts=[artifact])
    run.later(minutes=1)
    approval = next(iter(run.run.approvals.values()))
    shown = json.loads(approval.subject.content)
    assert shown == {"failure": shown["failure"], "content": {"n": "many"}, "artifacts": [artifact]}
    assert shown["failure"].startswith(f"{cause}: ")
    assert cause == "timeout" or "output schema: /structuredOutput/n" in shown["failure"]
    assert attempts_left(run.spec.nodes["a"], run.run.nodes["a"]) == 0
    # nobody hurries whom it was escalated to
    run.later(days=1)
    assert list(run.run.approvals.values()) == [approval]
    run.answer("a", "approve")
    assert run.states() == {"a": "partial", "b": "ready"}
    assert (run.run.nodes["b"].input, run.run.nodes["a"].artifacts[0].pointer) == ({"n": "many"}, "text.md")


def test_an_escalation_shows_nothing_of_an_earlier_iteration() -> None:
    rule = [{"on": "timeout", "action": "escalate", "to": ["boss"]}]
    write = node("write", maxIterations=3, timeoutMs=60_000, failurePolicy=rule)
    run = Bench(draft(write, *LOOP[1:]))
    run.submit("write", {"score": 1})
    run.later(minutes=1)
    assert json.loads(next(iter(run.run.approvals.values())).subject.content)["content"] is None


def test_an_escalated_approval_counts_as_the_approval() -> None:
    rule = [{"on": "human_rejected", "action": "escalate", "to": ["chief"]}]
    run = Bench(draft(node("a"), node("ok", "human-approval", failurePolicy=rule), edge("a", "ok")))
    run.submit("a", {"n": 1})
    run.answer("ok", "reject", comment="No")
    shown = json.loads(next(iter(run.run.approvals.values())).subject.content)
    assert (shown["content"], shown["failure"]) == ({"n": 1}, "human_rejected: boss: No")
    run.answer("ok", "approve", by="chief")
    assert (run.status, run.run.nodes["ok"].output["approved"]) == ("completed", {"n": 1})


def test_a_partial_result_advances_only_where_the_contract_allows_it() -> None:
    wanted = [{"name": "text", "kind": "markdown"}]
    run = Bench(draft(node("a", deliverables=wanted, allowPartial=True), node("b"), edge("a", "b")))
    run.submit("a", {"n": 1}, status="partial")
    assert run.states() == {"a": "partial", "b": "ready"}

    run = Bench(draft(node("a")))
    run.submit("a", {"n": 1}, status="partial")
    assert run.states() == {"a": "blocked"}
    assert run.issues()[0][1:3] == ("/status", 'The status is "partial".')


def test_an_approval_that_expires_has_its_own_cause() -> None:
    rule = [{"on": "approval_expired", "action": "skip"}]
    run = Bench(draft(node("a", "human-approval", timeoutMs=86_400_000, failurePolicy=rule)))
    approval = next(iter(run.run.approvals.values()))
    assert approval.expires_at == START.replace(day=2)
    run.later(days=1)
    assert (run.states()["a"], run.run.nodes["a"].cause, run.status) == ("skipped", "approval_expired", "completed")


def test_people_look_at_work_after_its_other_checks_have_passed() -> None:
    checks = [
        {"type": "expression", "config": {"expression": "output.words > 10"}},
        {"type": "human", "config": {"approvers": ["editor"]}},
    ]
    retry = {"maxAttempts": 3, "retryOn": ["check_failed"]}
    run = Bench(draft(node("a", completionChecks=checks, retryPolicy=retry), node("b"), edge("a", "b")))
    run.submit("a", {"words": 3})
    assert run.states()["a"] == "ready"
    run.submit("a", {"words": 30})
    assert (run.states()["a"], run.status) == ("awaiting-human", "awaiting-human")
    run.answer("a", "request_changes", by="editor", comment="Shorter")
    assert run.states()["a"] == "ready"
    run.submit("a", {"words": 20})
    run.answer("a", "approve", by="editor")
    assert run.states() == {"a": "completed", "b": "ready"}


@pytest.mark.parametrize(("status", "state"), [("completed", "completed"), ("partial", "partial")])
def test_the_people_of_every_blocking_check_are_asked_one_after_the_other(status: str, state: str) -> None:
    checks = [
        {"type": "human", "config": {"approvers": ["intern"]}, "blocking": False},
        {"type": "human", "config": {"approvers": ["editor"]}},
        {"type": "human", "config": {"approvers": ["lawyer"]}},
    ]
    run = Bench(draft(node("a", completionChecks=checks, allowPartial=True)))
    run.submit("a", {"n": 1}, status=status)
    run.answer("a", "approve", by="editor")
    run.answer("a", "request_changes", by="lawyer")
    assert run.states() == {"a": "ready"}
    run.submit("a", {"n": 2}, status=status)
    for person in ("editor", "lawyer"):
        assert (run.states()["a"], run.status) == ("awaiting-human", "awaiting-human")
        run.answer("a", "approve", by=person)
    assert (run.states(), run.run.nodes["a"].output, run.status) == ({"a": state}, {"n": 2}, "completed")


def test_a_check_by_people_that_does_not_block_asks_nobody_and_compiles_with_a_warning() -> None:
    checks = [{"type": "human", "config": {"approvers": ["editor"]}, "blocking": False}]
    document = draft(node("a", completionChecks=checks))
    assert [each.code for each in compile_draft(document)[1]] == ["CHECK_NEVER_RUN"]
    run = Bench(document)
    assert run.submit("a", {}).status == "completed"


def test_a_quorum_separation_of_duties_and_escalation_are_those_of_approvals() -> None:
    rule = {"approvers": ["x", "y", "z"], "rule": "quorum", "count": 2, "separateDuties": True}
    run = Bench(draft(node("a"), node("ok", "human-approval", approval=rule), edge("a", "ok")))
    run.submit("a", {}, by="x", key="e" * 64)
    approval = next(iter(run.run.approvals.values()))
    assert (approval.made_by, approval.made_with, approval.separate_duties) == (("x",), ("e" * 64,), True)
    run.answer("ok", "approve", by="y")
    assert run.status == "awaiting-human"
    run.answer("ok", "approve", by="z")
    assert run.status == "completed"


def test_what_a_person_enters_wrongly_is_asked_again_without_a_count() -> None:
    schema = {"s": {"type": "object", "properties": {"n": {"type": "integer", "required": True}}}}
    run = Bench(draft(node("a", "human-input", outputSchemaRef="s"), schemas=schema))
    for _ in range(5):
        run.submit("a", {})
        assert (run.status, run.states()["a"]) == ("awaiting-human", "awaiting-human")
    assert run.submit("a", {"n": 2}).status == "completed"


def test_a_plugin_call_ends_with_a_value_or_with_its_causes() -> None:
    rule = {"maxAttempts": 1, "retryOn": ["tool_failed"]}
    run = Bench(draft(node("a", owner="plugin:web/fetch", retryPolicy=rule)))
    with pytest.raises(NodeNotOpen, match="planloom itself"):
        run.submit("a", {})
    run.claim("a", "executor", "t1", repeatable=False)
    run.apply(facts.ToolEnded(at=run.at, node="a", token="t1", error="404"))
    assert run.states() == {"a": "ready"}
    run.claim("a", "executor", "t2", repeatable=False)
    run.later(hours=1)
    assert (run.states(), run.run.nodes["a"].cause) == ({"a": "blocked"}, "executor_lost")
    with pytest.raises(NodeNotOpen):
        run.apply(facts.ToolEnded(at=run.at, node="a", token="t2", value={"x": 1}))
    run.apply(facts.Resumed(at=run.at))
    run.claim("a", "executor", "t3")
    assert run.apply(facts.ToolEnded(at=run.at, node="a", token="t3", value={"x": 1})).status == "completed"


def test_finished_work_of_equal_nodes_is_taken_over_and_what_depends_on_changed_work_is_not() -> None:
    first = Bench(draft(node("a"), node("b"), node("c"), edge("a", "b"), edge("b", "c")))
    first.submit("a", {"n": 1})
    first.submit("b", {"n": 2})
    done = {name: found for name, found in first.run.nodes.items() if found.status in NODE_DONE}

    second = Bench(draft(node("a"), node("b"), node("c"), edge("a", "b"), edge("b", "c")), carried=done)
    assert second.states() == {"a": "completed", "b": "completed", "c": "ready"}
    third = Bench(draft(node("a"), node("b"), node("c"), edge("a", "b"), edge("b", "c")), carried={"b": done["b"]})
    assert third.states() == {"a": "ready", "b": "pending", "c": "pending"}
    third.submit("a", {"n": 9})
    assert third.states()["b"] == "ready"


def test_a_stopped_run_withdraws_its_approvals_and_takes_nothing_more() -> None:
    run = briefed()
    run.apply(facts.Stopped(at=run.at, reason="not needed"))
    assert (run.status, run.run.reason, run.run.approvals) == ("aborted", "not needed", {})
    with pytest.raises(ExecutionEnded):
        run.apply(facts.Resumed(at=run.at))


def test_a_fact_takes_less_than_twenty_milliseconds_in_a_run_of_five_hundred_nodes() -> None:
    nodes = [node(f"n{number}") for number in range(500)]
    edges = [edge(f"n{(number - 1) // 2}", f"n{number}") for number in range(1, 500)]
    run = Bench(draft(*nodes, *edges))
    for number in range(20):
        run.submit(f"n{number}", {"n": number})
    took = []
    for number in range(20, 60):
        began = time.process_time()
        run.submit(f"n{number}", {"n": number})
        took.append(time.process_time() - began)
    assert sorted(took)[len(took) // 2] < 0.02
    assert run.run.nodes["n59"].status is NodeStatus.COMPLETED
