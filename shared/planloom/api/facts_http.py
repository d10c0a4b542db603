"""What is understood of a goal, over HTTP: asked for, and asked for again while a model reads it."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Response
from pydantic import Field

from planloom import wiring
from planloom.api import facts_answers as answers
from planloom.api.answers import AnswerModel
from planloom.api.http_caller import Account, key_in_header
from planloom.api.refusals import refusals
from planloom.domain.plans import Detail, ModelProfile
from planloom.facts.given import FactsGiven
from planloom.models.profiles import DEFAULT_PROFILE
from planloom.services.create_plan import PROMPT_CHARACTERS
from planloom.services.plan_facts import find_facts, plan_facts

router = APIRouter(
    prefix="/v1/facts", tags=["facts"], dependencies=[key_in_header], responses=refusals(401, 403, 422, 500)
)
READING: dict[int | str, dict[str, Any]] = {
    202: {"model": answers.PlanFacts, "description": "A model still reads the goal: ask again with facts_id"}
}


class FactsRequest(AnswerModel):
    """Body of POST /v1/facts."""

    prompt: str = Field(description=f"The goal in prose; at most {PROMPT_CHARACTERS:,} characters")
    model_profile: ModelProfile = DEFAULT_PROFILE
    detail: Detail = Field(default="standard", description="That of plan_create: what the quote is for")
    facts: FactsGiven | None = Field(default=None, description="Corrections, applied to what is shown")
    rules_only: bool = Field(
        default=False, description="True: ask no model. Answered at once and free: for a goal that is being written"
    )


@router.post("", operation_id="plan_facts", response_model=answers.PlanFacts, responses={**READING, **refusals(503)})
def ask(account: Account, body: Annotated[FactsRequest, Body()], response: Response) -> answers.PlanFacts:
    """Say what is understood of a goal and what a plan for it would cost; nothing is started. A profile with a language
    model reads the goal with it, once for the same goal, profile and day.
    """
    world = wiring.world()
    reading = plan_facts(world, account, body.prompt, body.model_profile, rules_only=body.rules_only)
    response.status_code = 202 if reading.state == "reading" else 200
    return answers.plan_facts(world, reading, body.facts, body.detail)


@router.get(
    "/{facts_id}",
    operation_id="plan_facts_get",
    response_model=answers.PlanFacts,
    responses={**READING, **refusals(404)},
)
def look(
    account: Account,
    facts_id: str,
    response: Response,
    detail: Annotated[Detail, Query(description="That of plan_create: what the quote is for")] = "standard",
) -> answers.PlanFacts:
    """Say what is understood of a goal that was asked for before. Readings are kept for 30 days."""
    world = wiring.world()
    reading = find_facts(world, account, facts_id)
    response.status_code = 202 if reading.state == "reading" else 200
    return answers.plan_facts(world, reading, None, detail)
