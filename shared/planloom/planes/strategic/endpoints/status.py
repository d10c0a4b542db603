"""How a plan is doing: its status, the latest plan, waiting for a plan."""

from datetime import datetime

from pydantic import Field

from planloom.core.clock import Clock
from planloom.core.endpoint import GET, ApiModel, Endpoint
from planloom.core.errors import PlanNotFound
from planloom.core.usage import Usage
from planloom.models.profile import ModelProfile
from planloom.models.profiles import Models
from planloom.planes.strategic.endpoints.plan_fields import ORIGIN, PlanRequest, PriceInfo, poll_after, price_of
from planloom.planes.strategic.pipeline_map import CURRENT
from planloom.planes.strategic.plans import TERMINAL, Detail, FailureReason, Plan, PlanState, Target
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.ports.plans import PlanStore
from planloom.planes.strategic.ports.running import RunQueue
from planloom.planes.strategic.progress import current_step, files_count, progress_percentage, steps_total, usage
from planloom.planes.strategic.services.latest_plan import latest_plan
from planloom.planes.strategic.services.own_plan import own_plan
from planloom.planes.strategic.services.position_in_queue import position_in_queue
from planloom.planes.strategic.services.wait_for_plan import USUAL_POLL_SECONDS, next_steps, wait_for_plan
from planloom.planes.strategic.watch_settings import WatchSettings
from planloom.runs.long_poll import LONGEST_SECONDS, LongPoll


class Timing(ApiModel):
    """When a plan's run started and ended, how long it has been running and when it last made progress."""

    started_at: datetime | None
    ended_at: datetime | None = Field(description="Null while it is pending or processing")
    elapsed_sec: float
    last_progress_at: datetime | None = Field(description="A gap of more than 10 minutes is a sign of a stall")


class FileEntry(ApiModel):
    """One of the newest files."""

    path: str
    updated_at: datetime


class UsageInfo(ApiModel):
    """What the model calls of finished and failed steps cost, failed attempts included."""

    calls: int = Field(description="Requests sent to models")
    retries: int = Field(description="Part of calls: asked again after an error or an invalid answer")
    input_tokens: int
    cached_tokens: int = Field(description="Part of input_tokens that a provider's cache served")
    output_tokens: int
    price: PriceInfo


class QualityFindings(ApiModel):
    """Findings by severity; 030-1-quality.json names them, each with both places."""

    high: int
    medium: int
    low: int


class QualityInfo(ApiModel):
    """What programs found in the finished plan. A plan with findings is complete too."""

    score: int | None = Field(ge=0, le=100, description="100: nothing found; null: drafted without a model, not scored")
    findings: QualityFindings


class FailureInfo(ApiModel):
    """Why a plan failed; recoverable: plan_resume can help, else only plan_retry."""

    failure_reason: FailureReason | None
    failed_step: str | None
    message: str | None
    recoverable: bool | None


class PlanStatus(ApiModel):
    """Response of plan_status (6.3)."""

    plan_id: str
    state: PlanState
    progress_percentage: float = Field(ge=0, le=100)
    steps_completed: int
    steps_total: int
    current_step: str | None = Field(description="Title of the running stage; null when none runs")
    model_profile: ModelProfile
    target: Target
    detail: Detail
    derived_from: str | None = Field(description=ORIGIN)
    archived: bool = Field(description="True: frozen, and out of plan_list")
    timing: Timing
    queue_position: int | None = Field(
        description="Its position in the queue of runs, 1: it is next; null where it does not wait"
    )
    stalled: bool = Field(description="True where a running plan has made no progress for longer than it should take")
    files_count: int = Field(description="Of all files that finished steps made")
    files: list[FileEntry] = Field(description="The ten newest of these by pipeline step")
    usage: UsageInfo
    quality: QualityInfo | None = Field(description="What the checks of the whole plan found; null until they have run")
    poll_after_sec: int | None = Field(description="When to ask again; null when the plan has come to an end")
    error: FailureInfo | None = Field(default=None, description="Only where state is failed")


class WaitForPlan(PlanRequest):
    """Which plan, and how long to wait for it."""

    timeout_sec: float = Field(
        default=LONGEST_SECONDS, ge=0, description="How long to wait; 20 seconds at most, whatever is asked for."
    )
    poll_interval_sec: float = Field(default=USUAL_POLL_SECONDS, gt=0, description="Seconds between two checks.")


class PlanWaited(PlanStatus):
    """Response of plan_wait (17.2): plan_status, and what to do next."""

    timed_out: bool = Field(
        description="True where the plan was still running when the wait ended; False, at once, where it has ended "
        "or too many calls were waiting already"
    )
    next_steps: list[str]


def shown(queue: RunQueue, all_models: Models, watch_settings: WatchSettings, clock: Clock, plan: Plan) -> PlanStatus:
    """Return the status of *plan*; ``error`` is set only where it failed."""
    models, now, step, files = all_models, clock(), current_step(plan), plan.latest_files
    status = PlanStatus(
        plan_id=plan.plan_id,
        state=plan.state,
        progress_percentage=progress_percentage(plan.steps_finished),
        steps_completed=len(plan.steps_finished),
        steps_total=steps_total(plan.steps_finished),
        current_step=step.title if step else None,
        model_profile=plan.model_profile,
        target=plan.target,
        detail=plan.detail,
        derived_from=plan.derived_from,
        archived=plan.archived_at is not None,
        timing=_timing(plan, now),
        queue_position=position_in_queue(queue, watch_settings, plan),
        stalled=watch_settings.stalled(plan, now),
        files_count=files_count(plan),
        files=[FileEntry(path=path, updated_at=files[path]) for path in sorted(files, reverse=True)],
        usage=_usage(usage(plan)),
        quality=_quality(plan),
        poll_after_sec=None if plan.state in TERMINAL else poll_after(models, plan),
    )
    if plan.state == "failed":
        # of a plan from before failures were recorded all of it is null (6.3)
        known = plan.failure.model_dump() if plan.failure else dict.fromkeys(FailureInfo.model_fields)
        status.error = FailureInfo.model_validate(known)
    return status


def _timing(plan: Plan, now: datetime) -> Timing:
    started = plan.started_at
    elapsed = ((plan.ended_at or now) - started).total_seconds() if started else 0.0
    return Timing(
        started_at=started,
        ended_at=plan.ended_at,
        elapsed_sec=round(max(elapsed, 0.0), 1),
        last_progress_at=plan.last_progress_at,
    )


def _usage(spent: Usage) -> UsageInfo:
    counts = spent.model_dump(include={"calls", "retries", "input_tokens", "cached_tokens", "output_tokens"})
    return UsageInfo(**counts, price=price_of(spent))


def _quality(plan: Plan) -> QualityInfo | None:
    # a run whose report is still to come does not show what an earlier run found
    if plan.quality is None or CURRENT.steps[-1].key not in plan.steps_finished:
        return None
    return QualityInfo.model_validate(plan.quality.model_dump())


def _status(
    request: PlanRequest,
    account: str,
    plan_records: PlanRecords,
    queue: RunQueue,
    models: Models,
    watch_settings: WatchSettings,
) -> PlanStatus:
    return shown(queue, models, watch_settings, plan_records.now, own_plan(plan_records, account, request.plan_id))


def _latest(
    account: str, plans: PlanStore, queue: RunQueue, models: Models, watch_settings: WatchSettings, clock: Clock
) -> PlanStatus:
    return shown(queue, models, watch_settings, clock, latest_plan(plans, account))


def _wait(
    request: WaitForPlan,
    account: str,
    plan_records: PlanRecords,
    queue: RunQueue,
    long_poll: LongPoll,
    models: Models,
    watch_settings: WatchSettings,
) -> PlanWaited:
    plan, waited = wait_for_plan(
        plan_records, long_poll, account, request.plan_id, request.timeout_sec, request.poll_interval_sec
    )
    status = shown(queue, models, watch_settings, plan_records.now, plan)
    steps = next_steps(
        watch_settings, plan_records.now, plan, status.poll_after_sec, status.queue_position, held=waited
    )
    added = {"timed_out": waited and plan.state not in TERMINAL, "next_steps": steps}
    return PlanWaited.model_validate(status.model_dump(exclude_unset=True) | added)


PLAN_STATUS = Endpoint(
    name="plan_status",
    title="Plan status",
    description="""\
Returns state and progress of a plan. pending, processing: keep polling, at most every poll_after_sec seconds
(a minute, or 5 with premium and frontier; 5 seconds without a language model). completed: download now with
plan_file_info. failed: terminal; error says why and whether a resume can help (recoverable). stopped: plan_stop was
called, or it was derived and not started. A gap of more than 10 minutes since timing.last_progress_at is a strong
sign of a stall.""",
    group="plans",
    http=GET("/v1/plans/{plan_id}", omit_unset=True),
    request=PlanRequest,
    response=PlanStatus,
    errors=(PlanNotFound,),
    handler=_status,
)
PLAN_WAIT = Endpoint(
    name="plan_wait",
    title="Wait for a plan",
    description="""\
Waits until a plan has ended, for at most 20 seconds a call, then returns what plan_status does, with
next_steps. timed_out: it is still running; call plan_wait again, or plan_status after poll_after_sec seconds.
Where too many calls are waiting already it answers at once, timed_out false: follow next_steps.""",
    group="watching",
    http=GET("/v1/plans/{plan_id}/wait", omit_unset=True),
    request=WaitForPlan,
    response=PlanWaited,
    errors=(PlanNotFound,),
    handler=_wait,
)
PLAN_GET_LATEST = Endpoint(
    name="plan_get_latest",
    title="Latest plan",
    description="""\
Returns what plan_status does, of the plan that you created last; archived ones are passed over. Use it where you
lost the plan_id. Error PLAN_NOT_FOUND: you have none.""",
    group="watching",
    http=GET("/v1/plans/latest", omit_unset=True),
    response=PlanStatus,
    errors=(PlanNotFound,),
    handler=_latest,
)
