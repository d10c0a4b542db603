"""Stage 013: the author answers what programs found in the spine, by patches, at most twice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from pydantic import Field

from planloom.compute.compute import compute
from planloom.compute.computed import Computed, Finding
from planloom.domain.frozen import Answer
from planloom.domain.quality import Severity
from planloom.domain.wording import day_text
from planloom.models.model import Part
from planloom.spine.digests import row_digests
from planloom.spine.patch import Change
from planloom.spine.spine import Spine
from planloom.stages.context import StageContext
from planloom.stages.findings_shown import by_severity, counted, findings_table, findings_text
from planloom.stages.patching import CHANGES, changes_made, patch_file, patched
from planloom.stages.results import Patched, Repaired, Structured
from planloom.stages.shown import whole_plan
from planloom.stages.stage import Section, Stage
from planloom.stages.text import bullets, ended

INSTRUCTIONS = f"""\
You are the author of this plan. You are shown the facts of the goal, your document, the tables that were made of it
(each row has an id), what programs computed of these tables (schedule levelled by role, odds, cash, load), and last
what programs found wrong in them. Repair the tables: they count where the document says otherwise.

1. The concept first. Ask of the severe findings together whether they come from details or from the concept: too little
   time for what is chosen, one person as the bottleneck of everything, money that comes after it is owed. concept:
   holds, or rethink. concept_because: for rethink, what changes in the concept and why, with numbers, so that the
   document can be rewritten from it; for holds, what shows that it holds. A concept that fails is rethought, not
   patched: change the frame's concept, packages, roles and lines together.
2. changes: what repairs the findings, the high ones first, then the medium ones, then the low ones where it is cheap.
   - Repair the cause, not the symptom. Work that starts too late is started earlier, cut, split, given to another
     role, run side by side or left out of scope by a decision; a due day of the goal is never moved, a demand never
     removed or given to a package that does not fulfil it.
   - A role that has too much gets a second holder, fewer packages or other dates, each with its cost line.
   - Odds are raised by starting earlier, fewer dependencies, less work or a fallback; never by narrower ranges, shorter
     durations or more certain inputs without a stated reason.
   - Money: a gap is closed by a source, a later payment, a smaller scope or a decision, never by a lower contingency or
     by an amount that nobody gives. What costs something has a line, and pay lasts until the work ends.
   - Approvals: papers before the meeting, the meeting before what it frees, the commitment after both. Meeting days
     are those of the party.
   - A gate or due day whose computed day is that very day has even odds: leave it slack, or say the odds.
   - Look at what each change moves: what follows it, who works then, what is paid then. The programs compute all again.
   - Ids of existing rows stay. Do not rewrite what no finding is about.
3. cannot_hold: findings that no change repairs without breaking a demand or a limit of the goal. For each: the id of
   the finding, what cannot hold (with the computed value and the due one), two or three options that would make it
   hold, each with its price, who decides, and by when. Say it plainly; an honest no is worth more than a forced yes.
A finding that is wrong, because it misreads the tables, needs no change: leave it.

{CHANGES}"""

#: The calls of this stage, and the severities of findings that lead to each.
CALLS: tuple[tuple[str, tuple[Severity, ...]], ...] = (("repair", ("high", "medium")), ("repair-2", ("high",)))


class CannotHold(Answer):
    """What cannot hold as the goal stands."""

    finding: str = Field(default="", max_length=160, description="Id of the finding")
    what: str = Field(max_length=400, description="What cannot hold, with the computed value and the due one")
    options: list[str] = Field(max_length=4, description="What would make it hold, each with its price")
    who: str = Field(max_length=120, description="Role or body that decides")
    by: date | None = Field(default=None, description="The day by which it must be decided")


class RepairAnswer(Answer):
    """The author's answer to the findings."""

    concept: Literal["holds", "rethink"]
    concept_because: str = Field(max_length=1500)
    changes: list[Change] = Field(default_factory=list, max_length=60)
    cannot_hold: list[CannotHold] = Field(default_factory=list, max_length=12)


@dataclass
class _State:
    """The spine as it is between two calls."""

    spine: Spine
    computed: Computed
    concept: str = ""
    patches: list[Patched] = field(default_factory=list)
    cannot_hold: tuple[str, ...] = ()


async def draft(context: StageContext) -> Repaired:
    """Compute; where something severe is found, ask the author for a patch and compute again, at most twice."""
    spine = context.read("spine", Structured).spine
    state = _State(spine, computed_of(context, spine))
    before = state.computed.findings
    if not context.about.outline_only:
        for call, severities in CALLS:
            if not any(finding.severity in severities for finding in state.computed.findings):
                break
            if not await _answered(context, call, state):
                break
    return context.with_missing(
        Repaired(
            spine=state.spine,
            before=before,
            concept=state.concept,
            patches=tuple(state.patches),
            after=state.computed.findings,
            cannot_hold=state.cannot_hold,
        )
    )


def computed_of(context: StageContext, spine: Spine) -> Computed:
    """Return what is computed of *spine* on the days that the goal leaves open."""
    return compute(spine, context.goal.facts.closures)


async def _answered(context: StageContext, call: str, state: _State) -> bool:
    """Ask the author for a patch and apply it; False where the answer is lost."""
    parts = (*whole_plan(context, state.spine, state.computed), _found(state))
    rows = row_digests(state.spine)
    answer = await context.ask_part(call, INSTRUCTIONS, parts, RepairAnswer, rows=rows, part="the repair of the plan")
    if answer is None:
        return False
    spine, patch = patched(call, state.spine, answer.changes, context.goal.today)
    computed = computed_of(context, spine)
    if state.patches and _severe(computed.findings) > _severe(state.computed.findings):
        # the second patch made it worse: the first one is what the critics get
        patch = Patched(title=call, refused=("The whole patch: it leaves more severe findings than there were.",))
    else:
        state.spine, state.computed = spine, computed
        state.concept = f"{answer.concept}: {answer.concept_because}"
        state.cannot_hold = tuple(map(_said, answer.cannot_hold)) or state.cannot_hold
    state.patches.append(patch)
    return True


def _found(state: _State) -> Part:
    """Show the findings and, for the second call, what the first patch could not change."""
    text = findings_text(by_severity(state.computed.findings))
    refused = [refusal for patch in state.patches for refusal in patch.refused]
    if refused:
        text += f"\n\nRefused of your first patch:\n{bullets(refused)}"
    if state.cannot_hold:
        text += f"\n\nWhat you said cannot hold, which needs no change again:\n{bullets(state.cannot_hold)}"
    return Part("what programs found wrong in the tables" + (" after your first patch" if state.patches else ""), text)


def _severe(found: Sequence[Finding]) -> int:
    return sum(finding.severity == "high" for finding in found)


def _said(found: CannotHold) -> str:
    by = f" by {day_text(found.by)}" if found.by else ""
    options = "; or ".join(option.rstrip(". ") for option in found.options)
    return f"{ended(found.what)} It would hold with: {options}. {found.who} decides{by}."


def pages(result: Repaired) -> Mapping[str, str]:
    """Return what was found and changed, counts first, then what cannot hold and what is still found."""
    head = f"Programs found {counted(result.before)} in the tables of the plan; {counted(result.after)} are left."
    parts = ["# Repair", head if result.patches else f"Programs found {counted(result.before)} in the tables."]
    if result.concept:
        parts.append(f"The concept {result.concept}")
    if result.cannot_hold:
        parts += ["## What cannot hold, and what would make it hold", bullets(result.cannot_hold)]
    for number, patch in enumerate(result.patches, 1):
        parts += [f"## Patch {number}: {changes_made((patch,))}", patch_text(patch)]
    parts += ["## What is found now", findings_table(result.after) or "Nothing."]
    left = {finding.id for finding in result.after}
    if gone := findings_table(finding for finding in result.before if finding.id not in left):
        parts += ["## What was found and is repaired", gone]
    return {"repair": "\n\n".join(part.rstrip() for part in parts if part)}


def patch_text(patch: Patched) -> str:
    """Return as Markdown what *patch* changed, old and new, what was refused of it and repaired after it."""
    refused = (f"Not made: {refusal}" for refusal in patch.refused)
    repairs = (f"Repaired by a program: {repair}" for repair in patch.repairs)
    return bullets((*patch.changed, *refused, *repairs))


STAGE = Stage(
    number=13,
    name="repair",
    title="Repair",
    needs=("start", "choice", "spine"),
    version=5,
    result=Repaired,
    draft=draft,
    pages=pages,
    sections=(Section("repair", "Repair"),),
    extra_files=lambda result: patch_file("013-3-patch.json", result.patches),
)
