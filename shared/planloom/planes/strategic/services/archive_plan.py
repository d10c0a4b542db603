"""Archive a plan, or take it back: an archived plan is read-only and leaves the list of plans."""

from planloom.core.errors import PlanActive
from planloom.planes.strategic.plans import TERMINAL, Plan
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.own_plan import own_plan


def archive_plan(plan_records: PlanRecords, account: str, plan_id: str, *, archived: bool = True) -> Plan:
    """Archive the plan, or take it back where *archived* is False; return it. A repeat changes nothing.

    Raises InvalidArgument, PlanNotFound, PermissionDenied, PlanActive.
    """
    plan = own_plan(plan_records, account, plan_id)
    if (plan.archived_at is not None) != archived:
        at_rest(plan)
        if not plan_records.archive.archive(plan.plan_id, plan.run, plan_records.now() if archived else None):
            # it began another run since it was read
            raise _active()
        plan = own_plan(plan_records, account, plan_id)
    # kept again on a repeat, in case a crash came between
    plan_records.save_record(plan)
    return plan


def at_rest(plan: Plan) -> Plan:
    """Return *plan* if it has come to an end. Raises PlanActive."""
    if plan.state not in TERMINAL:
        raise _active()
    return plan


def _active() -> PlanActive:
    return PlanActive("This plan is pending or processing. Stop it first (plan_stop), or wait until it has ended.")
