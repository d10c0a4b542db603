"""Read an implementation plan: any of its revisions, its history, the difference of two."""

from planloom.domain.implementation_errors import RevisionNotFound
from planloom.domain.implementation_plans import ImplementationPlan, Revision, RevisionDocument
from planloom.implementation.changes import Change, changes
from planloom.services.own_plan import own_implementation_plan
from planloom.services.world import World


def read_implementation_plan(
    world: World, account: str, plan_id: str, revision: int | None = None
) -> tuple[ImplementationPlan, RevisionDocument]:
    """Return the plan's view and the revision asked for, the current one by default.

    A strategic plan that is deleted is not linked any more; the revision's source says all the same where it is from.
    Raises RevisionNotFound, InvalidArgument, PlanNotFound, PermissionDenied.
    """
    view = own_implementation_plan(world, account, plan_id)
    document = document_of(world, view, revision or view.revision)
    if view.made_from and world.plans.get(view.made_from) is None:
        view = view.model_copy(update={"made_from": None})
    return view, document


def plan_history(world: World, account: str, plan_id: str) -> list[Revision]:
    """Return all revisions, newest first. Raises InvalidArgument, PlanNotFound, PermissionDenied."""
    return world.registry.revisions(own_implementation_plan(world, account, plan_id).plan_id)


def plan_diff(
    world: World, account: str, plan_id: str, earlier: int | None = None, later: int | None = None
) -> tuple[int, int, list[Change]]:
    """Return two revisions and what leads from one to the other: the current one, and the one before, by default.

    Raises RevisionNotFound, InvalidArgument, PlanNotFound, PermissionDenied.
    """
    view = own_implementation_plan(world, account, plan_id)
    last = later or view.revision
    first = earlier or max(last - 1, 1)
    return first, last, changes(document_of(world, view, first).plan, document_of(world, view, last).plan)


def document_of(world: World, view: ImplementationPlan, number: int) -> RevisionDocument:
    """Return revision *number* of the plan *view*. Raises RevisionNotFound."""
    found = world.registry.document(view.plan_id, number) if 1 <= number <= view.revision else None
    if found is None:
        raise RevisionNotFound(f"The plan has revisions 1 to {view.revision}, and no {number}. Call plan_history.")
    return found
