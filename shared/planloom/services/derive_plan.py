"""Derive a plan from one at rest: a new id, the same prompt and artifacts, and a change that its first run works in.

A completed plan is never run again (specification, 5.3); what changes it makes a plan of its own that names its origin.
The run after its origin's is its first, so that records keep their numbers and every fence holds.
"""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from uuid import NAMESPACE_URL, uuid5

from planloom.domain.errors import InsufficientCredits, RequestConflict
from planloom.domain.events import PlanEvent
from planloom.domain.plans import PIPELINE_VERSION, ModelProfile, Plan, Target
from planloom.domain.restarts import counted
from planloom.domain.steps import StepRecord
from planloom.services.credits import reserve_credits
from planloom.services.read_records import READERS
from planloom.services.save_plan_record import save_plan_record
from planloom.services.standing import Standing, standing_of
from planloom.services.start_run import start_run
from planloom.services.tell import note
from planloom.services.world import World

#: What a plan is made of: artifacts, step records, edits; not its log, its exports and its own record.
COPIED = re.compile(r"\d{3}-.*|(steps|edits)/.*")


def derive_plan(
    world: World,
    origin: Plan,
    change: Callable[[Plan], PlanEvent],
    *,
    model_profile: ModelProfile | None = None,
    target: Target = "build_plan",
    start: bool = True,
    request: str | None = None,
) -> Plan:
    """Store a plan that starts from the artifacts of *origin*, with *change* done to its files, and return it.

    The event that *change* returns is told in its log. *start* False leaves it stopped, to be changed further and
    resumed. With *request* a repeat returns the plan that the first call made, and heals a crash. Raises
    ModelProfilesUnavailable, InsufficientCredits; RequestConflict where that plan was deleted.
    """
    profile = model_profile or origin.model_profile
    world.models.names(profile)
    plan_id = str(uuid5(NAMESPACE_URL, f"planloom:{origin.account}:{request}")) if request else world.new_id()
    if request and world.shelf.owner_of_deleted(plan_id):
        raise RequestConflict(f"This client_request_id made plan {plan_id}, which was deleted. Use a new id.")
    plan = world.plans.get(plan_id) or _store(world, _fresh(world, origin, plan_id, profile, target), change, start)
    if plan.state == "pending":
        save_plan_record(world, plan)
        start_run(world, plan)
    return plan


def _fresh(world: World, origin: Plan, plan_id: str, profile: ModelProfile, target: Target) -> Plan:
    return Plan(
        plan_id=plan_id,
        account=origin.account,
        user_account=origin.user_account,
        prompt_excerpt=origin.prompt_excerpt,
        model_profile=profile,
        target=target,
        run=origin.run + 1,
        first_run=origin.first_run,
        pipeline_version=PIPELINE_VERSION,
        created_at=world.now(),
        derived_from=origin.plan_id,
    )


def _store(world: World, fresh: Plan, change: Callable[[Plan], PlanEvent], start: bool) -> Plan:
    assert fresh.derived_from
    _copy(world, fresh.derived_from, fresh.plan_id)
    changed = change(fresh)
    standing = standing_of(world, fresh)
    begun = counted(_kept(fresh, standing))
    plan = fresh.model_copy(update=begun if start else begun | {"state": "stopped", "ended_at": fresh.created_at})
    if start:
        _reserve(world, plan)
    # files first: a plan that the table shows has all that it starts from
    if not world.plans.add(plan):
        return world.plans.get(plan.plan_id) or plan
    note(world, changed)
    world.plans.rewrite(plan, standing.records.values(), plan.steps_finished)
    save_plan_record(world, plan)
    return plan


def _reserve(world: World, plan: Plan) -> None:
    try:
        reserve_credits(world, plan)
    except InsufficientCredits:
        # nobody will ever find what was copied for it
        world.files.remove_all(plan.plan_id)
        raise


def _kept(plan: Plan, standing: Standing) -> dict[str, StepRecord]:
    """A validation goes over what is there, whether or not it would be made the same again."""
    return standing.records if plan.target == "validate_plan" else standing.kept


def _copy(world: World, from_id: str, to_id: str) -> None:
    paths = [path for path in world.files.paths(from_id) if COPIED.fullmatch(path)]
    with ThreadPoolExecutor(READERS) as readers:
        list(readers.map(lambda path: world.files.copy(from_id, path, to_id), paths))
