"""Stop a plan: flag it first, so that no further stage starts, then stop its execution."""

from planloom.domain.events import RunEnded
from planloom.domain.plans import TERMINAL, Plan
from planloom.services.own_plan import own_plan
from planloom.services.save_plan_record import save_plan_record
from planloom.services.world import World


def stop_plan(world: World, account: str, plan_id: str) -> Plan:
    """Stop the plan and return it; one that already came to an end is returned as it is.

    Raises InvalidArgument, PlanNotFound, PermissionDenied.
    """
    plan = own_plan(world, account, plan_id)
    if plan.state in TERMINAL:
        return plan
    if world.plans.move(plan.plan_id, plan.run, "stopped", world.now()):
        world.bus.put(RunEnded(plan_id=plan.plan_id, run=plan.run, at=world.now(), state="stopped"))
    world.pipeline.stop(plan.plan_id, plan.run)
    stopped = own_plan(world, account, plan_id)
    save_plan_record(world, stopped)
    return stopped
