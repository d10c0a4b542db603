"""Replace a file of a finished step by what a person wrote; what depends on it is made again by the next run."""

from dataclasses import dataclass

from pydantic import ValidationError

from planloom.core.artifacts import PROMPT, Artifact, artifact, checked, sha256_of
from planloom.core.clock import Clock
from planloom.core.errors import ArtifactConflict, ArtifactNotFound, InvalidArgument
from planloom.core.file_store import FileStore
from planloom.models.profiles import Models
from planloom.planes.strategic.claims import Claim
from planloom.planes.strategic.pipeline_map import CURRENT
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.groups import RunControl
from planloom.planes.strategic.services.commit_edit import (
    Change,
    Reason,
    commit_edit,
    edited,
    repair_edit,
    resting,
    write_edit,
)
from planloom.planes.strategic.services.derive_plan import Asked, derive_plan
from planloom.planes.strategic.services.own_plan import changeable, own_plan
from planloom.planes.strategic.services.publish import apply_and_publish
from planloom.planes.strategic.services.read_records import record_of
from planloom.planes.strategic.services.valid_steps import check_steps
from planloom.planes.strategic.stages.pipeline import stage_named, stage_with_key
from planloom.planes.strategic.step_paths import record_path, step_of
from planloom.planes.strategic.steps import StepRecord

#: Ten times the longest Markdown that a stage writes.
MOST_CHARACTERS = 1_000_000


@dataclass(frozen=True)
class Edited:
    """An edit that was made: ``plan`` holds it, a derived one where the plan asked for was completed.

    ``files`` are those that the edit changed; ``edits_lost`` those of them that held another edit, which JSON rendered
    again took the place of; ``remade`` are the steps that the next run looks at again, in order.
    """

    plan: Plan
    artifact: Artifact
    files: tuple[Artifact, ...]
    edits_lost: tuple[str, ...]
    remade: tuple[str, ...]


def edit_artifact(
    run_control: RunControl,
    models: Models,
    account: str,
    plan_id: str,
    path: str,
    content: str,
    expected_sha256: str,
    *,
    start: bool = True,
    client_request_id: str | None = None,
    reason: Reason = "plan_artifact_edit",
) -> Edited:
    """Replace the file *path*, if it still has *expected_sha256*, by *content*, and return what came of it.

    JSON is validated against its stage's model and rendered to Markdown again; other text is taken as it is. A failed
    or stopped plan is changed in place, and plan_resume continues from it; a completed one gives a derived plan, which
    *start* runs at once. The content that is there already changes nothing. *reason* is the call that the log names.
    Raises InvalidArgument, PlanNotFound, PermissionDenied, PlanArchived, PlanActive, ArtifactNotFound,
    ArtifactConflict, and what derive_plan raises.
    """
    plan = resting(changeable(own_plan(run_control.plan_records, account, plan_id)))
    change = _change(
        run_control.plan_records.files, run_control.plan_records.now, plan, _editable(path), content, expected_sha256
    )
    if change.before is None:
        # the record names this content already; its files do as well, unless a crash came between
        if change.contents and plan.state != "completed":
            repair_edit(run_control.plan_records, run_control.bus, plan, change, reason)
    elif plan.state == "completed":
        plan = derive_plan(
            run_control,
            models,
            plan,
            Asked(
                account,
                reason,
                client_request_id,
                (path, sha256_of(content.encode())),
                change=lambda derived: write_edit(run_control.plan_records.files, derived, change),
                # it is derived for one edit: its id names that
                event=lambda derived: edited(
                    run_control.plan_records.now,
                    run_control.plan_records.new_id,
                    derived,
                    change,
                    reason,
                    derived.plan_id,
                ),
            ),
            start=start,
        )
    elif commit_edit(run_control.plan_records, account, plan, change):
        apply_and_publish(
            run_control.plan_records.plans,
            run_control.bus,
            edited(run_control.plan_records.now, run_control.plan_records.new_id, plan, change, reason),
        )
    else:
        raise _overtaken(run_control.plan_records.files, plan, path)
    return Edited(
        plan, _file(change.record, path), change.files, change.edits_lost, _remade(run_control.plan_records.files, plan)
    )


def _editable(path: str) -> str:
    if checked(path) == PROMPT:
        raise InvalidArgument("The prompt of a plan cannot be edited. Call plan_create with the new prompt.")
    step = CURRENT.by_key.get(step_of(path))
    stage = stage_named(step.name) if step else None
    editable = (stage.json_path, *stage.section_paths.values()) if stage and stage.standard_files else ()
    if path in editable:
        return path
    those = " or ".join(editable) if editable else "NNN-1-name.json or NNN-2-name.md of a step"
    raise InvalidArgument(f"{path} cannot be edited: it is computed from others. Edit {those}.", field="path")


def _change(file_store: FileStore, clock: Clock, plan: Plan, path: str, content: str, expected: str) -> Change:
    found = file_store.read_tagged(plan.plan_id, record_path(step_of(path)))
    record = record_of(found[0], plan) if found else None
    if found is None or record is None or path not in {file.path for file in record.artifacts}:
        raise ArtifactNotFound(f"This plan has no file '{path}'. plan_artifacts lists those it has.", path=path)
    contents, claims = _contents(file_store, plan, record, path, content)
    files = {file.path: file for file in record.artifacts}
    hashes = {name: file.sha256 for name, file in files.items()}
    changed = {name: text for name, text in contents.items() if sha256_of(text) != hashes.get(name)}
    if not changed:
        lost = {name: text for name, text in contents.items() if file_store.sha256(plan.plan_id, name) != hashes[name]}
        return Change(record, lost, None)
    if hashes[path] != expected:
        raise _conflict(files[path])
    edits_lost = tuple(name for name in changed if name != path and name in files and files[name].edited)
    files |= {name: _edited(files.get(name), artifact(name, text, clock())) for name, text in changed.items()}
    update = {"artifacts": tuple(files[name] for name in sorted(files)), "claims": claims}
    return Change(record.model_copy(update=update), changed, found, edits_lost)


def _conflict(current: Artifact) -> ArtifactConflict:
    return ArtifactConflict(
        f"{current.path} was changed since you read it. Read it again, apply your change to it, and pass its sha256, "
        f"{current.sha256}, as expected_sha256.",
        path=current.path,
        current_sha256=current.sha256,
        updated_at=current.updated_at.isoformat(),
    )


def _overtaken(files: FileStore, plan: Plan, path: str) -> ArtifactConflict | ArtifactNotFound:
    now = record_of(files.read(plan.plan_id, record_path(step_of(path))), plan)
    if now:
        return _conflict(_file(now, path))
    return ArtifactNotFound(f"{path} was invalidated meanwhile; plan_resume makes it again.", path=path)


def _contents(
    files: FileStore, plan: Plan, record: StepRecord, path: str, content: str
) -> tuple[dict[str, bytes], tuple[Claim, ...]]:
    """Return what *content* makes of the step's files, and its claims; the same result always gives the same bytes."""
    if len(content) > MOST_CHARACTERS:
        raise InvalidArgument(f"content has {len(content):,} characters; at most {MOST_CHARACTERS:,} are taken.")
    stage = stage_with_key(record.key)
    if path in stage.section_paths.values():
        return {path: content.encode()}, record.claims
    try:
        result = stage.result.model_validate_json(content)
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, each['loc'])) or 'content'}: {each['msg']}" for each in error.errors()[:10]]
        raise InvalidArgument(f"{path} does not fit its model: {'; '.join(wrong)}", field="content") from None
    before = files.read(plan.plan_id, path) if stage.edited else None
    if stage.edited and before:
        prompt = (files.read(plan.plan_id, PROMPT) or b"").decode()
        result = stage.edited(prompt, stage.result.model_validate_json(before), result)
    return {name: text.encode() for name, text in stage.files(result).items()}, result.claims


def _edited(before: Artifact | None, now: Artifact) -> Artifact:
    """Say of a file that was changed what its stage had made; what was put back is as its stage made it."""
    if before is None:
        return now.model_copy(update={"edited": True})
    made = before.made_sha256 or before.sha256
    return now if now.sha256 == made else now.model_copy(update={"edited": True, "made_sha256": made})


def _file(record: StepRecord, path: str) -> Artifact:
    return next(file for file in record.artifacts if file.path == path)


def _remade(files: FileStore, plan: Plan) -> tuple[str, ...]:
    if plan.state == "completed":
        return ()
    if plan.state == "pending":
        # just derived, and perhaps on its way already
        return tuple(step.step for step in CURRENT if step.key not in plan.steps_finished)
    validity = check_steps(files, plan)
    kept = validity.kept_by(plan.target)
    return tuple(validity.steps.by_key[key].step for key in validity.stale if key not in kept)
