"""Stage 024: the author decides on every finding in one patch, and restores the balance where it was lost."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from planloom.compute.computed import Computed, Finding
from planloom.domain.wording import day_text
from planloom.facts.quoting import clip
from planloom.models.model import Part
from planloom.spine.digests import row_digests
from planloom.spine.patch import Change
from planloom.spine.repair import repaired as repaired_spine
from planloom.spine.rows import OpenQuestion
from planloom.spine.spine import Spine
from planloom.stages import balance
from planloom.stages.attack import numbered
from planloom.stages.computed_plan import ComputedPlan
from planloom.stages.context import StageContext
from planloom.stages.findings_shown import by_cause, counted, criticism_text, findings_text, places, weightiest
from planloom.stages.missing import left_out
from planloom.stages.patching import changes_made, next_id, patch_file, patched
from planloom.stages.repair import cannot_hold_text, computed_of, patch_text
from planloom.stages.results import CriticFinding, Criticism, Patched, Repaired, Review, Ruling, Story
from planloom.stages.review_answers import (
    AT_ONCE,
    AT_ONCE_SHORT,
    BALANCE,
    DECIDE,
    Balance,
    DecidedChange,
    Decisions,
    RulingAnswer,
)
from planloom.stages.shown import repair_said, whole_plan
from planloom.stages.stage import Section, Stage
from planloom.stages.text import bullets, table


@dataclass(frozen=True)
class _Made:
    """The plan after decisions: the spine, what is computed of it, the rulings by finding, and the patches."""

    spine: Spine
    computed: Computed
    rulings: Mapping[str, Ruling]
    patches: tuple[Patched, ...]


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
    made = _made(context, repaired.spine, decisions)
    cannot_hold = review.cannot_hold
    if (decisions.rulings or decisions.changes) and (cannot_hold or _needs_balance(before.computed, made)):
        answer = await _balance(context, repaired, before, made)
        if answer:
            balanced = _balanced(context, repaired.spine, decisions, answer)
            if balance.better(made.computed, balanced.computed):
                # the plan without the second answer is the better one, and nothing more holds in it
                refused = Patched(title="balance", refused=("The whole patch: the plan is worse with it.",))
                made, now_holds = replace(made, patches=(*made.patches, refused)), list[int]()
            else:
                made, now_holds = balanced, answer.now_holds
            kept = (said for number, said in enumerate(cannot_hold, 1) if number not in now_holds)
            cannot_hold = tuple(dict.fromkeys((*kept, *map(cannot_hold_text, answer.cannot_hold))))
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
        text=" ".join(dict.fromkeys(finding.text for finding in group)),
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
        before = (Part("what you decided before; it stays", _decided_text(made)),) if made.rulings else ()
        answer = await context.ask_part(
            f"decisions-{number}",
            DECIDE,
            (*shared, *before, Part("the findings to decide on", listed)),
            Decisions,
            rows=rows,
            part=f"the decision on {listed}",
        )
        if answer:
            ruled = {_id(ruling.finding) for ruling in answer.rulings}
            if absent := [id_ for id_ in wanted if id_ not in ruled]:
                context.lost[f"undecided-{number}"] = left_out(f"the decision on {', '.join(absent)}")
            made = Decisions(
                rulings=[*made.rulings, *(ruling for ruling in answer.rulings if _id(ruling.finding) in wanted)],
                changes=[*made.changes, *answer.changes],
                concept=" ".join(filter(None, (made.concept, answer.concept))),
            )
    return made


def _id(written: str) -> str:
    return written.strip().upper()


def _decided_text(made: Decisions) -> str:
    rulings = (f"{ruling.finding} {ruling.verdict}: {ruling.same_as or ruling.reason}" for ruling in made.rulings)
    changes = (f"change {change.model_dump_json(exclude_defaults=True)}" for change in made.changes)
    return bullets((*rulings, *changes))


def _made(
    context: StageContext, spine: Spine, decisions: Decisions, withdrawn: Mapping[str, str] | None = None
) -> _Made:
    """Return the plan after *decisions*, without what is *withdrawn* (reasons by finding)."""
    rulings = _by_finding(decisions.rulings, withdrawn or {})
    spine, patch = _patched(context, "decisions", spine, decisions.changes, rulings)
    spine, kept = _with_questions(spine, rulings)
    # the days of open questions are those of a model: they are brought within bounds like all others
    spine, _ = repaired_spine(spine, context.goal.today)
    return _Made(spine, computed_of(context, spine), kept, (patch,))


def _by_finding(given: Iterable[RulingAnswer], withdrawn: Mapping[str, str]) -> dict[str, RulingAnswer]:
    """Return the first ruling on each finding, with the verdict of the one that it is the same as."""
    first: dict[str, RulingAnswer] = {}
    for ruling in given:
        id_ = _id(ruling.finding)
        update: dict[str, str] = {"finding": id_, "same_as": _id(ruling.same_as)}
        if id_ in withdrawn and ruling.verdict == "accepted":
            update |= {"verdict": "rejected", "same_as": "", "reason": f"Accepted, then withdrawn: {withdrawn[id_]}"}
        first.setdefault(id_, ruling.model_copy(update=update))
    return {id_: _as_another(ruling, first) for id_, ruling in first.items()}


def _as_another(ruling: RulingAnswer, given: Mapping[str, RulingAnswer]) -> RulingAnswer:
    """Return *ruling* with verdict and reason of the one that it is the same as, whose id stays in ``same_as``."""
    seen, main = {ruling.finding}, ruling
    while main.same_as in given and main.same_as not in seen:
        seen.add(main.same_as)
        main = given[main.same_as]
    if main is ruling:
        return ruling.model_copy(update={"same_as": ""})
    reason = " ".join(filter(None, (f"As {main.finding}: {main.reason}", ruling.reason)))
    return ruling.model_copy(update={"same_as": main.finding, "verdict": main.verdict, "reason": reason})


def _patched(
    context: StageContext,
    title: str,
    spine: Spine,
    changes: Iterable[DecidedChange],
    rulings: Mapping[str, RulingAnswer],
) -> tuple[Spine, Patched]:
    """Apply *changes*, but those that serve rejected findings only; the reason of each begins with its findings."""
    kept, refused = list[Change](), list[str]()
    for change in changes:
        served = [id_ for id_ in map(_id, change.findings) if id_ in rulings]
        if served and all(rulings[id_].verdict == "rejected" for id_ in served):
            where = ".".join(filter(None, (change.id, change.field)))
            refused.append(f"{change.op} {where}: it serves only what is rejected ({', '.join(served)}).")
            continue
        reason = clip(": ".join(filter(None, (", ".join(served), change.reason))), 300)
        kept.append(Change(**change.model_dump(exclude={"findings"}) | {"reason": reason}))
    spine, patch = patched(title, spine, kept, context.goal.today)
    return spine, patch.model_copy(update={"refused": (*refused, *patch.refused)})


def _with_questions(spine: Spine, rulings: Mapping[str, RulingAnswer]) -> tuple[Spine, dict[str, Ruling]]:
    """Return *spine* with a row for each open question, and the rulings as they are kept."""
    said: dict[str, str] = {}
    for id_, ruling in rulings.items():
        if ruling.verdict == "open" and not ruling.same_as:
            spine, said[id_] = _with_question(spine, ruling)
    kept = {}
    for id_, ruling in rulings.items():
        fields = ruling.model_dump(include={"finding", "verdict", "reason", "same_as"})
        kept[id_] = Ruling(**fields, question=said.get(ruling.same_as or id_, ""))
    return spine, kept


def _with_question(spine: Spine, ruling: RulingAnswer) -> tuple[Spine, str]:
    rows = spine.by_id()
    row = OpenQuestion(
        id=next_id("Q", rows),
        text=ruling.question or clip(ruling.reason, 300),
        why=clip(f"{ruling.finding}: {ruling.reason}", 300),
        owner=ruling.owner if ruling.owner in rows and ruling.owner[:1] in "RB" else "",
        by=ruling.by,
    )
    by = f"by {day_text(row.by)}" if row.by else ""
    said = " · ".join(filter(None, (f"{row.id} {row.text}", row.owner, by)))
    return spine.model_copy(update={"questions": (*spine.questions, row)}), said


def _needs_balance(before: Computed, made: _Made) -> bool:
    refused = any(patch.refused for patch in made.patches)
    return refused or balance.count(made.computed, "high") > 0 or balance.got_worse(before, made.computed)


async def _balance(context: StageContext, repaired: Repaired, before: ComputedPlan, made: _Made) -> Balance | None:
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


def _balanced(context: StageContext, spine: Spine, decisions: Decisions, answer: Balance) -> _Made:
    """Return the plan after *decisions* without those withdrawn, and after the changes of *answer*."""
    withdrawn = {_id(each.finding): each.reason for each in answer.withdrawn}
    again = _made(context, spine, decisions, withdrawn)
    rulings = _by_finding(decisions.rulings, withdrawn)
    after, patch = _patched(context, "balance", again.spine, answer.changes, rulings)
    return _Made(after, computed_of(context, after), again.rulings, (*again.patches, patch))


def _undecided(finding: CriticFinding) -> Ruling:
    return Ruling(finding=finding.id, verdict="open", reason="Nobody has decided on it.")


def pages(result: Review) -> Mapping[str, str]:
    """Return counts first, then what the decisions changed, what stays open, and each finding with its decision."""
    verdicts = [ruling.verdict for ruling in result.rulings]
    said = ", ".join(f"{verdicts.count(v)} {v}" for v in ("accepted", "rejected", "open") if v in verdicts)
    parts = ["# Review", f"{counted(result.findings).capitalize()}: {said}." if said else "No findings."]
    if result.patches:
        parts.append(f"In the tables: {changes_made(result.patches)}.")
    if result.cannot_hold:
        parts += ["## What cannot hold, and what would make it hold", bullets(result.cannot_hold)]
    parts += _changed(result)
    by_id = {finding.id: finding for finding in result.findings}
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


def _changed(result: Review) -> Iterator[str]:
    titles = {"decisions": "What was changed", "balance": "What was changed to restore the balance"}
    for patch in result.patches:
        yield f"## {titles.get(patch.title, patch.title)}"
        yield patch_text(patch)
    if result.before_after:
        yield "## Before and after"
        yield result.before_after


def _row(finding: CriticFinding, ruling: Ruling) -> tuple[str, ...]:
    said = f"{finding.text} ({', '.join(finding.ids)})" if finding.ids else finding.text
    return (finding.id, f"{finding.critic}, {finding.severity}", said, ruling.reason, ruling.question)


STAGE = Stage(
    number=24,
    name="review_plan",
    title="Review",
    needs=("start", "choice", "repair", "expert_criticism"),
    version=16,
    result=Review,
    draft=draft,
    pages=pages,
    sections=(Section("review_plan", "Review"),),
    extra_files=lambda result: patch_file("024-3-patch.json", result.patches),
)
