"""Stage 024: the author decides on every finding of critics and programs; what is accepted changes the spine."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Literal

from pydantic import Field

from planloom.compute.computed import Finding
from planloom.domain.frozen import Answer
from planloom.domain.wording import day_text
from planloom.facts.quoting import clip
from planloom.models.model import Part
from planloom.spine.digests import row_digests
from planloom.spine.patch import Change
from planloom.spine.repair import repaired as repaired_spine
from planloom.spine.rows import OpenQuestion
from planloom.spine.spine import Spine
from planloom.stages.attack import numbered
from planloom.stages.context import StageContext
from planloom.stages.findings_shown import by_severity, counted, criticism_text
from planloom.stages.missing import left_out
from planloom.stages.patching import CHANGES, changes_made, next_id, patch_file, patched, renumbered
from planloom.stages.repair import computed_of, patch_text
from planloom.stages.results import CriticFinding, Criticism, Patched, Repaired, Review, Ruling, Story
from planloom.stages.shown import repair_said, whole_plan
from planloom.stages.stage import Section, Stage
from planloom.stages.text import bullets, table

INSTRUCTIONS = f"""\
You are the author of this plan. You are shown the facts of the goal, your document, its tables (each row with an id),
what programs computed of them, all findings of critics, programs and the premortem, and last the ids of the findings on
which you decide now. Give a ruling on every one of these ids, and on no other.

- accepted: the finding is right, or right enough that the plan is better with an answer to it. changes: what changes in
  the tables, complete: the package and its line, the risk and its package, the role and its pay. Take the proposed
  changes where they are good; improve or replace them where they are not. Where only the document changes, leave
  changes empty and say in reason what it says from now on.
- rejected: the finding is wrong, or its repair costs more than it saves. reason: why, with the place or the figure that
  shows it. "Already covered" names the row. Out of politeness reject nothing and accept nothing.
- open: nobody can know it yet, or somebody else must decide. question: the question, so that one person can answer it;
  owner: the id of the role or party that answers; by: the day by which, before the package or gate that hangs on it.
- reason: one to three sentences, with figures. No thanks, no promises.
- Findings of the premortem are stories of failure: accepted means that the tables get what shows it in time: a risk
  with trigger and response, a package, a condition of a gate.
- Findings of programs were left by the repair of the tables: repair the cause, never by narrower ranges, another due
  day or a lower contingency. What cannot hold as the goal stands is an open question of who decides, with the options.
- Colleagues decide on the other findings at the same time, in your name. Change only what your findings need; where two
  of your findings touch the same field, change it once, for both.

{CHANGES}"""

#: More findings than this are decided in batches of about this size, in parallel.
MOST_AT_ONCE = 20
BATCH = 14


class RulingAnswer(Answer):
    """The decision on one finding."""

    finding: str = Field(max_length=12, description="Id of the finding: E4")
    verdict: Literal["accepted", "rejected", "open"]
    reason: str = Field(default="", max_length=600)
    changes: list[Change] = Field(default_factory=list, max_length=16, description="accepted: what changes")
    question: str = Field(default="", max_length=300, description="open: what must be answered")
    owner: str = Field(default="", max_length=12, description="open: id of the role or party that answers")
    by: date | None = Field(default=None, description="open: the day by which it is answered")


class Rulings(Answer):
    """A ruling on each finding that was asked for."""

    rulings: list[RulingAnswer] = Field(default_factory=list, max_length=MOST_AT_ONCE)


async def draft(context: StageContext) -> Review:
    """Ask for rulings on all findings, in parallel batches where there are many, and apply them in order."""
    repaired = context.read("repair", Repaired)
    found = all_findings(context.read("expert_criticism", Criticism), repaired.after)
    if context.about.outline_only or not found:
        review = Review(spine=repaired.spine, findings=found, rulings=tuple(map(_undecided, found)))
    else:
        batches = in_batches(found)
        answers = await _rulings(context, repaired, found, batches)
        review = _reviewed(context, repaired.spine, found, batches, answers)
    said = {"concept": repaired.concept, "cannot_hold": repaired.cannot_hold}
    return context.with_missing(review.model_copy(update=said))


def all_findings(criticism: Criticism, open_: Iterable[Finding]) -> tuple[CriticFinding, ...]:
    """Return the findings of critics, the premortem and programs, numbered on after those of the critics."""
    more = (*map(_of_story, criticism.stories), *map(_of_program, by_severity(open_)))
    return (*criticism.findings, *numbered(more, len(criticism.findings)))


def _of_story(story: Story) -> CriticFinding:
    return CriticFinding(
        id="",
        critic="premortem",
        ids=(),
        place=" → ".join(story.chain),
        text=f"{story.title}: {story.story}",
        consequence="",
        severity="medium",
        advice=f"Watch {story.warning}; act at {story.tripwire}: {story.containment} ({story.owner})",
    )


def _of_program(found: Finding) -> CriticFinding:
    return CriticFinding(
        id="",
        critic="programs",
        ids=found.ids,
        place="; ".join(found.places),
        text=found.text,
        consequence="",
        severity=found.severity,
        advice=found.advice,
    )


def in_batches(found: Sequence[CriticFinding]) -> list[tuple[CriticFinding, ...]]:
    """Return *found* as one batch, or as batches of about BATCH where those on the same rows are together."""
    if len(found) <= MOST_AT_ONCE:
        return [tuple(found)]
    near = sorted(found, key=lambda finding: finding.ids[:1])
    count = -(-len(near) // BATCH)
    size = -(-len(near) // count)
    batches = [near[n : n + size] for n in range(0, len(near), size)]
    order = {finding.id: n for n, finding in enumerate(found)}
    return [tuple(sorted(batch, key=lambda finding: order[finding.id])) for batch in batches]


async def _rulings(
    context: StageContext,
    repaired: Repaired,
    found: Sequence[CriticFinding],
    batches: Sequence[tuple[CriticFinding, ...]],
) -> list[Rulings | None]:
    spine = repaired.spine
    plan = (*whole_plan(context, spine, computed_of(context, spine)), *repair_said(repaired))
    shared, rows = (*plan, Part("all findings", criticism_text(found))), row_digests(spine)
    return await asyncio.gather(
        *(
            context.ask_part(
                f"rulings-{number}",
                INSTRUCTIONS,
                (*shared, Part("the findings to decide on", ", ".join(finding.id for finding in batch))),
                Rulings,
                rows=rows,
                part=f"the decisions on {', '.join(finding.id for finding in batch)}",
            )
            for number, batch in enumerate(batches, 1)
        )
    )


def _reviewed(
    context: StageContext,
    seen: Spine,
    found: tuple[CriticFinding, ...],
    batches: Sequence[tuple[CriticFinding, ...]],
    answers: Sequence[Rulings | None],
) -> Review:
    """Apply the rulings batch by batch, one patch for each accepted finding; the first to set a field wins."""
    spine, rulings, patches = seen, dict[str, Ruling](), list[Patched]()
    taken: dict[tuple[str, str], str] = {}
    for batch, answer in zip(batches, answers, strict=True):
        given = _by_finding(batch, answer)
        changes = _fitted(given.values(), seen, spine)
        for id_, ruling in given.items():
            spine, patch = patched(id_, spine, changes[id_], context.goal.today, taken)
            taken |= {(change.id, change.field): change.value for change in patch.changes if change.op == "set"}
            patches += [patch] if changes[id_] else []
            spine, rulings[id_] = _ruled(spine, ruling)
        undecided = [finding.id for finding in batch if finding.id not in given]
        if answer and undecided:
            context.lost[f"undecided-{batch[0].id}"] = left_out(f"the decision on {', '.join(undecided)}")
    # the days of open questions are those of a model: they are brought within bounds like all others
    spine, _ = repaired_spine(spine, context.goal.today)
    decided = tuple(rulings.get(finding.id) or _undecided(finding) for finding in found)
    return Review(spine=spine, findings=found, rulings=decided, patches=tuple(patches))


def _by_finding(batch: Iterable[CriticFinding], answer: Rulings | None) -> dict[str, RulingAnswer]:
    """Return the first ruling on each finding of *batch*, in its order."""
    given: dict[str, RulingAnswer] = {}
    for ruling in answer.rulings if answer else ():
        given.setdefault(ruling.finding, ruling)
    return {finding.id: given[finding.id] for finding in batch if finding.id in given}


def _fitted(rulings: Iterable[RulingAnswer], seen: Spine, now: Spine) -> dict[str, list[Change]]:
    """Return the changes of the accepted *rulings* by finding; rows that they add get ids that are free in *now*."""
    named = {ruling.finding: ruling.changes if ruling.verdict == "accepted" else [] for ruling in rulings}
    fitted = renumbered(chain.from_iterable(named.values()), seen, now)
    return {id_: [next(fitted) for _ in changes] for id_, changes in named.items()}


def _ruled(spine: Spine, ruling: RulingAnswer) -> tuple[Spine, Ruling]:
    """Return the ruling as it is kept, and the spine with its open question as a row."""
    question = ""
    if ruling.verdict == "open":
        rows = spine.by_id()
        row = OpenQuestion(
            id=next_id("Q", rows),
            text=ruling.question or clip(ruling.reason, 300),
            why=clip(f"{ruling.finding}: {ruling.reason}", 300),
            owner=ruling.owner if ruling.owner in rows and ruling.owner[:1] in "RB" else "",
            by=ruling.by,
        )
        spine = spine.model_copy(update={"questions": (*spine.questions, row)})
        by = f"by {day_text(row.by)}" if row.by else ""
        question = " · ".join(filter(None, (f"{row.id} {row.text}", row.owner, by)))
    made = Ruling(finding=ruling.finding, verdict=ruling.verdict, reason=ruling.reason, question=question)
    return spine, made


def _undecided(finding: CriticFinding) -> Ruling:
    return Ruling(finding=finding.id, verdict="open", reason="Nobody has decided on it.")


def pages(result: Review) -> Mapping[str, str]:
    """Return counts and changes first, then what stays open, and each finding with the decision on it."""
    verdicts = [ruling.verdict for ruling in result.rulings]
    said = ", ".join(f"{verdicts.count(v)} {v}" for v in ("accepted", "rejected", "open") if v in verdicts)
    parts = ["# Review", f"{counted(result.findings).capitalize()}: {said}." if said else "No findings."]
    by_id = {finding.id: finding for finding in result.findings}
    if result.patches:
        parts += [f"In the tables: {changes_made(result.patches)}.", "## What was changed"]
    for patch in result.patches:
        words = clip(by_id[patch.title].text, 100) if patch.title in by_id else ""
        parts.append(f"**{patch.title}** {words}\n\n{patch_text(patch)}")
    undecided = [by_id[r.finding] for r in result.rulings if r.verdict == "open" and not r.question]
    if undecided:
        said = bullets(f"{f.id} ({f.critic}, {f.severity}): {f.text}" for f in undecided)
        parts += ["## Nobody has decided on", said]
    for verdict, title, head in (
        ("open", "What stays open", ("Id", "From", "Finding", "Why it is open", "Question")),
        ("accepted", "Accepted", ("Id", "From", "Finding", "Decision")),
        ("rejected", "Rejected", ("Id", "From", "Finding", "Decision")),
    ):
        rulings = [r for r in result.rulings if r.verdict == verdict and (r.question or verdict != "open")]
        shown = table(head, (_row(by_id[r.finding], r)[: len(head)] for r in rulings if r.finding in by_id))
        parts += [f"## {title}", shown] if shown else []
    return {"review_plan": "\n\n".join(part.rstrip() for part in parts)}


def _row(finding: CriticFinding, ruling: Ruling) -> tuple[str, ...]:
    said = f"{finding.text} ({', '.join(finding.ids)})" if finding.ids else finding.text
    return (finding.id, f"{finding.critic}, {finding.severity}", said, ruling.reason, ruling.question)


STAGE = Stage(
    number=24,
    name="review_plan",
    title="Review",
    needs=("start", "choice", "repair", "expert_criticism"),
    version=9,
    result=Review,
    draft=draft,
    pages=pages,
    sections=(Section("review_plan", "Review"),),
    extra_files=lambda result: patch_file("024-3-patch.json", result.patches),
)
