"""Find the plan that an account asked for last: the simplest way back for an agent that lost an id."""

from planloom.domain.artifacts import Artifact
from planloom.domain.errors import PlanNotFound
from planloom.domain.plans import Plan
from planloom.services.plan_status import plan_status
from planloom.services.world import World


def latest_plan(world: World, account: str) -> tuple[Plan, list[Artifact]]:
    """Return what plan_status does, of the newest plan of *account*. Raises PlanNotFound where it has none."""
    found = world.plans.newest_of(account, 1, None)
    if not found:
        raise PlanNotFound("You have no plans yet. Call example_prompts, then plan_create.")
    return plan_status(world, account, found[0].plan_id)
