"""The review's second lens: lines, contingency, responses and funding against the total."""

from collections.abc import Iterator

from planloom.domain.wording import amount_text
from planloom.facts.quoting import clip, lower_first
from planloom.stages.parts.countable import share_of
from planloom.stages.parts.review_answer import FindingRow
from planloom.stages.parts.reviewed import Reviewed


def money(r: Reviewed) -> Iterator[FindingRow]:
    """Find what does not add up, then the line that rests on least."""
    currency = r.plan.budget.currency
    if currency is None:
        yield _no_total(r)
        return
    yield from _responses(r, currency)
    yield from _funding(r, currency)
    yield from _guessed(r, currency)


def _no_total(r: Reviewed) -> FindingRow:
    top = max(r.plan.budget.lines, key=lambda line: (line.amount, line.id))
    return r.finding(
        kind="gap",
        title="No total is set",
        place="Project Plan, budget",
        text=f"No budget was found in the goal: every line is a share, {lower_first(clip(top.title, 120))} the largest "
        f"with {share_of(top.amount, r.plan.budget.total)}, and no limit can be checked in money.",
        consequence=f"Nobody can say whether a quote for {lower_first(clip(top.title, 120))} is too dear.",
        weight=(4, 5),
        action="Name a total, or the most that may be lost, and turn shares into amounts.",
        check="The budget table shows amounts that sum to the total",
    )


def _responses(r: Reviewed, currency: str) -> Iterator[FindingRow]:
    responses, contingency = _claimed(r, "risks.response-cost"), r.plan.budget.contingency
    if responses <= contingency:
        return
    yield r.finding(
        kind="contradiction",
        title="Risk responses cost more than the contingency holds",
        place=f"Risks, {amount_text(responses, currency)} of responses",
        against=f"Project Plan, contingency {amount_text(contingency, currency)}",
        text=f"The responses in the register add up to {amount_text(responses, currency)}; the contingency is "
        f"{amount_text(contingency, currency)}.",
        consequence=f"{amount_text(responses - contingency, currency)} would come out of the lines.",
        weight=(4, 4),
        action="Drop the responses that save least, or move their cost into the lines that they protect.",
        role=r.finance,
        check="Sum of responses at most equal to the contingency",
    )


def _funding(r: Reviewed, currency: str) -> Iterator[FindingRow]:
    b = r.plan.budget
    if not b.funding or b.gap <= 0:
        return
    gap = amount_text(b.gap, currency)
    yield r.finding(
        kind="contradiction",
        title=f"{gap} of the total has no source",
        place=f"Project Plan, funding {amount_text(b.total - b.gap, currency)}",
        against=f"Project Plan, budget {amount_text(b.total, currency)}",
        text=f"Of {amount_text(b.total, currency)} the sources that the goal names leave {gap} open.",
        consequence="The last lines of the budget have no money behind them.",
        weight=(5, 4),
        action=f"Name a source for {gap} or cut as much.",
        role=r.finance,
        check="Funding table sums to the total",
    )


def _guessed(r: Reviewed, currency: str) -> Iterator[FindingRow]:
    b = r.plan.budget
    top = max((line for line in b.lines if not line.stated), key=lambda line: (line.amount, line.id), default=None)
    if top is None:
        return
    tenth = top.amount * 0.1
    yield r.finding(
        kind="weakness",
        title=f"{clip(top.title, 90)}: a share, not a quote",
        place=f"Project Plan, {lower_first(clip(top.title, 60))}, {amount_text(top.amount, currency)}",
        text=f"{amount_text(top.amount, currency)}, {share_of(top.amount, b.total)} of the total, is the largest line "
        f"that was not found in the goal. Basis: {clip(top.basis, 240).rstrip('.')}.",
        consequence=f"10% on this line is {amount_text(tenth, currency)}, {share_of(tenth, b.contingency)} of the "
        "contingency."
        if b.contingency
        else "There is no contingency to take it from.",
        weight=(3, 4),
        action="Get three quotes for the same description and replace the share.",
        role=r.finance,
        by=r.gate("prepare"),
        check="Three dated quotes on file, the line recalculated",
    )


def money_sound(r: Reviewed) -> str:
    """Say what holds of the money."""
    b = r.plan.budget
    if b.currency is None:
        return f"The {len(b.lines)} shares and the contingency sum to the whole; no amount is shown that nobody stated."
    total = sum(line.amount for line in b.lines) + b.contingency
    return (
        f"{len(b.lines)} lines and a contingency of {amount_text(b.contingency, b.currency)} sum to "
        f"{amount_text(total, b.currency)}, and the phases sum to the same."
    )


def _claimed(r: Reviewed, claim_id: str) -> float:
    claim = r.register.get(claim_id)
    try:
        return float(claim.value) if claim and claim.value else 0.0
    except ValueError:
        return 0.0
