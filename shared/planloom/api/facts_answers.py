"""What plan_facts answers: what is understood of a goal, the goal cut into segments, and a quote."""

from pydantic import Field

from planloom.api.answers import AnswerModel, ErrorInfo
from planloom.api.goal_http import GoalPart
from planloom.domain.plans import Detail, ModelProfile
from planloom.domain.readings import GoalReading, ReadingState
from planloom.facts.echo import corrections
from planloom.facts.given import FactsGiven, apply_given
from planloom.facts.shown import ShownFacts, shown
from planloom.models.quote import Bounds, PriceBounds, quote
from planloom.services.credits import credits_needed
from planloom.services.world import World

POLL_SECONDS = 3


class PlanQuote(AnswerModel):
    """What a plan will about cost and take with this profile."""

    model_profile: ModelProfile
    detail: Detail
    models: list[str] = Field(description="First the one that is asked first")
    calls: Bounds = Field(description="Requests to models")
    input_tokens: int = Field(description="At most, about")
    output_tokens: int = Field(description="At most, about")
    price_usd: PriceBounds | None = Field(description="Null where the price of the model is not known")
    minutes: Bounds
    credits: int | None = Field(description="Null where plans cost no credits")


class PlanFacts(AnswerModel):
    """Answer of plan_facts."""

    facts_id: str = Field(description="Pass it in facts of plan_create: the plan then uses this reading")
    state: ReadingState = Field(
        description="ready; reading: a model is still asked, and facts are those that rules read; failed: the model "
        "could not read the goal (see error), and facts are those that rules read"
    )
    poll_after_sec: int | None = Field(description="While reading: when to ask again with facts_id; else null")
    model_profile: ModelProfile
    facts: ShownFacts
    goal: list[GoalPart] = Field(description="The whole goal in pieces, each with the facts that cover it")
    quote: PlanQuote
    error: ErrorInfo | None = Field(description="Why the model's reading failed, else null")


def plan_facts(
    world: World, reading: GoalReading, given: FactsGiven | None = None, detail: Detail = "standard"
) -> PlanFacts:
    """Show *reading* as *given* corrects it, with a quote for a plan of *detail*."""
    # on the first call: other calls need no tables of knowledge
    from planloom.outline.choose import kinds
    from planloom.report.goal_marks import segments

    facts = reading.facts
    if given is not None:
        facts = apply_given(facts, corrections(given, facts), kinds())
    error = reading.error
    return PlanFacts(
        facts_id=reading.facts_id,
        state=reading.state,
        poll_after_sec=POLL_SECONDS if reading.state == "reading" else None,
        model_profile=reading.model_profile,
        facts=shown(facts),
        goal=[GoalPart.model_validate(part.model_dump()) for part in segments(reading.prompt, facts)],
        quote=plan_quote(world, reading.model_profile, reading.prompt, detail),
        error=None if error is None else ErrorInfo(code=error.code, message=error.message),
    )


def plan_quote(world: World, profile: ModelProfile, goal: str, detail: Detail) -> PlanQuote:
    """Return what a plan for *goal* will about cost. Raises ModelProfilesUnavailable."""
    found = quote(world.models, profile, goal, detail)
    return PlanQuote(
        **{name: getattr(found, name) for name in type(found).model_fields}, credits=credits_needed(world, 0)
    )
