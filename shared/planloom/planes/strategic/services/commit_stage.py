"""The record of a finished stage: whether the one that is there still holds, and putting a new one in its place.

Two workers may run the same stage: AWS starts a second where it takes the first for lost. They keep one answer per
model call between them (ask_model), so that both make the same bytes, and whichever record is last is right. A worker
of a run that is over is recognised by the fence, and by the record: a change between runs replaces it, so that
it no longer has the tag that the worker knew before its last look. Only its files may come late: then the hashes no
longer match, and the next reader notices (load_inputs).
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from planloom.core.artifacts import Artifact, content_type_of
from planloom.core.file_store import FileStore
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.read_records import READERS, record_of
from planloom.planes.strategic.step_paths import EDITS, record_path
from planloom.planes.strategic.steps import StepRecord


def commit(files: FileStore, plan: Plan, record: StepRecord, tag: str | None, wanted: Callable[[], object]) -> None:
    """Put *record* in its place: before it, nothing of the stage counts; after it, nothing of it is made again.

    *tag* is of what was there when the stage began. *wanted* raises where the run is over.
    """
    path, content = record_path(record.key), record.model_dump_json().encode()
    wanted()
    while not files.replace(plan.plan_id, path, content, "application/json", tag):
        found = files.read_tagged(plan.plan_id, path)
        tag = found[1] if found else None
        wanted()


def earlier_record(files: FileStore, plan: Plan, key: str) -> tuple[StepRecord | None, str | None]:
    """Return the record of the step *key* if one is there that counts for *plan*, and the tag of what is there."""
    content, tag = files.read_tagged(plan.plan_id, record_path(key)) or (None, None)
    return record_of(content, plan), tag


def still_holds(files: FileStore, plan: Plan, record: StepRecord, fingerprint: str) -> bool:
    """Return whether *record* was made from the inputs that *fingerprint* hashes, and all that it made is still there.

    A file that was edited and is damaged now is put back first.
    """
    if record.fingerprint != fingerprint:
        return False
    with ThreadPoolExecutor(READERS) as readers:
        return all(readers.map(lambda file: _whole(files, plan, file), record.artifacts))


def _whole(files: FileStore, plan: Plan, file: Artifact) -> bool:
    if files.sha256(plan.plan_id, file.path) == file.sha256:
        return True
    written = files.read(plan.plan_id, EDITS + file.sha256) if file.edited else None
    if written is None:
        return False
    files.write(plan.plan_id, file.path, written, content_type_of(file.path))
    return True
