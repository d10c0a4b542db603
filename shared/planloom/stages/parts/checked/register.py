"""Check 5: advice where a sentence seems to give a claim's subject another value."""

from collections.abc import Iterator

from planloom.domain.claims import Claim
from planloom.quality.finding import Finding, Outcome, finding, place
from planloom.stages.parts.checked.contradictions import Settled
from planloom.stages.parts.checked.draft import START_FILE, Draft

CHECK = "register"
TITLE = "One figure, one value"

#: Columns that count what is not the plan's own: a sample taken elsewhere, a project to compare with.
_OTHERS = ("Enough is", "Like and unlike", "Method")


def check(draft: Draft) -> Outcome:
    """Low for each statement that no claim of its subject agrees to: to be looked at, not known to be wrong."""
    figures = [claim for claim in draft.claims if claim.subject]
    looked = f"{len(figures)} of {len(draft.claims)} claims hold a figure; {len(draft.body)} passages read against them"
    return Outcome(looked_at=looked, findings=tuple(_findings(draft, figures)))


def _findings(draft: Draft, figures: list[Claim]) -> Iterator[Finding]:
    settled = Settled(figures, draft.prompt)
    for passage in draft.body:
        if passage.kind == "heading" or passage.column in _OTHERS:
            continue
        for found in settled.contradictions(passage.own):
            there = place(_home(draft, found.claim), f"{found.claim.id}: {found.claim.text}")
            yield finding(CHECK, "low", f"{found.message}.", place(passage.file, passage.text), there)


def _home(draft: Draft, claim: Claim) -> str:
    """Return the file of the stage that made *claim*."""
    stage = claim.id.partition(".")[0]
    return next((file for file in draft.pages if file.endswith(f"-{stage}.md")), START_FILE)
