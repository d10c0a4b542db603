"""Delete a plan: its files with all their versions, and all its table items but a tombstone."""

from datetime import datetime, timedelta

from planloom.accounts.access import ShareStore
from planloom.accounts.stores import Billing
from planloom.core.errors import PlanActive
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.archive_plan import at_rest
from planloom.planes.strategic.services.credits import settle_credits
from planloom.planes.strategic.services.own_plan import own_plan

#: A worker that was active when its plan was stopped may write until its Lambda ends, 15 minutes at most.
LATE_WRITES_END_AFTER = timedelta(hours=1)


def delete_plan(
    plan_records: PlanRecords, shares: ShareStore, billing: Billing, account: str, plan_id: str
) -> datetime:
    """Delete the plan of *account* and return when. What a crash leaves over, the watchdog erases.

    Raises InvalidArgument, PlanNotFound (also for one deleted before), PermissionDenied, PlanActive.
    """
    plan = at_rest(own_plan(plan_records, account, plan_id))
    # while its records are there to be counted
    settle_credits(plan_records.files, billing, plan)
    now = plan_records.now()
    # the tombstone first: from then on nobody finds the plan, and nothing late brings it back
    if not plan_records.archive.delete(plan.plan_id, plan.run, now):
        raise PlanActive("This plan began to work again just now. Stop it first (plan_stop).")
    _erase(plan_records, shares, plan.plan_id, for_good=False)
    return now


def erase_deleted(plan_records: PlanRecords, shares: ShareStore) -> list[str]:
    """Erase what late writes and crashes left of plans that were deleted, or never came to be; return their ids."""
    marked = plan_records.archive.deleted(plan_records.now() - LATE_WRITES_END_AFTER)
    # one that was expected may have come since
    gone = [plan_id for plan_id in marked if plan_records.plans.get(plan_id) is None]
    for plan_id in gone:
        _erase(plan_records, shares, plan_id, for_good=True)
    return gone


def _erase(plan_records: PlanRecords, shares: ShareStore, plan_id: str, *, for_good: bool) -> None:
    shares.revoke_all(plan_id)
    plan_records.files.remove_all(plan_id)
    plan_records.archive.erase(plan_id, for_good=for_good)
