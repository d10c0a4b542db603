"""Stage 005: a judge chooses the draft that is the base, and its author takes over what the other does better."""

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
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
For each: what it says, with its figures, so that it is found in the other plan, a text to send whole; to which section
and rows of the base it goes, or what it replaces there; why the base is better with it. Nothing that contradicts the
concept of the base, and nothing that the base says already. Fewer than twelve is good; none is possible.
"""

GRAFTS = """\
You are the author of Plan {base}, which is the base from now on; Plan {other} was written by a colleague. A judge lists
what is to be taken over. Your plan stays as it is, with its concept and its voice: write only what is added to it or
takes the place of something in it.

For each number of the list: its pieces, one for each place of your plan that it changes (a task, its role, its cost
line). at: ten to twenty words of your plan, copied exactly, that stand nowhere else in it; a program finds the row of a
table, or the paragraph, that holds them; a quotation (lines that begin with ">") is one paragraph up to the next
empty line, also over lines with ">" alone. how: replaces that row or paragraph, or after it. text: what is there from
now on, complete, in Markdown; a new or changed row of a table whole, with the columns of your table, and the next free
numbers: the two plans number their rows independently. It uses your plan's quantities, dates, roles and row numbers;
marks of claims as in your plan. Sentences of your plan that are no longer true are replaced, too. A row that several
numbers change (the contingency, a sum, a date that follows) is given once, as it is after all of them. All pieces
together have at most 5,000 words. Leave out a number whose content would break your concept, is there already, or is
wrong.
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
    what: str = Field(
        max_length=4000, description="What the other plan says there, with figures and its row numbers; a letter whole"
    )
    place: str = Field(max_length=400, description="Sections and rows of the base that it touches")
    because: str = Field(max_length=300)


class Verdict(Answer):
    """Which plan is the base, and what it takes over."""

    scores: list[Score] = Field(max_length=9)
    base: Name
    because: str = Field(max_length=800, description="What decides between the two concepts")
    grafts: list[Wish] = Field(default_factory=list, max_length=12)


class Piece(Answer):
    """What one place of the base says from now on."""

    at: str = Field(max_length=300, description="Words of the base, copied exactly, in the row or paragraph there")
    how: Literal["replaces", "after"]
    text: str = Field(max_length=6000, description="Markdown")


class Written(Answer):
    """One graft as its author writes it."""

    number: int = Field(ge=1, le=12, description="As in the list")
    pieces: list[Piece] = Field(min_length=1, max_length=24)


class Grafts(Answer):
    """The grafts that are taken over."""

    grafts: list[Written] = Field(default_factory=list, max_length=12)


async def draft(context: StageContext) -> Choice:
    """Ask the judge, then the author of the base; nobody where there is only one draft."""
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
    text, grafts = merged(base.text, await _grafts(context, shown, verdict))
    return Choice(
        base=text,
        stance=base.stance,
        because=verdict.because,
        scores=tuple(_score_line(score, verdict.base) for score in verdict.scores),
        grafts=grafts,
    )


def merged(base: str, grafts: Iterable[Graft]) -> tuple[str, tuple[Graft, ...]]:
    """Return *base* with the grafts put in whose place is found in it, and all grafts, saying which are in.

    A graft goes to the row of a table, or the paragraph, of *base* that holds the words of its place; several with one
    place go there in order.
    """
    grafts = tuple(grafts)
    blocks = [_block(base, graft.place) if graft.how else None for graft in grafts]
    for start, end in sorted({block for block in blocks if block}, reverse=True):
        here = [graft for graft, block in zip(grafts, blocks, strict=True) if block == (start, end)]
        kept = [] if any(graft.how == "replaces" for graft in here) else [base[start:end]]
        parts = [*kept, *(graft.text.strip() for graft in here)]
        text = parts[0]
        for before, part in pairwise(parts):
            rows = before.lstrip().startswith("|") and part.lstrip().startswith("|")
            separator = "\n" if rows else "\n\n"
            text += f"{separator}{part}"
        base = f"{base[:start]}{text}{base[end:]}"
    placed = (graft.model_copy(update={"placed": bool(block)}) for graft, block in zip(grafts, blocks, strict=True))
    return base, tuple(placed)


def _block(text: str, words: str) -> tuple[int, int] | None:
    """Return where the row of a table, or the paragraph, with *words* is in *text*; None unless it is the only one."""
    pattern = r"\s+".join(map(re.escape, words.split()))
    found = list(re.finditer(pattern, text)) if pattern else []
    if len(found) != 1:
        return None
    first, last = found[0].span()
    start = text.rfind("\n", 0, first) + 1
    if text[start:].lstrip().startswith("|"):
        end = text.find("\n", last)
    else:
        start = text.rfind("\n\n", 0, first) + 2 if "\n\n" in text[:first] else 0
        end = text.find("\n\n", last)
    return start, len(text) if end < 0 else end


async def _grafts(context: StageContext, shown: tuple[Part, ...], verdict: Verdict) -> tuple[Graft, ...]:
    """Return the grafts as the author of the base writes them; as the judge words them where that answer is lost."""
    wishes = dict(enumerate(verdict.grafts, 1))
    if not wishes:
        return ()
    listed = "\n".join(
        f"{n}. {wish.title}\n   What: {wish.what}\n   To: {wish.place}\n   Why: {wish.because}"
        for n, wish in wishes.items()
    )
    asked = GRAFTS.format(base=verdict.base, other="B" if verdict.base == "A" else "A")
    parts = (*shown, Part("what is to be taken over", listed))
    answer = await context.ask_part("grafts", asked, parts, Grafts, part="the grafts: they are as the judge words them")
    if answer is None:
        return tuple(Graft(title=w.title, place=w.place, text=w.what, because=w.because) for w in wishes.values())
    written = {each.number: each for each in answer.grafts if each.number in wishes}
    return tuple(
        Graft(
            title=wishes[n].title,
            place=piece.at,
            how=piece.how,
            text=piece.text,
            because=wishes[n].because,
        )
        for n, each in sorted(written.items())
        for piece in each.pieces
        if piece.text
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
        where = f"{graft.how.capitalize() or 'To'}: “{graft.place}”."
        parts += [f"## Taken over: {graft.title}", f"{where} Because: {graft.because}"]
        parts.append(demoted(graft.text, 3))
    return {"choice": "\n\n".join(parts)}


STAGE = Stage(
    number=5,
    name="choice",
    title="Choice",
    needs=("start", "draft"),
    version=8,
    result=Choice,
    draft=draft,
    pages=pages,
    sections=(Section("choice", "Choice"),),
)
