"""Derive a plan from one at rest: a new id, the same prompt and artifacts, and a change that its first run works in.

A completed plan is never run again (specification, 5.3); what changes it makes a plan of its own that names its origin.
The run after its origin's is its first, so that records keep their numbers and every fence holds.
"""

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal
from uuid import NAMESPACE_URL, uuid5

from planloom.domain.artifacts import sha256_of
from planloom.domain.errors import InsufficientCredits, PlanloomError, RequestConflict
from planloom.domain.events import PlanEvent
from planloom.domain.plans import PIPELINE_VERSION, ModelProfile, Plan, Target
from planloom.domain.restarts import counted, other_version
from planloom.services.commit_edit import still_resting
from planloom.services.credits import reserve_credits
from planloom.services.read_records import READERS
from planloom.services.save_plan_record import RECORD, save_plan_record
from planloom.services.standing import Standing, standing_of
from planloom.services.start_run import start_run
from planloom.services.tell import note
from planloom.services.world import World

#: What a plan is made of: artifacts, step records, edits; not its log, its exports and its own record.
COPIED = re.compile(r"\d{3}-.*|(steps|edits)/.*")
#: Names of derived plans: no client_request_id of plan_create gives the same id.
DERIVED = uuid5(NAMESPACE_URL, "planloom:derived")

ANOTHER_VERSION = (
    "Call plan_artifact_edit or plan_invalidate with start false, then plan_resume of the derived plan with "
    "force_upgrade true; or plan_create with the prompt, for a new plan."
)


@dataclass(frozen=True)
class Asked:
    """The call of *tool* by *account* that a plan is derived for; with *request_id* its repeat derives no second one.

    *body* is what else it said: a call that differs is no repeat. *change* is done to the files of the derived plan,
    which nobody knows yet; *told* returns what its log says of that, the same each time.
    """

    account: str
    tool: Literal["plan_artifact_edit", "plan_artifact_undo", "plan_invalidate", "plan_validate"]
    request_id: str | None
    body: tuple[str, ...]
    change: Callable[[Plan], None]
    told: Callable[[Plan], PlanEvent]


def derive_plan(
    world: World,
    origin: Plan,
    asked: Asked,
    *,
    model_profile: ModelProfile | None = None,
    target: Target = "build_plan",
    start: bool = True,
) -> Plan:
    """Store a plan that starts from the artifacts of *origin*, changed as was *asked*, and return it.

    *start* False leaves it stopped, to be changed further and resumed. A repeat returns the plan that the first call
    made, and heals a crash. Raises ModelProfilesUnavailable, InsufficientCredits; PlanNotFound, PlanActive,
    PlanArchived where *origin* moved while it was copied; PipelineVersionMismatch where
    it should start from what another version made; RequestConflict where the request id made a plan that was deleted,
    or was of another call.
    """
    profile = model_profile or origin.model_profile
    world.models.names(profile)
    call = json.dumps([origin.plan_id, asked.body, model_profile, target, start])
    fresh = _fresh(world, origin, asked, call, profile, target)
    if asked.request_id and world.shelf.owner_of_deleted(fresh.plan_id):
        raise RequestConflict(f"This client_request_id made plan {fresh.plan_id}, which was deleted. Use a new id.")
    plan = _earlier(world, fresh, asked) or _store(world, origin, fresh, asked, start=start)
    if plan.state == "pending":
        save_plan_record(world, plan)
        start_run(world, plan)
    return plan


def _fresh(world: World, origin: Plan, asked: Asked, call: str, profile: ModelProfile, target: Target) -> Plan:
    name = json.dumps([asked.tool, asked.account, asked.request_id])
    return Plan(
        plan_id=str(uuid5(DERIVED, name)) if asked.request_id else world.new_id(),
        account=origin.account,
        user_account=origin.user_account,
        prompt_excerpt=origin.prompt_excerpt,
        model_profile=profile,
        target=target,
        detail=origin.detail,
        run=origin.run + 1,
        first_run=origin.first_run,
        # what it starts from was made by that version: a resume compares
        pipeline_version=origin.pipeline_version,
        created_at=world.now(),
        derived_from=origin.plan_id,
        derived_by=sha256_of(call.encode()),
    )


def _earlier(world: World, fresh: Plan, asked: Asked) -> Plan | None:
    """Return the plan that an earlier call with the same request id derived, healed, and None where there was none."""
    plan = world.plans.get(fresh.plan_id)
    if plan is None:
        return None
    if plan.derived_by != fresh.derived_by:
        raise RequestConflict(
            f"This client_request_id made plan {plan.plan_id}, by a call that said something else. Use a new id."
        )
    if plan.resumed_at is None and plan.retried_at is None:
        note(world, asked.told(plan))
        # its record is written last
        if world.files.sha256(plan.plan_id, RECORD) is None:
            _show(world, plan, standing_of(world, plan))
    return plan


def _store(world: World, origin: Plan, fresh: Plan, asked: Asked, *, start: bool) -> Plan:
    if start and fresh.pipeline_version != PIPELINE_VERSION:
        raise other_version(fresh, ANOTHER_VERSION)
    # should a crash come before it is added, its files are erased
    world.shelf.expect(fresh.plan_id, world.now())
    _copy(world, origin, asked.account, fresh)
    asked.change(fresh)
    standing = standing_of(world, fresh)
    begun = counted(standing.kept_by(fresh.target))
    plan = fresh.model_copy(update=begun if start else begun | {"state": "stopped", "ended_at": fresh.created_at})
    if start:
        _reserve(world, plan)
    # files first: a plan that the table shows has all that it starts from
    if not world.plans.add(plan, asked.tool):
        return _earlier(world, fresh, asked) or plan
    note(world, asked.told(plan))
    _show(world, plan, standing)
    return plan


def _show(world: World, plan: Plan, standing: Standing) -> None:
    """Have the table list what the plan starts from; then keep its record."""
    world.plans.rewrite(plan, standing.records.values(), plan.steps_finished)
    save_plan_record(world, plan)


def _reserve(world: World, plan: Plan) -> None:
    try:
        reserve_credits(world, plan)
    except InsufficientCredits:
        # nobody will ever find what was copied for it
        world.files.remove_all(plan.plan_id)
        raise


def _copy(world: World, origin: Plan, account: str, fresh: Plan) -> None:
    """Copy what *origin* is made of. Raises PlanNotFound, PlanActive, PlanArchived where it moved meanwhile."""
    paths = [path for path in world.files.paths(origin.plan_id) if COPIED.fullmatch(path)]
    with ThreadPoolExecutor(READERS) as readers:
        list(readers.map(lambda path: world.files.copy(origin.plan_id, path, fresh.plan_id), paths))
    try:
        still_resting(world, account, origin)
    except PlanloomError:
        # half of one run and half of another, or of what was deleted
        world.files.remove_all(fresh.plan_id)
        raise
