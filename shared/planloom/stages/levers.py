"""Stage 005: the strategic levers, the vital few among them, and the decisions that they call for."""

from collections.abc import Iterable

from pydantic import Field

from planloom.domain.wording import day_text
from planloom.models.model import Part
from planloom.models.repair_answer import nearest
from planloom.stages.desk import Desk
from planloom.stages.excerpt import Excerpt, Pick
from planloom.stages.lenses import Lens, through
from planloom.stages.parts.lever import MOST_VITAL, Decision, Lever, LeversAnswer, LeverScore, Ranking, Tension
from planloom.stages.parts.lever_outline import VIEWS, View, outline_levers, outline_ranking
from planloom.stages.parts.references import referring
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import bullets, table

PURPOSE = Excerpt(
    "purpose",
    1600,
    (
        Pick("Purpose", ("", "What")),
        Pick("What follows for the plan"),
        Pick("What success is measured by", ("Measure", "Value")),
    ),
)

_VIEWS: dict[View, str] = {
    "value": "what is made and for whom: extent, quality, price, which target leads, pace of growth",
    "means": "money, time and people: what is spent early or late, made or bought, hired or borrowed, and what gives "
    "when they run short",
    "exposure": "what others decide and what can go wrong: permits, consent, contracts, order of commitments, how much "
    "is known before money is tied",
}

INSTRUCTIONS = """\
Draft two to four strategic levers of this plan, all of one view: {question}.
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


class Levers(StageResult):
    """Stage 005's result: levers by weight, heaviest first."""

    levers: tuple[Lever, ...]
    vital: tuple[str, ...] = Field(description="ids of the vital few, heaviest first")
    tensions: tuple[Tension, ...] = ()
    decisions: tuple[Decision, ...] = ()


async def draft(desk: Desk) -> Levers:
    """Three drafters side by side, then one who ranks: two rounds."""
    views = [Lens(view, _VIEWS[view]) for view in VIEWS]
    shared = desk.excerpts(PURPOSE)
    answers = await through(
        desk, views, INSTRUCTIONS, shared, LeversAnswer, lambda view: outline_levers(desk.brief, view)
    )
    levers = _distinct(lever for answer in answers for lever in answer.levers)
    shown = Part("levers", "\n\n".join(map(_shown, levers)))
    ranking = await desk.ask("ranking", RANK, (shown,), Ranking, lambda: outline_ranking(desk.brief, levers))
    return assemble(levers, ranking)


def _shown(lever: Lever) -> str:
    """A lever in few words, for who ranks it: what it asks, and what each setting costs."""
    fixed = f" Fixed by the goal: {lever.fixed}." if lever.fixed else ""
    settings = [
        f"- {s.label} ({s.stance}): {f'ruled out, {s.ruled_out}' if s.ruled_out else s.cost}" for s in lever.settings
    ]
    head = f"{lever.id}: {lever.title}. {lever.question} Impact {lever.impact}, irreversibility {lever.irreversibility}"
    return "\n".join([f"{head}, bears on {lever.anchor}.{fixed}", *settings])


def assemble(levers: tuple[Lever, ...], ranking: Ranking) -> Levers:
    """Apply *ranking* to *levers*: duplicates go, weights change; decisions on what is unknown are dropped."""
    titles = {lever.id: lever.title for lever in levers}
    ranking = referring(ranking, id=titles, duplicate_of=titles, lever=titles, one=titles, other=titles)
    scores = {score.id: score for score in ranking.scores}
    ids = {lever.id for lever in levers}
    kept = [lv for lv in levers if lv.id not in scores or scores[lv.id].duplicate_of not in ids - {lv.id}]
    scored = [_scored(lever, scores.get(lever.id)) for lever in kept]
    ranked = tuple(sorted(scored, key=lambda lever: -lever.weight))
    labels = {lever.id: [s.label for s in lever.settings if not s.ruled_out] for lever in ranked}
    decisions = [
        d.model_copy(update={"proposed": label})
        for d in ranking.decisions
        if (label := nearest(d.proposed, labels.get(d.lever, ())))
    ]
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
    version=4,
    result=Levers,
    draft=draft,
    markdown=markdown,
)
