"""Derive a plan from an ended one: a new id, the same prompt and artifacts, and a change that its first run works in.

A completed plan is never run again (specification, 5.3); what changes it makes a plan of its own that names its origin.
The run after its origin's is its first, so that records keep their numbers and every fence holds.
"""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal
from uuid import NAMESPACE_URL, uuid5

from planloom.accounts.stores import Billing
from planloom.core.artifacts import sha256_of
from planloom.core.clock import Clock, NewId
from planloom.core.errors import InsufficientCredits, PlanloomError, RequestConflict
from planloom.core.file_store import FileStore
from planloom.models.profile import ModelProfile
from planloom.models.profiles import Models
from planloom.planes.strategic.events import PlanEvent
from planloom.planes.strategic.plans import PIPELINE_VERSION, Plan, Target
from planloom.planes.strategic.ports.groups import RECORD, PlanRecords, RunControl
from planloom.planes.strategic.ports.running import Bus
from planloom.planes.strategic.restarts import counted, other_version
from planloom.planes.strategic.services.commit_edit import check_still_ended
from planloom.planes.strategic.services.credits import reserve_credits
from planloom.planes.strategic.services.dispatch_run import dispatch_run
from planloom.planes.strategic.services.publish import apply_and_publish
from planloom.planes.strategic.services.read_records import READERS
from planloom.planes.strategic.services.valid_steps import StepValidity, check_steps
from planloom.planes.strategic.step_paths import is_made

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
    which nothing refers to yet; *event* returns the event of it, the same each time.
    """

    account: str
    tool: Literal["plan_artifact_edit", "plan_artifact_undo", "plan_invalidate", "plan_validate"]
    request_id: str | None
    body: tuple[str, ...]
    change: Callable[[Plan], None]
    event: Callable[[Plan], PlanEvent]


def derive_plan(
    run_control: RunControl,
    models: Models,
    origin: Plan,
    asked: Asked,
    *,
    model_profile: ModelProfile | None = None,
    target: Target = "build_plan",
    start: bool = True,
) -> Plan:
    """Store a plan that starts from the artifacts of *origin*, changed as was *asked*, and return it.

    *start* False leaves it stopped, to be changed further and resumed. A repeat returns the plan that the first call
    made, and repairs a crash. Raises ModelProfilesUnavailable, InsufficientCredits; PlanNotFound, PlanActive,
    PlanArchived where *origin* moved while it was copied; PipelineVersionMismatch where
    it should start from what another version made; RequestConflict where the request id made a plan that was deleted,
    or was of another call.
    """
    profile = model_profile or origin.model_profile
    models.names(profile)
    call = json.dumps([origin.plan_id, asked.body, model_profile, target, start])
    fresh = _fresh(run_control.plan_records.now, run_control.plan_records.new_id, origin, asked, call, profile, target)
    if asked.request_id and run_control.plan_records.archive.owner_of_deleted(fresh.plan_id):
        raise RequestConflict(f"This client_request_id made plan {fresh.plan_id}, which was deleted. Use a new id.")
    plan = _earlier(run_control.plan_records, run_control.bus, fresh, asked) or _store(
        run_control.plan_records, run_control.billing, run_control.bus, origin, fresh, asked, start=start
    )
    if plan.state == "pending":
        run_control.plan_records.save_record(plan)
        dispatch_run(run_control, plan)
    return plan


def _fresh(
    clock: Clock, new_id: NewId, origin: Plan, asked: Asked, call: str, profile: ModelProfile, target: Target
) -> Plan:
    name = json.dumps([asked.tool, asked.account, asked.request_id])
    return Plan(
        plan_id=str(uuid5(DERIVED, name)) if asked.request_id else new_id(),
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
        created_at=clock(),
        derived_from=origin.plan_id,
        derived_by=sha256_of(call.encode()),
    )


def _earlier(plan_records: PlanRecords, bus: Bus, fresh: Plan, asked: Asked) -> Plan | None:
    """Return the plan that an earlier call with the same request id derived, repaired; None where there was none."""
    plan = plan_records.plans.get(fresh.plan_id)
    if plan is None:
        return None
    if plan.derived_by != fresh.derived_by:
        raise RequestConflict(
            f"This client_request_id made plan {plan.plan_id}, by a call that said something else. Use a new id."
        )
    if plan.resumed_at is None and plan.retried_at is None:
        apply_and_publish(plan_records.plans, bus, asked.event(plan))
        # its record is written last
        if plan_records.files.sha256(plan.plan_id, RECORD) is None:
            _show(plan_records, plan, check_steps(plan_records.files, plan))
    return plan


def _store(
    plan_records: PlanRecords, billing: Billing, bus: Bus, origin: Plan, fresh: Plan, asked: Asked, *, start: bool
) -> Plan:
    if start and fresh.pipeline_version != PIPELINE_VERSION:
        raise other_version(fresh, ANOTHER_VERSION)
    # should a crash come before it is added, its files are erased
    plan_records.archive.expect(fresh.plan_id, plan_records.now())
    _copy(plan_records, origin, asked.account, fresh)
    asked.change(fresh)
    validity = check_steps(plan_records.files, fresh)
    begun = counted(validity.kept_by(fresh.target))
    plan = fresh.model_copy(update=begun if start else begun | {"state": "stopped", "ended_at": fresh.created_at})
    if start:
        _reserve(plan_records.files, billing, plan)
    # files first: a plan that the table shows has all that it starts from
    if not plan_records.plans.add(plan, asked.tool):
        return _earlier(plan_records, bus, fresh, asked) or plan
    apply_and_publish(plan_records.plans, bus, asked.event(plan))
    _show(plan_records, plan, validity)
    return plan


def _show(plan_records: PlanRecords, plan: Plan, validity: StepValidity) -> None:
    """Have the table list what the plan starts from; then keep its record."""
    plan_records.plans.rewrite(plan, validity.records.values(), plan.steps_finished)
    plan_records.save_record(plan)


def _reserve(files: FileStore, billing: Billing, plan: Plan) -> None:
    try:
        reserve_credits(billing, plan)
    except InsufficientCredits:
        # nobody will ever find what was copied for it
        files.remove_all(plan.plan_id)
        raise


def _copy(plan_records: PlanRecords, origin: Plan, account: str, fresh: Plan) -> None:
    """Copy what *origin* is made of. Raises PlanNotFound, PlanActive, PlanArchived where it moved meanwhile."""
    paths = [path for path in plan_records.files.paths(origin.plan_id) if is_made(path)]
    with ThreadPoolExecutor(READERS) as readers:
        list(readers.map(lambda path: plan_records.files.copy(origin.plan_id, path, fresh.plan_id), paths))
    try:
        check_still_ended(plan_records, account, origin)
    except PlanloomError:
        # half of one run and half of another, or of what was deleted
        plan_records.files.remove_all(fresh.plan_id)
        raise
