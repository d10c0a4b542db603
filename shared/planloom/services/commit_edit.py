"""Put an edit in its place: its content beside the plan first, then the step's record, then the files.

The record is the place of the lock: it is replaced only where nobody replaced it since it was read, which is before
the plan's state was looked at (see hold_records). The content lies beside it under its hash (``edits/``), since nobody
could make it again; so that a crash between record and files is healed by the next run, or by the same edit again.
"""

from dataclasses import dataclass
from typing import Literal

from planloom.domain.artifacts import Artifact, sha256_of
from planloom.domain.errors import PlanActive, PlanArchived
from planloom.domain.events import ArtifactEdited
from planloom.domain.plans import TERMINAL, Plan
from planloom.domain.steps import StepRecord
from planloom.services.commit_stage import EDITS, record_path
from planloom.services.own_plan import changeable, own_plan
from planloom.services.read_records import record_of
from planloom.services.tell import note
from planloom.services.world import World

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


def still_resting(world: World, account: str, plan: Plan) -> None:
    """Look again whether *plan* rests as it was found. Raises PlanActive, PlanArchived, PlanNotFound."""
    now = resting(changeable(own_plan(world, account, plan.plan_id)))
    if now.run != plan.run:
        raise PlanActive("Another run of this plan began and ended meanwhile. Look at the plan again.")


def commit_edit(world: World, account: str, plan: Plan, change: Change) -> bool:
    """Make *change* to a plan at rest; return False, changing nothing, where the record is another by now.

    Raises PlanActive, PlanArchived, PlanNotFound.
    """
    assert change.before, "a record that is there already needs no commit"
    _keep(world, plan, change)
    record = change.record.model_dump_json().encode()
    if not replace_record(world, account, plan, change.record.key, record, change.before):
        still_resting(world, account, plan)
        return False
    for file in change.files:
        _write(world, plan, change, file)
    return True


def replace_record(world: World, account: str, plan: Plan, key: str, record: bytes, before: tuple[bytes, str]) -> bool:
    """Replace what was read, *before* now, as the record of step *key* of a plan at rest.

    Returns False, changing nothing, where it is another by now. Raises PlanActive, PlanArchived, PlanNotFound.
    """
    still_resting(world, account, plan)
    path, (old, tag) = record_path(key), before
    if not world.files.replace(plan.plan_id, path, record, "application/json", tag):
        return False
    try:
        changeable(own_plan(world, account, plan.plan_id))
    except PlanArchived:
        # it was frozen between look and write: it stays as it was then
        now = world.files.read_tagged(plan.plan_id, path)
        if now and now[0] == record:
            world.files.replace(plan.plan_id, path, old, "application/json", now[1])
        raise
    return True


def write_edit(world: World, plan: Plan, change: Change) -> None:
    """Make *change* to the files of a plan that nobody else knows yet."""
    _keep(world, plan, change)
    record = change.record.model_dump_json().encode()
    world.files.write(plan.plan_id, record_path(change.record.key), record, "application/json")
    for file in change.files:
        world.files.write(plan.plan_id, file.path, change.contents[file.path], file.content_type)


def edited(world: World, plan: Plan, change: Change, reason: Reason, edit: str | None = None) -> ArtifactEdited:
    """Return what is to be told of *change*; *edit* names this time, where telling it again must be telling it once."""
    return ArtifactEdited(
        plan_id=plan.plan_id,
        run=plan.run,
        at=world.now(),
        edit=edit or world.new_id(),
        key=change.record.key,
        files=change.files,
        reason=reason,
    )


def heal_edit(world: World, plan: Plan, change: Change, reason: Reason) -> None:
    """Write the files of a change whose record is there already, as after a crash, and tell it."""
    for file in change.files:
        _write(world, plan, change, file)
    note(world, edited(world, plan, change, reason))


def _keep(world: World, plan: Plan, change: Change) -> None:
    for file in change.files:
        world.files.write(plan.plan_id, EDITS + file.sha256, change.contents[file.path], file.content_type)


def _write(world: World, plan: Plan, change: Change, file: Artifact) -> None:
    """Write *file* for as long as the record of *change* stands: whoever replaced that writes what it names."""
    while True:
        # its tag first: a run that came through since has another record, or another file
        found = world.files.read_tagged(plan.plan_id, file.path)
        if not _stands(world, plan, change) or (found and sha256_of(found[0]) == file.sha256):
            return
        tag = found[1] if found else None
        if world.files.replace(plan.plan_id, file.path, change.contents[file.path], file.content_type, tag):
            break
    if found and not _named(world, plan, change, file):
        # a run made the very file that was there before, which no tag tells apart: it is put back
        _put_back(world, plan, file, found[0])


def _stands(world: World, plan: Plan, change: Change) -> bool:
    record = change.record.model_dump_json().encode()
    return world.files.read(plan.plan_id, record_path(change.record.key)) == record


def _named(world: World, plan: Plan, change: Change, file: Artifact) -> bool:
    now = record_of(world.files.read(plan.plan_id, record_path(change.record.key)), plan)
    return now is not None and (file.path, file.sha256) in {(each.path, each.sha256) for each in now.artifacts}


def _put_back(world: World, plan: Plan, file: Artifact, content: bytes) -> None:
    now = world.files.read_tagged(plan.plan_id, file.path)
    if now and sha256_of(now[0]) == file.sha256:
        world.files.replace(plan.plan_id, file.path, content, file.content_type, now[1])
