"""List an account's implementation plans, last saved first, filtered."""

import re
from dataclasses import dataclass

from planloom.core.errors import InvalidArgument
from planloom.planes.implementation.ports import PlanRegistry
from planloom.planes.implementation.records import ImplementationPlan, PlanType, StepStatus

MOST = 100
#: One call looks at so many plans at most: a filter that few plans fit returns a part and where to continue.
MOST_LOOKED_AT = 500
_PLACE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z#[0-9a-f-]{36}", re.ASCII)


@dataclass(frozen=True)
class Filter:
    """Which plans are asked for; None takes all. *q* is looked for in title, goal and repo, whatever its case."""

    plan_type: PlanType | None = None
    status: StepStatus | None = None
    repo: str | None = None
    q: str | None = None

    def takes(self, plan: ImplementationPlan) -> bool:
        """Say whether *plan* fits."""
        exact = ((self.plan_type, plan.plan_type), (self.status, plan.status), (self.repo, plan.repo))
        if any(wanted not in (None, found) for wanted, found in exact):
            return False
        text = "\n".join((plan.title, plan.goal_excerpt, plan.repo)).casefold()
        return not self.q or all(word in text for word in self.q.casefold().split())


def list_implementation_plans(
    registry: PlanRegistry, account: str, wanted: Filter, limit: int = 20, before: str | None = None
) -> tuple[list[ImplementationPlan], str | None]:
    """Return at most *limit* (1 to 100) plans, and where the next page begins: None where there is none.

    Pages may hold fewer plans, even none, where few of many fit. Raises InvalidArgument for a *before* that no page
    named.
    """
    if before is not None and not _PLACE.fullmatch(before):
        raise InvalidArgument("before must be the nextBefore of the page before.", field="before")
    size = max(1, min(limit, MOST))
    found: list[tuple[str, ImplementationPlan]] = []
    looked_at = 0
    while looked_at < MOST_LOOKED_AT:
        page = registry.newest_of(account, MOST, before)
        found += [(place, plan) for place, plan in page if wanted.takes(plan)]
        looked_at += len(page)
        if len(found) > size:
            return [plan for _, plan in found[:size]], found[size - 1][0]
        if len(page) < MOST:
            return [plan for _, plan in found], None
        before = page[-1][0]
    return [plan for _, plan in found], before
