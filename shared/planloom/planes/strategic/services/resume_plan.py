"""Continue a failed or stopped plan: same id, next run, and every finished stage that is still valid is skipped."""

from planloom.core.errors import PlanNotResumable
from planloom.models.profile import ModelProfile
from planloom.models.profiles import Models
from planloom.planes.strategic.pipeline_map import steps_of
from planloom.planes.strategic.plans import PIPELINE_VERSION, Plan, Target
from planloom.planes.strategic.ports.groups import RunControl
from planloom.planes.strategic.restarts import other_version, resumed
from planloom.planes.strategic.services.create_run import create_run, created_before
from planloom.planes.strategic.services.own_plan import changeable, own_plan
from planloom.planes.strategic.services.valid_steps import StepValidity, check_steps

ANOTHER_VERSION = (
    "Call plan_retry for a clean restart, or plan_resume with force_upgrade true to make only those stages again that "
    "changed since."
)


def resume_plan(
    run_control: RunControl,
    models: Models,
    account: str,
    plan_id: str,
    model_profile: ModelProfile | None = None,
    *,
    force_upgrade: bool = False,
    client_request_id: str | None = None,
) -> Plan:
    """Create a run of the plan that continues from its finished stages, and return it, pending.

    Without *model_profile* the plan keeps its own; another one drafts what is not finished yet. A plan of another
    PIPELINE_VERSION is refused, unless *force_upgrade* has the stages made again that changed since, and no other.
    With *client_request_id* a repeat is no second resume and repairs a crash. Raises InvalidArgument, PlanNotFound,
    PermissionDenied, PlanArchived, PlanNotResumable, PipelineVersionMismatch, ModelProfilesUnavailable and
    RequestConflict.
    """
    plan = changeable(own_plan(run_control.plan_records, account, plan_id))
    request = f"resume:{client_request_id}" if client_request_id else None
    if created_before(run_control, plan, request, model_profile):
        return plan
    if plan.state not in ("failed", "stopped"):
        raise _not_resumable(plan)
    if plan.pipeline_version != PIPELINE_VERSION and not force_upgrade:
        raise other_version(plan, ANOTHER_VERSION)
    profile = model_profile or plan.model_profile
    models.names(profile)
    validity = check_steps(run_control.plan_records.files, plan)
    target = _target(plan, validity)
    kept = validity.kept_by(target)
    begun = create_run(run_control, plan, resumed(plan, profile, target, run_control.plan_records.now(), request, kept))
    current = changeable(own_plan(run_control.plan_records, account, plan_id))
    if not begun:
        raise _not_resumable(current)
    return current


def _target(plan: Plan, validity: StepValidity) -> Target:
    """A validation goes over what is there: where that is not whole, or of another version, all steps are run."""
    steps = steps_of(plan)
    whole = steps is not None and steps.by_key.keys() <= {*validity.records, *steps.validated}
    return plan.target if whole or plan.target != "validate_plan" else "build_plan"


def _not_resumable(plan: Plan) -> PlanNotResumable:
    if plan.state == "completed":
        return PlanNotResumable(
            "The plan is completed, and a completed plan is never run again. To change it, call plan_artifact_edit or "
            "plan_invalidate: they make a plan derived from this one.",
            state=plan.state,
        )
    return PlanNotResumable(
        f"The plan is {plan.state}: a run is active already. Poll plan_status, and call plan_resume only once its "
        "state is failed or stopped.",
        state=plan.state,
    )
