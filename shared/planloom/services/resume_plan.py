"""Go on with a failed or stopped plan: same id, next run, and every finished stage that still holds is skipped."""

from planloom.domain.errors import PlanNotResumable
from planloom.domain.plans import PIPELINE_VERSION, VALIDATED, ModelProfile, Plan, Target
from planloom.domain.restarts import other_version, resumed
from planloom.services.begin_run import begin_run, begun_before
from planloom.services.own_plan import changeable, own_plan
from planloom.services.standing import Standing, standing_of
from planloom.services.world import World
from planloom.stages.pipeline import PIPELINE

ANOTHER_VERSION = (
    "Call plan_retry for a clean restart, or plan_resume with force_upgrade true to make only those stages again that "
    "changed since."
)


def resume_plan(
    world: World,
    account: str,
    plan_id: str,
    model_profile: ModelProfile | None = None,
    *,
    force_upgrade: bool = False,
    client_request_id: str | None = None,
) -> Plan:
    """Begin a run of the plan that goes on from its finished stages, and return it, pending.

    Without *model_profile* the plan keeps its own; another one drafts what is not finished yet. A plan of another
    PIPELINE_VERSION is refused, unless *force_upgrade* has the stages made again that changed since, and no other.
    With *client_request_id* a repeat is no second resume and heals a crash. Raises InvalidArgument, PlanNotFound,
    PermissionDenied, PlanArchived, PlanNotResumable, PipelineVersionMismatch, ModelProfilesUnavailable and
    RequestConflict.
    """
    plan = changeable(own_plan(world, account, plan_id))
    request = f"resume:{client_request_id}" if client_request_id else None
    if begun_before(world, plan, request, model_profile):
        return plan
    if plan.state not in ("failed", "stopped"):
        raise _not_resumable(plan)
    if plan.pipeline_version != PIPELINE_VERSION and not force_upgrade:
        raise other_version(plan, ANOTHER_VERSION)
    profile = model_profile or plan.model_profile
    world.models.names(profile)
    standing = standing_of(world, plan)
    target = _target(plan, standing)
    kept = standing.kept_by(target)
    begun = begin_run(world, plan, resumed(plan, profile, target, world.now(), request, kept))
    current = changeable(own_plan(world, account, plan_id))
    if not begun:
        raise _not_resumable(current)
    return current


def _target(plan: Plan, standing: Standing) -> Target:
    """A validation goes over what is there: where that is not whole, or of another version, all steps are run."""
    whole = plan.pipeline_version == PIPELINE_VERSION and {stage.key for stage in PIPELINE} <= {
        *standing.records,
        *VALIDATED,
    }
    return plan.target if whole or plan.target != "validate_plan" else "build_plan"


def _not_resumable(plan: Plan) -> PlanNotResumable:
    if plan.state == "completed":
        return PlanNotResumable(
            "The plan is completed, and a completed plan is never run again. To change it, call plan_artifact_edit or "
            "plan_invalidate: they make a plan derived from this one.",
            state=plan.state,
        )
    return PlanNotResumable(
        f"The plan is {plan.state}: it is going on already. Poll plan_status, and call plan_resume only once its "
        "state is failed or stopped.",
        state=plan.state,
    )
