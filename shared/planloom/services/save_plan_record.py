"""Keep the plan's own record beside its files, so that the table can be rebuilt from the bucket alone."""

from planloom.domain.plans import Plan
from planloom.services.world import World

RECORD = "plan.json"


def save_plan_record(world: World, plan: Plan) -> None:
    """Write *plan* as it is now; the bucket keeps earlier versions."""
    world.files.write(plan.plan_id, RECORD, plan.model_dump_json(indent=2).encode(), "application/json")
