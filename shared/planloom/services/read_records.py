"""Read the records of a plan's finished steps from the bucket."""

from concurrent.futures import ThreadPoolExecutor

from pydantic import ValidationError

from planloom.domain.plans import Plan
from planloom.domain.steps import StepRecord
from planloom.services.world import World

STEPS = "steps/"
#: A plan has 30 records: one by one each costs a round trip.
READERS = 16


def step_records(world: World, plan_id: str) -> list[StepRecord]:
    """Return the records of all finished steps, in order. Raises ValidationError for one that cannot be read."""
    paths = world.files.paths(plan_id, STEPS)
    with ThreadPoolExecutor(READERS) as readers:
        contents = readers.map(lambda path: world.files.read(plan_id, path), paths)
        return [StepRecord.model_validate_json(content) for content in contents if content]


def record_of(content: bytes | None, plan: Plan) -> StepRecord | None:
    """Return the record in *content* if it counts for *plan*.

    None where there is none, where it was cut short, or where a retry came after the run that made it.
    """
    if content is None:
        return None
    try:
        record = StepRecord.model_validate_json(content)
    except ValidationError:
        return None
    return record if record.run >= plan.first_run else None


def records_that_count(world: World, plan: Plan) -> dict[str, StepRecord]:
    """Return by key the records that count for *plan*; what cannot be read does not."""
    paths = world.files.paths(plan.plan_id, STEPS)
    with ThreadPoolExecutor(READERS) as readers:
        contents = readers.map(lambda path: world.files.read(plan.plan_id, path), paths)
        found = [record_of(content, plan) for content in contents]
    return {record.key: record for record in found if record}
