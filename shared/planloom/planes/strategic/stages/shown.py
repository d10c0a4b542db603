"""The whole plan as authors and critics are shown it: facts, document, tables and what is computed of them."""

from planloom.models.model import Part
from planloom.planes.strategic.compute.computed import Computed
from planloom.planes.strategic.spine.markdown import for_model
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.computed_shown import computed_part
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.results import Choice, Repaired
from planloom.planes.strategic.stages.text import bullets

PLAN_SHOWN = """\
You are shown the facts of the goal, the document of the plan, its tables (each row with an id) and what programs
computed of them (schedule levelled by role, odds, cash, load). The document has the concept and the reasoning; its
figures are older than the tables. Programs check sums, order and dates of the tables: look for what no program can
know.
"""


def whole_plan(context: StageContext, spine: Spine, computed: Computed) -> tuple[Part, ...]:
    """Return the parts that calls about the whole plan begin with; tables and computed values are shown by id.

    The stage of *context* needs start and choice.
    """
    return (
        context.facts(),
        document(context.read("choice", Choice)),
        Part("the tables of the plan, each row with its id", for_model(spine), by_id=True),
        computed_part(spine, computed),
    )


def repair_said(repaired: Repaired) -> tuple[Part, ...]:
    """Return what the author said of the concept and of what cannot hold; no part where nothing was repaired."""
    if not repaired.patches:
        return ()
    lines = [f"The concept: {repaired.concept}", *(f"Cannot hold: {said}" for said in repaired.cannot_hold)]
    lines += [f"Not made of the repair: {refusal}" for patch in repaired.patches for refusal in patch.refused]
    return (Part("what the author said when the tables were repaired", bullets(lines)),)


def document(choice: Choice) -> Part:
    """Return the text of the draft, with what is taken over into it from the other one."""
    beside = f"\n\n## Taken over from the other draft\n\n{choice.beside}" if choice.beside else ""
    return Part("the document: concept and reasoning; its figures are older than the tables", f"{choice.base}{beside}")
