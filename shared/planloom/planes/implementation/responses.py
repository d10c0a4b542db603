"""Responses of the endpoints of implementation plans."""

from datetime import datetime
from typing import Any

from pydantic import Field

from planloom.core.endpoint import CamelModel
from planloom.planes.implementation.records import ChangeOp, PlanType, StepStatus

JsonObject = dict[str, Any]


class FindingInfo(CamelModel):
    """An error or a warning."""

    path: str = Field(description="JSON Pointer into the plan; to a missing field where one is missing")
    code: str = Field(description="Stable; get_plan_format lists all")
    message: str
    hint: str | None = Field(default=None, description="How to fix it")


class ValidationInfo(CamelModel):
    """Response of validate_plan."""

    is_valid: bool = Field(description="False while there are errors; warnings do not count")
    errors: list[FindingInfo]
    warnings: list[FindingInfo]
    normalized_plan: JsonObject | None = Field(
        default=None, description="Only of a valid plan: fields in the schema's order, absent optional lists empty"
    )


class PlanFormat(CamelModel):
    """Response of get_plan_format."""

    schema_version: str
    json_schema: JsonObject = Field(description="JSON Schema, draft 2020-12")
    constraints: JsonObject = Field(description="Rules beyond the schema, with their codes, and limits")
    examples: list[JsonObject] = Field(description="Valid plans")


class PlanMeta(CamelModel):
    """What the registry knows of a plan."""

    title: str
    status: StepStatus = Field(description="blocked if a step is, done if all are, doing once one is or was, else todo")
    created_at: datetime
    updated_at: datetime = Field(description="When its current revision was saved")
    revised_at: datetime = Field(description="When this revision was saved")
    current_revision: int
    author: str = Field(description="Account that saved this revision")
    note: str | None
    source: JsonObject | None = Field(description="As sent: mdHash, origin")
    made_from: str | None = Field(description="plan_id of the strategic plan that it was made from, if it is there")
    step_count: int
    status_counts: dict[str, int]


class PlanSaved(CamelModel):
    """Response of create_plan, update_plan and set_step_status."""

    plan_id: str
    revision: int
    validation: ValidationInfo
    meta: PlanMeta


class PlanRead(CamelModel):
    """Response of get_plan."""

    schema_version: str
    plan: JsonObject
    meta: PlanMeta
    revision: int


class PlanLine(CamelModel):
    """One line of list_plans."""

    plan_id: str
    title: str
    plan_type: PlanType
    repo: str
    status: StepStatus
    revision: int
    created_at: datetime
    updated_at: datetime
    step_count: int
    status_counts: dict[str, int]
    made_from: str | None


class PlanLines(CamelModel):
    """Response of list_plans, last saved first."""

    plans: list[PlanLine]
    next_before: str | None = Field(description="Pass it as before for the next page; null on the last one")


class TouchedInfo(CamelModel):
    """A place that a revision changed."""

    path: str
    op: ChangeOp
    step_id: str | None


class RevisionInfo(CamelModel):
    """One line of plan_history."""

    revision: int
    created_at: datetime
    author: str
    note: str | None
    changes: list[TouchedInfo] = Field(description="The first 50; all of them, with their values, in plan_diff")
    change_count: int


class PlanHistory(CamelModel):
    """Response of plan_history, newest first."""

    plan_id: str
    revisions: list[RevisionInfo]


class ChangeInfo(TouchedInfo):
    """One change; path points into the later plan, for what was removed into the earlier one."""

    before: Any = None
    after: Any = None


class PlanDiff(CamelModel):
    """Response of plan_diff."""

    plan_id: str
    from_revision: int
    to_revision: int
    changes: list[ChangeInfo]


class CommentInfo(CamelModel):
    """A comment."""

    comment_id: str
    step_id: str | None
    text: str
    author: str
    created_at: datetime
    revision: int = Field(description="The plan's revision when it was written")


class CommentList(CamelModel):
    """Comments, oldest first."""

    plan_id: str
    comments: list[CommentInfo]


class UnplacedInfo(CamelModel):
    """A piece of Markdown that found no place in the draft."""

    line: int = Field(description="Of the Markdown, counted from 1")
    text: str
    reason: str


class PlanDraft(CamelModel):
    """Response of draft_from_markdown: a draft that is not stored."""

    plan: JsonObject = Field(description="Lacks what the text does not say; validation names it")
    unplaced: list[UnplacedInfo]
    validation: ValidationInfo
    source: JsonObject = Field(description="Pass it to create_plan")
