"""Begin the next run of a plan: move it in the table once, keep its record, then start its execution.

The record is in the bucket before the execution starts: whoever rebuilds the view from it never gives a run the number
of one that was started. A crash after the move is healed by the same request again, or by the watchdog.
"""

from collections.abc import Callable

from planloom.domain.errors import RequestConflict
from planloom.domain.plans import ModelProfile, Plan
from planloom.services.credits import reserve_credits, settle_credits
from planloom.services.save_plan_record import save_plan_record
from planloom.services.start_run import start_run
from planloom.services.world import World


def begin_run(world: World, before: Plan, plan: Plan, prepare: Callable[[Plan], None] | None = None) -> bool:
    """Begin the run that *plan* is pending in, after *before*; return False, changing nothing, where another was first.

    Raises InsufficientCredits. *prepare* is done between the move, after which no other run can begin, and the start.
    """
    settle_credits(world, before)
    reserve_credits(world, plan)
    if not world.plans.restart(plan):
        return False
    if prepare:
        prepare(plan)
    save_plan_record(world, plan)
    start_run(world, plan)
    return True


def begun_before(world: World, plan: Plan, request: str | None, model_profile: ModelProfile | None) -> bool:
    """Return whether the same *request* has begun the plan's current run; heal a crash between move and start.

    Raises RequestConflict where it has, but asked for another *model_profile*.
    """
    if request is None or plan.request != request:
        return False
    if model_profile not in (None, plan.model_profile):
        raise RequestConflict(
            f"This client_request_id began run {plan.run} of the plan already, with profile {plan.model_profile}. Use "
            "a new id for a new request."
        )
    if plan.state == "pending":
        save_plan_record(world, plan)
        start_run(world, plan)
    return True
