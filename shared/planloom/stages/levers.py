"""Stage 005: the strategic levers, the vital few among them, and the decisions that they call for."""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.knowledge import tables
from planloom.knowledge.brief import Brief, day_text
from planloom.knowledge.dangers import dangers
from planloom.knowledge.gates import gate_day, open_day
from planloom.knowledge.nearest import basis, demanded, ruled_out
from planloom.knowledge.quoting import clip, lower_first, quotable, quote
from planloom.models.model import Part
from planloom.stages.desk import Desk
from planloom.stages.lever import Lever, Setting, Stance
from planloom.stages.prompt_levers import View, prompt_levers
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import bullets, table

#: More than these nobody decides well; the rest are set without a meeting.
MOST_VITAL = 5
_VIEWS: dict[View, str] = {
    "value": "what is made and for whom: extent, quality, price, which target leads, pace of growth",
    "means": "money, time and people: what is spent early or late, made or bought, hired or borrowed, and what gives "
    "when they run short",
    "exposure": "what others decide and what can go wrong: permits, consent, contracts, order of commitments, how much "
    "is known before money is tied",
}

INSTRUCTIONS = """\
Draft two to four strategic levers of this plan, all of one view: {view}.
Two colleagues draft the other views at the same time; stay in yours.

A lever is a choice that this project must make and that reasonable people would make differently. It is a question with
three or four answers that exclude each other: the settings. "Hire good people" is a goal; "who bakes on the first day:
the owners, a hired head baker, or a contract baker" is a lever.
- anchor: the demand or figure of the goal that the lever bears on, quoted word for word. No anchor, no lever.
- settings: each says what is done, with the goal's own numbers, and what choosing it costs or gives up: money, weeks,
  freedom, goodwill. A setting without a cost is not a choice. One each of careful (keeps ways back open), balanced,
  bold (buys speed or size with exposure).
- A setting that a demand or ban of the goal forbids stays in the list with ruled_out quoting it, so that the reader
  sees it was seen. Where the goal leaves only one, name it in fixed and quote why in fixed_by.
- impact: how much success hangs on it, 1 to 5. irreversibility: how hard it is to undo after a month, 1 to 5.
- pulls_against and tension: another lever whose good settings make this one worse, and how; empty if there is none.
Avoid: levers of any project ("communication style"); settings that are the same thing in three amounts; a third setting
that nobody would choose; settings that can be combined.
"""

RANK = """\
Three colleagues drafted the levers below. Rank them and say what must be decided.

- scores: every lever once, by id. Score impact and irreversibility afresh against the goal: a lever scores 5 for impact
  only if a wrong setting sinks the goal, 5 for irreversibility only if nobody can undo it later. Use the whole scale.
  why names the figure or demand of the goal that sets the score. Where two levers ask the same, keep the sharper and
  name it in duplicate_of of the other.
- tensions: pairs that pull against each other. text says which setting of one does what to the other, with a number
  where there is one; settle says which is set first and why.
- decisions: three to five, for the levers with the highest impact times irreversibility that the goal leaves open, the
  heaviest first. proposed is the label of one of the lever's settings. because weighs its cost against the cost of the
  others, in this goal's figures, and would not hold for another goal. gives_up is what the reader will miss. role is
  who decides under the goal's own rules. by is a day before the first money that depends on it is committed.
Avoid: proposing what the goal rules out; "it depends"; five decisions on the same day.
"""


class LeversAnswer(Answer):
    """What one drafter hands in."""

    levers: list[Lever] = Field(min_length=1, max_length=6)


class LeverScore(Answer):
    """The score of one lever after comparison."""

    id: str = Field(max_length=40)
    impact: int = Field(ge=1, le=5)
    irreversibility: int = Field(ge=1, le=5)
    why: str = Field(min_length=5, max_length=300)
    duplicate_of: str = Field(default="", max_length=40, description="id of the lever that asks the same; or empty")


class Tension(Answer):
    """Two levers that pull against each other."""

    one: str = Field(max_length=40, description="id of a lever")
    other: str = Field(max_length=40, description="id of another lever")
    text: str = Field(min_length=10, max_length=300, description="What a setting of one does to the other")
    settle: str = Field(min_length=10, max_length=300, description="Which goes first and why")


class Decision(Answer):
    """A strategic decision that must be taken, by whom and when."""

    lever: str = Field(max_length=40, description="id of a vital lever")
    question: str = Field(min_length=10, max_length=240)
    proposed: str = Field(min_length=2, max_length=80, description="Label of the setting proposed")
    because: str = Field(min_length=10, max_length=600)
    gives_up: str = Field(min_length=5, max_length=300)
    role: str = Field(min_length=2, max_length=80, description="Who decides")
    by: date


class Ranking(Answer):
    """The levers compared, and what must be decided."""

    scores: list[LeverScore] = Field(max_length=20)
    tensions: list[Tension] = Field(default_factory=list, max_length=8)
    decisions: list[Decision] = Field(min_length=1, max_length=MOST_VITAL)


class Levers(StageResult):
    """Stage 005's result: levers by weight, heaviest first."""

    levers: tuple[Lever, ...]
    vital: tuple[str, ...] = Field(description="ids of the vital few, heaviest first")
    tensions: tuple[Tension, ...] = ()
    decisions: tuple[Decision, ...] = ()


async def draft(desk: Desk) -> Levers:
    """Three drafters side by side, then one who ranks: two rounds."""
    answers = await asyncio.gather(*(_draft_view(desk, view) for view in _VIEWS))
    levers = _distinct(lever for answer in answers for lever in answer.levers)
    shown = Part("levers", "\n".join(lever.model_dump_json() for lever in levers))
    ranking = await desk.ask("ranking", RANK, (shown,), Ranking, lambda: outline_ranking(desk.brief, levers))
    return assemble(levers, ranking)


async def _draft_view(desk: Desk, view: View) -> LeversAnswer:
    return await desk.ask(
        f"draft-{view}",
        INSTRUCTIONS.format(view=_VIEWS[view]),
        (desk.excerpt("purpose", 2500),),
        LeversAnswer,
        lambda: outline_levers(desk.brief, view),
    )


def assemble(levers: tuple[Lever, ...], ranking: Ranking) -> Levers:
    """Apply *ranking* to *levers*: duplicates go, weights change; decisions on what is unknown are dropped."""
    scores = {score.id: score for score in ranking.scores}
    ids = {lever.id for lever in levers}
    kept = [lv for lv in levers if lv.id not in scores or scores[lv.id].duplicate_of not in ids - {lv.id}]
    scored = [_scored(lever, scores.get(lever.id)) for lever in kept]
    ranked = tuple(sorted(scored, key=lambda lever: -lever.weight))
    labels = {lever.id: {s.label for s in lever.settings if not s.ruled_out} for lever in ranked}
    decisions = [d for d in ranking.decisions if d.proposed in labels.get(d.lever, set())]
    decisions = list({d.lever: d for d in reversed(decisions)}.values())[::-1]
    vital = tuple(d.lever for d in decisions) or tuple(lv.id for lv in ranked[:MOST_VITAL])
    known = labels.keys()
    tensions = tuple(t for t in ranking.tensions if t.one in known and t.other in known and t.one != t.other)
    return Levers(levers=ranked, vital=vital, tensions=tensions, decisions=tuple(decisions))


def _scored(lever: Lever, score: LeverScore | None) -> Lever:
    if score is None:
        return lever
    return lever.model_copy(update={"impact": score.impact, "irreversibility": score.irreversibility})


def _distinct(levers: Iterable[Lever]) -> tuple[Lever, ...]:
    """Keep the first lever of each id."""
    found: dict[str, Lever] = {}
    for lever in levers:
        found.setdefault(lever.id, lever)
    return tuple(found.values())


def outline_levers(brief: Brief, view: View) -> LeversAnswer:
    """The prompt's own levers of this view, then every third lever of the tables."""
    # the heaviest levers of archetype and topics alike; what is left out was the lightest
    rows = sorted(brief.rows("levers", tables.Lever), key=lambda row: -row.impact * row.irreversibility)
    third = rows[list(_VIEWS).index(view) :: 3]
    mine = [own for own in prompt_levers(brief, view) if own.id != "work_ahead" or not any(map(_on_order, rows))]
    taken = {lever.id for lever in mine}
    mine += [_from_row(brief, row) for row in third if row.id not in taken][: 4 - min(len(mine), 2)]
    return LeversAnswer(levers=mine[:6] or [_from_row(brief, rows[0])])


def _on_order(row: tables.Lever) -> bool:
    """Whether *row* already asks what may run ahead of a decision of others."""
    asks = re.search(r"\b(?:before|ahead|until)\b", row.question, re.IGNORECASE)
    said = f"{row.question} {' '.join(s.text for s in row.settings)}"
    return bool(asks and re.search(r"\b(?:permits?|approv|consent|funding|money)", said, re.IGNORECASE))


def _from_row(brief: Brief, row: tables.Lever) -> Lever:
    settings = [_setting(brief, setting) for setting in row.settings]
    anchor = _anchor(brief, row)
    open_ones = [s for s in settings if not s.ruled_out]
    fixed, why = "", ""
    if len(open_ones) == 1:
        fixed, why = open_ones[0].label, next(s.ruled_out for s in settings if s.ruled_out)
    elif asked := _asked(brief, row):
        fixed, why = asked
    return Lever(
        id=row.id,
        title=clip(row.title, 80),
        question=clip(row.question, 240),
        anchor=anchor,
        settings=settings,
        impact=row.impact,
        irreversibility=row.irreversibility,
        fixed=fixed,
        fixed_by=why,
        pulls_against=row.pulls_against,
        tension=clip(row.tension, 300),
    )


def _anchor(brief: Brief, row: tables.Lever) -> str:
    """The approval that the goal waits for, for a lever on order; else the words that called it or come nearest."""
    approval = next((d.said for d in dangers(brief.facts) if d.kind == "approval" and d.gate), None)
    called = approval if approval and _on_order(row) else brief.called_by(row)
    shown = quotable(brief.facts, (called,) if called else ())
    text = f"{' '.join(f'{s.label} {s.text}' for s in row.settings)}"
    return quote(shown[0], 200) if shown else basis(brief, text, 200, head=f"{row.title} {row.question}")


def _setting(brief: Brief, row: tables.Setting) -> Setting:
    ban = ruled_out(brief, f"{row.label} {row.text}")
    return Setting(
        label=clip(row.label, 80),
        text=clip(row.text, 300),
        cost=clip(row.cost, 240),
        stance=row.stance,
        ruled_out=quote(ban, 180) if ban else "",
    )


def _asked(brief: Brief, row: tables.Lever) -> tuple[str, str] | None:
    """The one setting whose label a demand of the prompt asks for, with that demand; None where none or several."""
    found = [(s.label, d) for s in row.settings if (d := demanded(brief, s.label))]
    return (found[0][0], quote(found[0][1], 280)) if len(found) == 1 else None


def outline_ranking(brief: Brief, levers: tuple[Lever, ...]) -> Ranking:
    """Weights as drafted; decisions on the heaviest levers that the prompt leaves open."""
    heavy = sorted((lever for lever in levers if not lever.fixed), key=lambda lever: -lever.weight)[: MOST_VITAL - 1]
    by_id = {lever.id: lever for lever in levers}
    days = _days(brief, heavy)
    pairs = [(lever, by_id[lever.pulls_against]) for lever in levers if lever.pulls_against in by_id and lever.tension]
    return Ranking(
        scores=[_as_drafted(lever) for lever in levers],
        tensions=[_tension(one, other, days) for one, other in pairs][:6],
        decisions=[_decision(brief, lever, days[lever.id]) for lever in heavy],
    )


def _as_drafted(lever: Lever) -> LeverScore:
    why = clip(lever.anchor, 300)
    return LeverScore(id=lever.id, impact=lever.impact, irreversibility=lever.irreversibility, why=why)


def _tension(one: Lever, other: Lever, days: Mapping[str, date]) -> Tension:
    first, then = (one, other) if one.weight >= other.weight else (other, one)
    day = f", by {day_text(days[first.id])}" if first.id in days else ""
    settle = f"“{first.title}” is set first{day} (weight {first.weight} against {then.weight})."
    return Tension(one=one.id, other=other.id, text=one.tension, settle=clip(settle, 300))


def _decision(brief: Brief, lever: Lever, by: date) -> Decision:
    proposed = lever.setting("balanced")
    others = [s for s in lever.settings if s is not proposed and not s.ruled_out]
    against = " ".join(f"“{s.label}” would cost: {lower_first(s.cost.rstrip('.'))}." for s in others[:2])
    return Decision(
        lever=lever.id,
        question=lever.question,
        proposed=proposed.label,
        because=clip(f"It bears on {lever.anchor}. {against}", 600),
        gives_up=clip(proposed.cost, 300),
        role=brief.role_title("lead"),
        by=by,
    )


def _days(brief: Brief, levers: Sequence[Lever]) -> dict[str, date]:
    """One day each, heaviest first: what cannot be undone before the first gate, the rest before the second."""
    found: dict[str, date] = {}
    for gate, hard in (("prepare", True), ("design", False)):
        mine = [lever for lever in levers if (lever.irreversibility >= 4) is hard]
        first = brief.start if hard else gate_day(brief, "prepare")
        for n, lever in enumerate(mine, 1):
            found[lever.id] = open_day(brief, first + n / (len(mine) + 1) * (gate_day(brief, gate) - first))
    return found


def setting_of(levers: Levers, lever_id: str, stance: Stance) -> Setting:
    """Return how *stance* sets the lever *lever_id*."""
    return next(lever for lever in levers.levers if lever.id == lever_id).setting(stance)


def markdown(result: Levers) -> str:
    """Decisions first, then tensions, then every lever with its settings and their costs."""
    titles = {lever.id: lever.title for lever in result.levers}
    decisions = [
        (titles.get(d.lever, d.lever), d.proposed, d.gives_up, d.role, day_text(d.by)) for d in result.decisions
    ]
    parts = [
        "# Levers and strategic decisions",
        "## The decisions that matter most",
        table(("Lever", "Proposed", "Gives up", "Decides", "By"), decisions),
        bullets(f"**{titles.get(d.lever, d.lever)}.** {d.question} {d.because}" for d in result.decisions),
        "## What pulls against what" if result.tensions else "",
        bullets(f"{titles[t.one]} against {titles[t.other]}: {t.text} {t.settle}" for t in result.tensions),
        "## All levers, heaviest first",
        table(
            ("Lever", "Impact", "Irreversibility", "Weight", "Vital"),
            (
                (lv.title, lv.impact, lv.irreversibility, lv.weight, "yes" if lv.id in result.vital else "")
                for lv in result.levers
            ),
        ),
        *(_lever_text(lever) for lever in result.levers),
    ]
    return "\n\n".join(part.rstrip() for part in parts if part)


def _lever_text(lever: Lever) -> str:
    fixed = f"\n\nFixed by the goal: {lever.fixed} ({lever.fixed_by})." if lever.fixed else ""
    rows = [(s.label, s.stance, s.text, f"Ruled out: {s.ruled_out}" if s.ruled_out else s.cost) for s in lever.settings]
    head = f"### {lever.title}\n\n{lever.question} It bears on {lever.anchor}.{fixed}"
    return f"{head}\n\n{table(('Setting', 'Stance', 'What is done', 'Cost'), rows)}"


STAGE = Stage(
    number=5,
    name="levers",
    title="Levers and Decisions",
    needs=("purpose",),
    version=1,
    result=Levers,
    draft=draft,
    markdown=markdown,
)
