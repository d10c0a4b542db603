"""Check: parts of the plan that the model gave no usable answer for, as their sections say."""

from planloom.planes.strategic.quality.draft import Draft
from planloom.planes.strategic.quality.finding import Outcome, finding, place

CHECK = "missing"
TITLE = "Parts that the model did not write"


def check(draft: Draft) -> Outcome:
    """Medium: the section says what is missing, and repeating the call supplies it."""
    return Outcome(
        looked_at=f"{len(draft.pages)} sections",
        findings=tuple(
            finding(CHECK, "medium", sentence, place(file, sentence), place(file, draft.titles.get(file, file)))
            for file, sentences in draft.missing.items()
            for sentence in sentences
        ),
    )
