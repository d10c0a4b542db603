"""A plan, its states and the transitions between them."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.core.usage import Usage
from planloom.models.profile import ModelProfile
from planloom.planes.strategic.quality_score import QualitySummary

PlanState = Literal["pending", "processing", "completed", "failed", "stopped"]
End = Literal["completed", "failed", "stopped"]
Detail = Literal["brief", "standard", "full"]
DETAIL = (
    "How long the plan is: brief, a main document of about 4,000 words with few annexes; standard, of 10,000 with all; "
    "full, with tasks on level 3 and drafts of documents too."
)
Target = Literal["build_plan", "validate_plan", "build_plan_and_validate"]
FailureReason = Literal["generation_error", "worker_error", "inactivity_timeout", "internal_error", "version_mismatch"]

TERMINAL: frozenset[PlanState] = frozenset({"completed", "failed", "stopped"})

#: Which states a plan may leave for which; anything else is refused by the store (specification, 5.2).
TRANSITIONS: dict[PlanState, frozenset[PlanState]] = {
    "pending": frozenset({"processing", "failed", "stopped"}),
    "processing": frozenset({"completed", "failed", "stopped"}),
    "failed": frozenset({"pending"}),
    "stopped": frozenset({"pending"}),
    "completed": frozenset(),
}

#: Raise it when a resume from an older plan would break: renamed artifacts, new stages, new wiring.
PIPELINE_VERSION = 2


class Failure(Frozen):
    """Why a run failed: what the specification calls ``error`` of a failed plan (6.3)."""

    failure_reason: FailureReason
    failed_step: str | None = Field(default=None, description="As in the artifacts: 016-expert_criticism")
    message: str = Field(max_length=256)
    recoverable: bool = Field(description="True: a resume can help. False: only a retry can")


class Plan(Frozen):
    """One plan as the table keeps it: the view that answers ``plan_status`` from a single read."""

    plan_id: str
    account: str
    user_account: str | None = Field(default=None, description="Of the user_api_key: the plan is theirs too")
    prompt_excerpt: str = Field(max_length=200)
    model_profile: ModelProfile
    target: Target = "build_plan"
    detail: Detail = "standard"
    state: PlanState = "pending"
    run: int = Field(default=1, ge=1, description="Fence: a late message of an older run changes nothing")
    first_run: int = Field(default=0, ge=0, description="What runs before it made does not count: raised by a retry")
    pipeline_version: int | None = Field(
        default=None, description="PIPELINE_VERSION at create, retry or resume; None: from before it was stamped"
    )
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    last_progress_at: datetime | None = None
    steps_started: dict[str, datetime] = Field(default_factory=dict, description="NNN -> time")
    steps_finished: dict[str, int] = Field(default_factory=dict, description="NNN -> files it made")
    steps_usage: dict[str, Usage] = Field(default_factory=dict, description="NNN -> what its model calls cost")
    latest_files: dict[str, datetime] = Field(
        default_factory=dict, description="Path -> when it was written, of the last LATEST_FILES of finished steps"
    )
    quality: QualitySummary | None = Field(default=None, description="As the last report stage found it")
    resume_count: int = 0
    resumed_at: datetime | None = None
    retried_at: datetime | None = None
    request: str | None = Field(default=None, description="Which retry or resume began this run, by the caller's id")
    derived_from: str | None = Field(
        default=None, description="The plan that this one comes from: changed from its artifacts, or drafted after it"
    )
    derived_by: str | None = Field(default=None, description="Hash of the call that derived it: a repeat says the same")
    failure: Failure | None = None
    archived_at: datetime | None = Field(default=None, description="Frozen since, and out of its account's list")

    @property
    def queued_at(self) -> datetime:
        """When the current run was asked for."""
        return max(at for at in (self.created_at, self.retried_at, self.resumed_at) if at)

    @property
    def run_reason(self) -> str | None:
        """Why the current run began: the call that asked for it; None for the first."""
        if self.run == 1:
            return None
        return "plan_retry" if self.first_run == self.run else "plan_resume"

    @property
    def drafted_at(self) -> datetime:
        """The day that the plan is drafted for: that of its creation, or of the last restart from nothing."""
        return self.retried_at or self.created_at


class ListedPlan(Frozen):
    """What a list says of a plan; each field as the plan has it."""

    plan_id: str
    prompt_excerpt: str
    state: PlanState
    created_at: datetime
    steps_finished: dict[str, int]
    target: Target
    derived_from: str | None = None
    ended_at: datetime | None = None


#: How many files an answer about a plan names: those of its latest steps.
LATEST_FILES = 10

#: What a new run sets anew; everything else of a plan outlives its runs.
RUN_FIELDS = (
    "state",
    "run",
    "first_run",
    "model_profile",
    "target",
    "pipeline_version",
    "started_at",
    "ended_at",
    "last_progress_at",
    "steps_started",
    "steps_finished",
    "steps_usage",
    "latest_files",
    "resume_count",
    "resumed_at",
    "retried_at",
    "request",
    "failure",
)


def lost_writes(found: Plan, recorded: Plan) -> bool:
    """Return whether *found*, the view, is older than *recorded*, the truth: a run or its end is missing in it."""
    if found.run != recorded.run:
        return found.run < recorded.run
    return recorded.state in TERMINAL and found.state not in TERMINAL


def execution_name(plan_id: str, run: int) -> str:
    """Name a run for the state machine: the same run always gets the same name, so that it starts once."""
    return f"{plan_id}-{run}"


def run_of(name: str) -> tuple[str, int]:
    """Return plan id and run number of an execution by its name; raise ValueError where it is not one of ours."""
    plan_id, _, run = name.rpartition("-")
    return plan_id, int(run)
