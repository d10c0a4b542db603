"""Check: the plan is not longer than decision makers read."""

from collections.abc import Collection, Iterator

from planloom.planes.strategic.quality.draft import Draft, Part
from planloom.planes.strategic.quality.finding import Finding, Outcome, finding, place
from planloom.planes.strategic.quality.words import count_words

CHECK = "length"
TITLE = "Length"

#: Words of the main document, and of main document and annexes together.
MOST_MAIN, MOST_WHOLE = 11_000, 30_000


def check(draft: Draft) -> Outcome:
    """Low where the main document, or it and the annexes together, are longer than the limit."""
    main: tuple[Part, ...] = ("main",)
    whole: tuple[Part, ...] = (*main, "annex")
    found = (*_longer(draft, "main document", main, MOST_MAIN), *_longer(draft, "whole plan", whole, MOST_WHOLE))
    looked = f"{words_of(draft, 'main'):,} words of the main document, {words_of(draft, 'annex'):,} of the annexes"
    return Outcome(looked_at=looked, findings=found)


def words_of(draft: Draft, part: Part) -> int:
    """Return how many words the pages of *part* have, tables included."""
    return sum(count_words(page.text) for page in draft.pages if page.part == part)


def _longer(draft: Draft, what: str, parts: Collection[Part], most: int) -> Iterator[Finding]:
    counted = sorted(((count_words(p.text), p.file) for p in draft.pages if p.part in parts), reverse=True)
    words = sum(count for count, _ in counted)
    if words > most:
        here, there = (place(file, f"{count:,} words") for count, file in (counted * 2)[:2])
        message = f"The {what} has {words:,} words; a decision maker reads {most:,} at most."
        yield finding(CHECK, "low", message, here, there)
