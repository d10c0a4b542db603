"""Create a plan for either mouth; with a client_request_id, once."""

from typing import Any

from planloom.api import show
from planloom.api.answers import PlanCreated
from planloom.api.once import once
from planloom.domain.plans import Detail, ModelProfile, Target
from planloom.facts.given import FactsGiven
from planloom.services.authorize import user_account
from planloom.services.create_plan import create_plan
from planloom.services.plan_facts import resolve_given
from planloom.services.world import World


def create_once(
    world: World,
    account: str,
    prompt: str,
    model_profile: ModelProfile,
    request_id: str | None,
    user_key: str | None,
    target: Target = "build_plan",
    derived_from: str | None = None,
    facts: FactsGiven | None = None,
    detail: Detail = "standard",
) -> PlanCreated:
    """Return the answer of plan_create.

    Raises what create_plan, resolve_given and user_account raise; RequestConflict, RequestInProgress.
    """
    user = user_account(world, user_key)

    def work() -> PlanCreated:
        given = None if facts is None else resolve_given(world, account, prompt, facts)
        plan = create_plan(world, account, prompt, model_profile, target, request_id, user, derived_from, given, detail)
        return show.created(world.models, plan)

    body: dict[str, Any] = {"prompt": prompt, "model_profile": model_profile} | ({"user": user} if user else {})
    body |= {"target": target} if target != "build_plan" else {}
    body |= {"detail": detail} if detail != "standard" else {}
    body |= {"derived_from": derived_from} if derived_from else {}
    body |= {"facts": facts.model_dump(mode="json", exclude_unset=True)} if facts is not None else {}
    return once("plan_create", account, request_id, body, PlanCreated, work)
