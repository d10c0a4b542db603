"""Have steps of a plan made again: say first what a run would make and what it would cost, then discard them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from planloom.domain.artifacts import checked
from planloom.domain.errors import InvalidArgument, PlanNotCompleted
from planloom.domain.events import StagesInvalidated
from planloom.domain.plans import PIPELINE_VERSION, VALIDATED, ModelProfile, Plan
from planloom.domain.restarts import other_version
from planloom.domain.usage import Usage
from planloom.services.commit_edit import replace_record, resting
from planloom.services.commit_stage import record_path
from planloom.services.credits import credits_needed, settle_credits
from planloom.services.derive_plan import ANOTHER_VERSION, Asked, derive_plan
from planloom.services.own_plan import changeable, own_plan
from planloom.services.standing import Standing, Why, standing_of
from planloom.services.tell import note
from planloom.services.world import World
from planloom.stages.pipeline import PIPELINE, stage_with_key
from planloom.stages.stage import Stage

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
    world: World,
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

    *dry_run* discards nothing; without names it says what a resume would make as things stand. A failed or stopped
    plan is changed in place, for plan_resume to go on from; a completed one gives a derived plan, which *start* runs.
    Raises InvalidArgument, PlanNotFound, PermissionDenied, PlanArchived, PlanActive, and what derive_plan raises.
    """
    plan = changeable(own_plan(world, account, plan_id))
    if not dry_run:
        resting(plan)
    keys = _keys(stages, artifacts)
    standing = standing_of(world, plan, keys)
    if not dry_run:
        if not keys:
            raise InvalidArgument("Name at least one of stages or artifacts.", field="stages")
        if plan.state == "completed":
            asked = _asked(world, account, "plan_invalidate", client_request_id, keys)
            plan = derive_plan(world, plan, asked, start=start)
        else:
            _discard(world, account, plan, keys)
    return Invalidated(plan, _remade(standing), _edits_lost(standing), credits_needed(world, len(standing.kept)))


def validate_plan(
    world: World,
    account: str,
    plan_id: str,
    model_profile: ModelProfile | None = None,
    client_request_id: str | None = None,
) -> Plan:
    """Criticise, review, audit and report anew over what is there, and nothing else, in a derived plan.

    Raises InvalidArgument, PlanNotFound, PermissionDenied, PlanArchived, PlanActive, what derive_plan raises;
    PlanNotCompleted where something that they read was not finished.
    """
    plan = resting(changeable(own_plan(world, account, plan_id)))
    if plan.pipeline_version != PIPELINE_VERSION:
        raise other_version(plan, ANOTHER_VERSION)
    there = standing_of(world, plan).records.keys()
    absent = [stage.step for stage in PIPELINE if stage.key not in VALIDATED and stage.key not in there]
    if absent:
        raise PlanNotCompleted(
            f"There is not enough to validate: {', '.join(absent)} not finished. Call plan_resume first.", steps=absent
        )
    asked = _asked(world, account, "plan_validate", client_request_id, VALIDATED)
    return derive_plan(world, plan, asked, model_profile=model_profile, target="validate_plan")


def discard(world: World, plan: Plan, keys: Collection[str]) -> None:
    """Take the records and the kept answers of the steps *keys* from a plan that nobody else knows yet."""
    answers = [path for key in keys for path in world.files.paths(plan.plan_id, f"{key}-0-")]
    world.files.delete(plan.plan_id, [*(record_path(key) for key in keys), *answers])


def _asked(world: World, account: str, tool: Reason, request_id: str | None, keys: tuple[str, ...]) -> Asked:
    return Asked(
        account,
        tool,
        request_id,
        keys,
        change=lambda derived: discard(world, derived, keys),
        # it is derived for one change: its id names that
        told=lambda derived: _told(world, derived, keys, tool, derived.plan_id),
    )


def _discard(world: World, account: str, plan: Plan, keys: Collection[str]) -> None:
    """Empty the records of a plan at rest, unless a run begins: it takes hold of them first (see hold_records).

    The run that begins next forgets the answers: a worker of it must not lose those that it kept itself.
    """
    settle_credits(world, plan)
    for key in keys:
        while found := world.files.read_tagged(plan.plan_id, record_path(key)):
            if not found[0] or replace_record(world, account, plan, key, b"", found):
                break
    note(world, _told(world, plan, keys, "plan_invalidate", world.new_id()))


def _told(world: World, plan: Plan, keys: Collection[str], reason: Reason, change: str) -> StagesInvalidated:
    return StagesInvalidated(
        plan_id=plan.plan_id,
        run=plan.run,
        at=world.now(),
        change=change,
        keys=tuple(sorted(keys)),
        reason=reason,
    )


def _keys(stages: Sequence[str], artifacts: Sequence[str]) -> tuple[str, ...]:
    named = {_stage(name).key for name in stages} | {_stage(checked(path)[:3]).key for path in artifacts}
    return tuple(sorted(named))


def _stage(name: str) -> Stage[Any]:
    found = next((stage for stage in PIPELINE if name in (stage.key, stage.name, stage.step)), None)
    if found is None:
        raise InvalidArgument(
            f"The pipeline has no step '{name[:60]}'. Name it as 016, expert_criticism or 016-expert_criticism.",
            field="stages",
        )
    return found


def _remade(standing: Standing) -> tuple[Remade, ...]:
    costs = {key: record.usage for key, record in standing.records.items()}
    stages = ((stage_with_key(key), why) for key, why in standing.stale.items())
    return tuple(Remade(stage.step, stage.title, why, costs.get(stage.key)) for stage, why in stages)


def _edits_lost(standing: Standing) -> tuple[str, ...]:
    stale = (record for key, record in standing.records.items() if key in standing.stale)
    return tuple(file.path for record in stale for file in record.artifacts if file.edited)
