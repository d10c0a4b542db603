"""``advance(spec, run, fact)``: the run after a fact, and the records of what happened. Pure: no clock, no ports.

A fact that comes too late, twice or from another caller raises an error and changes nothing.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from planloom.approvals.approval import Approval, ApprovalState
from planloom.planes.workflows import facts
from planloom.planes.workflows.checks import cause_of, evaluate
from planloom.planes.workflows.draft import Cause, Node
from planloom.planes.workflows.errors import (
    ExecutionEnded,
    InvalidSubmission,
    NodeClaimed,
    NodeNotFound,
    NodeNotOpen,
    ReplanRequired,
)
from planloom.planes.workflows.facts import OUTPUT_BYTES, Fact, json_bytes
from planloom.planes.workflows.progress import Progress
from planloom.planes.workflows.records import CheckResult, NodeAttempt, Outcome, PlanArtifact, Record, ValidationIssue
from planloom.planes.workflows.spec import Spec, is_system
from planloom.planes.workflows.states import (
    NODE_OPEN,
    REPLAN_REQUIRED,
    Claim,
    Execution,
    Judging,
    NodeRun,
    NodeStatus,
    Result,
    RunStatus,
)


class Advanced(NamedTuple):
    """The run after a fact, and the records to keep with it."""

    run: Execution
    records: tuple[Record, ...]


def new_run(spec: Spec, run: Execution) -> Execution:
    """Return *run* with a pending node for each of *spec*: apply Started to it."""
    return run.model_copy(update={"nodes": {node: NodeRun() for node in spec.nodes}, "title": spec.draft.title})


def advance(spec: Spec, run: Execution, fact: Fact) -> Advanced:
    """Return *run* after *fact*, its version raised by one.

    Raises ExecutionEnded, ReplanRequired, NodeNotFound, NodeNotOpen, NodeClaimed, InvalidSubmission.
    """
    if run.ended:
        raise ExecutionEnded(f"The run {run.run_id} is {run.status}: nothing in it changes any more.")
    if run.reason == REPLAN_REQUIRED and not isinstance(fact, facts.Stopped | facts.TimePassed):
        raise ReplanRequired(
            f"The run {run.run_id} is blocked (replan_required). Give it another plan with replaceExecutionPlan."
        )
    carried = fact.carried if isinstance(fact, facts.Started) else None
    progress = Progress(spec, run, fact.at, carried)
    _APPLY[type(fact)](progress, fact)
    return Advanced(progress.finished(), tuple(progress.records))


def attempts_left(node: Node, found: NodeRun) -> int | None:
    """Return how many attempts a node has left, the next one included; None: people are not counted.

    A node that waits for an approval takes no submission, nor does one that has ended or is blocked.
    """
    if found.approval_for or found.status not in NODE_OPEN | {NodeStatus.PENDING}:
        return 0
    if node.owner.executor_type == "user":
        return None
    return max(0, node.retry_policy.max_attempts - found.retries) + 1


def _start(progress: Progress, fact: facts.Started) -> None:
    progress.event("plan_created", specId=progress.run.spec_id, nodes=len(progress.nodes))
    progress.start()
    carried = [name for name, node in progress.nodes.items() if node.carried]
    if carried:
        progress.event("work_carried_over", nodeIds=carried[:100], count=len(carried))
    del fact


# --- submissions


def _submit(progress: Progress, fact: facts.Submitted) -> None:
    node, found = _open_node(progress, fact.node)
    _check_may_submit(node, found, fact)
    _check_size(fact)
    by = fact.by or (found.claim.by if found.claim else "") or node.owner.ref
    if found.status is NodeStatus.READY:
        progress.move(fact.node, NodeStatus.RUNNING, started_at=fact.at)
    started = progress.nodes[fact.node].started_at or found.ready_at
    result = fact.result
    counted = {"attempts": found.attempts + 1, "submitted": result}
    progress.change(fact.node, executor=by, key=fact.key, started_at=started, **counted)
    if result.status == "failed":
        _attempt(progress, fact, "failed", (), "executor_failed")
        progress.fail(fact.node, "executor_failed", result.notes or "The executor gave no reason.")
        return
    _checked(progress, fact)


def _checked(progress: Progress, fact: facts.Submitted) -> None:
    """Check a submission that was counted, and accept it, reject it, or let a model judge it."""
    node, found, result = progress.spec.nodes[fact.node], progress.nodes[fact.node], fact.result
    checks = evaluate(progress.spec, node, result, found.input, progress.outputs(), fact.verdicts)
    failed = [check for check in checks if check.blocking and not check.passed]
    if failed:
        cause = cause_of(failed)
        _attempt(progress, fact, "rejected", checks, cause)
        _rejected(progress, fact.node, node, failed, cause)
        return
    if fact.ask_model and found.status is NodeStatus.RUNNING:
        _attempt(progress, fact, "judging", checks, None)
        judging = Judging(result=result, attempt=found.attempts)
        progress.change(fact.node, judging=judging, claim=None)
        return
    _attempt(progress, fact, "accepted", checks, None)
    progress.accept(fact.node, result)


def _judged(progress: Progress, fact: facts.Judged) -> None:
    _, found = _open_node(progress, fact.node)
    if found.judging is None or found.judging.attempt != fact.attempt:
        raise NodeNotOpen(f"No model judges attempt {fact.attempt} of node {fact.node}.")
    result = found.judging.result
    progress.change(fact.node, judging=None)
    _checked(progress, facts.Submitted(at=fact.at, node=fact.node, result=result, verdicts=fact.verdicts))


def _check_may_submit(node: Node, found: NodeRun, fact: facts.Submitted) -> None:
    if node.type == "wait" and node.wait and node.wait.event:
        return
    if found.judging:
        raise NodeNotOpen(f"Node {node.id}: a model judges attempt {found.judging.attempt} at the moment.")
    if is_system(node) or node.owner.executor_type == "plugin":
        raise NodeNotOpen(f"Node {node.id} is executed by planloom itself: nothing can be submitted to it.")
    if found.approval_id and found.status is NodeStatus.AWAITING_HUMAN:
        raise NodeNotOpen(f"Node {node.id} waits for the approval {found.approval_id}. Use respondToApproval.")
    claim = found.claim
    if claim and claim.until > fact.at and fact.token != claim.token:
        raise NodeClaimed(
            f"Node {node.id} is claimed by {claim.by} until {claim.until.isoformat(timespec='seconds')}. "
            "Submit with the claimToken that claimExecutionNode returned, or work on another node.",
            claimed_by=claim.by,
        )
    if fact.token and (claim is None or claim.token != fact.token):
        raise NodeClaimed(
            f"Your claim of node {node.id} has expired. Claim it again, then submit with the new claimToken."
        )


def _check_size(fact: facts.Submitted) -> None:
    size = json_bytes(fact.result.structured_output)
    if size > OUTPUT_BYTES:
        raise InvalidSubmission(
            f"structuredOutput has {size:,} bytes; at most {OUTPUT_BYTES:,} are accepted. "
            "Put long content into an artifact."
        )


def _rejected(progress: Progress, name: str, node: Node, failed: list[CheckResult], cause: Cause) -> None:
    for check in failed:
        for finding in check.findings:
            progress.issue(cause.upper(), name, finding.message, finding.path, finding.expected)
    why = "; ".join(_said(check) for check in failed)
    if node.owner.executor_type == "user":
        # people are not counted: they correct what they entered
        progress.change(name, cause=cause, feedback=(why[:2_000],))
        if progress.nodes[name].status is NodeStatus.RUNNING:
            progress.move(name, NodeStatus.AWAITING_HUMAN)
        return
    progress.fail(name, cause, why[:2_000])


def _said(check: CheckResult) -> str:
    found = "; ".join(f"{each.path or '/'}: {each.message} {each.expected}" for each in check.findings)
    return f"{check.description or check.type}: {found}"


def _attempt(
    progress: Progress, fact: facts.Submitted, outcome: Outcome, checks: tuple[CheckResult, ...], cause: Cause | None
) -> None:
    found = progress.nodes[fact.node]
    attempt_id = _attempt_id(progress.run, fact.node, found.attempts)
    sources = [fact.node, *(edge.source for edge in progress.spec.incoming[fact.node])]
    given = [
        _artifact_id(progress.run, source, progress.nodes[source].attempts, number)
        for source in sources[1:]
        for number in range(len(progress.nodes[source].artifacts))
    ]
    made = []
    for number, artifact in enumerate(fact.result.artifacts):
        made.append(_artifact_id(progress.run, fact.node, found.attempts, number))
        progress.records.append(
            PlanArtifact(
                **artifact.model_dump(),
                id=made[-1],
                node_id=fact.node,
                attempt_id=attempt_id,
                derived_from=tuple(given[:50]),
                created_at=fact.at,
            )
        )
    progress.records.append(
        NodeAttempt(
            id=attempt_id,
            node_id=fact.node,
            number=found.attempts,
            iteration=found.iteration,
            outcome=outcome,
            executor=found.executor,
            started_at=found.started_at,
            ended_at=fact.at,
            status=fact.result.status,
            structured_output=fact.result.structured_output,
            artifact_ids=tuple(made),
            notes=fact.result.notes,
            checks=checks,
            cause=cause,
        )
    )
    progress.event(f"attempt_{outcome}", fact.node, attempt=found.attempts, **({"cause": cause} if cause else {}))
    for check in checks:
        if not check.passed and not check.blocking:
            for finding in check.findings:
                progress.records.append(
                    ValidationIssue(
                        severity="warning",
                        code=f"{check.type.upper().replace('-', '_')}_ADVISORY",
                        path=finding.path,
                        message=finding.message,
                        hint=finding.expected,
                        node_id=fact.node,
                    )
                )


def _attempt_id(run: Execution, node: str, number: int) -> str:
    return f"planNodeAttempt:{run.run_id.partition(':')[2]}-{node}-{number}"


def _artifact_id(run: Execution, node: str, attempt: int, number: int) -> str:
    return f"planArtifact:{run.run_id.partition(':')[2]}-{node}-{attempt}-{number + 1}"


# --- claims and tools


def _claim(progress: Progress, fact: facts.Claimed) -> None:
    node, found = _open_node(progress, fact.node)
    if is_system(node) or node.owner.executor_type == "user":
        raise NodeNotOpen(f"Node {node.id} belongs to {node.owner.executor_type} {node.owner.ref}: it is not claimed.")
    if found.judging:
        raise NodeNotOpen(f"Node {node.id}: a model judges attempt {found.judging.attempt} at the moment.")
    claim = found.claim
    if claim and claim.until > fact.at and claim.token != fact.token:
        raise NodeClaimed(
            f"Node {node.id} is claimed by {claim.by} until {claim.until.isoformat(timespec='seconds')}. "
            "Claim another node, or wait.",
            claimed_by=claim.by,
        )
    if fact.renews and (claim is None or claim.token != fact.token):
        raise NodeClaimed(f"Your claim of node {node.id} has expired. Claim it again, without claimToken.")
    until = fact.at + timedelta(seconds=fact.seconds)
    made = Claim(by=fact.by, token=fact.token, until=until, seconds=fact.seconds, repeatable=fact.repeatable)
    if found.status is NodeStatus.READY:
        progress.move(fact.node, NodeStatus.RUNNING, started_at=fact.at, claim=made)
        progress.event("node_claimed", fact.node, by=fact.by, until=until.isoformat())
    else:
        progress.change(fact.node, claim=made)


def _tool_ended(progress: Progress, fact: facts.ToolEnded) -> None:
    node, found = _open_node(progress, fact.node)
    if found.claim is None or found.claim.token != fact.token:
        raise NodeClaimed(f"The claim of node {node.id} has expired: the result of the call comes too late.")
    if fact.error:
        progress.change(fact.node, attempts=found.attempts + 1, executor=node.owner.ref)
        failed = facts.Submitted(at=fact.at, node=fact.node, result=Result(status="failed", notes=fact.error[:9_000]))
        cause: Cause = "executor_lost" if fact.unknown else "tool_failed"
        _attempt(progress, failed, "lost" if fact.unknown else "failed", (), cause)
        progress.fail(fact.node, cause, fact.error[:2_000])
        return
    _accept(progress, fact, node, fact.value)


def _accept(progress: Progress, fact: facts.ToolEnded | facts.ChildEnded, node: Node, value: Any) -> None:
    """Check and keep the *value* that a tool or the run of a subworkflow ended with."""
    found = progress.nodes[node.id]
    result = Result(structured_output=value)
    progress.change(node.id, attempts=found.attempts + 1, executor=node.owner.ref, submitted=result)
    checks = evaluate(progress.spec, node, result, found.input, progress.outputs(), {})
    failing = [check for check in checks if check.blocking and not check.passed]
    cause = cause_of(failing) if failing else None
    submitted = facts.Submitted(at=fact.at, node=node.id, result=result)
    _attempt(progress, submitted, "rejected" if failing else "accepted", checks, cause)
    if cause:
        _rejected(progress, node.id, node, failing, cause)
        return
    progress.accept(node.id, result)


# --- subworkflows


def _child_started(progress: Progress, fact: facts.ChildStarted) -> None:
    _, found = _open_node(progress, fact.node)
    if found.child_run_id == fact.run_id:
        return
    if found.child_run_id:
        raise NodeNotOpen(f"Node {fact.node} has the run {found.child_run_id} already.")
    if found.status is NodeStatus.READY:
        progress.move(fact.node, NodeStatus.RUNNING, started_at=fact.at)
    # the run itself is waited for, no longer who started it
    progress.change(fact.node, child_run_id=fact.run_id, claim=None)


def _child_ended(progress: Progress, fact: facts.ChildEnded) -> None:
    node, found = _open_node(progress, fact.node)
    if found.child_run_id != fact.run_id or found.status is not NodeStatus.RUNNING:
        raise NodeNotOpen(f"Node {fact.node} does not wait for the run {fact.run_id}.")
    progress.change(fact.node, child_run_id=None)
    if fact.status == RunStatus.COMPLETED:
        _accept(progress, fact, node, fact.output)
    else:
        progress.change(fact.node, attempts=found.attempts + 1)
        progress.fail(fact.node, "executor_failed", f"The run {fact.run_id} is {fact.status}. {fact.reason}".strip())


# --- approvals


def _approval_changed(progress: Progress, fact: facts.ApprovalChanged) -> None:
    approval = fact.approval
    name = approval.subject.node_id
    node, found = _open_node(progress, name)
    if found.approval_id != approval.approval_id or approval.approval_id not in progress.approvals:
        raise NodeNotOpen(f"Node {name} does not wait for the approval {approval.approval_id}.")
    if approval.state is ApprovalState.PENDING:
        progress.approvals[approval.approval_id] = approval
        progress.event("approval_changed", name, approvalId=approval.approval_id, escalated=approval.escalated)
        return
    del progress.approvals[approval.approval_id]
    last = approval.responses[-1] if approval.responses else None
    comment = "; ".join(f"{each.by}: {each.comment}" for each in approval.responses if each.comment)
    progress.event(f"approval_{approval.state}", name, approvalId=approval.approval_id, by=last.by if last else "")
    if approval.state is ApprovalState.APPROVED:
        _approved(progress, node, found, approval, comment)
    elif found.approval_for == "escalation" and approval.state is ApprovalState.REJECTED:
        progress.move(name, NodeStatus.FAILED, reason=f"rejected after escalation: {comment}", ended_at=fact.at)
    elif found.approval_for == "escalation" and approval.state is ApprovalState.CHANGES_REQUESTED:
        progress.change(name, feedback=(f"Changes were requested: {comment or 'no comment'}",))
        progress.reopen(name)
    else:
        progress.change(name, approval_id=None)
        progress.fail(name, _ENDS[approval.state], comment)


_ENDS: Mapping[ApprovalState, Cause] = {
    ApprovalState.CHANGES_REQUESTED: "changes_requested",
    ApprovalState.REJECTED: "human_rejected",
    ApprovalState.EXPIRED: "approval_expired",
    ApprovalState.WITHDRAWN: "approval_expired",
}


def _approved(progress: Progress, node: Node, found: NodeRun, approval: Approval, comment: str) -> None:
    if node.type == "human-approval":
        output = {
            "decision": "approved",
            "by": [each.by for each in approval.responses],
            "comment": comment,
            "sha256": approval.subject.sha256,
            "approved": found.input,
        }
        progress.change(node.id, executor=approval.responses[-1].by, attempts=found.attempts + 1)
        progress.complete(node.id, output)
    elif found.approval_for == "check":
        progress.change(node.id, checked=found.checked + 1)
        progress.ask_or_complete(node.id)
    else:
        # a person accepts what there is
        progress.complete(node.id, found.output, NodeStatus.PARTIAL)


# --- time, and what callers ask of the whole run


def _time_passed(progress: Progress, fact: facts.TimePassed) -> None:
    for name in list(progress.nodes):
        found = progress.nodes[name]
        if found.status not in NODE_OPEN or progress.reason == REPLAN_REQUIRED:
            continue
        if found.wake_at and found.wake_at <= fact.at:
            progress.complete(name, found.input)
        elif found.deadline and found.deadline <= fact.at and not _by_approval(progress, name):
            progress.fail(name, "timeout", f"It was due at {found.deadline.isoformat(timespec='seconds')}.")
        elif found.claim and found.claim.until <= fact.at:
            progress.fail(name, "executor_lost", f"{found.claim.by} sent no heartbeat in {found.claim.seconds} s.")


def _by_approval(progress: Progress, name: str) -> bool:
    """Return whether the node's approval has the expiry instead."""
    return progress.nodes[name].approval_for == "node"


def _resume(progress: Progress, fact: facts.Resumed) -> None:
    progress.event("run_resumed", by=fact.by)
    for name, found in list(progress.nodes.items()):
        if found.status is not NodeStatus.BLOCKED:
            continue
        if found.reason.startswith("iterations_exhausted"):
            for edge in progress.spec.outgoing[name]:
                if edge.id in progress.spec.loops:
                    head = progress.nodes[edge.target]
                    progress.change(edge.target, granted=head.granted + 1)
        progress.reopen(name)


def _stop(progress: Progress, fact: facts.Stopped) -> None:
    progress.run = progress.run.model_copy(update={"replaced_by": fact.replaced_by})
    progress.event("plan_replaced" if fact.replaced_by else "run_stopped", reason=fact.reason)
    progress.to(RunStatus.ABORTED, fact.reason)


def _open_node(progress: Progress, name: str) -> tuple[Node, NodeRun]:
    node = progress.spec.nodes.get(name)
    if node is None:
        raise NodeNotFound(f"The run has no node “{name[:100]}”. listExecutionNodes names its nodes.")
    found = progress.nodes[name]
    if found.status not in NODE_OPEN:
        raise NodeNotOpen(_why_not(name, found), status=str(found.status))
    return node, found


def _why_not(name: str, found: NodeRun) -> str:
    said = {
        NodeStatus.PENDING: "the nodes before it have not ended",
        NodeStatus.COMPLETED: f"{found.executor or 'its executor'} completed it",
        NodeStatus.PARTIAL: f"{found.executor or 'its executor'} submitted a partial result, which was accepted",
        NodeStatus.SKIPPED: f"it was skipped ({found.reason})",
        NodeStatus.FAILED: f"it failed ({found.reason})",
        NodeStatus.BLOCKED: f"it needs an intervention ({found.reason}); resumeExecutionPlanRun reopens it",
    }[found.status]
    return f"Node {name} is {found.status}: {said}. Nothing of this call was applied."


_APPLY: Mapping[type[Fact], Callable[[Progress, Any], None]] = {
    facts.Started: _start,
    facts.Submitted: _submit,
    facts.Judged: _judged,
    facts.Claimed: _claim,
    facts.ToolEnded: _tool_ended,
    facts.ChildStarted: _child_started,
    facts.ChildEnded: _child_ended,
    facts.ApprovalChanged: _approval_changed,
    facts.TimePassed: _time_passed,
    facts.Resumed: _resume,
    facts.Stopped: _stop,
}
