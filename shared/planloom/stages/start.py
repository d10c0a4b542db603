"""Stage 001: the day, the facts found in the prompt, and the first claims made from them."""

from collections.abc import Iterable
from datetime import date

from pydantic import Field

from planloom.domain.claims import Claim
from planloom.domain.facts import Facts
from planloom.knowledge.brief import day_text
from planloom.knowledge.quoting import clip, quotable, quote
from planloom.stages.desk import Desk
from planloom.stages.parts.first_claims import first_claims
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import bullets, table


class Start(StageResult):
    """Stage 001's result.

    Claims: ``start.date``, ``start.deadline``, ``start.budget``, ``start.place``, one ``start.<slug>`` for each further
    amount, quantity and duration of the prompt, and one for each figure that follows from them by arithmetic.
    """

    today: date
    facts: Facts
    archetype: str = Field(description="Name of the table of this kind of project")
    label: str = Field(description="The kind of project in words: the opening of a business")
    topics: tuple[str, ...] = Field(default=(), description="Names of the topics that the prompt touches")


async def draft(desk: Desk) -> Start:
    """No call: what the prompt states, read by rule."""
    brief = desk.brief
    return Start(
        today=brief.today,
        facts=brief.facts,
        archetype=brief.archetype.name,
        label=brief.archetype.label,
        topics=tuple(topic.name for topic in brief.topics),
        claims=first_claims(brief),
    )


def markdown(result: Start) -> str:
    """What was read, what is assumed, what follows by arithmetic, and what binds the plan."""
    facts = result.facts
    objective = quote(facts.objective, 400) if quotable(facts, (facts.objective,)) else facts.subject
    parts = [
        f"# {facts.title}",
        f"Drafted on {day_text(result.today)} as {result.label}. The goal: {objective}",
        "## What the goal states",
        _claim_table(c for c in result.claims if c.kind == "fact") or "No amount, date, place or quantity.",
        "## What is assumed because the goal does not say",
        _claim_table(c for c in result.claims if c.kind == "assumption") or "Nothing of the frame had to be assumed.",
        "## What follows by arithmetic",
        _claim_table(c for c in result.claims if c.kind == "computed") or "No two figures of the goal yield a third.",
        "## What binds the plan",
        _binding(facts) or "The goal sets neither demands nor bans.",
    ]
    return "\n\n".join(part.rstrip() for part in parts)


def _claim_table(claims: Iterable[Claim]) -> str:
    rows = ((c.text, f"`{c.id}`", f"{c.value} {c.unit or ''}".strip()) for c in claims)
    return table(("Claim", "Id", "Value"), rows)


def _binding(facts: Facts) -> str:
    demands = [f"{d.strength.capitalize()}: {clip(d.text, 240)}" for d in quotable(facts, facts.demands)]
    bans = [f"Ruled out: {clip(b.what, 160)}" for b in facts.bans if b.kind == "approach"]
    words = sum(b.kind == "word" for b in facts.bans)
    bans += [f"Words that this plan does not print, as the goal lists them: {words}"] if words else []
    closures = [f"When work is possible: {clip(c.text, 160)}" for c in quotable(facts, facts.closures)]
    return bullets((*demands, *bans, *closures))


STAGE = Stage(
    number=1,
    name="start",
    title="Start",
    needs=(),
    version=1,
    result=Start,
    draft=draft,
    markdown=markdown,
    markdown_slot=3,
)
