"""List an account's plans, newest first."""

from planloom.planes.strategic.plans import ListedPlan
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.own_plan import own_plan

MOST = 50


def list_plans(
    plan_records: PlanRecords, account: str, limit: int = 10, before: str | None = None, *, archived: bool = False
) -> tuple[list[ListedPlan], bool]:
    """Return at most *limit* (1 to 50) plans of *account*, older than the plan *before* where given, and whether more
    follow; of those that are *archived*, or of all others.

    Raises InvalidArgument, PlanNotFound and PermissionDenied for a *before* that is no plan of *account*.
    """
    last = own_plan(plan_records, account, before) if before else None
    size = max(1, min(limit, MOST))
    found = plan_records.plans.newest_of(account, size + 1, last, archived=archived)
    return found[:size], len(found) > size
