"""Implementation plans over HTTP: the same services as the MCP tools, under /v1/implementation-plans."""

from typing import Annotated

from fastapi import APIRouter, Body, Path, Query, Response

from planloom import wiring
from planloom.api import implementation_answers as answers
from planloom.api import implementation_show as show
from planloom.api.bounded_route import BoundedRoute
from planloom.api.http_caller import Account, key_in_header
from planloom.api.implementation_bodies import CommentToAdd, PlanToCheck, PlanToCreate, PlanToSave, StatusToSet
from planloom.api.refusals import refusals
from planloom.domain.implementation_plans import PlanType, StepStatus
from planloom.services.check_implementation_plan import check_implementation_plan
from planloom.services.comment_on_plan import comment_on_plan, plan_comments
from planloom.services.create_implementation_plan import create_implementation_plan
from planloom.services.list_implementation_plans import MOST, Filter, list_implementation_plans
from planloom.services.read_implementation_plan import plan_diff, plan_history, read_implementation_plan
from planloom.services.revise_implementation_plan import revise_implementation_plan, set_step_status

router = APIRouter(
    prefix="/v1/implementation-plans",
    tags=["implementation plans"],
    dependencies=[key_in_header],
    responses=refusals(401, 403, 422, 500),
    route_class=BoundedRoute,
)

PlanId = Annotated[str, Path(alias="planId", description="As create_plan returned it")]
StepId = Annotated[str, Path(alias="stepId", description="As in the plan: S3")]


@router.get("/schema", operation_id="get_plan_format", response_model=answers.PlanFormat)
def plan_format(
    _: Account, schema_version: Annotated[str | None, Query(alias="schemaVersion")] = None
) -> answers.PlanFormat:
    """Give the JSON Schema of plans, the rules beyond it and examples."""
    return show.plan_format(schema_version)


@router.post(
    "/validate",
    operation_id="validate_plan",
    response_model=answers.ValidationInfo,
    response_model_exclude_unset=True,
    responses=refusals(413),
)
def validate(_: Account, body: Annotated[PlanToCheck, Body()]) -> answers.ValidationInfo:
    """Check a plan without storing it; an invalid plan is a good answer."""
    return show.validation(check_implementation_plan(body.plan, body.schema_version), body.plan)


@router.get("", operation_id="list_plans", response_model=answers.PlanLines)
def list_(
    account: Account,
    plan_type: Annotated[PlanType | None, Query(alias="planType")] = None,
    status: Annotated[StepStatus | None, Query(description="Where the plan stands")] = None,
    repo: Annotated[str | None, Query(max_length=500, description="context.repo, exactly")] = None,
    q: Annotated[str | None, Query(max_length=200, description="Words in title, goal or repo")] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = 20,
    before: Annotated[str | None, Query(max_length=100, description="nextBefore of the page before")] = None,
) -> answers.PlanLines:
    """List your plans, last saved first."""
    wanted = Filter(plan_type, status, repo, q)
    return show.listed(*list_implementation_plans(wiring.world(), account, wanted, limit, before))


@router.post(
    "",
    status_code=201,
    operation_id="create_plan",
    response_model=answers.PlanSaved,
    response_model_exclude_unset=True,
    responses=refusals(409, 413),
)
def create(account: Account, body: Annotated[PlanToCreate, Body()], response: Response) -> answers.PlanSaved:
    """Store a plan that is valid; INVALID_PLAN carries the findings in details.validation."""
    saved = create_implementation_plan(
        wiring.world(), account, body.plan, body.schema_version, body.source, body.client_request_id
    )
    response.headers["Location"] = f"implementation-plans/{saved.view.plan_id}"
    return show.saved(saved)


@router.get("/{planId}", operation_id="get_plan", response_model=answers.PlanRead, responses=refusals(404))
def read(
    account: Account,
    plan_id: PlanId,
    revision: Annotated[int | None, Query(ge=1, le=999_999, description="The current one by default")] = None,
) -> answers.PlanRead:
    """Read a plan, or one of its earlier revisions."""
    return show.read(*read_implementation_plan(wiring.world(), account, plan_id, revision))


@router.put(
    "/{planId}",
    operation_id="update_plan",
    response_model=answers.PlanSaved,
    response_model_exclude_unset=True,
    responses=refusals(404, 409, 413),
)
def save(account: Account, plan_id: PlanId, body: Annotated[PlanToSave, Body()]) -> answers.PlanSaved:
    """Save a changed plan as its next revision; 409 REVISION_CONFLICT where revision is no longer the current one."""
    saved = revise_implementation_plan(
        wiring.world(), account, plan_id, body.plan, body.revision, body.schema_version, body.source, body.note
    )
    return show.saved(saved)


@router.get(
    "/{planId}/history", operation_id="plan_history", response_model=answers.PlanHistory, responses=refusals(404)
)
def history(account: Account, plan_id: PlanId) -> answers.PlanHistory:
    """List the revisions of a plan, newest first: who saved, when, what changed."""
    return show.history(plan_id, plan_history(wiring.world(), account, plan_id))


@router.get("/{planId}/diff", operation_id="revision_diff", response_model=answers.PlanDiff, responses=refusals(404))
def diff(
    account: Account,
    plan_id: PlanId,
    from_: Annotated[int | None, Query(alias="from", ge=1, le=999_999, description="The one before by default")] = None,
    to: Annotated[int | None, Query(ge=1, le=999_999, description="The current one by default")] = None,
) -> answers.PlanDiff:
    """Say what changed from one revision to another, step by step."""
    return show.diff(plan_id, *plan_diff(wiring.world(), account, plan_id, from_, to))


@router.put(
    "/{planId}/steps/{stepId}/status",
    operation_id="set_step_status",
    response_model=answers.PlanSaved,
    response_model_exclude_unset=True,
    responses=refusals(404, 409),
)
def set_status(
    account: Account, plan_id: PlanId, step_id: StepId, body: Annotated[StatusToSet, Body()]
) -> answers.PlanSaved:
    """Set the state of one step; a revision like any other."""
    return show.saved(set_step_status(wiring.world(), account, plan_id, step_id, body.status, body.revision))


@router.get(
    "/{planId}/comments", operation_id="list_comments", response_model=answers.CommentList, responses=refusals(404)
)
def comments(
    account: Account, plan_id: PlanId, step_id: Annotated[str | None, Query(alias="stepId", max_length=40)] = None
) -> answers.CommentList:
    """List the comments on a plan, oldest first."""
    return show.comments(plan_id, plan_comments(wiring.world(), account, plan_id, step_id))


@router.post(
    "/{planId}/comments",
    status_code=201,
    operation_id="comment",
    response_model=answers.CommentInfo,
    responses=refusals(404),
)
def add_comment(account: Account, plan_id: PlanId, body: Annotated[CommentToAdd, Body()]) -> answers.CommentInfo:
    """Comment on a plan or on one of its steps."""
    return show.comment(comment_on_plan(wiring.world(), account, plan_id, body.text, body.step_id))
