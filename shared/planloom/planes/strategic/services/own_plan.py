"""Find a plan on behalf of an account: the one place where ownership is checked."""

from planloom.core.errors import PlanArchived, PlanNotFound
from planloom.core.ids import checked_id, plan_of_another_account
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.ports.plans import PlanArchive


def own_plan(plan_records: PlanRecords, account: str, plan_id: str) -> Plan:
    """Return the plan *plan_id* of *account*. Raises InvalidArgument, PlanNotFound, PermissionDenied."""
    return owned(plan_records.archive, account, plan_id, plan_records.plans.get(checked_id(plan_id)))


def owned(archive: PlanArchive, account: str, plan_id: str, plan: Plan | None) -> Plan:
    """Return *plan*, which was found under *plan_id*, if it is of *account*. Raises PlanNotFound, PermissionDenied."""
    if plan is None:
        was = " any more: you deleted it" if archive.owner_of_deleted(checked_id(plan_id)) == account else ""
        raise PlanNotFound(
            f"No plan has the id {plan_id}{was}. Use the plan_id that plan_create returned, or plan_list, and stop "
            "polling this one."
        )
    if account not in (plan.account, plan.user_account):
        raise plan_of_another_account()
    return plan


def changeable(plan: Plan) -> Plan:
    """Return *plan* if it may be changed. Raises PlanArchived."""
    if plan.archived_at is not None:
        raise PlanArchived(
            "This plan is archived, and so frozen. Take it back first: plan_archive with archived false.",
            archived_at=plan.archived_at.isoformat(),
        )
    return plan
