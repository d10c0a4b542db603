"""Find a plan, strategic or of implementation, on behalf of an account: the one place where ownership is checked."""

from uuid import UUID

from planloom.domain.errors import InvalidArgument, PermissionDenied, PlanArchived, PlanNotFound
from planloom.domain.implementation_plans import ImplementationPlan
from planloom.domain.plans import Plan
from planloom.services.world import World

OTHERS = "This plan belongs to another account: use an API key of that account, or an id that your own list shows."


def own_plan(world: World, account: str, plan_id: str) -> Plan:
    """Return the plan *plan_id* of *account*. Raises InvalidArgument, PlanNotFound, PermissionDenied."""
    return owned(world, account, plan_id, world.plans.get(checked_id(plan_id)))


def owned(world: World, account: str, plan_id: str, plan: Plan | None) -> Plan:
    """Return *plan*, which was found under *plan_id*, if it is of *account*. Raises PlanNotFound, PermissionDenied."""
    if plan is None:
        was = " any more: you deleted it" if world.shelf.owner_of_deleted(checked_id(plan_id)) == account else ""
        raise PlanNotFound(
            f"No plan has the id {plan_id}{was}. Use the plan_id that plan_create returned, or plan_list, and stop "
            "polling this one."
        )
    if account not in (plan.account, plan.user_account):
        raise PermissionDenied(OTHERS)
    return plan


def changeable(plan: Plan) -> Plan:
    """Return *plan* if it may be changed. Raises PlanArchived."""
    if plan.archived_at is not None:
        raise PlanArchived(
            "This plan is archived, and so frozen. Take it back first: plan_archive with archived false.",
            archived_at=plan.archived_at.isoformat(),
        )
    return plan


def own_implementation_plan(world: World, account: str, plan_id: str) -> ImplementationPlan:
    """Return the implementation plan *plan_id* of *account*. Raises InvalidArgument, PlanNotFound, PermissionDenied."""
    plan = world.registry.get(checked_id(plan_id, "planId", "create_plan"))
    if plan is None:
        raise PlanNotFound(
            f"No implementation plan has the id {plan_id}. Use the planId that create_plan returned, or list_plans."
        )
    if plan.account != account:
        raise PermissionDenied(OTHERS)
    return plan


def checked_id(plan_id: str, field: str = "plan_id", source: str = "plan_create") -> str:
    """Return *plan_id* as it is stored, however the UUID was written. Raises InvalidArgument."""
    try:
        return str(UUID(plan_id))
    except ValueError:
        raise InvalidArgument(
            f"{field} must be the UUID that {source} returned, not '{plan_id[:60]}'. Check where it came from, and do "
            "not poll it.",
            field=field,
        ) from None
