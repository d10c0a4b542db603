"""Begin the next run of a plan: move it in the table once, keep its record, then start its execution.

The record is in the bucket before the execution starts: a view rebuilt from it never gives a run the number
of one that was started. A crash after the move is repaired by the same request again, or by the watchdog.
"""

from collections.abc import Callable

from planloom.core.errors import RequestConflict
from planloom.models.profile import ModelProfile
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.groups import RunControl
from planloom.planes.strategic.services.credits import reserve_credits, settle_credits
from planloom.planes.strategic.services.dispatch_run import dispatch_run


def create_run(
    run_control: RunControl, before: Plan, plan: Plan, prepare: Callable[[Plan], None] | None = None
) -> bool:
    """Create the run that *plan* is pending in, after *before*; return False, changing nothing, if another was first.

    Raises InsufficientCredits. *prepare* is done between the move, after which no other run can begin, and the start.
    """
    settle_credits(run_control.plan_records.files, run_control.billing, before)
    reserve_credits(run_control.billing, plan)
    if not run_control.plan_records.plans.restart(plan):
        return False
    if prepare:
        prepare(plan)
    run_control.plan_records.save_record(plan)
    dispatch_run(run_control, plan)
    return True


def created_before(
    run_control: RunControl, plan: Plan, request: str | None, model_profile: ModelProfile | None
) -> bool:
    """Return whether the same *request* created the plan's current run; repair a crash between move and start.

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
        run_control.plan_records.save_record(plan)
        dispatch_run(run_control, plan)
    return True
