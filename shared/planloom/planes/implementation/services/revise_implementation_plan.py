"""Save a changed implementation plan as its next revision, unless somebody else saved first."""

from typing import Any

from planloom.core.errors import InvalidArgument
from planloom.planes.implementation.document.changes import changes
from planloom.planes.implementation.document.findings import Validation
from planloom.planes.implementation.document.schema import Document, supported
from planloom.planes.implementation.errors import RevisionConflict, StepNotFound
from planloom.planes.implementation.ports import ImplementationPlans
from planloom.planes.implementation.records import (
    MOST_LISTED,
    ImplementationPlan,
    Revision,
    StepStatus,
    Touched,
    plan_sha256,
    view_of,
)
from planloom.planes.implementation.services.check_implementation_plan import checked_implementation_plan
from planloom.planes.implementation.services.create_implementation_plan import Saved, checked_source
from planloom.planes.implementation.services.own_plan import own_implementation_plan
from planloom.planes.implementation.services.read_implementation_plan import document_of

#: A plan has few writers at once; a call that sets a state loses to each of them at most once.
ATTEMPTS = 10


def revise_implementation_plan(
    implementation_plans: ImplementationPlans,
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
    view = own_implementation_plan(implementation_plans.registry, account, plan_id)
    if base != view.revision:
        raise _conflict(base, view)
    validation = checked_implementation_plan(plan, schema_version)
    named = plan.get("planId")
    if named not in (None, view.plan_id):
        raise InvalidArgument(
            f"This is plan {named[:60]}, not {view.plan_id}: save it under its own id, or set planId to null.",
            field="plan.planId",
        )
    return _save(
        implementation_plans, account, view, plan, validation, supported(schema_version), checked_source(source), note
    )


def set_step_status(
    implementation_plans: ImplementationPlans,
    account: str,
    plan_id: str,
    step_id: str,
    status: StepStatus,
    base: int | None = None,
) -> Saved:
    """Set the state of one step: a revision like any other. Without *base* it is applied to the current revision.

    Raises StepNotFound, RevisionConflict where *base* is not current or others keep saving, InvalidArgument,
    PlanNotFound, PermissionDenied.
    """
    for _ in range(ATTEMPTS):
        view = own_implementation_plan(implementation_plans.registry, account, plan_id)
        if base not in (None, view.revision):
            raise _conflict(base or 0, view)
        current = document_of(implementation_plans.registry, view, view.revision)
        plan = _with_status(current.plan, step_id, status)
        try:
            return _save(
                implementation_plans, account, view, plan, Validation(), current.revision.schema_version, None, None
            )
        except RevisionConflict:
            if base is not None:
                raise
    raise _conflict(view.revision, view)


def _save(
    implementation_plans: ImplementationPlans,
    account: str,
    view: ImplementationPlan,
    plan: Document,
    validation: Validation,
    schema_version: str,
    source: dict[str, Any] | None,
    note: str | None,
) -> Saved:
    before = document_of(implementation_plans.registry, view, view.revision)
    kept = {**plan, "planId": view.plan_id}
    if kept == before.plan:
        return Saved(view, before.revision, validation)
    made = changes(before.plan, kept)
    revision = Revision(
        number=view.revision + 1,
        created_at=max(implementation_plans.now(), view.updated_at),
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
    if not implementation_plans.registry.save(after, document):
        raise _conflict(view.revision, own_implementation_plan(implementation_plans.registry, account, view.plan_id))
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
