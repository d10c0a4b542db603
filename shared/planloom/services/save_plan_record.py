"""Keep the plan's own record beside its files, so that the table can be rebuilt from the bucket alone."""

from pydantic import ValidationError

from planloom.domain.plans import Plan, lost_writes
from planloom.services.world import World

RECORD = "plan.json"


def save_plan_record(world: World, plan: Plan) -> None:
    """Write *plan* as it is now, unless a newer run or its end is written there; the bucket keeps earlier versions.

    Whoever tells late of a run's end must not hide that the next one has begun: its number would be given again, and
    nothing starts twice under one name.
    """
    while True:
        found = world.files.read_tagged(plan.plan_id, RECORD)
        # after its record: who changes it from now on writes a record of their own, over this one
        now = world.plans.get(plan.plan_id)
        current = now if now and now.run == plan.run else plan
        if found and _is_newer(found[0], current):
            return
        content = current.model_dump_json(indent=2).encode()
        if world.files.replace(plan.plan_id, RECORD, content, "application/json", found[1] if found else None):
            return


def _is_newer(content: bytes, plan: Plan) -> bool:
    try:
        return lost_writes(plan, Plan.model_validate_json(content))
    except ValidationError:
        # whatever it is, it rebuilds nothing
        return False
