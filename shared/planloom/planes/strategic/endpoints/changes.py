"""Change a plan: edit and undo, invalidate and validate (2.1, 7.1, appendix B).

The services look at all stages, which calls that only ask for a status do not need: each handler imports its own.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from planloom.core.endpoint import GET, POST, PUT, ApiModel, Effect, Endpoint
from planloom.core.errors import (
    ArtifactConflict,
    ArtifactNotFound,
    ContentUnavailable,
    PlanActive,
    PlanNotCompleted,
    PlanNotFound,
)
from planloom.core.usage import Usage
from planloom.models.profile import ModelProfile
from planloom.models.profiles import Models
from planloom.planes.strategic.endpoints.plan_fields import (
    RUN_ERRORS,
    FilePath,
    PlanRequest,
    PriceInfo,
    poll_after,
    price_of,
    request_id,
)
from planloom.planes.strategic.plans import Plan, PlanState
from planloom.planes.strategic.ports.groups import PlanRecords, RunControl

if TYPE_CHECKING:
    from planloom.planes.strategic.services.edit_artifact import Edited

ORIGIN = "Set where this is a new plan, derived from the one asked for because that one is completed"
NEXT = "What to do now"
SHA256 = "^[0-9a-f]{64}$"
CHANGE_ERRORS = (*RUN_ERRORS, PlanActive, ArtifactNotFound, ContentUnavailable)


class _Change(ApiModel):
    """What all changes take."""

    start: bool = Field(
        default=True,
        description="Of a completed plan: run the derived plan at once. false leaves it stopped for more changes.",
    )
    client_request_id: str | None = request_id("no second change")


class EditArtifact(_Change, PlanRequest):
    """The new content of a file."""

    path: FilePath
    content: str = Field(description="The whole file as it should be.")
    expected_sha256: str = Field(
        pattern=SHA256, description="sha256 of the file that you changed, as it was given to you."
    )


class EditedFile(ApiModel):
    """A file that an edit changed: the one asked for, and what is rendered from it."""

    path: str
    size: int = Field(description="Bytes")
    sha256: str
    edited: bool = Field(description="False where it has again the content that its step made")


class ArtifactEdited(ApiModel):
    """Response of plan_artifact_edit and plan_artifact_undo."""

    plan_id: str = Field(description="The plan that holds the edit")
    derived_from: str | None = Field(description=ORIGIN)
    state: PlanState
    path: str
    sha256: str = Field(description="Pass it as expected_sha256 of the next edit")
    files: list[EditedFile] = Field(description="Empty where the content was there already")
    edits_lost: list[str] = Field(description="Other edited files, replaced by the text rendered from the JSON")
    remade: list[str] = Field(
        description="Steps that the next run checks again; those with the same inputs are skipped"
    )
    next_steps: str = Field(description=NEXT)


def _edit(request: EditArtifact, account: str, run_control: RunControl, models: Models) -> ArtifactEdited:
    from planloom.planes.strategic.services.edit_artifact import edit_artifact

    done = edit_artifact(
        run_control,
        models,
        account,
        request.plan_id,
        request.path,
        request.content,
        request.expected_sha256,
        start=request.start,
        client_request_id=request.client_request_id,
    )
    return _edited(request.plan_id, done)


class UndoEdit(_Change, PlanRequest):
    """Which version of which file to put back."""

    path: FilePath
    version: str | None = Field(
        default=None, max_length=1024, description="By default the newest whose content differs."
    )
    expected_sha256: str | None = Field(
        default=None, pattern=SHA256, description="Only if the file still has this sha256."
    )


def _undo(request: UndoEdit, account: str, run_control: RunControl, models: Models) -> ArtifactEdited:
    from planloom.planes.strategic.services.artifact_versions import undo_edit

    done = undo_edit(
        run_control,
        models,
        account,
        request.plan_id,
        request.path,
        request.version,
        request.expected_sha256,
        start=request.start,
        client_request_id=request.client_request_id,
    )
    return _edited(request.plan_id, done)


def _edited(asked: str, done: "Edited") -> ArtifactEdited:
    return ArtifactEdited(
        plan_id=done.plan.plan_id,
        derived_from=_origin(asked, done.plan),
        state=done.plan.state,
        path=done.artifact.path,
        sha256=done.artifact.sha256,
        files=[
            EditedFile(path=file.path, size=file.size, sha256=file.sha256, edited=file.edited) for file in done.files
        ],
        edits_lost=list(done.edits_lost),
        remade=list(done.remade),
        next_steps=_lost(done) + _next(done.plan, changed=bool(done.files)),
    )


def _lost(done: "Edited") -> str:
    if not done.edits_lost:
        return ""
    return (
        f"The edit of {', '.join(done.edits_lost)} was replaced by the text rendered from the JSON; to restore it, put "
        "its earlier version back with plan_artifact_undo. "
    )


class ArtifactRequest(PlanRequest):
    """Which file of which plan."""

    path: FilePath


class ArtifactVersion(ApiModel):
    """One version of a file."""

    version: str
    size: int = Field(description="Bytes")
    sha256: str | None
    updated_at: datetime
    current: bool


class ArtifactVersions(ApiModel):
    """Response of plan_artifact_versions, newest first."""

    plan_id: str
    path: str
    versions: list[ArtifactVersion]


def _versions(request: ArtifactRequest, account: str, plan_records: PlanRecords) -> ArtifactVersions:
    from planloom.planes.strategic.services.artifact_versions import artifact_versions

    found = artifact_versions(plan_records, account, request.plan_id, request.path)
    listed = [ArtifactVersion.model_validate(each.model_dump()) for each in found]
    return ArtifactVersions(plan_id=request.plan_id, path=request.path, versions=listed)


class InvalidatePlan(_Change, PlanRequest):
    """Which steps to make again."""

    stages: list[str] | None = Field(
        default=None, max_length=30, description="Steps to make again: 016, expert_criticism or 016-expert_criticism."
    )
    artifacts: list[str] | None = Field(
        default=None, max_length=300, description="Files whose steps are to be made again."
    )
    dry_run: bool = Field(
        default=False, description="Only say what would be made again, and what that cost before. Do this first."
    )


class Cost(ApiModel):
    """What model calls cost when they were last made."""

    calls: int
    input_tokens: int
    output_tokens: int
    price: PriceInfo


class RemadeStep(ApiModel):
    """A step that is checked again."""

    step: str
    title: str
    why: Literal["named", "missing", "damaged", "changed", "depends"] = Field(
        description="depends: made again only if an input of it changes"
    )
    cost: Cost | None = Field(description="null where it was never finished")


class PlanInvalidated(ApiModel):
    """Response of plan_invalidate."""

    plan_id: str
    derived_from: str | None = Field(description=ORIGIN)
    state: PlanState
    dry_run: bool
    steps: list[RemadeStep]
    cost_at_most: Cost = Field(description="What these steps cost before; unfinished calls are not included")
    credits_at_most: int | None = Field(description="What the run reserves; null where plans cost no credits")
    edits_lost: list[str] = Field(description="Edited files of these steps; versions stay readable")
    next_steps: str = Field(description=NEXT)


def _invalidate(request: InvalidatePlan, account: str, run_control: RunControl, models: Models) -> PlanInvalidated:
    from planloom.planes.strategic.services.invalidate_plan import invalidate_plan

    dry_run = request.dry_run
    done = invalidate_plan(
        run_control,
        models,
        account,
        request.plan_id,
        request.stages or [],
        request.artifacts or [],
        dry_run=dry_run,
        start=request.start,
        client_request_id=request.client_request_id,
    )
    steps = [
        RemadeStep(step=step.step, title=step.title, why=step.why, cost=_cost(step.cost) if step.cost else None)
        for step in done.steps
    ]
    return PlanInvalidated(
        plan_id=done.plan.plan_id,
        derived_from=_origin(request.plan_id, done.plan),
        state=done.plan.state,
        dry_run=dry_run,
        steps=steps,
        cost_at_most=_cost(done.most),
        credits_at_most=done.credits,
        edits_lost=list(done.edits_lost),
        next_steps="Nothing was changed. Call again without dry_run." if dry_run else _next(done.plan, changed=True),
    )


def _cost(usage: Usage) -> Cost:
    counts = usage.model_dump(include={"calls", "input_tokens", "output_tokens"})
    return Cost(**counts, price=price_of(usage))


class ValidatePlan(PlanRequest):
    """Which plan, and with which models."""

    model_profile: ModelProfile | None = Field(
        default=None, description="Another profile may be more thorough; by default the one the plan has."
    )
    client_request_id: str | None = request_id("no second change")


class PlanValidated(ApiModel):
    """Response of plan_validate."""

    plan_id: str = Field(description="The new plan that is being validated")
    derived_from: str
    state: PlanState
    model_profile: ModelProfile
    poll_after_sec: int


def _validate(request: ValidatePlan, account: str, run_control: RunControl, models: Models) -> PlanValidated:
    from planloom.planes.strategic.services.invalidate_plan import validate_plan

    plan = validate_plan(
        run_control, models, account, request.plan_id, request.model_profile, request.client_request_id
    )
    return PlanValidated(
        plan_id=plan.plan_id,
        derived_from=plan.derived_from or request.plan_id,
        state=plan.state,
        model_profile=plan.model_profile,
        poll_after_sec=poll_after(models, plan),
    )


def _origin(asked: str, plan: Plan) -> str | None:
    return plan.derived_from if plan.plan_id != asked.lower() else None


def _next(plan: Plan, *, changed: bool) -> str:
    if not changed:
        return "Nothing changed: the content was there already."
    if plan.state in ("failed", "stopped"):
        return "Make further changes if you like, then call plan_resume with this plan_id."
    return "Poll plan_status with this plan_id until it is completed."


PLAN_ARTIFACT_EDIT = Endpoint(
    name="plan_artifact_edit",
    title="Edit a file of a plan",
    description="""\
Replaces a file of a plan that has ended; only what depends on it is made again. A failed or stopped plan is
changed in place: call plan_resume afterwards. A completed plan is not changed: the response has a new plan_id,
derived from it, to be polled. NNN-1-name.json is validated and rendered to Markdown again (edits_lost names edited
Markdown that this replaces); NNN-2-name.md counts as text for later steps; no other file can be edited. Error
ARTIFACT_CONFLICT: it was changed since you read it; read it again and merge. PLAN_ACTIVE: call plan_stop first.""",
    group="changes",
    http=PUT("/v1/plans/{plan_id}/artifacts/{path}"),
    request=EditArtifact,
    response=ArtifactEdited,
    errors=(*CHANGE_ERRORS, ArtifactConflict),
    effect=Effect.CHANGES,
    idempotent_by="client_request_id",
    handler=_edit,
)
PLAN_ARTIFACT_VERSIONS = Endpoint(
    name="plan_artifact_versions",
    title="Versions of a file",
    description="""\
Lists the versions of a file, newest first: what steps and edits made of it, also before a plan_retry. Read
one with plan_artifact_read, put one back with plan_artifact_undo.""",
    group="changes",
    http=GET("/v1/plans/{plan_id}/versions/{path}"),
    request=ArtifactRequest,
    response=ArtifactVersions,
    errors=(PlanNotFound, ArtifactNotFound),
    handler=_versions,
)
PLAN_ARTIFACT_UNDO = Endpoint(
    name="plan_artifact_undo",
    title="Undo an edit",
    description="""\
Undoes an edit: puts an earlier version of a file back, as plan_artifact_edit would. Restoring the content that a
step made causes no step to run again.""",
    group="changes",
    http=POST("/v1/plans/{plan_id}/versions/{path}"),
    request=UndoEdit,
    response=ArtifactEdited,
    errors=(*CHANGE_ERRORS, ArtifactConflict),
    effect=Effect.CHANGES,
    idempotent_by="client_request_id",
    handler=_undo,
)
PLAN_INVALIDATE = Endpoint(
    name="plan_invalidate",
    title="Have steps made again",
    description="""\
Has steps of a plan made again, asking the models again; steps that depend on them follow where their inputs
change. Call it with dry_run first: it says which steps, why, and at what cost. A failed or stopped plan is changed in
place: call plan_resume afterwards. A completed plan is not changed: the response has the id of a derived one.""",
    group="changes",
    http=POST("/v1/plans/{plan_id}/invalidate"),
    request=InvalidatePlan,
    response=PlanInvalidated,
    errors=CHANGE_ERRORS,
    effect=Effect.DESTROYS,
    idempotent_by="client_request_id",
    handler=_invalidate,
)
PLAN_VALIDATE = Endpoint(
    name="plan_validate",
    title="Validate a plan again",
    description="""\
Validates a drafted plan without regenerating it: criticism, review, self-audit and report are made again from
what is there, in a new plan derived from it (target validate_plan). Poll the plan_id it returns. Error
PLAN_NOT_COMPLETED: something that they read was never finished; call plan_resume first.""",
    group="changes",
    http=POST("/v1/plans/{plan_id}/validate", status=202),
    request=ValidatePlan,
    response=PlanValidated,
    errors=(*RUN_ERRORS, PlanActive, PlanNotCompleted),
    effect=Effect.CHANGES,
    idempotent_by="client_request_id",
    handler=_validate,
)
