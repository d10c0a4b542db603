"""Records of a run beside its state: attempts, artifacts, checkpoints, issues and events, each written once."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from planloom.core.problems import Problem
from planloom.planes.workflows.draft import Cause, CheckType, Part
from planloom.planes.workflows.states import Artifact, RunStatus

#: ``judging``: a model is asked; another record of the same attempt follows.
Outcome = Literal["accepted", "rejected", "failed", "lost", "judging"]


class Finding(Part):
    """What one failed check found. ``path`` is a JSON Pointer into the submitted result."""

    path: str
    message: str = Field(description="What was found there")
    expected: str = Field(default="", description="What would pass")


class CheckResult(Part):
    """What a check came to. ``findings`` are empty where it passed."""

    type: CheckType
    description: str = ""
    blocking: bool = True
    passed: bool
    cause: Cause | None = None
    findings: tuple[Finding, ...] = ()


class NodeAttempt(Part):
    """One attempt at a node."""

    kind: Literal["planNodeAttempt"] = "planNodeAttempt"
    id: str
    node_id: str
    number: int
    iteration: int
    outcome: Outcome
    executor: str = ""
    started_at: datetime | None = None
    ended_at: datetime
    status: str = ""
    structured_output: Any = None
    artifact_ids: tuple[str, ...] = ()
    notes: str = ""
    checks: tuple[CheckResult, ...] = ()
    cause: Cause | None = None


class PlanArtifact(Artifact):
    """An artifact of an attempt; ``derivedFrom`` are the ids of artifacts that its node was given."""

    id: str
    node_id: str
    attempt_id: str
    derived_from: tuple[str, ...] = ()
    created_at: datetime


class PlanCheckpoint(Part):
    """A state from which the run can continue: *version* names it."""

    kind: Literal["planCheckpoint"] = "planCheckpoint"
    id: str
    version: int
    status: RunStatus
    reason: str = ""
    completed: int
    open_node_ids: tuple[str, ...] = ()
    created_at: datetime


class ExecutionEvent(Part):
    """What happened, in the past tense. Cursors strictly increase."""

    kind: Literal["planEvent"] = "planEvent"
    name: str
    at: datetime
    node_id: str | None = None
    data: dict[str, Any] = Field(default_factory=dict)
    cursor: int = 0


class ValidationIssue(Part):
    """A finding about the draft, or about a submission that did not pass."""

    kind: Literal["planValidationIssue"] = "planValidationIssue"
    severity: Literal["blocking", "warning"]
    code: str
    path: str
    message: str
    hint: str = ""
    node_id: str | None = None

    @classmethod
    def of(cls, problem: Problem) -> "ValidationIssue":
        """Return *problem* as an issue."""
        severity: Literal["blocking", "warning"] = "blocking" if problem.severity == "error" else "warning"
        return cls(severity=severity, code=problem.code, path=problem.path, message=problem.message, hint=problem.hint)


Record = NodeAttempt | PlanArtifact | PlanCheckpoint | ExecutionEvent | ValidationIssue
