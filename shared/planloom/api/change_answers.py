"""What callers get back when they change a plan: edits, versions, invalidation, validation."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from planloom.api.answers import AnswerModel, PriceInfo
from planloom.domain.plans import ModelProfile, PlanState

ORIGIN = "Set where this is a new plan, derived from the one asked for because that one is completed"
NEXT = "What to do now"


class EditedFile(AnswerModel):
    """A file that an edit changed: the one asked for, and what is rendered from it."""

    path: str
    size: int = Field(description="Bytes")
    sha256: str
    edited: bool = Field(description="False where it is again as its step made it")


class ArtifactEdited(AnswerModel):
    """Answer of plan_artifact_edit and plan_artifact_undo."""

    plan_id: str = Field(description="The plan that holds the edit")
    derived_from: str | None = Field(description=ORIGIN)
    state: PlanState
    path: str
    sha256: str = Field(description="Pass it as expected_sha256 of the next edit")
    files: list[EditedFile] = Field(description="Empty where the content was there already")
    edits_lost: list[str] = Field(description="Other files that were edited, replaced by what the JSON reads as")
    remade: list[str] = Field(description="Steps that the next run looks at again; those whose needs stay are skipped")
    next_steps: str = Field(description=NEXT)


class ArtifactVersion(AnswerModel):
    """One version of a file."""

    version: str
    size: int = Field(description="Bytes")
    sha256: str | None
    updated_at: datetime
    current: bool


class ArtifactVersions(AnswerModel):
    """Answer of plan_artifact_versions, newest first."""

    plan_id: str
    path: str
    versions: list[ArtifactVersion]


class Cost(AnswerModel):
    """What model calls cost when they were last made."""

    calls: int
    input_tokens: int
    output_tokens: int
    price: PriceInfo


class RemadeStep(AnswerModel):
    """A step that is looked at again."""

    step: str
    title: str
    why: Literal["named", "missing", "damaged", "changed", "depends"] = Field(
        description="depends: made again only if what comes before it comes out another"
    )
    cost: Cost | None = Field(description="null where it was never finished")


class PlanInvalidated(AnswerModel):
    """Answer of plan_invalidate."""

    plan_id: str
    derived_from: str | None = Field(description=ORIGIN)
    state: PlanState
    dry_run: bool
    steps: list[RemadeStep]
    cost_at_most: Cost = Field(description="By what these steps cost before; unfinished calls come on top")
    credits_at_most: int | None = Field(description="What the run reserves; null where plans cost no credits")
    edits_lost: list[str] = Field(description="Edited files of these steps; versions stay readable")
    next_steps: str = Field(description=NEXT)


class PlanValidated(AnswerModel):
    """Answer of plan_validate."""

    plan_id: str = Field(description="The new plan that is being validated")
    derived_from: str
    state: PlanState
    model_profile: ModelProfile
    poll_after_sec: int
