"""Rebuild a plan's view in the table from the bucket alone."""

from planloom.domain.errors import PlanNotFound
from planloom.domain.plans import Plan
from planloom.domain.steps import StepRecord
from planloom.services.catch_up import catch_up
from planloom.services.read_records import counts, step_records
from planloom.services.save_plan_record import RECORD
from planloom.services.world import World


def repair_plan(world: World, plan_id: str) -> Plan:
    """Rebuild everything that the table says of *plan_id*. Raises PlanNotFound where the bucket knows no such plan."""
    content = world.files.read(plan_id, RECORD)
    if content is None:
        raise PlanNotFound(f"The bucket holds no plan {plan_id}. Check the id, and whether its service is another.")
    recorded = Plan.model_validate_json(content)
    world.plans.restore(recorded)
    plan = world.plans.get(plan_id) or recorded
    repair_view(world, plan, complete=plan.state == "completed")
    return world.plans.get(plan_id) or recorded


def repair_lost(world: World) -> list[str]:
    """Bring back every plan of which the table lost writes, as after a crash of what keeps it; return their ids.

    Raises ExceptionGroup of what went wrong with single plans, once all others have been looked at.
    """
    found: list[str] = []
    wrong: list[Exception] = []
    for plan_id in world.files.plans():
        try:
            if world.files.sha256(plan_id, RECORD) is not None:
                repair_plan(world, plan_id)
                found.append(plan_id)
        except Exception as error:
            error.add_note(f"while plan {plan_id} was repaired")
            wrong.append(error)
    if wrong:
        raise ExceptionGroup("some plans could not be repaired", wrong)
    return found


def repair_view(world: World, plan: Plan, *, complete: bool = False) -> None:
    """Bring log, steps, files and progress of *plan* in line with its step records; progress of a run never falls.

    What this run made counts, and what it began with or was told to have skipped; where it is *complete*, all.
    """
    records = _records(world, plan)
    while True:
        catch_up(world, plan, records)
        done = {record.key for record in records if complete or record.run == plan.run} | plan.steps_finished.keys()
        world.plans.rewrite(plan, records, done)
        # a change that came between has told the view of its files, and the older ones stand over them now
        before, records = records, _records(world, plan)
        if records == before:
            return


def _records(world: World, plan: Plan) -> list[StepRecord]:
    return [record for record in step_records(world, plan.plan_id) if counts(record, plan)]
