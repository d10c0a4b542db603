"""The whole plan as authors and critics are shown it: facts, document, tables and what is computed of them."""

from planloom.compute.computed import Computed
from planloom.drafting.computed_shown import computed_part
from planloom.drafting.context import StageContext
from planloom.drafting.results import Choice
from planloom.models.model import Part
from planloom.spine.markdown import for_model
from planloom.spine.spine import Spine


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


def document(choice: Choice) -> Part:
    """Return the base document whole, with what is taken over into it from the other draft."""
    grafts = [
        f"### {graft.title}\n\nTo stand at: {graft.place}\n\n{graft.text}\n\nBecause: {graft.because}"
        for graft in choice.grafts
    ]
    taken_over = ["## Taken over from the other draft", *grafts] if grafts else []
    return Part("the plan as its author wrote it", "\n\n".join([choice.base, *taken_over]))
