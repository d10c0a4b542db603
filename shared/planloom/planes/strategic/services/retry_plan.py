"""Start a failed or stopped plan again from nothing: same id, next run, and no file of the runs before."""

from planloom.core.artifacts import GIVEN, PROMPT
from planloom.core.errors import PlanNotFailed
from planloom.core.file_store import FileStore
from planloom.models.profile import ModelProfile
from planloom.models.profiles import Models
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.groups import RECORD, RunControl
from planloom.planes.strategic.restarts import retried
from planloom.planes.strategic.services.create_run import create_run, created_before
from planloom.planes.strategic.services.own_plan import changeable, own_plan


def retry_plan(
    run_control: RunControl,
    models: Models,
    account: str,
    plan_id: str,
    model_profile: ModelProfile | None = None,
    client_request_id: str | None = None,
) -> Plan:
    """Begin a run of the plan that keeps nothing but its prompt, and return it, pending.

    Without *model_profile* the plan keeps its own; a validation becomes a draft of its prompt. What was there stays
    readable as earlier versions. With *client_request_id* a repeat is no second retry and repairs a crash. Raises
    InvalidArgument, PlanNotFound, PermissionDenied, PlanArchived, PlanNotFailed, ModelProfilesUnavailable,
    RequestConflict.
    """
    plan = changeable(own_plan(run_control.plan_records, account, plan_id))
    request = f"retry:{client_request_id}" if client_request_id else None
    if created_before(run_control, plan, request, model_profile):
        return plan
    if plan.state not in ("failed", "stopped"):
        raise _not_failed(plan)
    profile = model_profile or plan.model_profile
    models.names(profile)
    next_run = retried(plan, profile, run_control.plan_records.now(), request)
    begun = create_run(run_control, plan, next_run, lambda begun: _clear(run_control.plan_records.files, begun))
    current = changeable(own_plan(run_control.plan_records, account, plan_id))
    if not begun:
        raise _not_failed(current)
    return current


def _clear(files: FileStore, plan: Plan) -> None:
    """Take away what the runs before made.

    If it is interrupted, what is left still does not count: ``first_run`` says so.
    """
    left = [path for path in files.paths(plan.plan_id) if path not in (PROMPT, GIVEN, RECORD)]
    files.delete(plan.plan_id, left)


def _not_failed(plan: Plan) -> PlanNotFailed:
    if plan.state == "completed":
        return PlanNotFailed(
            "The plan is completed, and a completed plan is never run again. Call plan_create for a new plan, or "
            "plan_invalidate or plan_artifact_edit for one derived from this.",
            state=plan.state,
        )
    return PlanNotFailed(
        f"The plan is {plan.state}. Poll plan_status, and call plan_retry only once its state is failed or stopped; "
        "plan_stop stops it.",
        state=plan.state,
    )
