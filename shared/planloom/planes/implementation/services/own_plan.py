"""Find an implementation plan on behalf of an account: the one place where ownership is checked."""

from planloom.core.errors import PlanNotFound
from planloom.core.ids import checked_id, plan_of_another_account
from planloom.planes.implementation.ports import PlanRegistry
from planloom.planes.implementation.records import ImplementationPlan


def own_implementation_plan(registry: PlanRegistry, account: str, plan_id: str) -> ImplementationPlan:
    """Return the implementation plan *plan_id* of *account*. Raises InvalidArgument, PlanNotFound, PermissionDenied."""
    plan = registry.get(checked_id(plan_id, "planId", "create_plan"))
    if plan is None:
        raise PlanNotFound(
            f"No implementation plan has the id {plan_id}. Use the planId that create_plan returned, or list_plans."
        )
    if plan.account != account:
        raise plan_of_another_account()
    return plan
