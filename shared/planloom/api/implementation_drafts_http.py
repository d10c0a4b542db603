"""Implementation plans from other forms over HTTP: from Markdown, and from finished strategic plans."""

from typing import Annotated

from fastapi import APIRouter, Body, Response
from pydantic import Field

from planloom import wiring
from planloom.api import implementation_answers as answers
from planloom.api import implementation_show as show
from planloom.api.bounded_route import BoundedRoute
from planloom.api.camel import CamelModel
from planloom.api.http_caller import Account, key_in_header
from planloom.api.refusals import refusals
from planloom.services.draft_implementation_plan import (
    MARKDOWN_CHARACTERS,
    draft_from_markdown,
    draft_from_strategic_plan,
)
from planloom.services.list_implementation_plans import plans_made_from

router = APIRouter(
    prefix="/v1",
    tags=["implementation plans"],
    dependencies=[key_in_header],
    responses=refusals(401, 403, 422, 500),
    route_class=BoundedRoute,
)


class Context(CamelModel):
    """Where the plan is to be carried out; goes before what its origin says."""

    repo: str | None = Field(default=None, min_length=1, max_length=500)
    ref: str | None = Field(default=None, min_length=1, max_length=500)
    stack: list[str] | None = Field(default=None, min_length=1, max_length=50)


class MarkdownToRead(CamelModel):
    """Body of POST /from-markdown."""

    markdown: str = Field(description=f"At most {MARKDOWN_CHARACTERS:,} characters")
    context: Context = Context()


class PlanToImplement(CamelModel):
    """Body of POST /from-plan; plan_id is called as in the interface of strategic plans."""

    plan_id: str = Field(alias="plan_id", description="The completed strategic plan")
    context: Context = Context()
    client_request_id: str | None = Field(
        default=None, min_length=1, max_length=200, description="A repeat with the same id is the same plan"
    )


@router.post(
    "/implementation-plans/from-markdown",
    operation_id="draft_from_markdown",
    response_model=answers.PlanDraft,
    response_model_exclude_unset=True,
    responses=refusals(413),
)
def from_markdown(_: Account, body: Annotated[MarkdownToRead, Body()]) -> answers.PlanDraft:
    """Read a plan from Markdown, without a model, as far as it can be read; nothing is stored."""
    return show.draft(*draft_from_markdown(body.markdown, body.context.model_dump(exclude_none=True)))


@router.post(
    "/implementation-plans/from-plan",
    status_code=201,
    operation_id="draft_from_strategic_plan",
    response_model=answers.PlanSaved,
    response_model_exclude_unset=True,
    responses=refusals(404, 409),
)
def from_plan(account: Account, body: Annotated[PlanToImplement, Body()], response: Response) -> answers.PlanSaved:
    """Make and store an implementation plan from the work breakdown of a completed strategic plan."""
    context = body.context.model_dump(exclude_none=True)
    saved = draft_from_strategic_plan(wiring.world(), account, body.plan_id, context, body.client_request_id)
    response.headers["Location"] = f"{saved.view.plan_id}"
    return show.saved(saved)


@router.get(
    "/plans/{plan_id}/implementation-plans",
    operation_id="implementation_plans_of",
    response_model=answers.PlanLines,
    responses=refusals(404),
)
def made_from(account: Account, plan_id: str) -> answers.PlanLines:
    """List the implementation plans that were made from a strategic plan, last saved first."""
    return show.listed(plans_made_from(wiring.world(), account, plan_id), None)
