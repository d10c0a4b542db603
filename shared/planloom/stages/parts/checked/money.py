"""Check 4: the budget adds up."""

from collections.abc import Iterator

from planloom.quality.finding import Finding, Outcome, finding, place
from planloom.stages.parts.checked.draft import PLAN_FILE, Draft

CHECK = "money"
TITLE = "Sums and rates of the budget"

#: Rounded parts may miss their sum by so much of it.
ROUNDING = 0.01


def check(draft: Draft) -> Outcome:
    """High where the budget's rows do not make their sums."""
    looked = f"{len(draft.budget.lines)} lines by {len(draft.budget.phases)} phases"
    return Outcome(looked_at=looked, findings=tuple(_budget(draft)))


def _budget(draft: Draft) -> Iterator[Finding]:
    budget = draft.budget
    amounts = sum(line.amount for line in budget.lines)
    unit = budget.currency or "parts"
    total = place(PLAN_FILE, f"Total {unit} {budget.total:,}")
    if amounts + budget.contingency != budget.total:
        message = (
            f"Lines of {unit} {amounts:,} and a contingency of {unit} {budget.contingency:,} make "
            f"{unit} {amounts + budget.contingency:,}, not the total of {unit} {budget.total:,}."
        )
        held = place(PLAN_FILE, f"Sum of lines {unit} {amounts:,}; contingency {unit} {budget.contingency:,}")
        yield finding(CHECK, "high", message, held, total)
    for line in budget.lines:
        here = place(PLAN_FILE, f"{line.title}: {unit} {line.amount:,}")
        if sum(line.by_phase) != line.amount:
            message = f"“{line.title}” is {unit} {line.amount:,}, and its phases make {unit} {sum(line.by_phase):,}."
            yield finding(CHECK, "high", message, here, place(PLAN_FILE, f"Budget by phase | {line.title}"))
        if line.pay and line.pay.fte_months and not _product(line.amount, line.rate, line.pay.fte_months):
            made = line.rate * line.pay.fte_months
            message = f"“{line.title}”: rate times full-time months is {unit} {made:,.0f}, not {unit} {line.amount:,}."
            yield finding(CHECK, "high", message, here, place(PLAN_FILE, f"Pay | {line.title}"))


def _product(amount: float, rate: float, months: float) -> bool:
    # the rate is printed in whole units: each month may hide half a unit
    return abs(amount - rate * months) <= max(months / 2 + 1, ROUNDING * amount)
