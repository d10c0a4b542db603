"""Have steps of a plan made again: say first what a run would make and what it would cost, then discard them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from planloom.accounts.stores import Billing
from planloom.core.artifacts import checked
from planloom.core.clock import Clock
from planloom.core.errors import InvalidArgument, PlanNotCompleted
from planloom.core.file_store import FileStore
from planloom.core.usage import Usage
from planloom.models.profile import ModelProfile
from planloom.models.profiles import Models
from planloom.planes.strategic.events import StagesInvalidated
from planloom.planes.strategic.pipeline_map import CURRENT, Step
from planloom.planes.strategic.plans import PIPELINE_VERSION, Plan
from planloom.planes.strategic.ports.groups import PlanRecords, RunControl
from planloom.planes.strategic.ports.running import Bus
from planloom.planes.strategic.restarts import other_version
from planloom.planes.strategic.services.commit_edit import replace_record, resting
from planloom.planes.strategic.services.credits import credits_needed, settle_credits
from planloom.planes.strategic.services.derive_plan import ANOTHER_VERSION, Asked, derive_plan
from planloom.planes.strategic.services.own_plan import changeable, own_plan
from planloom.planes.strategic.services.publish import apply_and_publish
from planloom.planes.strategic.services.valid_steps import StepValidity, Why, check_steps
from planloom.planes.strategic.step_paths import calls_prefix, record_path, step_of

Reason = Literal["plan_invalidate", "plan_validate"]


@dataclass(frozen=True)
class Remade:
    """A step that would be looked at again: *why*, and what it cost when it was made, None where it never was."""

    step: str
    title: str
    why: Why
    cost: Usage | None


@dataclass(frozen=True)
class Invalidated:
    """What plan_invalidate did, or with dry_run would do. ``plan`` is derived where the one asked for was completed.

    ``credits`` are those that the run which makes them reserves; None where plans cost none.
    """

    plan: Plan
    steps: tuple[Remade, ...]
    edits_lost: tuple[str, ...]
    credits: int | None

    @property
    def most(self) -> Usage:
        """What it costs at most, by what it cost before: steps whose needs come out the same are skipped."""
        return sum((step.cost for step in self.steps if step.cost), Usage())


def invalidate_plan(
    run_control: RunControl,
    models: Models,
    account: str,
    plan_id: str,
    stages: Sequence[str] = (),
    artifacts: Sequence[str] = (),
    *,
    dry_run: bool = False,
    start: bool = True,
    client_request_id: str | None = None,
) -> Invalidated:
    """Discard the *stages* (``016``, ``expert_criticism`` or both joined) and those that made the *artifacts*.

    *dry_run* discards nothing; without names it says what a resume would make now. A failed or stopped plan
    is changed in place, and plan_resume continues from it; a completed one gives a derived plan, which *start* runs.
    Raises InvalidArgument, PlanNotFound, PermissionDenied, PlanArchived, PlanActive, and what derive_plan raises.
    """
    plan = changeable(own_plan(run_control.plan_records, account, plan_id))
    if not dry_run:
        resting(plan)
    keys = _keys(stages, artifacts)
    validity = check_steps(run_control.plan_records.files, plan, keys)
    if not dry_run:
        if not keys:
            raise InvalidArgument("Name at least one of stages or artifacts.", field="stages")
        if plan.state == "completed":
            asked = _asked(
                run_control.plan_records.files,
                run_control.plan_records.now,
                account,
                "plan_invalidate",
                client_request_id,
                keys,
            )
            plan = derive_plan(run_control, models, plan, asked, start=start)
        else:
            _discard(run_control.plan_records, run_control.billing, run_control.bus, account, plan, keys)
    return Invalidated(
        plan, _remade(validity), _edits_lost(validity), credits_needed(run_control.billing.rules, len(validity.kept))
    )


def validate_plan(
    run_control: RunControl,
    models: Models,
    account: str,
    plan_id: str,
    model_profile: ModelProfile | None = None,
    client_request_id: str | None = None,
) -> Plan:
    """Criticise, review, audit and report anew over what is there, and nothing else, in a derived plan.

    Raises InvalidArgument, PlanNotFound, PermissionDenied, PlanArchived, PlanActive, what derive_plan raises;
    PlanNotCompleted where something that they read was not finished.
    """
    plan = resting(changeable(own_plan(run_control.plan_records, account, plan_id)))
    if plan.pipeline_version != PIPELINE_VERSION:
        raise other_version(plan, ANOTHER_VERSION)
    there = check_steps(run_control.plan_records.files, plan).records.keys()
    absent = [step.step for step in CURRENT if step.key not in CURRENT.validated and step.key not in there]
    if absent:
        raise PlanNotCompleted(
            f"There is not enough to validate: {', '.join(absent)} not finished. Call plan_resume first.", steps=absent
        )
    asked = _asked(
        run_control.plan_records.files,
        run_control.plan_records.now,
        account,
        "plan_validate",
        client_request_id,
        CURRENT.validated,
    )
    return derive_plan(run_control, models, plan, asked, model_profile=model_profile, target="validate_plan")


def discard(files: FileStore, plan: Plan, keys: Collection[str]) -> None:
    """Take the records and the kept answers of the steps *keys* from a plan that nobody else knows yet."""
    answers = [path for key in keys for path in files.paths(plan.plan_id, calls_prefix(key))]
    files.delete(plan.plan_id, [*(record_path(key) for key in keys), *answers])


def _asked(
    files: FileStore, clock: Clock, account: str, tool: Reason, request_id: str | None, keys: tuple[str, ...]
) -> Asked:
    return Asked(
        account,
        tool,
        request_id,
        keys,
        change=lambda derived: discard(files, derived, keys),
        # it is derived for one change: its id names that
        event=lambda derived: _event(clock, derived, keys, tool, derived.plan_id),
    )


def _discard(
    plan_records: PlanRecords, billing: Billing, bus: Bus, account: str, plan: Plan, keys: Collection[str]
) -> None:
    """Empty the records of an ended plan, unless a run begins: it claims them first (see claim_records).

    The run that begins next forgets the answers: a worker of it must not lose those that it kept itself.
    """
    settle_credits(plan_records.files, billing, plan)
    for key in keys:
        while found := plan_records.files.read_tagged(plan.plan_id, record_path(key)):
            if not found[0] or replace_record(plan_records, account, plan, key, b"", found):
                break
    apply_and_publish(
        plan_records.plans, bus, _event(plan_records.now, plan, keys, "plan_invalidate", plan_records.new_id())
    )


def _event(clock: Clock, plan: Plan, keys: Collection[str], reason: Reason, change: str) -> StagesInvalidated:
    return StagesInvalidated(
        plan_id=plan.plan_id,
        run=plan.run,
        at=clock(),
        change=change,
        keys=tuple(sorted(keys)),
        reason=reason,
    )


def _keys(stages: Sequence[str], artifacts: Sequence[str]) -> tuple[str, ...]:
    named = {_step(name).key for name in stages} | {_step(step_of(checked(path))).key for path in artifacts}
    return tuple(sorted(named))


def _step(name: str) -> Step:
    found = CURRENT.named(name)
    if found is None:
        raise InvalidArgument(
            f"The pipeline has no step '{name[:60]}'. Name it as 016, expert_criticism or 016-expert_criticism.",
            field="stages",
        )
    return found


def _remade(validity: StepValidity) -> tuple[Remade, ...]:
    costs = {key: record.usage for key, record in validity.records.items()}
    steps = ((validity.steps.by_key[key], why) for key, why in validity.stale.items())
    return tuple(Remade(step.step, step.title, why, costs.get(step.key)) for step, why in steps)


def _edits_lost(validity: StepValidity) -> tuple[str, ...]:
    stale = (record for key, record in validity.records.items() if key in validity.stale)
    return tuple(file.path for record in stale for file in record.artifacts if file.edited)
