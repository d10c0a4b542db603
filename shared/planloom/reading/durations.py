"""Read the lengths of time in a prompt, each with its role and with what takes that long."""

from itertools import islice

from planloom.domain.facts import Duration
from planloom.reading import time_words as words
from planloom.reading.days import label_of
from planloom.reading.lengths import Length, find_lengths
from planloom.reading.page import MOST_FACTS, Page, Taken
from planloom.reading.whole import speaks_of_project


def read_durations(page: Page, objective: tuple[int, int], subject: str, taken: Taken) -> tuple[Duration, ...]:
    """Return the lengths of time in order of appearance; one at most is the total: the surest, then the first.

    Spans that *taken* holds (money, dates) are left out.
    """
    lengths = _apart(sorted(islice(find_lengths(page.text, page.language), 3 * MOST_FACTS)), taken)
    ranks = [_rank(page, length, objective, subject) for length in lengths]
    best = max(ranks, default=0)
    total = ranks.index(best) if best else -1
    return tuple(_duration(page, length, total=i == total) for i, length in enumerate(lengths))


def _apart(lengths: list[Length], taken: Taken) -> list[Length]:
    kept: list[Length] = []
    for length in lengths:
        if not taken.holds(length.start, length.end) and not (kept and kept[-1].end > length.start):
            kept.append(length)
    return kept[:MOST_FACTS]


def _duration(page: Page, length: Length, *, total: bool) -> Duration:
    before = page.before(length.start)
    other = words.CADENCE.search(before) or words.BEHIND.search(before) or words.AGO.match(page.after(length.end))
    return Duration(
        **page.span(length.start, length.end),
        low=length.low,
        high=length.high,
        unit=length.unit,
        role="total" if total else "other" if other else "part",
        label=label_of(page, length.start, length.end),
    )


def _rank(page: Page, length: Length, objective: tuple[int, int], subject: str) -> int:
    """Return how surely *length* is the time frame of the whole: 0 for not at all."""
    before, after = page.before(length.start), page.after(length.end)
    if length.point or words.CADENCE.search(before) or words.BEHIND.search(before) or words.AGO.match(after):
        return 0
    if words.FRAME.search(before):
        return 5
    if words.FRAMED.match(after) or ("-" in page.text[length.start : length.end] and words.FRAMED_FAR.match(after)):
        return 4
    if length.unit == "hours":
        # A plan of hours is rare, an hour in a plan is not.
        return 0
    clause = page.text[slice(*page.clause_before(length.start))].lower()
    if not words.SPAN.search(before) or any(m.group() not in subject.lower() for m in words.PARTIAL.finditer(clause)):
        return 0
    return _spanned(clause, f"{before}. {after}", aimed_at=objective[0] <= length.start < objective[1], subject=subject)


def _spanned(clause: str, said: str, *, aimed_at: bool, subject: str) -> int:
    """Return the rank of a length after "over", "within", "in", by what *clause* and the sentence speak of."""
    if words.FUNDING.search(said) or aimed_at:
        return 3
    if speaks_of_project(clause, subject):
        return 2
    return 0
