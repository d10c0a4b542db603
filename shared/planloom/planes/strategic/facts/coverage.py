"""What of a goal no fact holds: every number, date and amount, and every clause that says no."""

from collections.abc import Iterator
from datetime import date

from planloom.planes.strategic.facts.fact import Facts, Spanned
from planloom.planes.strategic.facts.rules_page import MOST_FACTS, Page, cues, open_page
from planloom.planes.strategic.facts.rules_text import counts_nothing
from planloom.planes.strategic.facts.spans import ReadSpans


def unread(goal: str, facts: Facts, language: str, today: date) -> tuple[Spanned, ...]:
    """Return the values of *goal* that no fact holds, and the clauses with a word of a ban that none does, in order."""
    country, _ = facts.home
    page = open_page(goal, language, today, country)
    held = (
        facts.money, facts.days, facts.durations, facts.quantities, facts.roles, facts.closures, facts.meetings,
        facts.criteria, facts.fixed, facts.bans, facts.organisations, facts.places,
    )  # fmt: skip
    spans = [s for group in held for s in group if s.by == "goal"]
    read, made = ReadSpans(spans), list[Spanned]()
    for start, end in sorted(_values(page)):
        if not read.overlaps(start, end):
            made.append(Spanned(text=page.goal[start:end], start=start, end=end))
    values = ReadSpans(made)
    for start, end in _denials(page):
        if not read.overlaps(start, end) and not values.overlaps(start, end):
            made.append(Spanned(**page.span(start, end)))
    return tuple(sorted(made, key=lambda s: s.start)[:MOST_FACTS])


def _values(page: Page) -> Iterator[tuple[int, int]]:
    for group in (page.amounts, page.dates, page.durations, page.numbers):
        yield from ((f.start, f.end) for f in group if not counts_nothing(page.text[f.start : f.end]))


def _denials(page: Page) -> Iterator[tuple[int, int]]:
    patterns = [p for p in (cues(page.language, "ban"), cues(page.language, "never")) if p]
    for sentence in page.sentences:
        for start, end in page.clauses(*sentence):
            if any(p.search(page.text, start, end) for p in patterns):
                yield start, end
