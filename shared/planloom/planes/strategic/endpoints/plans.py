"""Plans as a whole: list, stop, archive and delete them."""

from datetime import datetime

from pydantic import Field

from planloom.accounts.access import ShareStore
from planloom.accounts.stores import Billing
from planloom.core.endpoint import DELETE, GET, POST, ApiModel, Effect, Endpoint
from planloom.core.errors import PlanActive, PlanNotFound
from planloom.planes.strategic.endpoints.plan_fields import ORIGIN, PlanRequest
from planloom.planes.strategic.plans import ListedPlan, PlanState, Target
from planloom.planes.strategic.ports.groups import PlanRecords, RunControl
from planloom.planes.strategic.progress import progress_percentage
from planloom.planes.strategic.services.archive_plan import archive_plan
from planloom.planes.strategic.services.delete_plan import delete_plan
from planloom.planes.strategic.services.list_plans import MOST, list_plans
from planloom.planes.strategic.services.stop_plan import stop_plan

#: What stays of a deleted plan, as docs/mcp.md says too.
REMAINS = (
    "All files, versions, zips, links and events of the plan are gone. A tombstone keeps its id and account, so that "
    "the id is never given again; log lines go with the logs, and the table's own backups after 35 days."
)


class PlanStopped(ApiModel):
    """Response of plan_stop."""

    plan_id: str
    state: PlanState
    stop_requested: bool = Field(description="True: it is stopped, by this call or one before. False: it had ended")


def _stop(request: PlanRequest, account: str, run_control: RunControl) -> PlanStopped:
    plan = stop_plan(run_control, account, request.plan_id)
    return PlanStopped(plan_id=plan.plan_id, state=plan.state, stop_requested=plan.state == "stopped")


class ListPlans(ApiModel):
    """Which page of which plans."""

    limit: int = Field(default=10, ge=1, le=MOST, description="How many plans to return.")
    before: str | None = Field(default=None, description="next_before of the page before, for the next page.")
    archived: bool = Field(default=False, description="List the archived plans instead of all others.")


class PlanSummary(ApiModel):
    """One line of plan_list."""

    plan_id: str
    state: PlanState
    progress_percentage: float = Field(ge=0, le=100)
    created_at: datetime
    prompt_excerpt: str
    target: Target
    derived_from: str | None = Field(description=ORIGIN)


class PlanList(ApiModel):
    """Response of plan_list, newest first."""

    plans: list[PlanSummary]
    next_before: str | None = Field(description="Pass it as before for the next page; null on the last one")
    message: str


def _list(request: ListPlans, account: str, plan_records: PlanRecords) -> PlanList:
    plans, more = list_plans(plan_records, account, request.limit, request.before, archived=request.archived)
    message = "Newest first." if plans else "No plans yet. Call example_prompts, then plan_create."
    last = plans[-1].plan_id if more else None
    return PlanList(plans=[_summary(plan) for plan in plans], next_before=last, message=message)


def _summary(plan: ListedPlan) -> PlanSummary:
    return PlanSummary(
        plan_id=plan.plan_id,
        state=plan.state,
        progress_percentage=progress_percentage(plan.steps_finished),
        created_at=plan.created_at,
        prompt_excerpt=plan.prompt_excerpt,
        target=plan.target,
        derived_from=plan.derived_from,
    )


class ArchivePlan(PlanRequest):
    """Which plan, and whether it goes into the archive or out of it."""

    archived: bool = Field(default=True, description="False takes the plan back into the list.")


class PlanArchive(ApiModel):
    """Response of plan_archive."""

    plan_id: str
    state: PlanState
    archived: bool
    archived_at: datetime | None


def _archive(request: ArchivePlan, account: str, plan_records: PlanRecords) -> PlanArchive:
    plan = archive_plan(plan_records, account, request.plan_id, archived=request.archived)
    archived = plan.archived_at is not None
    return PlanArchive(plan_id=plan.plan_id, state=plan.state, archived=archived, archived_at=plan.archived_at)


class PlanDeleted(ApiModel):
    """Response of plan_delete."""

    plan_id: str
    deleted: bool
    deleted_at: datetime
    message: str = Field(description="What remains, and for how long")


def _delete(
    request: PlanRequest, account: str, plan_records: PlanRecords, shares: ShareStore, billing: Billing
) -> PlanDeleted:
    at = delete_plan(plan_records, shares, billing, account, request.plan_id)
    return PlanDeleted(plan_id=request.plan_id, deleted=True, deleted_at=at, message=REMAINS)


PLAN_STOP = Endpoint(
    name="plan_stop",
    title="Stop a plan",
    description="""\
Stops a plan: no further stage starts, and what finished stages made is kept. Pass the plan_id that plan_create
returned.""",
    group="plans",
    http=POST("/v1/plans/{plan_id}/stop"),
    request=PlanRequest,
    response=PlanStopped,
    errors=(PlanNotFound,),
    effect=Effect.DESTROYS,
    repeatable=True,
    handler=_stop,
)
PLAN_LIST = Endpoint(
    name="plan_list",
    title="List plans",
    description="""\
Lists your plans, newest first, each with plan_id, state, progress_percentage, created_at, prompt_excerpt,
target and derived_from. Use it to find a plan_id again.""",
    group="plans",
    http=GET("/v1/plans"),
    request=ListPlans,
    response=PlanList,
    errors=(PlanNotFound,),
    handler=_list,
)
PLAN_ARCHIVE = Endpoint(
    name="plan_archive",
    title="Archive a plan",
    description="""\
Archives a plan that has come to an end: it leaves plan_list and is frozen (no resume, retry or edit), but can
still be read and downloaded. archived false takes it back. error PLAN_ACTIVE: stop it first.""",
    group="files",
    http=POST("/v1/plans/{plan_id}/archive"),
    request=ArchivePlan,
    response=PlanArchive,
    errors=(PlanNotFound, PlanActive),
    effect=Effect.CHANGES,
    repeatable=True,
    handler=_archive,
)
PLAN_DELETE = Endpoint(
    name="plan_delete",
    title="Delete a plan",
    description="""\
Deletes a plan permanently, with all its files and their versions; ask the user before. It cannot be undone:
plan_archive hides a plan without losing it. A running plan must be stopped first (error PLAN_ACTIVE).""",
    group="files",
    http=DELETE("/v1/plans/{plan_id}"),
    request=PlanRequest,
    response=PlanDeleted,
    errors=(PlanNotFound, PlanActive),
    effect=Effect.DESTROYS,
    repeatable=True,
    handler=_delete,
)
