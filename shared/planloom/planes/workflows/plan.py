"""The serialized plan of a run: what callers read, and what is injected into the prompt of an agent."""

import re
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from planloom.approvals.approval import Approval, people
from planloom.core.endpoint import CamelModel
from planloom.planes.workflows.advance import attempts_left
from planloom.planes.workflows.draft import Edge, Node
from planloom.planes.workflows.facts import json_bytes
from planloom.planes.workflows.ports import ExecutionView
from planloom.planes.workflows.records import ExecutionEvent, PlanArtifact, PlanCheckpoint, ValidationIssue
from planloom.planes.workflows.spec import Spec
from planloom.planes.workflows.states import (
    NODE_DONE,
    NODE_OPEN,
    REPLAN_REQUIRED,
    Artifact,
    Execution,
    NodeRun,
    NodeStatus,
    RunStatus,
)

#: Of a model within a response every field is shown: MCP leaves out those that were not set.
Whole = BeforeValidator(lambda value: value.model_dump() if isinstance(value, BaseModel) else value)
#: What the executor cannot enforce of a contract, because it happens in the agent.
NOT_ENFORCED = (
    "contextPolicy is shown to executors and not enforced.",
    "toolPolicy is enforced for plugins; agents are shown it and must keep it themselves.",
)


class ExecutionRunInfo(CamelModel):
    """A run."""

    run_id: str
    workstream_id: str
    spec_id: str
    title: str
    status: RunStatus
    reason: str = Field(description="Why it is blocked, failed or aborted; replan_required: replace the plan")
    version: int = Field(description="Raised by everything that happens to the run")
    progress: dict[str, int] = Field(description="How many nodes are in each status")
    created_at: datetime
    updated_at: datetime
    ended_at: datetime | None
    replaced_run_id: str | None = Field(description="The run that this one replaced")
    replaced_by: str | None = Field(description="The run that replaced this one")

    @classmethod
    def of(cls, run: Execution | ExecutionView, **more: Any) -> Any:
        """Return what callers see of *run*."""
        known = {name: getattr(run, name) for name in ExecutionRunInfo.model_fields if name != "progress"}
        progress = run.counts() if isinstance(run, Execution) else run.counts
        return cls(**known, progress={name: count for name, count in progress.items() if count}, **more)


class NodeInfo(CamelModel):
    """A node of a run: its contract and where it is."""

    contract: Annotated[Node, Whole]
    status: NodeStatus
    reason: str
    cause: str | None
    iteration: int
    attempts: int = Field(description="Attempts so far")
    attempts_left: int | None = Field(description="The next one included; null: a person's are not counted")
    input: Any
    output: Any
    artifacts: list[Annotated[Artifact, Whole]]
    feedback: list[str] = Field(description="What the next attempt must do better")
    executor: str
    claimed_by: str | None
    claimed_until: datetime | None
    ready_at: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    deadline: datetime | None
    wakes_at: datetime | None
    approval_id: str | None
    child_run_id: str | None
    carried_over: bool

    @classmethod
    def of(cls, node: Node, found: NodeRun) -> "NodeInfo":
        """Return what callers see of a node."""
        claim = found.claim
        return cls(
            contract=node,
            status=found.status,
            reason=found.reason,
            cause=found.cause,
            iteration=found.iteration,
            attempts=found.attempts,
            attempts_left=attempts_left(node, found),
            input=found.input,
            output=found.output,
            artifacts=list(found.artifacts),
            feedback=list(found.feedback),
            executor=found.executor,
            claimed_by=claim.by if claim else None,
            claimed_until=claim.until if claim else None,
            ready_at=found.ready_at,
            started_at=found.started_at,
            ended_at=found.ended_at,
            deadline=found.deadline,
            wakes_at=found.wake_at,
            approval_id=found.approval_id if found.approval_for else None,
            child_run_id=found.child_run_id,
            carried_over=found.carried,
        )


class NodeApproval(CamelModel):
    """An approval: what is approved, by whom, until when, and what was said."""

    approval_id: str
    run_id: str
    node_id: str
    title: str
    state: str
    objective: str
    instructions: str = Field(description="What approvers are asked to do or to check")
    sha256: str = Field(description="Hash of what is approved")
    content: str
    content_is_complete: bool
    approvers: list[str] = Field(description="Who may respond now")
    rule: str
    requested_at: datetime
    expires_at: datetime | None
    decided_at: datetime | None
    responses: list[dict[str, Any]]

    @classmethod
    def of(cls, approval: Approval, **more: Any) -> Any:
        """Return what callers see of *approval*."""
        rule = approval.rule
        return cls(
            approval_id=approval.approval_id,
            run_id=approval.subject.run_id,
            node_id=approval.subject.node_id,
            title=approval.subject.title,
            state=str(approval.state),
            objective=approval.subject.objective,
            instructions=approval.subject.instructions,
            sha256=approval.subject.sha256,
            content=approval.subject.content,
            content_is_complete=approval.subject.complete,
            approvers=list(people(approval)),
            rule=rule.kind if rule.kind != "quorum" else f"quorum of {rule.count}",
            requested_at=approval.requested_at,
            expires_at=approval.expires_at,
            decided_at=approval.decided_at,
            responses=[
                {"by": each.by, "decision": str(each.decision), "comment": each.comment, "at": each.at}
                for each in approval.responses
            ],
            **more,
        )


class SerializableExecutionPlan(CamelModel):
    """A run with its contracts and progress; the lists that were not asked for are null."""

    run: Annotated[ExecutionRunInfo, Whole]
    objective: str
    schemas: dict[str, Any]
    nodes: list[Annotated[NodeInfo, Whole]]
    edges: list[Annotated[Edge, Whole]]
    entry_node_ids: list[str]
    current_node_ids: list[str] = Field(description="Nodes that are open or blocked")
    percent: int = Field(description="Nodes that are done, of 100")
    artifacts: list[Annotated[PlanArtifact, Whole]] | None
    approvals: list[Annotated[NodeApproval, Whole]] | None
    checkpoints: list[Annotated[PlanCheckpoint, Whole]] | None
    validation_issues: list[Annotated[ValidationIssue, Whole]] | None
    events: list[Annotated[ExecutionEvent, Whole]] | None = Field(description="The newest, oldest first")
    omitted_node_ids: list[str] = Field(
        description="Nodes whose input and output are left out, because the response would be too large: "
        "exportExecutionRun has them"
    )
    not_enforced: list[str] = Field(description="What contracts say and the executor cannot enforce")
    next_steps: list[str]


def serialize(spec: Spec, run: Execution, **lists: Any) -> SerializableExecutionPlan:
    """Return the plan of *run*; *lists* are those that the caller asked for."""
    asked = dict.fromkeys(("artifacts", "approvals", "checkpoints", "validation_issues", "events")) | lists
    done = sum(found.status in NODE_DONE for found in run.nodes.values())
    draft = spec.draft
    return SerializableExecutionPlan(
        run=ExecutionRunInfo.of(run),
        objective=draft.objective,
        schemas=dict(draft.schemas),
        nodes=[NodeInfo.of(node, run.nodes[name]) for name, node in spec.nodes.items()],
        edges=list(draft.edges),
        entry_node_ids=list(draft.entry_node_ids),
        current_node_ids=current(run),
        percent=100 * done // max(1, len(run.nodes)),
        omitted_node_ids=[],
        not_enforced=list(NOT_ENFORCED),
        next_steps=next_steps(spec, run),
        **asked,
    )


def shortened(plan: SerializableExecutionPlan, most: int) -> SerializableExecutionPlan:
    """Return *plan* in about *most* bytes of JSON, as far as contracts and schemas allow it.

    Inputs and outputs are left out first, the largest first and those of current nodes last, then the oldest rows of
    lists.
    """
    over = json_bytes(plan.model_dump(mode="json", by_alias=True)) - most
    if over <= 0:
        return plan
    sizes = {node.contract.id: json_bytes([node.input, node.output]) for node in plan.nodes}
    omitted = set()
    for name in sorted(sizes, key=lambda each: (each in plan.current_node_ids, -sizes[each])):
        if over <= 0:
            break
        omitted.add(name)
        over -= sizes[name]
    nodes = [
        node.model_copy(update={"input": None, "output": None}) if node.contract.id in omitted else node
        for node in plan.nodes
    ]
    changed: dict[str, Any] = {"nodes": nodes, "omitted_node_ids": [each for each in sizes if each in omitted]}
    for name in ("events", "validation_issues", "checkpoints", "artifacts", "approvals"):
        if over > 0 and (rows := getattr(plan, name)):
            changed[name], left_out = _newest(rows, over)
            over -= left_out
    return plan.model_copy(update=changed)


def _newest(rows: list[Any], over: int) -> tuple[list[Any], int]:
    """Return the rows that are left without the oldest of at least *over* bytes together, and the bytes of those."""
    left_out = 0
    for place, row in enumerate(rows):
        if left_out >= over:
            return rows[place:], left_out
        left_out += json_bytes(row.model_dump(mode="json", by_alias=True))
    return [], left_out


def current(run: Execution) -> list[str]:
    """Return the nodes of *run* that are open or blocked; where it has ended, none is open."""
    shown = {NodeStatus.BLOCKED, NodeStatus.FAILED} | (frozenset() if run.ended else NODE_OPEN)
    return [name for name, found in run.nodes.items() if found.status in shown]


def first_sentences(text: str, most: int) -> str:
    """Return *text*; of one that has more than *most* characters the first sentences that fit, else words, and …."""
    if len(text) <= most:
        return text
    start = text[: max(0, most - 2)]
    ends = [found.end() for found in re.finditer(r"[.!?](?=\s)|\n", start)] or [
        found.start() for found in re.finditer(r"\s", start)
    ]
    return f"{start[: ends[-1] if ends else None].rstrip()} …"


def next_steps(spec: Spec, run: Execution) -> list[str]:
    """Return what can be done now, each in one sentence."""
    if run.status is RunStatus.COMPLETED:
        return ["The run has completed. Its outputs are in the nodes."]
    if run.ended:
        return [f"The run is {run.status} ({run.reason}). Start another one with createExecutionPlan."]
    if run.reason == REPLAN_REQUIRED:
        return ["The plan must change: write another draft and call replaceExecutionPlan."]
    said = []
    for name in current(run):
        said += _step(spec.nodes[name], run.nodes[name])
    return said[:20]


def _step(node: Node, found: NodeRun) -> list[str]:
    if found.status is NodeStatus.BLOCKED:
        why = first_sentences(found.reason, 300).rstrip(".")
        return [f"{node.id} is blocked: {why}. Remove the cause and call resumeExecutionPlanRun, or replace the plan."]
    if found.approval_for:
        return [f"{node.id} waits for an approval: respondToApproval with {found.approval_id}."]
    if found.claim:
        return [f"{node.id} is claimed by {found.claim.by}."]
    kind = node.owner.executor_type
    if found.status is NodeStatus.READY and kind == "agent":
        return [f"{node.id} is ready for agent {node.owner.ref}: claimExecutionNode or submitExecutionNodeResult."]
    if found.status is NodeStatus.AWAITING_HUMAN:
        return [f"{node.id} waits for {node.owner.ref}: submitExecutionNodeResult with what they enter or decide."]
    if found.wake_at:
        return [f"{node.id} waits until {found.wake_at.isoformat(timespec='seconds')}."]
    if node.wait and node.wait.event:
        return [f"{node.id} waits for the event {node.wait.event}: submitExecutionNodeResult when it happens."]
    return []
