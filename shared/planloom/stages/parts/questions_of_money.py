"""Questions of the one who pays."""

from collections.abc import Iterator

from planloom.domain.budget import Budget
from planloom.domain.wording import amount_text
from planloom.facts.quoting import lower_first
from planloom.stages.parts.countable import share_of
from planloom.stages.parts.questions_answer import QuestionRow
from planloom.stages.parts.questions_sources import Sources, asked, unsaid


def about_money(s: Sources) -> Iterator[QuestionRow]:
    """Ask for the total, the largest line, what has no source, and when each source can be drawn."""
    budget = s.plan.budget
    if budget.currency is None:
        yield from _without_total(s)
        return
    yield _enough(budget, budget.currency)
    top = max(budget.lines, key=lambda line: (line.amount, line.id))
    yield asked(
        f"Why does {lower_first(top.title)} cost {amount_text(top.amount, budget.currency)}?",
        f"It is {share_of(top.amount, budget.total)} of the total. Basis: {top.basis.rstrip('.')}.",
        "Project Plan",
    )
    if budget.gap > 0 and budget.funding:
        gap = amount_text(budget.gap, budget.currency)
        yield unsaid(
            s,
            f"Where does the missing {gap} come from?",
            f"The sources named bring {amount_text(budget.total - budget.gap, budget.currency)} of "
            f"{amount_text(budget.total, budget.currency)}.",
            f"name a source for {gap}, or cut lines by as much; the funding table then adds up",
        )
    for source in budget.funding[:2]:
        yield asked(
            f"When can the {amount_text(source.amount, budget.currency)} from {lower_first(source.title)} be spent?",
            f"Only once this holds: {lower_first(source.condition).rstrip('.')}.",
            "Project Plan",
        )


def _without_total(s: Sources) -> Iterator[QuestionRow]:
    budget = s.plan.budget
    yield unsaid(
        s,
        f"How much may {s.brief.facts.subject} cost?",
        "No total was found in the goal, so the budget shows shares only.",
        "name the total in writing; the shares then become amounts",
    )
    lines = sorted(budget.lines, key=lambda line: (-line.amount, line.id))
    yield asked(
        f"Why does {lower_first(lines[0].title)} take the largest share?",
        f"{share_of(lines[0].amount, budget.total)} of the total: {lines[0].basis.rstrip('.')}.",
        "Project Plan",
    )


def _enough(budget: Budget, currency: str) -> QuestionRow:
    return asked(
        f"Is {amount_text(budget.total, currency)} enough?",
        f"The lines take {amount_text(budget.total - budget.contingency, currency)} and leave "
        f"{amount_text(budget.contingency, currency)} ({share_of(budget.contingency, budget.total)}) for what nobody "
        f"foresees. The estimate is of AACE class {budget.estimate_class}: "
        f"{sum(not line.stated for line in budget.lines)} of {len(budget.lines)} lines rest on shares until quotes "
        "replace them.",
        "Project Plan",
    )
