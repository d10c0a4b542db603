"""Start a failed or stopped plan again from nothing: same id, next run, and no file of the runs before."""

from planloom.domain.artifacts import GIVEN, PROMPT
from planloom.domain.errors import PlanNotFailed
from planloom.domain.plans import ModelProfile, Plan
from planloom.domain.restarts import retried
from planloom.services.begin_run import begin_run, begun_before
from planloom.services.own_plan import changeable, own_plan
from planloom.services.save_plan_record import RECORD
from planloom.services.world import World


def retry_plan(
    world: World,
    account: str,
    plan_id: str,
    model_profile: ModelProfile | None = None,
    client_request_id: str | None = None,
) -> Plan:
    """Begin a run of the plan that keeps nothing but its prompt, and return it, pending.

    Without *model_profile* the plan keeps its own; a validation becomes a draft of its prompt. What was there stays
    readable as earlier versions. With *client_request_id* a repeat is no second retry and heals a crash. Raises
    InvalidArgument, PlanNotFound, PermissionDenied, PlanArchived, PlanNotFailed, ModelProfilesUnavailable,
    RequestConflict.
    """
    plan = changeable(own_plan(world, account, plan_id))
    request = f"retry:{client_request_id}" if client_request_id else None
    if begun_before(world, plan, request, model_profile):
        return plan
    if plan.state not in ("failed", "stopped"):
        raise _not_failed(plan)
    profile = model_profile or plan.model_profile
    world.models.names(profile)
    next_run = retried(plan, profile, world.now(), request)
    begun = begin_run(world, plan, next_run, lambda begun: _clear(world, begun))
    current = changeable(own_plan(world, account, plan_id))
    if not begun:
        raise _not_failed(current)
    return current


def _clear(world: World, plan: Plan) -> None:
    """Take away what the runs before made.

    Should it be cut short, what is left does not count all the same: ``first_run`` says so.
    """
    left = [path for path in world.files.paths(plan.plan_id) if path not in (PROMPT, GIVEN, RECORD)]
    world.files.delete(plan.plan_id, left)


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
