"""What is understood of a goal: before a plan is made of it, and of the goal of a plan."""

from typing import TYPE_CHECKING, Any

from pydantic import Field

from planloom.accounts.rules import Rules
from planloom.core.endpoint import GET, POST, ApiModel, Effect, Endpoint, ErrorInfo
from planloom.core.errors import FactsNotFound, InvalidArgument, ModelProfilesUnavailable, PlanNotFound
from planloom.models.profile import ModelProfile
from planloom.models.profiles import DEFAULT_PROFILE, Models
from planloom.planes.strategic.endpoints.plan_fields import PlanRequest
from planloom.planes.strategic.facts.echo import corrections
from planloom.planes.strategic.facts.given import FactsGiven, apply_given
from planloom.planes.strategic.facts.shown import ShownFacts, shown
from planloom.planes.strategic.goal_readings import GoalReading, ReadingState
from planloom.planes.strategic.plans import Detail
from planloom.planes.strategic.ports.groups import GoalReadings, PlanRecords
from planloom.planes.strategic.quote import Bounds, PriceBounds, quote
from planloom.planes.strategic.services.create_plan import PROMPT_CHARACTERS
from planloom.planes.strategic.services.credits import credits_needed
from planloom.planes.strategic.services.plan_facts import find_facts, plan_facts

if TYPE_CHECKING:
    from planloom.planes.strategic.services.plan_goal import PlanGoal as GoalFound

POLL_SECONDS = 3
#: HTTP answers 202 while a model reads the goal.
READING = ("state", "reading")


class ReadGoal(ApiModel):
    """The goal, or the reading of it that is asked for again."""

    prompt: str | None = Field(
        default=None, description="The prompt that plan_create will get. Leave it out where you poll facts_id."
    )
    model_profile: ModelProfile = Field(
        default=DEFAULT_PROFILE, description="The profile that plan_create will get; its model reads the goal."
    )
    facts_id: str | None = Field(
        default=None, description="Of an earlier answer, to ask again while its state is reading."
    )
    detail: Detail = Field(default="standard", description="That of plan_create: what the quote is for.")
    facts: FactsGiven | None = Field(
        default=None, description="Corrections, applied to what is shown. Pass them to plan_create too."
    )


class FactsRequest(ApiModel):
    """The goal; over HTTP a reading is asked for again with GET."""

    prompt: str = Field(description=f"The goal in prose; at most {PROMPT_CHARACTERS:,} characters")
    model_profile: ModelProfile = DEFAULT_PROFILE
    detail: Detail = Field(default="standard", description="That of plan_create: what the quote is for")
    facts: FactsGiven | None = Field(default=None, description="Corrections, applied to what is shown")
    rules_only: bool = Field(
        default=False, description="True: ask no model. Answered at once and free: for a goal that is being written"
    )


class FindFacts(ApiModel):
    """Which reading."""

    facts_id: str = Field(description="Of the answer of plan_facts")
    detail: Detail = Field(default="standard", description="That of plan_create: what the quote is for")


class GoalPart(ApiModel):
    """A piece of the goal with what was understood of it; ``kinds`` is empty where no fact covers it."""

    text: str
    kinds: list[str] = Field(description="money, date, people, ban, place, quantity, demand, unread")
    labels: list[str] = Field(description="What was understood, in English")


class PlanQuote(ApiModel):
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


class PlanFacts(ApiModel):
    """Response of plan_facts."""

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


def _facts(request: ReadGoal, account: str, goal_readings: GoalReadings, rules: Rules, models: Models) -> PlanFacts:
    if (request.prompt is None) == (request.facts_id is None):
        raise InvalidArgument("Pass either prompt, or the facts_id of an earlier answer.", field="prompt")
    if request.prompt is None:
        reading = find_facts(goal_readings, account, request.facts_id or "")
    else:
        reading = plan_facts(goal_readings, models, account, request.prompt, request.model_profile)
    return _shown(rules, models, reading, request.facts, request.detail)


def _new_facts(
    request: FactsRequest, account: str, goal_readings: GoalReadings, rules: Rules, models: Models
) -> PlanFacts:
    reading = plan_facts(
        goal_readings, models, account, request.prompt, request.model_profile, rules_only=request.rules_only
    )
    return _shown(rules, models, reading, request.facts, request.detail)


def _known_facts(
    request: FindFacts, account: str, goal_readings: GoalReadings, rules: Rules, models: Models
) -> PlanFacts:
    return _shown(rules, models, find_facts(goal_readings, account, request.facts_id), None, request.detail)


def _shown(rules: Rules, models: Models, reading: GoalReading, given: FactsGiven | None, detail: Detail) -> PlanFacts:
    """Return *reading* as *given* corrects it, with a quote for a plan of *detail*."""
    # imported here: other calls need no tables of knowledge
    from planloom.planes.strategic.outline.choose import kinds
    from planloom.planes.strategic.report.goal_marks import segments

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
        quote=_quote(rules, models, reading.model_profile, reading.prompt, detail),
        error=None if error is None else ErrorInfo(code=error.code, message=error.message),
    )


def _quote(rules: Rules, models: Models, profile: ModelProfile, goal: str, detail: Detail) -> PlanQuote:
    found = quote(models, profile, goal, detail)
    fields = {name: getattr(found, name) for name in type(found).model_fields}
    return PlanQuote(**fields, credits=credits_needed(rules, 0))


class PlanGoal(ApiModel):
    """The goal of a plan. The texts of its parts, joined, are the goal."""

    plan_id: str
    goal: list[GoalPart]
    facts: ShownFacts | None = Field(description="null until the first step has read the goal")
    sha256: str | None = Field(description="Of 001-1-start.json, which holds the facts")


class CorrectGoal(PlanRequest):
    """Corrections of a plan's facts."""

    facts: FactsGiven


class CorrectedGoal(PlanGoal):
    """The goal as a correction would have it understood. Nothing is changed yet."""

    content: str = Field(description="Of 001-1-start.json with the correction: store it by plan_artifact_edit")


def _goal(request: PlanRequest, account: str, plan_records: PlanRecords) -> PlanGoal:
    from planloom.planes.strategic.services.plan_goal import plan_goal

    return PlanGoal.model_validate(_goal_fields(plan_goal(plan_records, account, request.plan_id)))


def _corrected(request: CorrectGoal, account: str, plan_records: PlanRecords) -> CorrectedGoal:
    from planloom.planes.strategic.services.plan_goal import corrected_goal

    found = corrected_goal(plan_records, account, request.plan_id, request.facts)
    return CorrectedGoal.model_validate(_goal_fields(found) | {"content": found.content})


def _goal_fields(found: "GoalFound") -> dict[str, Any]:
    return {
        "plan_id": found.plan_id,
        "goal": [part.model_dump() for part in found.goal],
        "facts": shown(found.facts) if found.facts else None,
        "sha256": found.sha256,
    }


PLAN_FACTS = Endpoint(
    name="plan_facts",
    title="Facts of a goal",
    description="""\
Call before plan_create. Says what is understood of a prompt (total, deadline, start, kind, people, bans, places,
other values, each with the words that state it), what no fact holds (unread), which questions to ask the user first
(facts.questions), and what a plan would cost and take (quote). Nothing of a plan is started. Correct what is wrong
and answer the questions in facts of plan_create, with facts_id. state reading: a model still reads; call again with
facts_id after poll_after_sec seconds. The same prompt, profile and day are read once.""",
    group="facts",
    http=POST("/v1/facts", pending=READING, request=FactsRequest, handler=_new_facts),
    request=ReadGoal,
    response=PlanFacts,
    errors=(ModelProfilesUnavailable, FactsNotFound),
    # it starts no plan, but a model may be paid for, once for the same goal
    effect=Effect.CHANGES,
    repeatable=True,
    handler=_facts,
)
PLAN_FACTS_GET = Endpoint(
    name="plan_facts_get",
    title="Facts of a goal that was asked for before",
    description="Says what is understood of a goal that was asked for before. Readings are kept for 30 days.",
    group="facts",
    http=GET("/v1/facts/{facts_id}", pending=READING),
    tool=False,
    request=FindFacts,
    response=PlanFacts,
    errors=(FactsNotFound,),
    handler=_known_facts,
)
PLAN_GOAL = Endpoint(
    name="plan_goal",
    title="Goal of a plan",
    description="Shows a plan's goal with what was understood of it.",
    group="facts",
    http=GET("/v1/plans/{plan_id}/goal"),
    tool=False,
    request=PlanRequest,
    response=PlanGoal,
    errors=(PlanNotFound,),
    handler=_goal,
)
PLAN_GOAL_CORRECTED = Endpoint(
    name="plan_goal_corrected",
    title="Correct the goal of a plan",
    description="""\
Shows what corrected facts would make of a plan's first step, and the file to store; nothing is changed.""",
    group="facts",
    http=POST("/v1/plans/{plan_id}/goal/corrected"),
    tool=False,
    request=CorrectGoal,
    response=CorrectedGoal,
    errors=(PlanNotFound,),
    handler=_corrected,
)
