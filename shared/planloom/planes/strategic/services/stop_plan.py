"""Stop a plan: flag it first, so that no further stage starts, then stop its execution."""

from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.groups import RunControl
from planloom.planes.strategic.services.end_run import end_plan
from planloom.planes.strategic.services.own_plan import own_plan


def stop_plan(run_control: RunControl, account: str, plan_id: str) -> Plan:
    """Stop the plan and return it; one that already came to an end is returned as it is.

    A repeat repairs a crash between flag and execution.
    Raises InvalidArgument, PlanNotFound, PermissionDenied.
    """
    plan = own_plan(run_control.plan_records, account, plan_id)
    if plan.state in ("completed", "failed"):
        return plan
    run_control.plan_records.plans.move(
        plan.plan_id, plan.run, "stopped", run_control.plan_records.now(), reason="plan_stop"
    )
    run_control.pipeline.stop(plan.plan_id, plan.run)
    end_plan(run_control, plan, "stopped")
    return own_plan(run_control.plan_records, account, plan_id)
