"""Rows of the project plan as single lines, and which of them a sentence is about: so that others can point at them."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planloom.domain.wording import day_text
from planloom.facts.quoting import clip
from planloom.knowledge.tracing import stems
from planloom.stages.parts.plan_money import line_text
from planloom.stages.project_plan import ProjectPlan


@dataclass(frozen=True)
class Row:
    """One row: ``kind`` is its table, ``text`` what it says with its figure, ``words`` what it is about."""

    kind: str
    text: str
    words: frozenset[str]


def rows(result: ProjectPlan) -> tuple[Row, ...]:
    """Return the rows of *result* that hold a figure, a date or a head count."""
    return tuple(
        Row(kind, clip(text, 200), frozenset(stems(f"{text} {about}"))) for kind, text, about in _lines(result)
    )


def nearest(found: Sequence[Row], text: str, kinds: Sequence[str] = (), shared: int = 2) -> Row | None:
    """Return the row of *kinds* (all if empty) that shares most rare words with *text*, *shared* at least, or None."""
    wanted = stems(text)
    often = Counter(word for row in found for word in row.words)

    def weight(row: Row) -> float:
        # long rows share words with everything
        return sum(1 / often[w] for w in sorted(wanted & row.words)) / math.sqrt(len(row.words) or 1)

    fitting = [row for row in found if (not kinds or row.kind in kinds) and len(wanted & row.words) >= shared]
    return max(fitting, key=weight, default=None)


def _lines(result: ProjectPlan) -> Iterator[tuple[str, str, str]]:
    yield from _money(result)
    plan = result.plan
    for milestone in plan.milestones:
        yield "milestone", f"{milestone.title}: {day_text(milestone.day)}", milestone.proof
    for row in plan.criteria:
        yield "criterion", f"{row.text} (needed: {row.threshold})", row.measure
    for permit in plan.permits:
        span = f"{permit.optimistic} to {permit.pessimistic} working days"
        text = f"{permit.title}: {span}, apply by {day_text(permit.apply_by)}"
        yield "permit", text, f"{permit.needed_for} {permit.papers}"
    for wait in plan.dependencies:
        yield "dependency", f"{wait.what} (by {wait.by})", f"{wait.holds_up} {wait.if_late}"
    for post in plan.people:
        heads = f"{post.count} {'person' if post.count == 1 else 'people'}"
        yield "post", f"{post.title}: {heads}, {post.hire}", " ".join((*post.acts_as, post.basis))


def _money(result: ProjectPlan) -> Iterator[tuple[str, str, str]]:
    budget = result.budget
    for line in budget.lines:
        yield "budget", f"{line.title}: {line_text(budget, line.amount)}", line.basis
    yield "budget", f"Contingency: {line_text(budget, budget.contingency)}", "reserve extras overrun hidden defects"
    for source in budget.funding:
        yield "funding", f"{source.title}: {line_text(budget, source.amount)}", f"{source.condition} money loan payment"
