"""Findings on demands whose words name another deliverable than the packages that meet them."""

from collections import Counter
from collections.abc import Iterator

from planloom.compute.computed import Finding
from planloom.compute.found import finding, named
from planloom.compute.view import PlanView
from planloom.compute.words import content_words
from planloom.spine.rows import Demand


def order_words_findings(view: PlanView) -> Iterator[Finding]:
    """Yield the findings: only where the words name exactly one other deliverable and none of what meets the demand."""
    words = _deliverable_words(view)
    for demand in view.spine.demands:
        met = [view.rows[id] for id in demand.met_by if view.dated(id)]
        if not met:
            continue
        spoken = content_words(demand.text)
        own = {package.deliverable for package in met}
        if any(spoken & (content_words(p.title) | words.get(p.deliverable, frozenset())) for p in met):
            continue
        named_ones = [id for id, mine in words.items() if mine & spoken]
        if len(named_ones) == 1 and named_ones[0] not in own:
            yield _wrong(view, demand, named_ones[0])


def _deliverable_words(view: PlanView) -> dict[str, frozenset[str]]:
    """The words of each deliverable's title that no other has."""
    words = {row.id: content_words(row.title) for row in view.spine.deliverables}
    counts = Counter(word for mine in words.values() for word in mine)
    return {id: frozenset(word for word in mine if counts[word] == 1) for id, mine in words.items()}


def _wrong(view: PlanView, demand: Demand, deliverable: str) -> Finding:
    package, other = view.rows[demand.met_by[0]], view.rows[deliverable]
    return finding(
        "order.wrong_milestone",
        "medium",
        [
            (demand, demand.text[:120]),
            (package, f"is said to meet it; part of {package.deliverable or 'no deliverable'}"),
            (other, "is what its words name"),
        ],
        f"{named(demand)} is said to be met by {named(package)}; its words name {named(other)}.",
        f"Let a package of {deliverable} meet {demand.id}.",
    )
