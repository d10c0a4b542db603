"""Stage 005: a judge chooses the draft that is the base, and says what is taken over from the other one."""

import re
from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Answer
from planloom.models.model import Part
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.results import Choice, Drafts, Graft, WholeDraft
from planloom.planes.strategic.stages.stage import Section, Stage
from planloom.planes.strategic.stages.text import bullets, demoted

Name = Literal["A", "B"]
Aspect = Literal[
    "concept", "compliance", "numbers", "schedule", "specificity", "facts", "actionability", "risk", "economy_of_words"
]

JUDGE = """\
Two authors planned the same goal independently. You see both plans whole and do not know who wrote which. Length, tone
and order of the plans count for nothing.

First score both plans, 1 to 5, on each criterion, with the reason that separates them and the place it is found.
5: one could act on it today. 3: a competent reader must repair it. 1: absent or wrong. Equal scores where you find no
difference that matters.
- concept: how it works on its hardest day, physically and with numbers.
- compliance: every demand and limit of the goal is met and can be traced to tasks, or it is said that it cannot be met.
- numbers: quantities, sums, dates and shares agree with each other everywhere; recompute the ten that matter most.
- schedule: parallel, within seasons and meetings, on time or honestly not; nobody is needed twice at once.
- specificity: it fits only this case, this place, these people.
- facts: institutions, law and prices are right or marked; nothing is invented.
- actionability: one knows what to do on the first morning; actions have a role, a date and a check; texts that go out
  are there whole.
- risk: triggers with numbers, responses with cost, stop rules that are in proportion.
- economy_of_words: every paragraph is used by somebody.

Then name the base: the plan whose concept is better, by the first criterion. Tables, gates and approvals can be taken
over from the other plan, a concept cannot. Only where the concepts are equally good do the other scores decide.

Then list up to twelve grafts: what the other plan has and the base lacks or has worse, the most valuable first. An
approval or a law that was forgotten, a costed alternative, a gate with its condition, a risk with its number, a cost
that the base does not hold, a better way through a narrow point, a first step or a text to send. A fault of the base
that you found (a sum, a date, a row that is missing) is a graft too, also where the other plan has it wrong as well.
For each: the text as the plan is to say it, with figures, owners and days, whole where it is one to send, and without a
remark on either plan; where in the base it goes, or what it replaces there; why the base is better with it.
Nothing that contradicts the concept of the base, and nothing that the base says already. Fewer than twelve is good;
none is possible.
"""


class Score(Answer):
    """Both plans on one criterion."""

    criterion: Aspect
    plan_a: int = Field(ge=1, le=5)
    plan_b: int = Field(ge=1, le=5)
    because: str = Field(max_length=500, description="What separates them, with places")


class Wish(Answer):
    """What is to be taken over."""

    title: str = Field(max_length=120)
    text: str = Field(max_length=4000, description="As the plan is to say it, with its figures; a letter whole")
    place: str = Field(max_length=400, description="Where in the base it goes, or what it replaces there")
    because: str = Field(max_length=300)


class Verdict(Answer):
    """Which plan is the base, and what it takes over."""

    scores: list[Score] = Field(max_length=9)
    base: Name
    because: str = Field(max_length=800, description="What decides between the two concepts")
    grafts: list[Wish] = Field(default_factory=list, max_length=12)


async def draft(context: StageContext) -> Choice:
    """Ask the judge; no one where there is only one draft."""
    drafts = context.read("draft", Drafts).drafts
    if not drafts:
        return Choice()
    if len(drafts) == 1:
        return Choice(base=drafts[0].text, stance=drafts[0].stance, because="Only one draft was written.")
    shown = _shown(context, drafts)
    verdict = await context.ask_part("judge", JUDGE, shown, Verdict)
    if verdict is None:
        base = max(drafts, key=lambda each: len(each.text))
        said = "The model gave no usable answer on which draft is better: the longer one is the base, unchanged."
        context.lost["judge"] = said
        return Choice(base=base.text, stance=base.stance, because=said)
    base = drafts["AB".index(verdict.base)]
    return Choice(
        base=base.text,
        letter=verdict.base,
        stance=base.stance,
        because=verdict.because,
        scores=tuple(_score_line(score, verdict.base) for score in verdict.scores),
        grafts=tuple(Graft(**wish.model_dump()) for wish in verdict.grafts),
    )


def _score_line(score: Score, base: Name) -> str:
    own, other = (score.plan_a, score.plan_b) if base == "A" else (score.plan_b, score.plan_a)
    because = re.sub(
        r"\bPlan ([AB])\b", lambda found: "the base" if found[1] == base else "the other draft", score.because
    )
    return f"{score.criterion.replace('_', ' ')}: the base {own}, the other draft {other}. {because}"


def _shown(context: StageContext, drafts: tuple[WholeDraft, ...]) -> tuple[Part, ...]:
    return (context.facts(), *(Part(f"Plan {name}", each.text) for name, each in zip("AB", drafts, strict=False)))


def pages(result: Choice) -> Mapping[str, str]:
    """Return why the base was chosen and what it takes over; the base itself is a section of the stage before."""
    if not result.base:
        return {
            "choice": "# Choice\n\nTwo drafts are compared here, and the better one is continued.\n"
            "No model drafted this plan, so that there is nothing to choose."
        }
    parts = ["# Choice", f"The plan continues the draft from the point of view of {result.stance}.", result.because]
    if result.scores:
        parts += ["## Scores, 1 to 5", bullets(result.scores).rstrip()]
    for graft in result.grafts:
        parts += [f"## Taken over: {graft.title}", f"To stand at: {graft.place}\n\nBecause: {graft.because}"]
        parts.append(demoted(graft.text, 3))
    return {"choice": "\n\n".join(parts)}


STAGE = Stage(
    number=5,
    name="choice",
    title="Choice",
    needs=("start", "draft"),
    version=14,
    result=Choice,
    draft=draft,
    pages=pages,
    sections=(Section("choice", "Choice"),),
)
