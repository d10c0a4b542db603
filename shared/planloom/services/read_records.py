"""Read the records of a plan's finished steps from the bucket."""

from concurrent.futures import ThreadPoolExecutor

from pydantic import ValidationError

from planloom.domain.pipeline_map import step_with_key
from planloom.domain.plans import PIPELINE_VERSION, Plan
from planloom.domain.steps import StepRecord
from planloom.services.world import World

STEPS = "steps/"
#: A plan has a record for each step: one by one each costs a round trip.
READERS = 16


def step_records(world: World, plan_id: str) -> list[StepRecord]:
    """Return the records of all finished steps, in order. Raises ValidationError for one that cannot be read."""
    paths = world.files.paths(plan_id, STEPS)
    with ThreadPoolExecutor(READERS) as readers:
        contents = readers.map(lambda path: world.files.read(plan_id, path), paths)
        return [StepRecord.model_validate_json(content) for content in contents if content]


def record_of(content: bytes | None, plan: Plan) -> StepRecord | None:
    """Return the record in *content* if it counts for *plan*.

    None where there is none, where it was cut short, or where it does not count.
    """
    if content is None:
        return None
    try:
        record = StepRecord.model_validate_json(content)
    except ValidationError:
        return None
    return record if counts(record, plan) else None


def counts(record: StepRecord, plan: Plan) -> bool:
    """Say whether *record* is one of *plan* as it is now.

    It is not where a retry came after the run that made it, or where the plan goes on under a version of the pipeline
    that has another step of this number, or none.
    """
    if plan.pipeline_version == PIPELINE_VERSION:
        step = step_with_key(record.key)
        if step is None or step.name != record.name:
            return False
    return record.run >= plan.first_run


def records_that_count(world: World, plan: Plan) -> dict[str, StepRecord]:
    """Return by key the records that count for *plan*; what cannot be read does not."""
    paths = world.files.paths(plan.plan_id, STEPS)
    with ThreadPoolExecutor(READERS) as readers:
        contents = readers.map(lambda path: world.files.read(plan.plan_id, path), paths)
        found = [record_of(content, plan) for content in contents]
    return {record.key: record for record in found if record}
