"""Put an edit in its place: its content beside the plan first, then the step's record, then the files.

The record is the place of the lock: it is replaced only where nobody replaced it since it was read, which is before
the plan's state was looked at (see claim_records). The content is beside it under its hash (``edits/``), since nothing
could make it again; so a crash between record and files is repaired by the next run, or by the same edit again.
"""

from dataclasses import dataclass
from typing import Literal

from planloom.core.artifacts import Artifact, sha256_of
from planloom.core.clock import Clock, NewId
from planloom.core.errors import PlanActive, PlanArchived
from planloom.core.file_store import FileStore
from planloom.planes.strategic.events import ArtifactEdited
from planloom.planes.strategic.plans import TERMINAL, Plan
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.ports.running import Bus
from planloom.planes.strategic.services.own_plan import changeable, own_plan
from planloom.planes.strategic.services.publish import apply_and_publish
from planloom.planes.strategic.services.read_records import record_of
from planloom.planes.strategic.step_paths import EDITS, record_path
from planloom.planes.strategic.steps import StepRecord

Reason = Literal["plan_artifact_edit", "plan_artifact_undo"]


@dataclass(frozen=True)
class Change:
    """What an edit writes: the contents by path, and the record that names them.

    *before* is the record that it replaces, with its tag; None where the record is there already. *edits_lost* are
    files, beside the one that was edited, that held an edit.
    """

    record: StepRecord
    contents: dict[str, bytes]
    before: tuple[bytes, str] | None
    edits_lost: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[Artifact, ...]:
        """The files that it changes."""
        return tuple(file for file in self.record.artifacts if file.path in self.contents)


def resting(plan: Plan) -> Plan:
    """Return *plan* if it has come to an end. Raises PlanActive."""
    if plan.state not in TERMINAL:
        raise PlanActive(
            f"The plan is {plan.state}. Stop it first (plan_stop), change it, then call plan_resume; or wait until it "
            "has ended."
        )
    return plan


def check_still_ended(plan_records: PlanRecords, account: str, plan: Plan) -> None:
    """Look again whether *plan* rests as it was found. Raises PlanActive, PlanArchived, PlanNotFound."""
    now = resting(changeable(own_plan(plan_records, account, plan.plan_id)))
    if now.run != plan.run:
        raise PlanActive("Another run of this plan began and ended meanwhile. Look at the plan again.")


def commit_edit(plan_records: PlanRecords, account: str, plan: Plan, change: Change) -> bool:
    """Make *change* to an ended plan; return False, changing nothing, where the record was changed since.

    Raises PlanActive, PlanArchived, PlanNotFound.
    """
    assert change.before, "a record that is there already needs no commit"
    _keep(plan_records.files, plan, change)
    record = change.record.model_dump_json().encode()
    if not replace_record(plan_records, account, plan, change.record.key, record, change.before):
        check_still_ended(plan_records, account, plan)
        return False
    for file in change.files:
        _write(plan_records.files, plan, change, file)
    return True


def replace_record(
    plan_records: PlanRecords, account: str, plan: Plan, key: str, record: bytes, before: tuple[bytes, str]
) -> bool:
    """Replace what was read, *before* now, as the record of step *key* of an ended plan.

    Returns False, changing nothing, where it was changed since. Raises PlanActive, PlanArchived, PlanNotFound.
    """
    check_still_ended(plan_records, account, plan)
    path, (old, tag) = record_path(key), before
    if not plan_records.files.replace(plan.plan_id, path, record, "application/json", tag):
        return False
    try:
        changeable(own_plan(plan_records, account, plan.plan_id))
    except PlanArchived:
        # it was frozen between look and write: it stays as it was then
        now = plan_records.files.read_tagged(plan.plan_id, path)
        if now and now[0] == record:
            plan_records.files.replace(plan.plan_id, path, old, "application/json", now[1])
        raise
    return True


def write_edit(files: FileStore, plan: Plan, change: Change) -> None:
    """Make *change* to the files of a plan that nobody else knows yet."""
    _keep(files, plan, change)
    record = change.record.model_dump_json().encode()
    files.write(plan.plan_id, record_path(change.record.key), record, "application/json")
    for file in change.files:
        files.write(plan.plan_id, file.path, change.contents[file.path], file.content_type)


def edited(
    clock: Clock, new_id: NewId, plan: Plan, change: Change, reason: Reason, edit: str | None = None
) -> ArtifactEdited:
    """Return the event of *change*; *edit* is its id, where a repeat must count once."""
    return ArtifactEdited(
        plan_id=plan.plan_id,
        run=plan.run,
        at=clock(),
        edit=edit or new_id(),
        key=change.record.key,
        files=change.files,
        reason=reason,
    )


def repair_edit(plan_records: PlanRecords, bus: Bus, plan: Plan, change: Change, reason: Reason) -> None:
    """Write the files of a change whose record is there already, as after a crash, and tell it."""
    for file in change.files:
        _write(plan_records.files, plan, change, file)
    apply_and_publish(plan_records.plans, bus, edited(plan_records.now, plan_records.new_id, plan, change, reason))


def _keep(files: FileStore, plan: Plan, change: Change) -> None:
    for file in change.files:
        files.write(plan.plan_id, EDITS + file.sha256, change.contents[file.path], file.content_type)


def _write(files: FileStore, plan: Plan, change: Change, file: Artifact) -> None:
    """Write *file* while the record of *change* is current: a writer that replaced it writes what that record names."""
    while True:
        # its tag first: a run that came through since has another record, or another file
        found = files.read_tagged(plan.plan_id, file.path)
        if not _stands(files, plan, change) or (found and sha256_of(found[0]) == file.sha256):
            return
        tag = found[1] if found else None
        if files.replace(plan.plan_id, file.path, change.contents[file.path], file.content_type, tag):
            break
    if found and not _named(files, plan, change, file):
        # a run made the very file that was there before, with the same tag: it is put back
        _put_back(files, plan, file, found[0])


def _stands(files: FileStore, plan: Plan, change: Change) -> bool:
    record = change.record.model_dump_json().encode()
    return files.read(plan.plan_id, record_path(change.record.key)) == record


def _named(files: FileStore, plan: Plan, change: Change, file: Artifact) -> bool:
    now = record_of(files.read(plan.plan_id, record_path(change.record.key)), plan)
    return now is not None and (file.path, file.sha256) in {(each.path, each.sha256) for each in now.artifacts}


def _put_back(files: FileStore, plan: Plan, file: Artifact, content: bytes) -> None:
    now = files.read_tagged(plan.plan_id, file.path)
    if now and sha256_of(now[0]) == file.sha256:
        files.replace(plan.plan_id, file.path, content, file.content_type, now[1])
