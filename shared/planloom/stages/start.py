"""Stage 001: the day, the facts found in the prompt, and the first claims made from them."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from pydantic import Field

from planloom.domain.claims import Claim
from planloom.domain.facts import Facts, Spanned
from planloom.domain.wording import day_text
from planloom.facts.echo import corrections
from planloom.facts.given import apply_given
from planloom.facts.quoting import clip, quotable, quote
from planloom.facts.reader import read_goal
from planloom.knowledge.brief import Brief, make_brief
from planloom.knowledge.choose import kinds
from planloom.stages.ask_goal import ask_of
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
    """Read the goal: with a model in one or two calls, which programs verify; without one by rules.

    What the caller has seen is not read again, and what the caller corrects wins.
    """
    facts = await _read(desk)
    if desk.given:
        # a caller may send back everything that was shown: what is unchanged keeps its place in the goal
        facts = apply_given(facts, corrections(desk.given.given, facts), kinds())
    return _start(make_brief(desk.prompt, facts, desk.brief.today))


async def _read(desk: Desk) -> Facts:
    if desk.given and desk.given.facts:
        return desk.given.facts
    if desk.about.outline_only:
        return desk.brief.facts
    return await read_goal(desk.prompt, desk.brief.today, kinds(), ask_of(desk.answer, desk.prompt))


def _start(brief: Brief) -> Start:
    return Start(
        today=brief.today,
        facts=brief.facts,
        archetype=brief.archetype.name,
        label=brief.archetype.label,
        topics=tuple(topic.name for topic in brief.topics),
        claims=first_claims(brief),
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
    made = _start(make_brief(prompt, after.facts.model_copy(update=update), after.today))
    computed = _start(make_brief(prompt, before.facts, before.today)).claims
    written = {claim.id: claim for claim in after.claims if claim not in computed}
    kept = (*(written.pop(claim.id, claim) for claim in made.claims), *written.values())
    return made.model_copy(update={"claims": kept})


def _by_caller(before: tuple[Any, ...], item: Any) -> Any:
    if not isinstance(item, Spanned) or item in before:
        return item
    return item.model_copy(update={"by": "caller", "start": 0, "end": 0})


def markdown(result: Start) -> str:
    """What was read, what is assumed, what follows by arithmetic, and what binds the plan."""
    facts = result.facts
    objective = quote(facts.objective, 400) if quotable(facts, (facts.objective,)) else facts.subject
    parts = [
        f"# {facts.title}",
        f"Drafted on {day_text(result.today)} as {result.label}. The goal: {objective}",
        "## What the goal states",
        _claim_table(c for c in result.claims if c.kind == "fact") or "No amount, date, place or quantity.",
        "## What is assumed because it was not found in the goal",
        _claim_table(c for c in result.claims if c.kind == "assumption") or "Nothing of the frame had to be assumed.",
        *_computed(result),
        "## What binds the plan",
        _binding(facts) or "Neither demands nor bans were found in the goal.",
        *_doubts(facts),
    ]
    return "\n\n".join(part.rstrip() for part in parts)


def _computed(result: Start) -> Iterable[str]:
    found = _claim_table(c for c in result.claims if c.kind == "computed")
    if found:
        yield "## What follows by arithmetic"
        yield found


def _doubts(facts: Facts) -> Iterable[str]:
    """What a reader should know of the reading itself; each with its heading, and only where there is any."""
    corrected = [q for items in (facts.money, facts.days, facts.roles, facts.bans, facts.places) for q in items]
    yield from _listed("## What the caller corrected", [quote(q) for q in corrected if q.by == "caller"])
    yield from _listed("## What the goal leaves open", [point.question for point in facts.open])
    yield from _listed("## What contradicts itself in the goal", [c.what for c in facts.contradictions])
    unverified = [f"{u.field}: {u.said}: {u.reason}" if u.said else u.reason for u in facts.unverified]
    yield from _listed("## What could not be verified, and is not used", unverified)
    missed = quotable(facts, facts.unread)
    yield from _listed("## Numbers, dates and bans of the goal that were not understood", [quote(s) for s in missed])


def _listed(heading: str, lines: list[str]) -> Iterable[str]:
    if lines:
        yield heading
        yield bullets(lines)


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
    version=4,
    result=Start,
    draft=draft,
    edited=edited,
    markdown=markdown,
    markdown_slot=3,
)
