"""Responses of the endpoints of workflows."""

from datetime import datetime
from itertools import accumulate
from typing import Annotated, Any

from pydantic import Field

from planloom.core.endpoint import CamelModel
from planloom.planes.workflows.advance import attempts_left
from planloom.planes.workflows.facts import INPUT_BYTES, json_bytes
from planloom.planes.workflows.plan import (
    ExecutionRunInfo,
    NodeApproval,
    NodeInfo,
    SerializableExecutionPlan,
    Whole,
    next_steps,
)
from planloom.planes.workflows.ports import Workstream
from planloom.planes.workflows.records import CheckResult, ExecutionEvent, ValidationIssue
from planloom.planes.workflows.service import OpenNode, Submitted
from planloom.planes.workflows.spec import Spec
from planloom.planes.workflows.states import Execution, NodeStatus


class DraftValidation(CamelModel):
    """What was found about a draft."""

    is_valid: bool
    issues: list[Annotated[ValidationIssue, Whole]] = Field(description="Blocking ones prevent a run, warnings do not")
    node_count: int
    order: list[list[str]] = Field(description="Nodes that can run at the same time, in order, without loops")


class DraftFormat(CamelModel):
    """How drafts are written."""

    draft_schema: dict[str, Any] = Field(description="JSON Schema of a PlanDraft")
    example: dict[str, Any]
    notes: list[str]


class PlanStarted(ExecutionRunInfo):
    """A run that was created."""

    spec_version: int
    issues: list[Annotated[ValidationIssue, Whole]] = Field(description="Warnings about the draft")
    next_steps: list[str]


class RunChanged(ExecutionRunInfo):
    """A run after a call."""

    next_steps: list[str]


class SubmissionResult(CamelModel):
    """What a submission came to."""

    accepted: bool
    judging: bool = Field(description="A model judges it: wait, then read the node")
    run_id: str
    node_id: str
    attempt_id: str
    attempt: int
    node_status: NodeStatus
    run_status: str
    reason: str = Field(description="Why the run is blocked or failed")
    node_reason: str = Field(description="Why the result was not accepted; empty where it was")
    attempts_left: int | None = Field(description="Further attempts at this node; null: a person's are not counted")
    failed_checks: list[Annotated[CheckResult, Whole]] = Field(description="What to correct, with path and expectation")
    advisories: list[Annotated[CheckResult, Whole]] = Field(description="Checks that failed and do not block")
    ready_node_ids: list[str] = Field(description="Nodes of the run that are ready now")
    next_steps: list[str]

    @classmethod
    def of(cls, found: Submitted, spec: Spec) -> "SubmissionResult":
        """Return what callers see of a submission."""
        run, attempt = found.run, found.attempt
        node = run.nodes[attempt.node_id]
        failed = [check for check in attempt.checks if not check.passed]
        return cls(
            accepted=attempt.outcome == "accepted",
            judging=attempt.outcome == "judging",
            run_id=run.run_id,
            node_id=attempt.node_id,
            attempt_id=attempt.id,
            attempt=attempt.number,
            node_status=node.status,
            run_status=str(run.status),
            reason=run.reason,
            node_reason=""
            if attempt.outcome in ("accepted", "judging")
            else node.reason or "; ".join(node.feedback[-1:]),
            attempts_left=found.attempts_left,
            failed_checks=[check for check in failed if check.blocking],
            advisories=[check for check in failed if not check.blocking],
            ready_node_ids=[name for name, node in run.nodes.items() if node.status is NodeStatus.READY][:100],
            next_steps=next_steps(spec, run),
        )


class ActivePlan(CamelModel):
    """The active plan of a workstream; null where there is none."""

    plan: Annotated[SerializableExecutionPlan, Whole] | None


class Claimed(CamelModel):
    """A claim; null fields where nothing is ready for the role."""

    claimed: bool
    run_id: str | None
    node_id: str | None
    claim_token: str | None = Field(description="Pass it with heartbeats and with the result")
    claimed_until: datetime | None = Field(description="Renew the claim before, with claimToken")
    node: Annotated[NodeInfo, Whole] | None = Field(description="The contract, its input, and feedback")
    output_schema: dict[str, Any] | None = Field(description="Schema of the structured output")
    objective: str | None = Field(description="Objective of the whole plan")
    other_outputs: dict[str, Any] | None = Field(
        description="Outputs of the nodes directly before, as many as fit into the response"
    )

    @classmethod
    def of(cls, found: OpenNode | None, spec: Spec | None) -> "Claimed":
        """Return what callers see of a claim."""
        names = [name for name in cls.model_fields if name != "claimed"]
        if found is None or spec is None or found.state.claim is None:
            return cls(claimed=False, **dict.fromkeys(names))
        claim, ref = found.state.claim, found.node.output_schema_ref
        sources = [edge.source for edge in spec.incoming[found.node.id]]
        return cls(
            claimed=True,
            run_id=found.run.run_id,
            node_id=found.node.id,
            claim_token=claim.token,
            claimed_until=claim.until,
            node=NodeInfo.of(found.node, found.state),
            output_schema=spec.draft.schemas[ref] if ref else None,
            objective=spec.draft.objective,
            other_outputs=_fitting({name: found.run.nodes[name].output for name in sources}),
        )


def _fitting(outputs: dict[str, Any]) -> dict[str, Any]:
    """Return the first of *outputs* that have the size of an input together."""
    sizes = accumulate(map(json_bytes, outputs.values()))
    return {name: output for (name, output), size in zip(outputs.items(), sizes, strict=True) if size <= INPUT_BYTES}


class NodeRow(CamelModel):
    """A node that its owner can work on."""

    run_id: str
    workstream_id: str
    plan_title: str
    node_id: str
    type: str
    label: str
    executor_type: str
    owner: str
    status: NodeStatus
    attempts_left: int | None
    claimed_by: str | None
    deadline: datetime | None
    approval_id: str | None

    @classmethod
    def of(cls, found: OpenNode) -> "NodeRow":
        """Return what the list shows of a node."""
        run, node, state = found
        return cls(
            run_id=run.run_id,
            workstream_id=run.workstream_id,
            plan_title=run.title,
            node_id=node.id,
            type=node.type,
            label=node.label,
            executor_type=node.owner.executor_type,
            owner=node.owner.ref,
            status=state.status,
            attempts_left=attempts_left(node, state),
            claimed_by=state.claim.by if state.claim else None,
            deadline=state.deadline,
            approval_id=state.approval_id if state.approval_for else None,
        )


class NodeList(CamelModel):
    """Nodes of active runs."""

    nodes: list[Annotated[NodeRow, Whole]]
    total: int


class NodeApprovalList(CamelModel):
    """A page of approvals."""

    approvals: list[Annotated[NodeApproval, Whole]]
    next: str | None


class ApprovalAnswered(NodeApproval):
    """What became of a response."""

    outcome: str = Field(description="recorded or decided; else it was not counted, and this says why")
    counted: bool
    run_status: str = Field(description="Of the workflow; empty where the approval is of a step of a graph")
    run_reason: str


class WorkstreamRow(CamelModel):
    """A line of work."""

    workstream_id: str
    title: str
    active_run_id: str | None
    last_run_id: str | None
    spec_version: int
    updated_at: datetime

    @classmethod
    def of(cls, stream: Workstream) -> "WorkstreamRow":
        """Return what callers see of a workstream."""
        return cls(**{name: getattr(stream, name) for name in cls.model_fields})


class WorkstreamList(CamelModel):
    """The workstreams of the account."""

    workstreams: list[Annotated[WorkstreamRow, Whole]]


class ExecutionRunList(CamelModel):
    """A page of runs, newest first."""

    runs: list[Annotated[ExecutionRunInfo, Whole]]
    next: str | None


class ExecutionEventList(CamelModel):
    """Events of a run, oldest first."""

    events: list[Annotated[ExecutionEvent, Whole]]
    next: int = Field(description="Cursor for after")
    run_status: str


class RecordList(CamelModel):
    """Records of one kind, oldest first."""

    kind: str
    records: list[dict[str, Any]]
    next: int | None = Field(description="Cursor for after; null after the last page")


class Exported(CamelModel):
    """All records of a run, by kind, or a link to them."""

    records: dict[str, list[dict[str, Any]]] | None
    url: str | None = Field(description="Where to read them as JSON within 15 minutes; null where records has them")


class UploadLink(CamelModel):
    """Where to send the content of an artifact."""

    pointer: str = Field(description="Pointer of the artifact: submit it with the result")
    url: str = Field(description="PUT the content here within 15 minutes: so many bytes, with the same Content-Type")
    content_type: str


class ArtifactLink(CamelModel):
    """Where to read the content of an artifact."""

    url: str = Field(description="Valid for 15 minutes")


class ContextText(CamelModel):
    """Text for the prompt of an agent."""

    text: str
    tokens: int = Field(description="Characters divided by four")


class Deleted(CamelModel):
    """What was deleted."""

    deleted: str


def started(run: Execution, spec: Spec, issues: list[ValidationIssue]) -> PlanStarted:
    """Return what callers see of a run that was created."""
    made: PlanStarted = PlanStarted.of(
        run, spec_version=run.spec_version, issues=issues, next_steps=next_steps(spec, run)
    )
    return made


def changed(run: Execution, spec: Spec) -> RunChanged:
    """Return what callers see of a run after a call."""
    made: RunChanged = RunChanged.of(run, next_steps=next_steps(spec, run))
    return made
