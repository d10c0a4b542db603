"""List an account's plans, newest first."""

from planloom.domain.plans import Plan
from planloom.services.world import World

MOST = 50


def list_plans(world: World, account: str, limit: int = 10, before: str | None = None) -> list[Plan]:
    """Return at most *limit* (1 to 50) plans of *account*, older than the plan *before* where given."""
    return world.plans.newest_of(account, max(1, min(limit, MOST)), before)
