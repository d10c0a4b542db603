"""Start another run of a plan: resume or retry it (6.5, 6.6)."""

from datetime import datetime

from pydantic import Field

from planloom.core.endpoint import POST, ApiModel, Effect, Endpoint
from planloom.core.errors import PipelineVersionMismatch, PlanNotFailed, PlanNotResumable
from planloom.models.profile import ModelProfile
from planloom.models.profiles import Models
from planloom.planes.strategic.endpoints.plan_fields import RUN_ERRORS, poll_after, request_id
from planloom.planes.strategic.plans import PlanState
from planloom.planes.strategic.ports.groups import RunControl
from planloom.planes.strategic.services.retry_plan import retry_plan


class RetryPlan(ApiModel):
    """Which plan, and with which models."""

    plan_id: str = Field(description="UUID of a failed or stopped plan, as plan_create returned it.")
    model_profile: ModelProfile | None = Field(
        default=None,
        description="LLM profile (baseline | premium | frontier | custom). By default the one the plan has.",
    )
    client_request_id: str | None = request_id("no second run")


class ResumePlan(RetryPlan):
    """The same, and whether a plan of an older pipeline is resumed."""

    force_upgrade: bool = Field(
        default=False,
        description="Resume a plan of an older pipeline too: only stages that changed since are run again.",
    )


class PlanRetried(ApiModel):
    """Response of plan_retry (6.5)."""

    plan_id: str
    state: PlanState
    model_profile: ModelProfile
    retried_at: datetime
    poll_after_sec: int = Field(description="When the next plan_status is worth its call")


class PlanResumed(ApiModel):
    """Response of plan_resume (6.6)."""

    plan_id: str
    state: PlanState
    model_profile: ModelProfile
    resume_count: int = Field(description="How often this plan has been resumed since it was created or retried")
    resumed_at: datetime
    steps_kept: int = Field(description="Finished steps that are still valid and are skipped")
    poll_after_sec: int = Field(description="When the next plan_status is worth its call")


def _retry(request: RetryPlan, account: str, run_control: RunControl, models: Models) -> PlanRetried:
    plan = retry_plan(run_control, models, account, request.plan_id, request.model_profile, request.client_request_id)
    return PlanRetried(
        plan_id=plan.plan_id,
        state=plan.state,
        model_profile=plan.model_profile,
        retried_at=plan.queued_at,
        poll_after_sec=poll_after(models, plan),
    )


def _resume(request: ResumePlan, account: str, run_control: RunControl, models: Models) -> PlanResumed:
    # it imports all stages, which a call that asks for a status does not need
    from planloom.planes.strategic.services.resume_plan import resume_plan

    plan = resume_plan(
        run_control,
        models,
        account,
        request.plan_id,
        request.model_profile,
        force_upgrade=request.force_upgrade,
        client_request_id=request.client_request_id,
    )
    return PlanResumed(
        plan_id=plan.plan_id,
        state=plan.state,
        model_profile=plan.model_profile,
        resume_count=plan.resume_count,
        resumed_at=plan.queued_at,
        steps_kept=len(plan.steps_finished),
        poll_after_sec=poll_after(models, plan),
    )


PLAN_RESUME = Endpoint(
    name="plan_resume",
    title="Resume a plan",
    description="""\
Continues a plan whose state is failed or stopped without discarding completed work: finished steps are
skipped, finished model calls are not repeated, and edits are kept. Use it after a network drop, timeout,
plan_stop or worker crash, where error.recoverable is true. Then poll plan_status. For a full restart use
plan_retry. Errors: PLAN_NOT_RESUMABLE (wait until plan_status says failed or stopped),
PIPELINE_VERSION_MISMATCH (use plan_retry, or force_upgrade).""",
    group="control",
    http=POST("/v1/plans/{plan_id}/resume", status=202),
    request=ResumePlan,
    response=PlanResumed,
    errors=(*RUN_ERRORS, PlanNotResumable, PipelineVersionMismatch),
    effect=Effect.CHANGES,
    idempotent_by="client_request_id",
    handler=_resume,
)
PLAN_RETRY = Endpoint(
    name="plan_retry",
    title="Retry a plan",
    description="""\
Restarts a plan whose state is failed or stopped from scratch: same plan_id, its artifacts are cleared. Use it
where error.recoverable is false, after version_mismatch, or to draft again with another model_profile; to keep
completed work use plan_resume. A plan of plan_validate becomes a draft of its prompt. Then poll plan_status. Error
PLAN_NOT_FAILED: wait until plan_status says failed or stopped.""",
    group="control",
    http=POST("/v1/plans/{plan_id}/retry", status=202),
    request=RetryPlan,
    response=PlanRetried,
    errors=(*RUN_ERRORS, PlanNotFailed),
    effect=Effect.DESTROYS,
    idempotent_by="client_request_id",
    handler=_retry,
)
