"""Say how a plan is doing, from one read of the table and its ten newest files."""

from planloom.domain.artifacts import Artifact
from planloom.domain.plans import Plan
from planloom.services.own_plan import own_plan
from planloom.services.world import World

NEWEST_FILES = 10


def plan_status(world: World, account: str, plan_id: str) -> tuple[Plan, list[Artifact]]:
    """Return the plan and its newest files. Raises InvalidArgument, PlanNotFound, PermissionDenied."""
    plan = own_plan(world, account, plan_id)
    return plan, world.plans.newest_files(plan.plan_id, NEWEST_FILES)
