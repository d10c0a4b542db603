"""Check 5: one metric, one value: every number in the text against the register of claims."""

from collections.abc import Iterable, Iterator

from planloom.domain.claims import Claim
from planloom.quality.draft import START_FILE, Draft
from planloom.quality.figures import Mention, figures, mentions
from planloom.quality.finding import Finding, Outcome, finding, place

CHECK = "register"
TITLE = "One figure, one value"

#: Columns that count what is not the plan's own: a sample taken elsewhere, a project to compare with.
_OTHERS = ("Enough is", "Like and unlike", "Method")


def check(draft: Draft) -> Outcome:
    """Medium for each number whose unit and noun are a registered figure's and whose value is not."""
    known = figures(draft.claims)
    looked = f"{len(known)} of {len(draft.claims)} claims hold a figure; {len(draft.body)} passages read against them"
    return Outcome(looked_at=looked, findings=tuple(_findings(draft)))


def contradictions(answer: str, register: Iterable[Claim]) -> tuple[Mention, ...]:
    """Return where *answer* restates a figure of *register* with another value: what a model is told once."""
    known = figures(register)
    return tuple(mention for line in answer.splitlines() for mention in mentions(line, known))


def said(mention: Mention) -> str:
    """Return what disagrees, to be read by whoever must mend it."""
    claim = mention.figure.claim
    unit = f" {claim.unit}" if claim.unit else ""
    return (
        f"“{mention.text.strip()}” disagrees with the claim {claim.id}: {claim.value}{unit} "
        f"(off by {mention.figure.distance(mention.value):.0%})"
    )


def _findings(draft: Draft) -> Iterator[Finding]:
    known = figures(draft.claims)
    for passage in draft.body:
        if passage.kind == "heading" or passage.column in _OTHERS:
            continue
        for mention in mentions(passage.own, known):
            claim = mention.figure.claim
            there = place(_home(draft, claim), f"{claim.id}: {claim.text}")
            yield finding(CHECK, "medium", said(mention) + ".", place(passage.file, passage.text), there, mendable=True)


def _home(draft: Draft, claim: Claim) -> str:
    """Return the file of the stage that made *claim*."""
    stage = claim.id.partition(".")[0]
    return next((file for file in draft.pages if file.endswith(f"-{stage}.md")), START_FILE)
