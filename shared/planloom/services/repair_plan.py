"""Rebuild a plan's view in the table from the bucket alone."""

from planloom.domain.errors import PlanNotFound
from planloom.domain.plans import Plan
from planloom.domain.steps import StepRecord
from planloom.services.save_plan_record import RECORD
from planloom.services.world import World

STEPS = "steps/"


def repair_plan(world: World, plan_id: str) -> Plan:
    """Rebuild everything that the table says of *plan_id*. Raises PlanNotFound where the bucket knows no such plan."""
    content = world.files.read(plan_id, RECORD)
    if content is None:
        raise PlanNotFound(f"The bucket holds no plan {plan_id}.")
    recorded = Plan.model_validate_json(content)
    world.plans.add(recorded)
    repair_view(world, world.plans.get(plan_id) or recorded)
    return world.plans.get(plan_id) or recorded


def repair_view(world: World, plan: Plan) -> None:
    """Bring steps, files and progress of *plan* in line with its step records."""
    world.plans.rewrite(plan, step_records(world, plan.plan_id))


def step_records(world: World, plan_id: str) -> list[StepRecord]:
    """Return the records of all finished steps, in order."""
    contents = (world.files.read(plan_id, path) for path in world.files.paths(plan_id, STEPS))
    return [StepRecord.model_validate_json(content) for content in contents if content]
