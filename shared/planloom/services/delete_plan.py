"""Delete a plan for good: its files with all their versions, and all that the table says of it but a tombstone."""

from datetime import datetime, timedelta

from planloom.domain.errors import PlanActive
from planloom.services.archive_plan import at_rest
from planloom.services.credits import settle_credits
from planloom.services.own_plan import own_plan
from planloom.services.world import World

#: A worker that was under way when its plan was stopped may write until its Lambda ends, 15 minutes at most.
LATE_WRITES_END_AFTER = timedelta(hours=1)


def delete_plan(world: World, account: str, plan_id: str) -> datetime:
    """Delete the plan of *account* and return when. What a crash leaves over, the watchdog erases.

    Raises InvalidArgument, PlanNotFound (also for one deleted before), PermissionDenied, PlanActive.
    """
    plan = at_rest(own_plan(world, account, plan_id))
    # while its records are there to be counted
    settle_credits(world, plan)
    now = world.now()
    # the tombstone first: from then on nobody finds the plan, and nothing late brings it back
    if not world.shelf.delete(plan.plan_id, plan.run, now):
        raise PlanActive("This plan began to work again just now. Stop it first (plan_stop).")
    _erase(world, plan.plan_id, for_good=False)
    return now


def erase_deleted(world: World) -> list[str]:
    """Erase what late writes and crashes left of plans that were deleted, or never came to be; return their ids."""
    marked = world.shelf.deleted(world.now() - LATE_WRITES_END_AFTER)
    # one that was expected may have come since
    gone = [plan_id for plan_id in marked if world.plans.get(plan_id) is None]
    for plan_id in gone:
        _erase(world, plan_id, for_good=True)
    return gone


def _erase(world: World, plan_id: str, *, for_good: bool) -> None:
    world.shares.revoke_all(plan_id)
    world.files.remove_all(plan_id)
    world.shelf.erase(plan_id, for_good=for_good)
