"""Read the records of a plan's finished steps from the bucket."""

from concurrent.futures import ThreadPoolExecutor

from pydantic import ValidationError

from planloom.core.file_store import FileStore
from planloom.planes.strategic.pipeline_map import steps_of
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.step_paths import RECORDS
from planloom.planes.strategic.steps import StepRecord

#: A plan has a record for each step: one by one each costs a round trip.
READERS = 16


def step_records(files: FileStore, plan_id: str) -> list[StepRecord]:
    """Return the records of all finished steps, in order. Raises ValidationError for one that cannot be read."""
    paths = files.paths(plan_id, RECORDS)
    with ThreadPoolExecutor(READERS) as readers:
        contents = readers.map(lambda path: files.read(plan_id, path), paths)
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

    It is not where a retry came after the run that made it, or where the plan continues under a version of the pipeline
    that has another step of this number, or none.
    """
    if steps := steps_of(plan):
        step = steps.by_key.get(record.key)
        if step is None or step.name != record.name:
            return False
    return record.run >= plan.first_run


def records_that_count(files: FileStore, plan: Plan) -> dict[str, StepRecord]:
    """Return by key the records that count for *plan*; what cannot be read does not."""
    paths = files.paths(plan.plan_id, RECORDS)
    with ThreadPoolExecutor(READERS) as readers:
        contents = readers.map(lambda path: files.read(plan.plan_id, path), paths)
        found = [record_of(content, plan) for content in contents]
    return {record.key: record for record in found if record}
