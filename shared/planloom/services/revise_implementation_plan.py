"""Save a changed implementation plan as its next revision, unless somebody else saved first."""

from typing import Any

from planloom.domain.errors import InvalidArgument
from planloom.domain.implementation_errors import RevisionConflict, StepNotFound
from planloom.domain.implementation_plans import (
    MOST_LISTED,
    ImplementationPlan,
    Revision,
    StepStatus,
    Touched,
    plan_sha256,
    view_of,
)
from planloom.implementation.changes import changes
from planloom.implementation.findings import Validation
from planloom.implementation.schema import Document, supported
from planloom.services.check_implementation_plan import checked_implementation_plan
from planloom.services.create_implementation_plan import Saved, checked_source
from planloom.services.own_plan import own_implementation_plan
from planloom.services.read_implementation_plan import document_of
from planloom.services.world import World

#: Writers of one plan are a handful; whoever sets a state loses to each of them once at most.
ATTEMPTS = 10


def revise_implementation_plan(
    world: World,
    account: str,
    plan_id: str,
    plan: Document,
    base: int,
    schema_version: str | None = None,
    source: dict[str, Any] | None = None,
    note: str | None = None,
) -> Saved:
    """Store *plan* as the revision after *base* and return it; a plan without changes makes no revision.

    Raises RevisionConflict where *base* is no longer the current revision, and, with nothing stored, InvalidPlan,
    UnsupportedSchemaVersion, PlanTooLarge, InvalidArgument, PlanNotFound, PermissionDenied.
    """
    view = own_implementation_plan(world, account, plan_id)
    if base != view.revision:
        raise _conflict(base, view)
    validation = checked_implementation_plan(plan, schema_version)
    named = plan.get("planId")
    if named not in (None, view.plan_id):
        raise InvalidArgument(
            f"This is plan {named[:60]}, not {view.plan_id}: save it under its own id, or set planId to null.",
            field="plan.planId",
        )
    return _save(world, account, view, plan, validation, supported(schema_version), checked_source(source), note)


def set_step_status(
    world: World, account: str, plan_id: str, step_id: str, status: StepStatus, base: int | None = None
) -> Saved:
    """Set the state of one step: a revision like any other. Without *base* it goes on top of whatever is current.

    Raises StepNotFound, RevisionConflict where *base* is not current or others keep saving, InvalidArgument,
    PlanNotFound, PermissionDenied.
    """
    for _ in range(ATTEMPTS):
        view = own_implementation_plan(world, account, plan_id)
        if base not in (None, view.revision):
            raise _conflict(base or 0, view)
        current = document_of(world, view, view.revision)
        plan = _with_status(current.plan, step_id, status)
        try:
            return _save(world, account, view, plan, Validation(), current.revision.schema_version, None, None)
        except RevisionConflict:
            if base is not None:
                raise
    raise _conflict(view.revision, view)


def _save(
    world: World,
    account: str,
    view: ImplementationPlan,
    plan: Document,
    validation: Validation,
    schema_version: str,
    source: dict[str, Any] | None,
    note: str | None,
) -> Saved:
    before = document_of(world, view, view.revision)
    kept = {**plan, "planId": view.plan_id}
    if kept == before.plan:
        return Saved(view, before.revision, validation)
    made = changes(before.plan, kept)
    revision = Revision(
        number=view.revision + 1,
        created_at=max(world.now(), view.updated_at),
        author=account,
        note=note,
        changes=tuple(Touched(path=each.path, op=each.op, step_id=each.step_id) for each in made[:MOST_LISTED]),
        change_count=len(made),
        sha256=plan_sha256(kept),
        source=source or before.revision.source,
        schema_version=schema_version,
    )
    document = before.model_copy(update={"revision": revision, "plan": kept})
    after = view_of(document, view.created_at)
    if not world.registry.save(after, document):
        raise _conflict(view.revision, own_implementation_plan(world, account, view.plan_id))
    return Saved(after, revision, validation)


def _with_status(plan: Document, step_id: str, status: StepStatus) -> Document:
    if not any(step["id"] == step_id for step in plan["steps"]):
        raise StepNotFound(f"The plan has no step {step_id[:40]}. Take the id from get_plan.")
    steps = [
        {**step, "ui": {**step["ui"], "status": status}} if step["id"] == step_id else step for step in plan["steps"]
    ]
    return {**plan, "steps": steps}


def _conflict(base: int, view: ImplementationPlan) -> RevisionConflict:
    return RevisionConflict(
        f"The plan is at revision {view.revision}, your change is built upon {base}. Read the current revision, "
        "apply your change to it and save again.",
        currentRevision=view.revision,
    )
