"""Say how a plan is doing, with its ten newest files, from one read of the table."""

from planloom.domain.artifacts import Artifact
from planloom.domain.plans import Plan
from planloom.services.own_plan import own_plan_with_files
from planloom.services.world import World

NEWEST_FILES = 10


def plan_status(world: World, account: str, plan_id: str) -> tuple[Plan, list[Artifact]]:
    """Return the plan and its newest files. Raises InvalidArgument, PlanNotFound, PermissionDenied."""
    return own_plan_with_files(world, account, plan_id, NEWEST_FILES)
