"""Stage 013: the author answers what programs found in the spine, by one patch; what it leaves goes to the decision."""

from collections.abc import Mapping
from datetime import date
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Answer
from planloom.core.wording import day_text
from planloom.models.model import Part
from planloom.planes.strategic.compute.compute import compute
from planloom.planes.strategic.compute.computed import Computed
from planloom.planes.strategic.spine.digests import row_digests
from planloom.planes.strategic.spine.patch import Change
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.findings_shown import counted, findings_table, findings_text
from planloom.planes.strategic.stages.patching import CHANGES, changes_made, patch_file, patched
from planloom.planes.strategic.stages.results import Patched, Repaired, Structured
from planloom.planes.strategic.stages.shown import whole_plan
from planloom.planes.strategic.stages.stage import Section, Stage
from planloom.planes.strategic.stages.text import bullets, ended

INSTRUCTIONS = f"""\
You are the author of this plan. You are shown the facts of the goal, your document, the tables that were made of it
(each row has an id), what programs computed of these tables (schedule levelled by role, odds, cash, load), and last
what programs found wrong in them, one item for each cause. Repair the tables: they count where the document says
otherwise. You are asked once; what is left goes to you again together with the findings of critics.

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


#: The largest number of changes in one answer.
MOST_CHANGES = 200


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
    changes: list[Change] = Field(default_factory=list, max_length=MOST_CHANGES)
    cannot_hold: list[CannotHold] = Field(default_factory=list, max_length=12)


async def draft(context: StageContext) -> Repaired:
    """Compute; where something of high or medium severity is found, ask the author for a patch and compute again."""
    spine = context.read("spine", Structured).spine
    computed = computed_of(context, spine)
    found = computed.findings
    result = Repaired(spine=spine, before=found, after=found)
    if not context.about.outline_only and any(finding.severity != "low" for finding in found):
        result = await _repaired(context, result, computed)
    return context.with_missing(result)


def computed_of(context: StageContext, spine: Spine) -> Computed:
    """Return what is computed of *spine* on the days that the goal leaves open."""
    return compute(spine, context.goal.facts.closures)


async def _repaired(context: StageContext, result: Repaired, computed: Computed) -> Repaired:
    """Ask the author for a patch and apply it; *result* as it is where the answer is lost."""
    spine = result.spine
    found = Part("what programs found wrong in the tables", findings_text(result.before))
    parts, rows = (*whole_plan(context, spine, computed), found), row_digests(spine)
    part = "the repair of the plan"
    answer = await context.ask_part("repair", INSTRUCTIONS, parts, RepairAnswer, rows=rows, part=part)
    if answer is None:
        return result
    spine, patch = patched("repair", spine, answer.changes, context.goal.today)
    return Repaired(
        spine=spine,
        before=result.before,
        concept=f"{answer.concept}: {answer.concept_because}",
        patches=(patch,),
        after=computed_of(context, spine).findings,
        cannot_hold=tuple(map(cannot_hold_text, answer.cannot_hold)),
    )


def cannot_hold_text(found: CannotHold) -> str:
    """Return what cannot hold with its options and who decides, in sentences."""
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
    for patch in result.patches:
        parts += [f"## Changes: {changes_made((patch,))}", patch_text(patch)]
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
    version=24,
    result=Repaired,
    draft=draft,
    pages=pages,
    sections=(Section("repair", "Repair"),),
    extra_files=lambda result: patch_file("013-3-patch.json", result.patches),
)
