"""Find the plan that an account asked for last: the simplest way back for an agent that lost an id."""

from planloom.domain.errors import PlanNotFound
from planloom.domain.plans import Plan
from planloom.services.own_plan import own_plan
from planloom.services.world import World


def latest_plan(world: World, account: str) -> Plan:
    """Return the newest plan of *account*. Raises PlanNotFound where it has none."""
    found = world.plans.newest_of(account, 1, None)
    if not found:
        raise PlanNotFound("You have no plans yet. Call example_prompts, then plan_create.")
    # the list may lag a little: what is told is read where it was written
    return own_plan(world, account, found[0].plan_id)
