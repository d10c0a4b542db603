"""Stage 001: the day, the facts found in the goal, and the first claims made from them."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from pydantic import Field

from planloom.planes.strategic.facts.echo import corrections
from planloom.planes.strategic.facts.fact import Facts, Spanned
from planloom.planes.strategic.facts.given import apply_given
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.facts.public_holidays import PublicHoliday, public_holidays
from planloom.planes.strategic.facts.reader import read_goal
from planloom.planes.strategic.outline.choose import kind_of, kinds, label_of, takes_place_on_a_day
from planloom.planes.strategic.outline.event_day import dated_by_event
from planloom.planes.strategic.stages.ask_goal import ask_of
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.facts_page import facts_page
from planloom.planes.strategic.stages.first_claims import first_claims
from planloom.planes.strategic.stages.stage import Section, Stage, StageResult


class Start(StageResult):
    """Stage 001's result.

    Claims: ``start.date``, ``start.deadline``, ``start.budget``, ``start.place`` as far as they were found, and one
    ``start.<slug>`` for each further amount, quantity and duration of the goal.
    """

    today: date
    facts: Facts
    archetype: str = Field(description="Name of the table of this kind of undertaking")
    label: str = Field(description="The kind in words: the opening of a business")
    holidays: tuple[PublicHoliday, ...] = Field(
        default=(), description="Of the country and region of the first place with one"
    )


async def draft(context: StageContext) -> Start:
    """Read the goal: with a model in one or two calls, which programs verify; without one by rules.

    What the caller has seen is not read again, and what the caller corrects wins.
    """
    facts = await _read(context)
    if context.given:
        # a caller may send back everything that was shown: unchanged values keep their span in the goal
        facts = apply_given(facts, corrections(context.given.given, facts), kinds())
    goal = Goal(context.goal.prompt, facts, context.goal.today)
    return _start(goal, public_holidays(*facts.home, goal.today, goal.deadline))


async def _read(context: StageContext) -> Facts:
    if context.given and context.given.facts:
        return context.given.facts
    prompt = context.goal.prompt
    if context.about.outline_only:
        facts = context.goal.facts
        return dated_by_event(prompt, facts) if takes_place_on_a_day(kind_of(prompt, facts)) else facts
    return await read_goal(prompt, context.goal.today, kinds(), ask_of(context.answer, prompt))


def _start(goal: Goal, holidays: tuple[PublicHoliday, ...]) -> Start:
    kind = kind_of(goal.prompt, goal.facts)
    return Start(
        today=goal.today,
        facts=goal.facts,
        archetype=kind,
        label=label_of(kind),
        holidays=holidays,
        claims=first_claims(goal),
    )


def edited(prompt: str, before: Start, after: Start) -> Start:
    """Return *after*, which a person changed, with the claims that follow from its facts.

    What was changed is the caller's, and has no span in the prompt. A claim that was changed itself stays as it was
    written.
    """
    update: dict[str, Any] = {
        name: tuple(_by_caller(getattr(before.facts, name), item) for item in value)
        for name, value in after.facts
        if isinstance(value, tuple)
    }
    if after.archetype != before.archetype and after.facts.kind == before.facts.kind:
        update["kind"] = after.facts.kind.model_copy(update={"table": after.archetype, "by": "caller"})
    made = _start(Goal(prompt, after.facts.model_copy(update=update), after.today), after.holidays)
    computed = _start(Goal(prompt, before.facts, before.today), ()).claims
    written = {claim.id: claim for claim in after.claims if claim not in computed}
    kept = (*(written.pop(claim.id, claim) for claim in made.claims), *written.values())
    return made.model_copy(update={"claims": kept})


def _by_caller(before: tuple[Any, ...], item: Any) -> Any:
    if not isinstance(item, Spanned) or item in before:
        return item
    return item.model_copy(update={"by": "caller", "start": 0, "end": 0})


def pages(result: Start) -> Mapping[str, str]:
    """Return the section: every fact whole, as each call of a model is shown them, and what is assumed."""
    return {"start": facts_page(result.facts, result.claims, result.today, result.label, result.holidays)}


STAGE = Stage(
    number=1,
    name="start",
    title="Start",
    needs=(),
    version=11,
    result=Start,
    draft=draft,
    edited=edited,
    pages=pages,
    sections=(Section("start", "Start", slot=3),),
)
