"""States of runs and nodes, the transitions that are allowed, and the record of a run as the executor keeps it."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from planloom.approvals.approval import Approval
from planloom.planes.workflows.draft import Cause, Part


class RunStatus(StrEnum):
    """Where a run is; see the specification."""

    RUNNING = "running"
    AWAITING_HUMAN = "awaiting-human"
    BLOCKED = "blocked"
    COMPLETED = "completed"
    FAILED = "failed"
    ABORTED = "aborted"


class NodeStatus(StrEnum):
    """Where a node of a run is; see the specification."""

    PENDING = "pending"
    READY = "ready"
    RUNNING = "running"
    AWAITING_HUMAN = "awaiting-human"
    COMPLETED = "completed"
    PARTIAL = "partial"
    BLOCKED = "blocked"
    FAILED = "failed"
    SKIPPED = "skipped"


#: A run in one of these changes no more.
RUN_ENDED = frozenset({RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.ABORTED})
#: A node in one of these lets the run advance.
NODE_DONE = frozenset({NodeStatus.COMPLETED, NodeStatus.PARTIAL, NodeStatus.SKIPPED})
#: A node in one of these waits for its executor or for a person.
NODE_OPEN = frozenset({NodeStatus.READY, NodeStatus.RUNNING, NodeStatus.AWAITING_HUMAN})

_ACTIVE = frozenset({RunStatus.RUNNING, RunStatus.AWAITING_HUMAN, RunStatus.BLOCKED})
#: From which states each state of a run is reached.
RUN_TRANSITIONS: Mapping[RunStatus, frozenset[RunStatus]] = {
    **{status: _ACTIVE - {status} for status in _ACTIVE},
    **dict.fromkeys(RUN_ENDED, _ACTIVE),
}
#: From which states each state of a node is reached. Loops and requested changes set nodes back to ``pending``.
NODE_TRANSITIONS: Mapping[NodeStatus, frozenset[NodeStatus]] = {
    NodeStatus.PENDING: frozenset(NodeStatus) - {NodeStatus.PENDING},
    NodeStatus.READY: frozenset(
        {NodeStatus.PENDING, NodeStatus.RUNNING, NodeStatus.AWAITING_HUMAN, NodeStatus.BLOCKED}
    ),
    NodeStatus.RUNNING: frozenset({NodeStatus.READY}),
    NodeStatus.AWAITING_HUMAN: frozenset({NodeStatus.READY, NodeStatus.RUNNING}),
    NodeStatus.COMPLETED: frozenset({NodeStatus.RUNNING, NodeStatus.AWAITING_HUMAN}),
    NodeStatus.PARTIAL: frozenset({NodeStatus.RUNNING, NodeStatus.AWAITING_HUMAN}),
    NodeStatus.BLOCKED: NODE_OPEN,
    NodeStatus.FAILED: NODE_OPEN,
    NodeStatus.SKIPPED: frozenset({NodeStatus.PENDING, *NODE_OPEN}),
}

#: Why a run is blocked.
REPLAN_REQUIRED, NODE_BLOCKED = "replan_required", "node_blocked"

#: ``dead``: a decision before it did not choose it. ``skipped``, ``bypassed``: its source was skipped, and with
#: ``bypassed`` the edge says ``onSkip: continue``.
EdgeState = Literal["taken", "bypassed", "dead", "skipped"]


#: Begins the pointers of artifacts whose content is kept here.
UPLOADED = "planloom:"


class Artifact(Part):
    """An output of an attempt. ``verified``: its content was hashed here; else the pointer is recorded as given."""

    name: str = Field(min_length=1, max_length=200)
    kind: str = Field(min_length=1, max_length=200)
    pointer: str = Field(min_length=1, max_length=2_000)
    description: str = Field(default="", max_length=2_000)
    sha256: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    size: int | None = Field(default=None, ge=0, description="Bytes")
    verified: bool = False


class Result(Part):
    """What an executor submits for a node."""

    status: Literal["completed", "partial", "failed"] = "completed"
    structured_output: Any = Field(default=None, description="Must match the node's output schema; at most 64 KB")
    artifacts: tuple[Artifact, ...] = Field(default=(), max_length=100)
    notes: str = Field(default="", max_length=10_000, description="For people; with status failed, why")


class Claim(Part):
    """Who works on a node, until when without a heartbeat. ``repeatable``: a lost call may be made again."""

    by: str
    token: str
    until: datetime
    seconds: int
    repeatable: bool = True


class Judging(Part):
    """A result that passed all checks but those of a model, which the host asks."""

    result: Result
    attempt: int


class NodeRun(Part):
    """One node of a run. ``retries`` counts those since it became ready, ``attempts`` all of the run."""

    status: NodeStatus = NodeStatus.PENDING
    reason: str = Field(default="", description="Why it is blocked, failed, skipped, or waits")
    cause: Cause | None = None
    iteration: int = Field(default=0, description="How often it became ready")
    granted: int = Field(default=0, description="Iterations that a resume added to maxIterations")
    rounds: int = Field(default=0, description="How often changes were requested")
    attempts: int = 0
    retries: int = 0
    input: Any = None
    output: Any = None
    artifacts: tuple[Artifact, ...] = ()
    claim: Claim | None = None
    executor: str = Field(default="", description="Who submitted the last result")
    key: str = Field(default="", description="SHA-256 of the API key that brought it")
    ready_at: datetime | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    deadline: datetime | None = None
    wake_at: datetime | None = Field(default=None, description="When a wait ends")
    approval_id: str | None = None
    approval_for: Literal["node", "check", "escalation", ""] = ""
    approvals: int = Field(default=0, description="How many approvals were requested for it")
    feedback: tuple[str, ...] = Field(default=(), description="What to do better in the next attempt")
    submitted: Result | None = Field(default=None, description="The last submission, until the node ends")
    checked: int = Field(default=0, description="Checks by people that the last submission has passed")
    partial: bool = Field(default=False, description="The last submission had the status partial")
    child_run_id: str | None = None
    carried: bool = Field(default=False, description="Taken over from the replaced run")
    judging: Judging | None = Field(default=None, description="Set while a model judges the last submission")


class Execution(Part):
    """A run as the executor keeps it. ``version`` is the fence: each fact raises it by one."""

    run_id: str
    account: str
    workstream_id: str
    spec_id: str
    spec_version: int = 1
    title: str = ""
    version: int = 0
    status: RunStatus = RunStatus.RUNNING
    reason: str = ""
    nodes: dict[str, NodeRun] = Field(default_factory=dict)
    edges: dict[str, EdgeState] = Field(default_factory=dict)
    approvals: dict[str, Approval] = Field(default_factory=dict, description="Those that are pending")
    approval_ids: tuple[str, ...] = ()
    created_at: datetime
    updated_at: datetime
    ended_at: datetime | None = None
    replaced_run_id: str | None = Field(default=None, description="The run that this one replaced")
    replaced_by: str | None = None
    parent_run_id: str | None = None
    parent_node_id: str | None = None

    @property
    def ended(self) -> bool:
        """Whether nothing in it changes any more."""
        return self.status in RUN_ENDED

    def counts(self) -> dict[str, int]:
        """Return how many nodes are in each status."""
        found = {str(status): 0 for status in NodeStatus}
        for node in self.nodes.values():
            found[node.status] += 1
        return found


def next_wake(run: Execution) -> datetime | None:
    """Return when something happens to *run* by itself next, other than an approval's expiry."""
    if run.ended or run.reason == REPLAN_REQUIRED:
        return None
    times = [
        at
        for node in run.nodes.values()
        if node.status in NODE_OPEN
        for at in (node.deadline, node.wake_at, node.claim.until if node.claim else None)
        if at is not None
    ]
    return min(times, default=None)
