"""List an account's plans, newest first."""

from planloom.domain.plans import ListedPlan
from planloom.services.own_plan import own_plan
from planloom.services.world import World

MOST = 50


def list_plans(
    world: World, account: str, limit: int = 10, before: str | None = None, *, archived: bool = False
) -> tuple[list[ListedPlan], bool]:
    """Return at most *limit* (1 to 50) plans of *account*, older than the plan *before* where given, and whether more
    follow; of those that are *archived*, or of all others.

    Raises InvalidArgument, PlanNotFound and PermissionDenied for a *before* that is no plan of *account*.
    """
    last = own_plan(world, account, before) if before else None
    size = max(1, min(limit, MOST))
    found = world.plans.newest_of(account, size + 1, last, archived=archived)
    return found[:size], len(found) > size
