"""Take the finished steps of a plan over into the run that goes on from them: from then on nobody else changes them.

A record is the lock of its step. It is changed between runs, by edits and invalidations, only where it still has the
tag that it had before they looked at the plan's state; and a run that begins gives every record another tag, after it
has moved the plan and before its first worker starts. So a change either came before, and every worker sees it, or it
is refused, since the plan is going.
"""

from concurrent.futures import ThreadPoolExecutor

from planloom.domain.plans import Plan
from planloom.services.read_records import READERS, STEPS, record_of
from planloom.services.world import World


def hold_records(world: World, plan: Plan) -> None:
    """Mark every record of *plan* as held by its run; doing it twice is doing it once."""
    with ThreadPoolExecutor(READERS) as readers:
        list(readers.map(lambda path: _hold(world, plan, path), world.files.paths(plan.plan_id, STEPS)))


def _hold(world: World, plan: Plan, path: str) -> None:
    # once round for each change that was quicker: they end, since the plan is going by now
    while found := world.files.read_tagged(plan.plan_id, path):
        content, tag = found
        if not content:
            _forget_answers(world, plan, path.removeprefix(STEPS)[:3])
            return
        record = record_of(content, plan)
        if record is None or plan.run in (record.run, record.held_by):
            return
        held = record.model_copy(update={"held_by": plan.run}).model_dump_json().encode()
        if world.files.replace(plan.plan_id, path, held, "application/json", tag):
            return


def _forget_answers(world: World, plan: Plan, key: str) -> None:
    """Have the models asked anew for a step that was invalidated; what this run has kept already stays."""
    kept = world.files.paths(plan.plan_id, f"{key}-0-")
    world.files.delete(plan.plan_id, [path for path in kept if not _of_this_run(world, plan, path)])


def _of_this_run(world: World, plan: Plan, path: str) -> bool:
    # another may have started the run before this caller, who found it pending, came as far as here
    found = world.files.describe(plan.plan_id, path)
    return found is not None and plan.resumed_at is not None and found.updated_at > plan.resumed_at
