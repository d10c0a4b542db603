"""Replace a file of a finished step by what a person wrote; what depends on it is made again by the next run.

The step's record is the place of the lock: it is replaced only where nobody else replaced it since it was read, and
names the new hash. The content lies beside it under its hash (``edits/``), since nobody could make it again.
"""

from dataclasses import dataclass

from pydantic import ValidationError

from planloom.domain.artifacts import COMPLETE, PROMPT, Artifact, artifact, checked, sha256_of
from planloom.domain.claims import Claim
from planloom.domain.errors import ArtifactConflict, ArtifactNotFound, InvalidArgument, PlanActive
from planloom.domain.plans import TERMINAL, Plan
from planloom.domain.steps import StepRecord
from planloom.services.commit_stage import EDITS, record_path
from planloom.services.derive_plan import derive_plan
from planloom.services.own_plan import changeable, own_plan
from planloom.services.read_records import record_of
from planloom.services.standing import standing_of
from planloom.services.world import World
from planloom.stages import PIPELINE, stage_with_key

#: Ten times the longest Markdown that a stage writes.
MOST_CHARACTERS = 1_000_000


@dataclass(frozen=True)
class Edited:
    """An edit that was made: ``plan`` holds it, a derived one where the plan asked for was completed.

    ``files`` are those that the edit changed; ``remade`` are the steps that the next run looks at again, in order.
    """

    plan: Plan
    artifact: Artifact
    files: tuple[Artifact, ...]
    remade: tuple[str, ...]


@dataclass(frozen=True)
class _Change:
    """What an edit writes: the contents by path, and the record that names them."""

    record: StepRecord
    contents: dict[str, bytes]
    tag: str


def edit_artifact(
    world: World,
    account: str,
    plan_id: str,
    path: str,
    content: str,
    expected_sha256: str,
    *,
    start: bool = True,
    client_request_id: str | None = None,
) -> Edited:
    """Replace the file *path*, if it still has *expected_sha256*, by *content*, and return what came of it.

    JSON is validated against its stage's model and rendered to Markdown again; other text is taken as it is. A failed
    or stopped plan is changed in place, for plan_resume to go on from; a completed one gives a derived plan, which
    *start* runs at once. The content that is there already changes nothing. Raises InvalidArgument, PlanNotFound,
    PermissionDenied, PlanArchived, PlanActive, ArtifactNotFound, ArtifactConflict.
    """
    plan = resting(changeable(own_plan(world, account, plan_id)))
    change = _change(world, plan, _editable(path), content, expected_sha256)
    if not change.contents:
        return Edited(plan, _file(change.record, path), (), _remade(world, plan))
    if plan.state == "completed":
        request = f"edit:{client_request_id}" if client_request_id else None
        plan = derive_plan(world, plan, lambda derived: _rewrite(world, derived, change), start=start, request=request)
    else:
        _apply(world, plan, path, change)
    files = tuple(file for file in change.record.artifacts if file.path in change.contents)
    return Edited(plan, _file(change.record, path), files, _remade(world, plan))


def resting(plan: Plan) -> Plan:
    """Return *plan* if it has come to an end. Raises PlanActive."""
    if plan.state not in TERMINAL:
        raise PlanActive(
            f"The plan is {plan.state}. Stop it first (plan_stop), change it, then call plan_resume; or wait until it "
            "has ended."
        )
    return plan


def _editable(path: str) -> str:
    if checked(path) == PROMPT:
        raise InvalidArgument("The prompt is what all of the plan rests on: call plan_create with the new one.")
    if not path[:3].isdigit() or path == COMPLETE or path[3:6] == "-0-":
        raise InvalidArgument(f"{path} cannot be edited: edit NNN-1-name.json or NNN-2-name.md.", field="path")
    return path


def _change(world: World, plan: Plan, path: str, content: str, expected: str) -> _Change:
    found = world.files.read_tagged(plan.plan_id, record_path(path[:3]))
    record = record_of(found[0], plan) if found else None
    if found is None or record is None or path not in {file.path for file in record.artifacts}:
        raise ArtifactNotFound(f"This plan has no file '{path}'. plan_artifacts lists those it has.", path=path)
    _agreed(record, path, expected)
    contents, claims = _contents(record, path, content)
    hashes = {file.path: file.sha256 for file in record.artifacts}
    changed = {name: text for name, text in contents.items() if sha256_of(text) != hashes.get(name)}
    files = {file.path: file for file in record.artifacts}
    files |= {name: _edited(files.get(name), artifact(name, text, world.now())) for name, text in changed.items()}
    update = {"artifacts": tuple(files[name] for name in sorted(files)), "claims": claims}
    return _Change(record.model_copy(update=update), changed, found[1])


def _agreed(record: StepRecord, path: str, expected: str) -> None:
    current = _file(record, path)
    if current.sha256 != expected:
        raise ArtifactConflict(
            f"{path} is another by now. Read it again, make your change to what is there, and pass its sha256, "
            f"{current.sha256}, as expected_sha256.",
            path=path,
            current_sha256=current.sha256,
            updated_at=current.updated_at.isoformat(),
        )


def _contents(record: StepRecord, path: str, content: str) -> tuple[dict[str, bytes], tuple[Claim, ...]]:
    """Return what *content* makes of the step's files, and its claims; the same result always gives the same bytes."""
    if len(content) > MOST_CHARACTERS:
        raise InvalidArgument(f"content has {len(content):,} characters; at most {MOST_CHARACTERS:,} are taken.")
    stage = stage_with_key(record.key)
    if path != stage.json_path:
        return {path: content.encode()}, record.claims
    try:
        result = stage.result.model_validate_json(content)
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, each['loc'])) or 'content'}: {each['msg']}" for each in error.errors()[:10]]
        raise InvalidArgument(f"{path} does not fit its model: {'; '.join(wrong)}", field="content") from None
    return {name: text.encode() for name, text in stage.files(result).items()}, result.claims


def _edited(before: Artifact | None, now: Artifact) -> Artifact:
    """Say of a file that was changed what its stage had made; what was put back is as its stage made it."""
    if before is None:
        return now.model_copy(update={"edited": True})
    made = before.made_sha256 or before.sha256
    return now if now.sha256 == made else now.model_copy(update={"edited": True, "made_sha256": made})


def _apply(world: World, plan: Plan, path: str, change: _Change) -> None:
    _keep(world, plan, change)
    record = change.record.model_dump_json().encode()
    if not world.files.replace(plan.plan_id, record_path(path[:3]), record, "application/json", change.tag):
        now = record_of(world.files.read(plan.plan_id, record_path(path[:3])), plan)
        if now:
            _agreed(now, path, "")
        raise ArtifactNotFound(f"{path} was invalidated meanwhile; plan_resume makes it again.", path=path)
    _write(world, plan, change)
    world.plans.describe(plan.plan_id, [file for file in change.record.artifacts if file.path in change.contents])


def _rewrite(world: World, plan: Plan, change: _Change) -> None:
    """Make the change to the files of a plan that nobody else knows yet."""
    _keep(world, plan, change)
    record = change.record.model_dump_json().encode()
    world.files.write(plan.plan_id, record_path(change.record.key), record, "application/json")
    _write(world, plan, change)


def _keep(world: World, plan: Plan, change: _Change) -> None:
    for file in change.record.artifacts:
        if file.path in change.contents:
            world.files.write(plan.plan_id, EDITS + file.sha256, change.contents[file.path], file.content_type)


def _write(world: World, plan: Plan, change: _Change) -> None:
    for file in change.record.artifacts:
        if file.path in change.contents:
            world.files.write(plan.plan_id, file.path, change.contents[file.path], file.content_type)


def _file(record: StepRecord, path: str) -> Artifact:
    return next(file for file in record.artifacts if file.path == path)


def _remade(world: World, plan: Plan) -> tuple[str, ...]:
    if plan.state == "completed":
        return ()
    if plan.state == "pending":
        # just derived, and perhaps on its way already
        return tuple(stage.step for stage in PIPELINE if stage.key not in plan.steps_finished)
    return tuple(stage_with_key(key).step for key in standing_of(world, plan).stale)
