"""What callers get back about a plan's files, and where a plan is put away."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from planloom.api.answers import AnswerModel, FileLink
from planloom.domain.plans import PlanState


class ArtifactEntry(AnswerModel):
    """One file of a plan."""

    path: str
    size: int = Field(description="Bytes")
    sha256: str
    content_type: str
    updated_at: datetime
    edited: bool = Field(description="By a caller, after its stage had made it")


class ArtifactList(AnswerModel):
    """Answer of plan_artifacts, in order of path, which is that of the pipeline."""

    plan_id: str
    artifacts: list[ArtifactEntry]
    total: int = Field(description="How many begin with the prefix, on all pages together")
    next_after: str | None = Field(description="Pass it as after for the next page; null on the last one")


class ArtifactText(AnswerModel):
    """Answer of plan_artifact_read: a part of a text."""

    plan_id: str
    path: str
    content_type: str
    size: int = Field(description="Bytes of the whole file")
    sha256: str = Field(description="Of the whole file; pass it as expected_sha256 when you edit it")
    edited: bool | None = Field(description="By a caller; null of an earlier version, of which nobody keeps it")
    offset: int = Field(description="Where the text begins, in bytes")
    text: str
    next_offset: int | None = Field(description="Pass it as offset for what follows; null at the end")


class PlanExport(FileLink):
    """Answer of plan_export."""


class PlanArchive(AnswerModel):
    """Answer of plan_archive."""

    plan_id: str
    state: PlanState
    archived: bool
    archived_at: datetime | None


class PlanDeleted(AnswerModel):
    """Answer of plan_delete."""

    plan_id: str
    deleted: bool
    deleted_at: datetime
    message: str = Field(description="What remains, and for how long")


class SectionChange(AnswerModel):
    """How one section differs."""

    path: str
    title: str
    change: Literal["same", "changed", "added", "removed"]
    lines_added: int
    lines_removed: int
    diff: str = Field(description="Unified diff; empty where nothing differs")
    truncated: bool = Field(description="The diff is cut: ask for this step alone")


class PlanComparison(AnswerModel):
    """Answer of plan_diff: the prompt first, then the sections in order of the pipeline."""

    plan_id: str
    other_plan_id: str
    same: bool
    sections: list[SectionChange]
