"""Stop a plan: flag it first, so that no further stage starts, then stop its execution."""

from planloom.domain.plans import Plan
from planloom.services.end_run import end_plan
from planloom.services.own_plan import own_plan
from planloom.services.world import World


def stop_plan(world: World, account: str, plan_id: str) -> Plan:
    """Stop the plan and return it; one that already came to an end is returned as it is.

    A repeat heals a crash between flag and execution.
    Raises InvalidArgument, PlanNotFound, PermissionDenied.
    """
    plan = own_plan(world, account, plan_id)
    if plan.state in ("completed", "failed"):
        return plan
    world.plans.move(plan.plan_id, plan.run, "stopped", world.now(), reason="plan_stop")
    world.pipeline.stop(plan.plan_id, plan.run)
    end_plan(world, plan, "stopped")
    return own_plan(world, account, plan_id)
