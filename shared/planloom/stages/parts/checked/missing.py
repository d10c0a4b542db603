"""Parts of the plan that the model gave no usable answer for: left out, computed or blank, as their sections say."""

from planloom.quality.finding import Outcome, finding, place
from planloom.stages.parts.checked.draft import Draft

CHECK = "missing"
TITLE = "Parts that the model did not write"


def check(draft: Draft) -> Outcome:
    """Medium: the section says what is missing, and asking again costs one call."""
    return Outcome(
        looked_at=f"{len(draft.pages)} sections",
        findings=tuple(
            finding(CHECK, "medium", sentence, place(file, sentence), place(file, draft.titles[file]))
            for file, sentences in draft.missing.items()
            for sentence in sentences
        ),
    )
