"""Retry and resume a plan for either mouth; with a client_request_id, once."""

from planloom.api.control_answers import PlanResumed, PlanRetried
from planloom.api.once import once
from planloom.api.show import poll_after
from planloom.domain.plans import ModelProfile
from planloom.services.retry_plan import retry_plan
from planloom.services.world import World


def retry_once(
    world: World, account: str, plan_id: str, model_profile: ModelProfile | None, request_id: str | None
) -> PlanRetried:
    """Return the answer of plan_retry. Raises what retry_plan raises; RequestConflict, RequestInProgress."""

    def work() -> PlanRetried:
        plan = retry_plan(world, account, plan_id, model_profile, request_id)
        return PlanRetried(
            plan_id=plan.plan_id,
            state=plan.state,
            model_profile=plan.model_profile,
            retried_at=plan.queued_at,
            poll_after_sec=poll_after(world.models, plan),
        )

    body = {"plan_id": plan_id, "model_profile": model_profile}
    return once("plan_retry", account, request_id, body, PlanRetried, work)


def resume_once(
    world: World,
    account: str,
    plan_id: str,
    model_profile: ModelProfile | None,
    force_upgrade: bool,
    request_id: str | None,
) -> PlanResumed:
    """Return the answer of plan_resume. Raises what resume_plan raises; RequestConflict, RequestInProgress."""
    # it looks at all stages: whoever only asks for a status need not import them
    from planloom.services.resume_plan import resume_plan

    def work() -> PlanResumed:
        plan = resume_plan(
            world, account, plan_id, model_profile, force_upgrade=force_upgrade, client_request_id=request_id
        )
        return PlanResumed(
            plan_id=plan.plan_id,
            state=plan.state,
            model_profile=plan.model_profile,
            resume_count=plan.resume_count,
            resumed_at=plan.queued_at,
            steps_kept=len(plan.steps_finished),
            poll_after_sec=poll_after(world.models, plan),
        )

    body = {"plan_id": plan_id, "model_profile": model_profile, "force_upgrade": force_upgrade}
    return once("plan_resume", account, request_id, body, PlanResumed, work)
