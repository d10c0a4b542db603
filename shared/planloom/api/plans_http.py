"""Plans over HTTP: the same services as the MCP tools, under /v1."""

from typing import Annotated

from fastapi import APIRouter, Body, Query, Response
from pydantic import Field

from planloom import wiring
from planloom.api import answers, show
from planloom.api.create_once import create_once
from planloom.api.http_caller import Account, key_in_header
from planloom.api.refusals import refusals
from planloom.domain.plans import DETAIL, Detail, ModelProfile, Target
from planloom.facts.given import FactsGiven
from planloom.models.profiles import DEFAULT_PROFILE
from planloom.services.create_plan import PROMPT_CHARACTERS
from planloom.services.list_plans import MOST, list_plans
from planloom.services.own_plan import own_plan
from planloom.services.plan_file_info import ArtifactChoice, plan_file_info
from planloom.services.stop_plan import stop_plan

router = APIRouter(
    prefix="/v1",
    tags=["plans"],
    dependencies=[key_in_header],
    responses=refusals(401, 403, 422, 500),
)


class PlanRequest(answers.AnswerModel):
    """Body of POST /v1/plans."""

    prompt: str = Field(description=f"The goal in prose, 300 to 800 words; at most {PROMPT_CHARACTERS:,} characters")
    model_profile: ModelProfile = DEFAULT_PROFILE
    user_api_key: str | None = Field(default=None, description="Key of the user on whose behalf you ask")
    client_request_id: str | None = Field(
        default=None, min_length=1, max_length=200, description="A repeat with the same id is the same plan"
    )
    target: Target = Field(default="build_plan", description="A build includes its validation; see plan_validate")
    detail: Detail = Field(default="standard", description=DETAIL)
    derived_from: str | None = Field(
        default=None, description="plan_id of your plan that this one comes from; it is only named, see plan_diff"
    )
    facts: FactsGiven | None = Field(
        default=None, description="Corrections of what plan_facts showed, and its facts_id; they win over the goal"
    )


@router.post(
    "/plans",
    status_code=202,
    operation_id="plan_create",
    response_model=answers.PlanCreated,
    responses=refusals(402, 404, 409, 503),
)
def create(account: Account, body: Annotated[PlanRequest, Body()], response: Response) -> answers.PlanCreated:
    """Start drafting a plan. Poll its status until it is completed, then fetch the report and the zip."""
    world = wiring.world()
    answer = create_once(
        world,
        account,
        body.prompt,
        body.model_profile,
        body.client_request_id,
        body.user_api_key,
        body.target,
        body.derived_from,
        body.facts,
        body.detail,
    )
    response.headers["Location"] = f"plans/{answer.plan_id}"
    return answer


@router.get("/plans", operation_id="plan_list", response_model=answers.PlanList, responses=refusals(404))
def list_(
    account: Account,
    limit: Annotated[int, Query(ge=1, le=MOST)] = 10,
    before: Annotated[str | None, Query(description="plan_id of the last plan of the page before")] = None,
    archived: Annotated[bool, Query(description="List the archived plans instead")] = False,
) -> answers.PlanList:
    """List your plans, newest first."""
    return show.listed(*list_plans(wiring.world(), account, limit, before, archived=archived))


@router.get(
    "/plans/{plan_id}",
    operation_id="plan_status",
    response_model=answers.PlanStatus,
    response_model_exclude_unset=True,
    responses=refusals(404),
)
def status(account: Account, plan_id: str) -> answers.PlanStatus:
    """Say how a plan is doing. ``error`` is there only where the state is failed."""
    world = wiring.world()
    return show.status(world, own_plan(world, account, plan_id))


@router.post(
    "/plans/{plan_id}/stop",
    operation_id="plan_stop",
    response_model=answers.PlanStopped,
    responses=refusals(404),
)
def stop(account: Account, plan_id: str) -> answers.PlanStopped:
    """Stop a plan. What its finished stages made is kept."""
    return show.stopped(stop_plan(wiring.world(), account, plan_id))


@router.get(
    "/plans/{plan_id}/files/{artifact}",
    operation_id="plan_file_info",
    response_model=answers.PlanFileInfo,
    responses={204: {"description": "Not ready yet"}, **refusals(404, 409, 503)},
)
def file_info(account: Account, plan_id: str, artifact: ArtifactChoice) -> answers.PlanFileInfo | Response:
    """Give a link to the report or the zip; it works for an hour. 204 while the file is not ready."""
    info = plan_file_info(wiring.world(), account, plan_id, artifact)
    return show.file_info(artifact, info) if info else Response(status_code=204)


@router.get("/example-prompts", operation_id="example_prompts", response_model=answers.ExamplePrompts)
def example_prompts(_: Account) -> answers.ExamplePrompts:
    """Show what good prompts look like."""
    return show.example_prompts()


@router.get(
    "/model-profiles",
    operation_id="model_profiles",
    response_model=answers.ModelProfiles,
    responses=refusals(503),
)
def model_profiles(_: Account) -> answers.ModelProfiles:
    """Show the model profiles that are available here."""
    return show.model_profiles(wiring.world().models)
