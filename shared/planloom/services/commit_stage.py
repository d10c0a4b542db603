"""The record of a finished stage: whether the one that is there still holds, and putting a new one in its place.

Two workers may run the same stage: AWS starts a second where it takes the first for lost. They keep one answer per
model call between them (ask_model), so that both make the same bytes, and whichever record is last is right. A worker
of an older run is told apart by the fence. Should one write all the same, in the moment between its last look and its
write, the hashes no longer match, and whoever reads next notices (lay_desk).
"""

from concurrent.futures import ThreadPoolExecutor

from planloom.domain.artifacts import Artifact, content_type_of
from planloom.domain.plans import Plan
from planloom.domain.steps import StepRecord
from planloom.services.read_records import READERS, STEPS, record_of
from planloom.services.world import World

#: Where the content of an edit lies besides, by its hash: what a person wrote cannot be made again.
EDITS = "edits/"


def record_path(key: str) -> str:
    """Return where the record of the step *key* lies."""
    return f"{STEPS}{key}.json"


def commit(world: World, plan: Plan, record: StepRecord) -> None:
    """Put *record* in its place: before it, nothing of the stage counts; after it, nothing of it is made again."""
    world.files.write(plan.plan_id, record_path(record.key), record.model_dump_json().encode(), "application/json")


def earlier_record(world: World, plan: Plan, key: str) -> StepRecord | None:
    """Return the record of the step *key* that an earlier run made, if it made one that counts for *plan*."""
    return record_of(world.files.read(plan.plan_id, record_path(key)), plan)


def still_holds(world: World, plan: Plan, record: StepRecord, fingerprint: str) -> bool:
    """Return whether *record* was made from what *fingerprint* stands for, and all that it made is still there.

    A file that was edited and is damaged now is put back first.
    """
    if record.fingerprint != fingerprint:
        return False
    with ThreadPoolExecutor(READERS) as readers:
        return all(readers.map(lambda file: _whole(world, plan, file), record.artifacts))


def _whole(world: World, plan: Plan, file: Artifact) -> bool:
    if world.files.sha256(plan.plan_id, file.path) == file.sha256:
        return True
    written = world.files.read(plan.plan_id, EDITS + file.sha256) if file.edited else None
    if written is None:
        return False
    world.files.write(plan.plan_id, file.path, written, content_type_of(file.path))
    return True
