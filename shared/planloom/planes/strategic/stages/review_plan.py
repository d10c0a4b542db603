"""Stage 024: the author decides on every finding in one patch, and restores the balance where it was lost."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from planloom.models.model import Part
from planloom.planes.strategic.compute.computed import Computed, Finding
from planloom.planes.strategic.spine.digests import row_digests
from planloom.planes.strategic.stages import balance
from planloom.planes.strategic.stages.apply_decisions import Made, balanced, decided, finding_id
from planloom.planes.strategic.stages.attack import numbered
from planloom.planes.strategic.stages.computed_plan import ComputedPlan
from planloom.planes.strategic.stages.computed_plan import table as rows_shown
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.findings_shown import (
    by_cause,
    counted,
    criticism_text,
    findings_text,
    places,
    stated,
    weightiest,
)
from planloom.planes.strategic.stages.missing import left_out
from planloom.planes.strategic.stages.patching import changes_made, patch_file
from planloom.planes.strategic.stages.repair import cannot_hold_text, computed_of, patch_text
from planloom.planes.strategic.stages.results import CriticFinding, Criticism, Repaired, Review, Ruling, Story
from planloom.planes.strategic.stages.review_answers import (
    AT_ONCE,
    AT_ONCE_SHORT,
    BALANCE,
    DECIDE,
    MOST_ACCEPTED,
    Balance,
    Decisions,
)
from planloom.planes.strategic.stages.row_names import with_names
from planloom.planes.strategic.stages.shown import repair_said, whole_plan
from planloom.planes.strategic.stages.stage import Section, Stage
from planloom.planes.strategic.stages.text import bullets


async def draft(context: StageContext) -> Review:
    """Ask for one decision on all findings, apply it, and ask once more where the plan got worse or is not sound."""
    repaired = context.read("repair", Repaired)
    found = all_findings(context.read("expert_criticism", Criticism), repaired.after)
    review = Review(
        spine=repaired.spine,
        findings=found,
        rulings=tuple(map(_undecided, found)),
        concept=repaired.concept,
        cannot_hold=repaired.cannot_hold,
    )
    if found and not context.about.outline_only:
        review = await _reviewed(context, repaired, review)
    return context.with_missing(review)


async def _reviewed(context: StageContext, repaired: Repaired, review: Review) -> Review:
    before = ComputedPlan(repaired.spine, computed_of(context, repaired.spine))
    decisions = await _decisions(context, repaired, before.computed, review.findings)
    made = decided(context, repaired.spine, decisions)
    cannot_hold = review.cannot_hold
    if decisions != Decisions() and (cannot_hold or _needs_balance(before.computed, made)):
        made, cannot_hold = await _restored(context, repaired, before, decisions, made)
    changed = f"Changed by the decisions on findings: {decisions.concept}" if decisions.concept else ""
    return review.model_copy(
        update={
            "spine": made.spine,
            "rulings": tuple(made.rulings.get(finding.id) or _undecided(finding) for finding in review.findings),
            "patches": tuple(patch for patch in made.patches if patch.changes or patch.refused),
            "concept": " ".join(filter(None, (review.concept, changed))),
            "cannot_hold": cannot_hold,
            "before_after": balance.before_after(before, ComputedPlan(made.spine, made.computed)),
        }
    )


def all_findings(criticism: Criticism, open_: Iterable[Finding]) -> tuple[CriticFinding, ...]:
    """Return the findings of critics, the premortem and programs, numbered on after those of the critics.

    Findings of programs with one cause are one; of those of low severity there are the weightiest.
    """
    causes, _ = weightiest(by_cause(open_))
    more = (*map(_of_story, criticism.stories), *map(_of_programs, causes))
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


def _of_programs(group: Sequence[Finding]) -> CriticFinding:
    first = group[0]
    return CriticFinding(
        id="",
        critic="programs",
        ids=tuple(dict.fromkeys(id_ for finding in group for id_ in finding.ids)),
        place="; ".join(places(first)),
        text=" ".join(dict.fromkeys((first.text, *map(stated, group[1:])))),
        consequence="",
        severity=first.severity,
        advice=" ".join(dict.fromkeys(finding.advice for finding in group if finding.advice)),
    )


async def _decisions(
    context: StageContext, repaired: Repaired, computed: Computed, found: Sequence[CriticFinding]
) -> Decisions:
    """Ask for the decisions on *found*: at once, or one batch after the other, each shown what was decided before."""
    plan = (*whole_plan(context, repaired.spine, computed), *repair_said(repaired))
    shared, rows = (*plan, Part("all findings", criticism_text(found))), row_digests(repaired.spine)
    size = AT_ONCE if context.about.long_answers else AT_ONCE_SHORT
    made = Decisions()
    for number, first in enumerate(range(0, len(found), size), 1):
        wanted = [finding.id for finding in found[first : first + size]]
        listed = ", ".join(wanted)
        before = (Part("what you decided before; it stays", _decided_text(made)),) if made != Decisions() else ()
        answer = await context.ask_part(
            f"decisions-{number}",
            DECIDE,
            (*shared, *before, Part("the findings to decide on", listed)),
            Decisions,
            rows=rows,
            part=f"the decision on {listed}",
        )
        if answer:
            ruled = {finding_id(id_) for id_ in answer.findings}
            if absent := [id_ for id_ in wanted if id_ not in ruled]:
                context.lost[f"undecided-{number}"] = left_out(f"the decision on {', '.join(absent)}")
            accepted = [*made.accepted, *(each for each in answer.accepted if finding_id(each.finding) in wanted)]
            made = Decisions(
                accepted=accepted[:MOST_ACCEPTED],
                rulings=[*made.rulings, *(each for each in answer.rulings if finding_id(each.finding) in wanted)],
                changes=[*made.changes, *answer.changes],
                concept=" ".join(filter(None, (made.concept, answer.concept))),
            )
    return made


def _decided_text(made: Decisions) -> str:
    accepted = (f"{each.finding} accepted: {each.reason}" for each in made.accepted)
    rulings = (f"{ruling.finding} {ruling.verdict}: {ruling.same_as or ruling.reason}" for ruling in made.rulings)
    changes = (f"change {change.model_dump_json(exclude_defaults=True)}" for change in made.changes)
    return bullets((*accepted, *rulings, *changes))


def _needs_balance(before: Computed, made: Made) -> bool:
    refused = any(patch.refused for patch in made.patches)
    return refused or balance.count(made.computed, "high") > 0 or balance.got_worse(before, made.computed)


async def _restored(
    context: StageContext, repaired: Repaired, before: ComputedPlan, decisions: Decisions, made: Made
) -> tuple[Made, tuple[str, ...]]:
    """Ask for what restores the balance; return the plan with what makes it no worse, and what cannot hold in it."""
    answer = await _balance(context, repaired, before, made)
    if answer is None:
        return made, repaired.cannot_hold
    made = balanced(context, repaired.spine, decisions, answer, made)
    # what holds now would hold with the whole answer only
    now_holds = answer.now_holds if made.whole else []
    kept = (said for number, said in enumerate(repaired.cannot_hold, 1) if number not in now_holds)
    return made, tuple(dict.fromkeys((*kept, *map(cannot_hold_text, answer.cannot_hold))))


async def _balance(context: StageContext, repaired: Repaired, before: ComputedPlan, made: Made) -> Balance | None:
    old = {finding.id for finding in before.computed.findings}
    severe = [finding for finding in made.computed.findings if finding.severity != "low"]
    new = findings_text(finding for finding in severe if finding.id not in old)
    left = findings_text(finding for finding in severe if finding.id in old)
    after = ComputedPlan(made.spine, made.computed)
    said = "\n".join(f"{n}. {text}" for n, text in enumerate(repaired.cannot_hold, 1))
    parts = (
        *whole_plan(context, made.spine, made.computed),
        Part("your decisions", bullets(_ruling_text(ruling) for ruling in made.rulings.values())),
        Part("your changes as they were made", "\n".join(map(patch_text, made.patches))),
        *([Part("what you said earlier cannot hold", said)] if said else ()),
        Part("the plan before and after your decisions", balance.before_after(before, after), by_id=True),
        Part("what programs find now", f"New:\n{new or 'Nothing.'}\n\nLeft from before:\n{left or 'Nothing.'}"),
    )
    rows, part = row_digests(made.spine), "the balance of the plan after the decisions"
    return await context.ask_part("balance", BALANCE, parts, Balance, rows=rows, part=part)


def _ruling_text(ruling: Ruling) -> str:
    return f"{ruling.finding} {ruling.verdict}: {ruling.reason}"


def _undecided(finding: CriticFinding) -> Ruling:
    return Ruling(finding=finding.id, verdict="open", reason="Nobody has decided on it.")


def pages(result: Review) -> Mapping[str, str]:
    """Return counts first, then what cannot hold and what stays open, each decision, and what it changed."""
    verdicts = [ruling.verdict for ruling in result.rulings]
    said = ", ".join(f"{verdicts.count(v)} {v}" for v in ("accepted", "rejected", "open") if v in verdicts)
    nothing = "Programs and critics have found nothing to decide on."
    parts = ["# Review", f"{counted(result.findings).capitalize()}: {said}." if said else nothing]
    if result.cannot_hold:
        parts += ["## What cannot hold, and what would make it hold", bullets(result.cannot_hold)]
    by_id = {finding.id: finding for finding in result.findings}
    undecided = [by_id[r.finding] for r in result.rulings if r.verdict == "open" and not r.question]
    if undecided:
        said = bullets(f"{f.text} (said by {f.critic})" for f in undecided)
        parts += ["## Nobody has decided on", said]
    for verdict, title, head in (
        ("open", "What stays open", ("Said by", "What", "Why it is open", "Question", "No.")),
        ("accepted", "What is accepted, and what the plan does now", ("Said by", "What", "Decision", "", "No.")),
        ("rejected", "What is rejected, and why", ("Said by", "What", "Decision", "", "No.")),
    ):
        rulings = [r for r in result.rulings if r.verdict == verdict and (r.question or verdict != "open")]
        rows = (_row(by_id, r, rulings) for r in rulings if r.finding in by_id and not r.same_as)
        shown = rows_shown(head, rows)
        parts += [f"## {title}", shown] if shown else []
    if result.before_after:
        parts += ["## The plan before and after these decisions", result.before_after]
    parts += _changed(result)
    text = "\n\n".join(part.rstrip() for part in parts)
    return {"review_plan": with_names(text, result.spine.by_id(), cells=True)}


def _changed(result: Review) -> Iterator[str]:
    titles = {"decisions": "What changed in the rows", "balance": "What changed in the rows to restore the balance"}
    for patch in result.patches:
        yield f"## {titles.get(patch.title, patch.title)}: {changes_made((patch,))}"
        yield patch_text(patch)


def _row(by_id: Mapping[str, CriticFinding], ruling: Ruling, others: Sequence[Ruling]) -> tuple[str, ...]:
    """Return the cells of a ruling; who found the same is named beside who found it."""
    same = [by_id[other.finding] for other in others if other.same_as == ruling.finding and other.finding in by_id]
    all_ = (by_id[ruling.finding], *same)
    who, numbers = ("; ".join(dict.fromkeys(each)) for each in zip(*((f.critic, f.id) for f in all_), strict=True))
    return (who, all_[0].text, ruling.reason, ruling.question, numbers)


STAGE = Stage(
    number=24,
    name="review_plan",
    title="Review",
    needs=("start", "choice", "repair", "expert_criticism"),
    version=42,
    result=Review,
    draft=draft,
    pages=pages,
    sections=(Section("review_plan", "Review"),),
    extra_files=lambda result: patch_file("024-3-patch.json", result.patches),
)
