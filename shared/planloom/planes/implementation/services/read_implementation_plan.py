"""Read an implementation plan: any of its revisions, its history, the difference of two."""

from planloom.planes.implementation.document.changes import Change, changes
from planloom.planes.implementation.errors import RevisionNotFound
from planloom.planes.implementation.ports import ImplementationPlans, PlanRegistry
from planloom.planes.implementation.records import ImplementationPlan, Revision, RevisionDocument
from planloom.planes.implementation.services.own_plan import own_implementation_plan


def read_implementation_plan(
    implementation_plans: ImplementationPlans, account: str, plan_id: str, revision: int | None = None
) -> tuple[ImplementationPlan, RevisionDocument]:
    """Return the plan's view and the revision asked for, the current one by default.

    A strategic plan that is deleted is not linked any more; the revision's source still names it.
    Raises RevisionNotFound, InvalidArgument, PlanNotFound, PermissionDenied.
    """
    view = own_implementation_plan(implementation_plans.registry, account, plan_id)
    document = document_of(implementation_plans.registry, view, revision or view.revision)
    if view.made_from and not implementation_plans.strategic_plan_exists(view.made_from):
        view = view.model_copy(update={"made_from": None})
    return view, document


def plan_history(registry: PlanRegistry, account: str, plan_id: str) -> list[Revision]:
    """Return all revisions, newest first. Raises InvalidArgument, PlanNotFound, PermissionDenied."""
    return registry.revisions(own_implementation_plan(registry, account, plan_id).plan_id)


def plan_diff(
    registry: PlanRegistry, account: str, plan_id: str, earlier: int | None = None, later: int | None = None
) -> tuple[int, int, list[Change]]:
    """Return two revisions and what leads from one to the other: the current one, and the one before, by default.

    Raises RevisionNotFound, InvalidArgument, PlanNotFound, PermissionDenied.
    """
    view = own_implementation_plan(registry, account, plan_id)
    last = later or view.revision
    first = earlier or max(last - 1, 1)
    return first, last, changes(document_of(registry, view, first).plan, document_of(registry, view, last).plan)


def document_of(registry: PlanRegistry, view: ImplementationPlan, number: int) -> RevisionDocument:
    """Return revision *number* of the plan *view*. Raises RevisionNotFound."""
    found = registry.document(view.plan_id, number) if 1 <= number <= view.revision else None
    if found is None:
        raise RevisionNotFound(f"The plan has revisions 1 to {view.revision}, and no {number}. Call plan_history.")
    return found
