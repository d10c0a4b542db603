"""Stage 004: what the plan is for, what it changes and for whom, and what its success is measured by."""

import re
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.domain.wording import day_text, money_text
from planloom.facts.quoting import clip, lower_first, quotable, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import dangers
from planloom.knowledge.parties import parties
from planloom.knowledge.success import Target, targets
from planloom.stages.desk import Desk
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import bullets, table

INSTRUCTIONS = """\
Say what this plan is for. Later sections take their direction from you: what counts as success, whose money is at
stake, whether something is built, written or run.

- kind: business, where somebody means to earn from what is sold; personal, where one person or family does it for
  itself; other, where a public body, charity, association or research group answers to those it serves. Mixed goals:
  the kind of whoever carries the loss if it fails. kind_because names that.
- medium: digital, where the work is done when software or data runs; physical, where a place, a thing or people in a
  place must change; both, where neither can be left out. A building with a website is physical.
- topic: a noun phrase of the field, narrower than the sector: "flood protection of an urban waterfront", not
  "infrastructure".
- change: what is different afterwards, and for whom, in one sentence with the goal's own figure. An outcome, not the
  thing that is made: "residents of the quarter stay dry at +2.1 m", not "a wall is built".
- follows: what kind, medium and change mean for this plan and would not hold for its neighbour: who must be asked
  first, which money is at stake, what cannot be undone. One sentence each, each a decision or a limit.
- measures: every measure of success that the goal states, with its value and unit exactly as stated and given = true;
  then at most two more that you propose because a stated aim has no measure, with given = false and a value that
  somebody could disagree with. how says which record or instrument; when says the first date and how often.
Avoid: mission statements; a measure of activity (meetings held, pages written); a target without a value where the goal
has one; splitting one measure into two.
"""

_EARNS = re.compile(
    r"\b(?:customers?|revenue|sales?|profit|margin|break-?even|investors?|shop|caf[eé]|restaurant|clients?|subscri\w+"
    r"|company|start-?up|partners who|market share|pricing|paying)\b",
    re.IGNORECASE,
)
_PRIVATE = re.compile(
    r"\b(?:my (?:own |first |new )?(?:wedding|house|home|flat|garden|marathon|thesis|career|retirement|family|wife"
    r"|husband|children|kids|health|move|degree|birthday|trip)|for myself"
    r"|i want to (?:learn|run|lose|write|walk|climb|cycle|become)"
    r"|our (?:wedding|honeymoon|house|home|family|garden|baby))\b",
    re.IGNORECASE,
)
_PUBLIC = re.compile(
    r"\b(?:municipal\w*|council|city|state|government|public|residents|citizens|grant|charity|non-?profit|ngo|foundation"
    r"|association|university|museum|school|hospital|health department|volunteers?|community|donors?|research)\b",
    re.IGNORECASE,
)
_ALONE, _TOGETHER = re.compile(r"\bI\b|\b[Mm]y\b"), re.compile(r"\b(?:we|our|us)\b", re.IGNORECASE)
#: Who carries the loss, by kind.
_LOSS = {
    "business": "those who put their money in carry the loss if too little is sold",
    "personal": "whoever wrote the goal carries cost and effort, and answers to nobody else",
    "other": "those it serves and those who pay for it carry the loss, and nobody earns from a sale",
}


class Measure(Answer):
    """One measure of success."""

    text: str = Field(min_length=5, max_length=300, description="What is measured, as the goal puts it")
    target: str = Field(min_length=1, max_length=120, description="The value to reach, with unit")
    how: str = Field(min_length=5, max_length=240, description="How it is measured")
    when: str = Field(min_length=2, max_length=120, description="When it is measured first, and how often")
    given: bool = Field(description="True where the goal states it; False where it is proposed")


class PurposeAnswer(Answer):
    """What the plan is for."""

    kind: Literal["business", "personal", "other"]
    kind_because: str = Field(min_length=10, max_length=300)
    medium: Literal["digital", "physical", "both"]
    medium_because: str = Field(min_length=10, max_length=300)
    topic: str = Field(min_length=1, max_length=120, description="What it is about, a noun phrase")
    change: str = Field(min_length=10, max_length=300, description="What is different afterwards, and for whom")
    follows: list[str] = Field(
        min_length=2, max_length=6, description="What this means for the plan, one sentence each"
    )
    measures: list[Measure] = Field(min_length=1, max_length=10)


class Purpose(StageResult):
    """Stage 004's result."""

    purpose: PurposeAnswer


async def draft(desk: Desk) -> Purpose:
    """One call, from the prompt."""
    answer = await desk.ask("purpose", INSTRUCTIONS, (), PurposeAnswer, lambda: outline(desk.brief))
    return Purpose(purpose=answer)


def outline(brief: Brief) -> PurposeAnswer:
    """Kind by who earns or answers, medium by the table of this kind, measures by the prompt's own words."""
    found = targets(brief)
    kind = _kind(brief)
    return PurposeAnswer(
        kind=kind,
        kind_because=_kind_because(brief, kind),
        medium=brief.archetype.medium,
        medium_because=_medium_because(brief),
        topic=clip(brief.facts.subject, 120),
        change=clip(_change(brief, found), 300),
        follows=[clip(line, 400) for line in _follows(brief, kind)][:6],
        measures=[_measure(target) for target in found[:8]] or [_only_measure(brief)],
    )


def _kind(brief: Brief) -> Literal["business", "personal", "other"]:
    hits = {
        "personal": 3 * len(_PRIVATE.findall(brief.prompt)),
        "business": len(_EARNS.findall(brief.prompt)),
        "other": len(_PUBLIC.findall(brief.prompt)),
    }
    speaks_alone = len(_ALONE.findall(brief.prompt)) > 1 and not _TOGETHER.search(brief.prompt)
    alone = brief.archetype.name == "personal_undertaking" or (speaks_alone and hits["business"] < 2)
    if alone or (hits["personal"] and hits["personal"] >= max(hits["business"], hits["other"])):
        return "personal"
    return "business" if hits["business"] > hits["other"] else "other"


def _kind_because(brief: Brief, kind: str) -> str:
    pattern = {"business": _EARNS, "personal": _PRIVATE, "other": _PUBLIC}[kind]
    telling = next((s for s in quotable(brief.facts, brief.facts.sentences) if pattern.search(s.text)), None)
    said = f": {quote(telling, 120)}" if telling else ""
    return clip(f"{_LOSS[kind].capitalize()}{said}", 300)


def _medium_because(brief: Brief) -> str:
    made = clip(brief.facts.subject, 90)
    if brief.archetype.medium == "digital":
        return f"The work is done when {made} runs for those who use it; no place has to be altered for it."
    where = f" in {brief.place}" if brief.place else ""
    if brief.archetype.medium == "both":
        return f"Neither what runs on a screen nor what happens{where} can be left out of {made}."
    return f"The work is done when {made} stands or happens{where}; software only serves it."


def _change(brief: Brief, found: tuple[Target, ...]) -> str:
    day = day_text(brief.end_assumed)
    whom = next(iter(parties(". ".join(t.text for t in found))), brief.words.get("customers", "those it serves"))
    if found:
        return f"For {whom}, it has worked once this holds: {lower_first(found[0].text)}."
    return f"By {day}, {whom} have {brief.facts.subject}; no figure by which that is judged was found in the goal."


def _follows(brief: Brief, kind: str) -> list[str]:
    found = dangers(brief.facts)
    lines = []
    waits = next((d for d in found if d.kind == "approval"), None)
    if waits:
        gate = f" before {waits.gate}" if waits.gate else ""
        lines.append(f"The plan starts with what {waits.who} must decide{gate}: the {clip(waits.thing, 80)}.")
    if brief.total:
        lines.append(f"{money_text(brief.total)} is all there is: what does not fit is left out, not borrowed.")
    else:
        lines.append("No budget found in the goal: the first decision is how much may be lost before it is stopped.")
    window = next((d for d in found if d.kind == "window" and quotable(brief.facts, (d.said,))), None)
    if window:
        lines.append(f"The calendar is not free: {quote(window.said, 140)}.")
    lines.append(_who_decides(brief, kind))
    bans = [ban.what for ban in brief.facts.bans if ban.kind == "approach"]
    if bans:
        lines.append(f"Ruled out from the start, whatever it would save: {'; '.join(clip(b, 70) for b in bans[:3])}.")
    return lines


def _who_decides(brief: Brief, kind: str) -> str:
    lead = lower_first(brief.role_title("lead"))
    if kind == "business":
        return f"Each decision is put to the {lead} as money in, money out and the month in which it comes back."
    if kind == "personal":
        return "Time and health count as cost: the hours a week that this may take are set before it starts."
    heard = parties(brief.prompt)[:3]
    names = ", ".join(heard) or "those it serves"
    return f"It must be shown to people who did not ask for it as well: {names} are heard before designs are fixed."


def _measure(target: Target) -> Measure:
    when = (
        f"{day_text(target.when)}, then monthly" if target.dated else f"{day_text(target.when)} at the latest (assumed)"
    )
    return Measure(
        text=clip(target.text, 300),
        target=target.threshold,
        how=clip(target.method, 240),
        when=when,
        given=True,
    )


def _only_measure(brief: Brief) -> Measure:
    return Measure(
        text=f"{brief.words['capacity'][:1].upper()}{brief.words['capacity'][1:]} in use",
        target="all of it, four weeks in a row (proposed: no value found in the goal)",
        how=f"count by the {brief.role_title('operations')}, weekly",
        when=f"{day_text(brief.end_assumed)}, then weekly for four weeks",
        given=False,
    )


def markdown(result: Purpose) -> str:
    """Kind and medium with their reasons, what follows, and the measures."""
    found = result.purpose
    rows = [(m.text, m.target, m.how, m.when, "goal" if m.given else "proposed") for m in found.measures]
    parts = [
        f"# Purpose: {found.topic}",
        found.change,
        table(
            ("", "What", "Because"),
            [("Kind", found.kind, found.kind_because), ("Medium", found.medium, found.medium_because)],
        ),
        "## What follows for the plan",
        bullets(found.follows),
        "## What success is measured by",
        table(("Measure", "Value", "How", "When", "From"), rows),
    ]
    return "\n\n".join(part.rstrip() for part in parts)


STAGE = Stage(
    number=4,
    name="purpose",
    title="Purpose",
    needs=("start",),
    version=4,
    result=Purpose,
    draft=draft,
    markdown=markdown,
)
