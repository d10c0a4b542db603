"""Share the report of a plan by a link, and revoke such links."""

from datetime import datetime

from pydantic import Field

from planloom.accounts.access import ShareStore
from planloom.core.endpoint import DELETE, POST, ApiModel, Caller, Effect, Endpoint
from planloom.core.errors import ContentUnavailable, PlanNotCompleted, PlanNotFound
from planloom.planes.strategic.endpoints.plan_fields import PlanRequest
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.share_report import DAYS, MOST_DAYS, share_report, unshare_report


class SharePlan(PlanRequest):
    """Which plan, and for how long."""

    days: int = Field(default=DAYS, ge=1, le=MOST_DAYS, description="How long the link works.")


class PlanShare(ApiModel):
    """A shared link, shown once."""

    plan_id: str
    url: str = Field(description="Opens the report without a key, for anyone who has it. It cannot be shown again")
    created_at: datetime
    expires_at: datetime


class PlanUnshared(ApiModel):
    """Response of plan_unshare."""

    plan_id: str
    revoked: int = Field(description="How many links there were")


def _share(request: SharePlan, caller: Caller, plan_records: PlanRecords, shares: ShareStore) -> PlanShare:
    token, share = share_report(plan_records, shares, caller.account, request.plan_id, request.days)
    return PlanShare(
        plan_id=share.plan_id,
        url=f"{caller.base_url}/shared/{token}",
        created_at=share.created_at,
        expires_at=share.expires_at,
    )


def _unshare(request: PlanRequest, account: str, plan_records: PlanRecords, shares: ShareStore) -> PlanUnshared:
    return PlanUnshared(plan_id=request.plan_id, revoked=unshare_report(plan_records, shares, account, request.plan_id))


PLAN_SHARE = Endpoint(
    name="plan_share",
    title="Share a report",
    description="""\
Makes a link that opens the report of a completed plan in a browser, without a key, for anyone who has it: ask the
user before. It works until it expires or plan_unshare revokes it, and is shown only now.""",
    group="sharing",
    http=POST("/v1/plans/{plan_id}/share", status=201),
    request=SharePlan,
    response=PlanShare,
    errors=(PlanNotFound, PlanNotCompleted, ContentUnavailable),
    effect=Effect.CHANGES,
    handler=_share,
)
PLAN_UNSHARE = Endpoint(
    name="plan_unshare",
    title="Revoke shared links",
    description="""\
Revokes every shared link of a plan that plan_share made: they stop working at once. Says how many there were.""",
    group="sharing",
    http=DELETE("/v1/plans/{plan_id}/share"),
    request=PlanRequest,
    response=PlanUnshared,
    errors=(PlanNotFound,),
    effect=Effect.DESTROYS,
    repeatable=True,
    handler=_unshare,
)
