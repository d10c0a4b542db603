"""Stage 009: what the plan takes for true, how sure that is, what breaks, and when it is tested."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.claims import Claim
from planloom.domain.frozen import Answer
from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first, quotable, quote
from planloom.knowledge import tables
from planloom.knowledge.brief import Brief
from planloom.knowledge.from_prompt import PromptRow, prompt_rows
from planloom.knowledge.gates import due_day, gate_day
from planloom.knowledge.nearest import nearest
from planloom.knowledge.tracing import stems
from planloom.models.model import Part
from planloom.stages.desk import Desk
from planloom.stages.parts.chosen_scenario import chosen_scenario
from planloom.stages.parts.references import referring
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import bullets, table

Confidence = Literal["low", "medium", "high"]
DOUBT: dict[Confidence, int] = {"high": 1, "medium": 2, "low": 3}
MOST_ASSUMPTIONS = 14
#: What the prompt forces may take so many places; the rest is for what its kind of project takes for granted.
_MOST_FORCED = 9

COLLECT = """\
List what this plan takes for true: 8 to 14 assumptions.

First what the goal forces: a start, an end, a budget, a currency, a place or a measure that it does not state or
states in two ways; approvals expected in time; limits believed to be keepable; figures believed to be reachable. Then
what projects of this kind take for granted about demand, prices, people, technology, the calendar and good will.
- text: a statement that can turn out false, with its number. "Demand is sufficient" is none; "120 of the 180 customers
  a day come from within ten minutes on foot" is one.
- basis: the words of the goal, a claim id, or in one clause why it is assumed.
- confidence: high only where somebody has checked it; medium where it is usual; low where nobody knows.
- impact: on the plan if it is false, 1 to 5. breaks: what exactly breaks, in the goal's figures.
- test: the cheapest test that could show it false: whom to ask, what to count, what to try. "Monitor" is no test.
- owner: a role. by: a day before the money that rests on it is committed. gate: which decision waits for the result.
Avoid: wishes ("the team is motivated"); facts of the goal restated; two assumptions that fall together.
"""

REVIEW = """\
Distil the assumptions below. You did not write them, and you have seen plans die of one that nobody listed.

- drop: ids that repeat another, that no decision hangs on, or that the goal states as a fact.
- doubt: ids whose confidence you would change, with the new value and why. Doubt most what everybody would like to be
  true.
- add: at most three that are missing, complete, ids from A90; look for what the scenario chosen needs to be true.
- review: two to four sentences for the reader: which three matter most by impact times doubt, what they have in common,
  which one test settles most, and what stays open even then.
Avoid: praise; softening.
"""


class Assumption(Answer):
    """One assumption with its test."""

    id: str = Field(pattern=r"^A[0-9]{1,2}$")
    text: str = Field(min_length=10, max_length=300)
    basis: str = Field(min_length=5, max_length=300, description="Words of the goal, a claim id, or why it is assumed")
    confidence: Confidence
    impact: int = Field(ge=1, le=5, description="On the plan if it is false")
    breaks: str = Field(min_length=10, max_length=360, description="What breaks if it is false")
    test: str = Field(min_length=10, max_length=360)
    owner: str = Field(min_length=2, max_length=80, description="A role")
    by: date = Field(description="Tested by this day")
    gate: str = Field(min_length=2, max_length=160, description="The gate that waits for the test")

    @property
    def weight(self) -> int:
        """Impact times doubt (high confidence 1, medium 2, low 3), 1-15."""
        return self.impact * DOUBT[self.confidence]


class Collected(Answer):
    """The assumptions as collected."""

    assumptions: list[Assumption] = Field(min_length=4, max_length=18)


class NewDoubt(Answer):
    """A confidence that the review changes."""

    id: str = Field(max_length=4)
    confidence: Confidence
    why: str = Field(min_length=5, max_length=240)


class AssumptionReview(Answer):
    """What the review changes."""

    drop: list[str] = Field(default_factory=list, max_length=8)
    doubt: list[NewDoubt] = Field(default_factory=list, max_length=8)
    add: list[Assumption] = Field(default_factory=list, max_length=3)
    review: list[str] = Field(min_length=1, max_length=4, description="One sentence or two each")


class Assumptions(StageResult):
    """Stage 009's result: by weight, heaviest first, ids A1.. in that order; the first three lead.

    Claims: ``assumptions.a1`` to ``assumptions.a3``, the three that lead.
    """

    assumptions: tuple[Assumption, ...]
    review: tuple[str, ...] = Field(default=(), description="What the review changed or still doubts")


async def draft(desk: Desk) -> Assumptions:
    """Collect, then distil: two rounds."""
    brief = desk.brief
    first = await desk.ask(
        "collect",
        COLLECT,
        (desk.excerpt(chosen_scenario(desk, 2600)),),
        Collected,
        lambda: Collected(assumptions=outline(brief)),
    )
    found = _numbered(first.assumptions)
    shown = Part("assumptions", "\n\n".join(map(_shown, found)))
    review = await desk.ask("review", REVIEW, (shown,), AssumptionReview, lambda: outline_review(brief, found))
    settled = distilled(found, review)
    return Assumptions(assumptions=settled, review=tuple(review.review), claims=_claims(settled))


def _shown(each: Assumption) -> str:
    """An assumption in few words, for who distils them."""
    return (
        f"{each.id} {each.text} Confidence {each.confidence}, impact {each.impact}. Rests on: {each.basis}\n"
        f"Breaks: {each.breaks} Test by {each.by.isoformat()}, {each.owner}: {each.test}"
    )


def distilled(found: Sequence[Assumption], review: AssumptionReview) -> tuple[Assumption, ...]:
    """Return *found* as *review* leaves it, by weight; never fewer than four of the first list."""
    texts = {each.id: each.text for each in found}
    review = referring(review, id=texts, drop=texts)
    doubts = {doubt.id: doubt.confidence for doubt in review.doubt}
    dropped = set(review.drop[: max(len(found) - 4, 0)])
    kept = [each.model_copy(update={"confidence": doubts.get(each.id, each.confidence)}) for each in found]
    return _numbered([*(each for each in kept if each.id not in dropped), *review.add])


def _numbered(found: Iterable[Assumption]) -> tuple[Assumption, ...]:
    """By weight, then by the day of the test; ids follow that order."""
    ranked = sorted(found, key=lambda each: (-each.weight, each.by))[:MOST_ASSUMPTIONS]
    return tuple(each.model_copy(update={"id": f"A{n}"}) for n, each in enumerate(ranked, 1))


def _claims(settled: Sequence[Assumption]) -> tuple[Claim, ...]:
    return tuple(
        Claim(
            id=f"assumptions.{each.id.lower()}",
            text=clip(each.text, 400),
            kind="assumption",
            value=f"confidence {each.confidence}",
            source="stage:assumptions",
            owner=each.owner,
            test=clip(each.test, 240),
        )
        for each in settled[:3]
    )


def outline(brief: Brief) -> list[Assumption]:
    """What the prompt forces, heaviest first, then what the tables of its kind take for granted."""
    forced = [_from_prompt(brief, row) for row in prompt_rows(brief, "assumptions")]
    mine = sorted(forced, key=lambda each: -each.weight)[:_MOST_FORCED]
    for row in brief.rows("assumptions", tables.Assumption):
        each = _from_row(brief, row)
        if len(mine) < MOST_ASSUMPTIONS and not any(_alike(each, other) for other in mine):
            mine.append(each)
    return mine


def _from_prompt(brief: Brief, row: PromptRow) -> Assumption:
    by = row.signal.days[row["by"]]
    return Assumption(
        id="A1",
        text=clip(row["text"], 300),
        basis=clip(row.signal.source, 300),
        confidence=row.cells["confidence"],
        impact=row.cells["impact"],
        breaks=clip(row["breaks"], 360),
        test=clip(row["test"], 360),
        owner=brief.role_title(row["owner"].lower()),
        by=by,
        gate=_gate(brief, by),
    )


def _from_row(brief: Brief, row: tables.Assumption) -> Assumption:
    by = gate_day(brief, row.phase)
    said = brief.called_by(row) or nearest(brief, row.text, shared=3)
    shown = quotable(brief.facts, (said,) if said else ())
    return Assumption(
        id="A1",
        text=clip(row.text, 300),
        basis=quote(shown[0], 200) if shown else f"assumed: usual in {brief.archetype.label}",
        confidence=row.confidence,
        impact=row.impact,
        breaks=clip(row.breaks, 360),
        test=clip(row.test, 360),
        owner=brief.role_title(row.owner),
        by=by,
        gate=_gate(brief, by),
    )


def _gate(brief: Brief, by: date) -> str:
    """The first gate on or after *by*."""
    for phase in brief.phases:
        day = gate_day(brief, phase.id)
        if day >= by:
            return f"the gate after {phase.title}, {day_text(day)}"
    return f"the end, {day_text(max(by, due_day(brief, 0)))}"


def _alike(one: Assumption, other: Assumption) -> bool:
    first, second = stems(one.text), stems(other.text)
    return bool(first and second) and len(first & second) * 2 > min(len(first), len(second))


def outline_review(brief: Brief, found: Sequence[Assumption]) -> AssumptionReview:
    """Doubles go; what the first three have in common, and the test that settles most."""
    drop = [each.id for n, each in enumerate(found) if any(each.text == other.text for other in found[:n])]
    kept = [each for each in found if each.id not in drop]
    first, soonest = kept[:3], min(kept[:3], key=lambda each: each.by)
    weights = ", ".join(f"{lower_first(clip(each.text, 80).rstrip('.'))} ({each.weight})" for each in first)
    low = [each for each in kept if each.confidence == "low"]
    late = [each for each in low if each.by > gate_day(brief, "prepare")]
    lines = [
        f"Heaviest by impact times doubt, of 15: {weights}.",
        f"Tested first: {lower_first(clip(soonest.test, 200))} That is done by {day_text(soonest.by)}.",
        f"{len(low)} of {len(kept)} rest on nothing that anybody has checked.",
    ]
    if late:
        ids = ", ".join(f"“{clip(each.text, 60)}”" for each in late[:2])
        lines.append(
            f"Still open after the first gate: {ids}; money that rests on them waits for {day_text(late[0].by)}."
        )
    return AssumptionReview(drop=drop[: max(len(found) - 4, 0)][:8], review=lines)


def markdown(result: Assumptions) -> str:
    """The three that lead, what the review says, then all with their tests."""
    parts = [
        "# Assumptions",
        "## The three that matter most, by impact times doubt",
        *(_leading(each) for each in result.assumptions[:3]),
        "## What the review says",
        bullets(result.review),
        "## All",
        table(
            ("Id", "Assumption", "Confidence", "Impact", "Weight", "Breaks", "Test", "Owner", "By"),
            (
                (a.id, a.text, a.confidence, a.impact, a.weight, a.breaks, a.test, a.owner, day_text(a.by))
                for a in result.assumptions
            ),
        ),
        "## What each rests on, and which gate waits for it",
        table(("Id", "Rests on", "Gate"), ((a.id, a.basis, a.gate) for a in result.assumptions)),
    ]
    return "\n\n".join(part.rstrip() for part in parts)


def _leading(each: Assumption) -> str:
    doubt = DOUBT[each.confidence]
    return (
        f"**{each.id}. {each.text}** Impact {each.impact} × doubt {doubt} = {each.weight}. "
        f"If it is false: {each.breaks} Test: {each.test} {each.owner}, by {day_text(each.by)}."
    )


STAGE = Stage(
    number=9,
    name="assumptions",
    title="Assumptions",
    needs=("scenarios",),
    version=4,
    result=Assumptions,
    draft=draft,
    markdown=markdown,
)
