"""Begin another run of a plan over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Body
from pydantic import Field

from planloom import wiring
from planloom.api.answers import AnswerModel
from planloom.api.control_answers import PlanResumed, PlanRetried
from planloom.api.control_once import resume_once, retry_once
from planloom.api.http_caller import Account, key_in_header
from planloom.api.refusals import refusals
from planloom.domain.plans import ModelProfile

router = APIRouter(
    prefix="/v1/plans/{plan_id}",
    tags=["control"],
    dependencies=[key_in_header],
    responses=refusals(401, 403, 404, 422, 500),
)


class RetryRequest(AnswerModel):
    """Body of POST /v1/plans/{plan_id}/retry."""

    model_profile: ModelProfile | None = Field(default=None, description="By default the one the plan has")
    client_request_id: str | None = Field(
        default=None, min_length=1, max_length=200, description="A repeat with the same id is no second run"
    )


class ResumeRequest(RetryRequest):
    """Body of POST /v1/plans/{plan_id}/resume."""

    force_upgrade: bool = Field(
        default=False, description="Resume a plan of an older pipeline: make the stages again that changed since"
    )


@router.post(
    "/retry",
    status_code=202,
    operation_id="plan_retry",
    response_model=PlanRetried,
    responses=refusals(402, 409, 503),
)
def retry(account: Account, plan_id: str, body: Annotated[RetryRequest | None, Body()] = None) -> PlanRetried:
    """Start a failed or stopped plan again from nothing. Its artifacts are cleared; earlier versions stay readable."""
    asked = body or RetryRequest()
    return retry_once(wiring.world(), account, plan_id, asked.model_profile, asked.client_request_id)


@router.post(
    "/resume",
    status_code=202,
    operation_id="plan_resume",
    response_model=PlanResumed,
    responses=refusals(402, 409, 503),
)
def resume(account: Account, plan_id: str, body: Annotated[ResumeRequest | None, Body()] = None) -> PlanResumed:
    """Go on with a failed or stopped plan. Finished stages that still hold are skipped."""
    asked = body or ResumeRequest()
    world = wiring.world()
    return resume_once(world, account, plan_id, asked.model_profile, asked.force_upgrade, asked.client_request_id)
