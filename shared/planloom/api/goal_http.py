"""The goal of a plan over HTTP: what was understood of it, and what a correction would make of that."""

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Body
from pydantic import Field

from planloom import wiring
from planloom.api.answers import AnswerModel
from planloom.api.http_caller import Account, key_in_header
from planloom.api.refusals import refusals
from planloom.facts.given import FactsGiven
from planloom.facts.shown import ShownFacts, shown

if TYPE_CHECKING:
    from planloom.services.plan_goal import PlanGoal as Found

router = APIRouter(
    prefix="/v1/plans/{plan_id}",
    tags=["facts"],
    dependencies=[key_in_header],
    responses=refusals(401, 403, 404, 422, 500),
)


class GoalPart(AnswerModel):
    """A piece of the goal with what was understood of it; ``kinds`` is empty where no fact covers it."""

    text: str
    kinds: list[str] = Field(description="money, date, people, ban, place, quantity, demand, unread")
    labels: list[str] = Field(description="What was understood, in English")


class PlanGoal(AnswerModel):
    """The goal of a plan. The texts of its parts, joined, are the goal."""

    plan_id: str
    goal: list[GoalPart]
    facts: ShownFacts | None = Field(description="null until the first step has read the goal")
    sha256: str | None = Field(description="Of 001-1-start.json, which holds the facts")


class CorrectedGoal(PlanGoal):
    """The goal as a correction would have it understood. Nothing is changed yet."""

    content: str = Field(description="Of 001-1-start.json with the correction: store it by plan_artifact_edit")


class Correction(AnswerModel):
    """Body of POST /v1/plans/{plan_id}/goal/corrected."""

    facts: FactsGiven


@router.get("/goal", operation_id="plan_goal", response_model=PlanGoal)
def goal(account: Account, plan_id: str) -> PlanGoal:
    """Show a plan's goal with what was understood of it."""
    # facts and tables of knowledge are imported by their first use: other routes do not need them
    from planloom.services.plan_goal import plan_goal

    return PlanGoal.model_validate(_shown(plan_goal(wiring.world(), account, plan_id)))


@router.post("/goal/corrected", operation_id="plan_goal_corrected", response_model=CorrectedGoal)
def corrected(account: Account, plan_id: str, body: Annotated[Correction, Body()]) -> CorrectedGoal:
    """Show what corrected facts would make of a plan's first step, and the file to store; nothing is changed."""
    from planloom.services.plan_goal import corrected_goal

    found = corrected_goal(wiring.world(), account, plan_id, body.facts)
    return CorrectedGoal.model_validate(_shown(found) | {"content": found.content})


def _shown(found: "Found") -> dict[str, Any]:
    return {
        "plan_id": found.plan_id,
        "goal": [part.model_dump() for part in found.goal],
        "facts": shown(found.facts) if found.facts else None,
        "sha256": found.sha256,
    }
