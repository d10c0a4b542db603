"""What callers get back: one model for each answer, shared by HTTP and MCP."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, create_model

from planloom.domain.plans import Detail, FailureReason, ModelProfile, PlanState, Target

ORIGIN = "plan_id of the plan that it comes from, by a change or as plan_create was told; null where there is none"


class AnswerModel(BaseModel):
    """Base of all answers; an error of ours in one of them quotes nothing of what it holds."""

    model_config = ConfigDict(hide_input_in_errors=True)


class ErrorInfo(AnswerModel):
    """Specification 9.1."""

    code: str = Field(description="Stable and machine-readable")
    message: str = Field(description="For people; says what to do next")
    details: dict[str, Any] | None = None


class ErrorAnswer(AnswerModel):
    """Body of every refusal over HTTP."""

    error: ErrorInfo


class PlanCreated(AnswerModel):
    """Answer of plan_create."""

    plan_id: str = Field(description="UUID; use exactly this one in all other calls")
    state: PlanState
    model_profile: ModelProfile
    created_at: datetime
    poll_after_sec: int = Field(description="When the first plan_status is worth its call")


class Timing(AnswerModel):
    """When a plan's run started and ended, how long it has been going and when it last moved."""

    started_at: datetime | None
    ended_at: datetime | None = Field(description="Null while it is pending or processing")
    elapsed_sec: float
    last_progress_at: datetime | None = Field(description="A gap of more than 10 minutes is a sign of a stall")


class FileEntry(AnswerModel):
    """One of the newest files."""

    path: str
    updated_at: datetime


class PriceInfo(AnswerModel):
    """What requests cost by the price table; a price that is not in the table is not guessed."""

    amount: float = Field(description="Of the requests whose price is known")
    currency: str
    known: bool = Field(description="False where a model was asked whose price is not known: amount is not all of it")


class UsageInfo(AnswerModel):
    """What the model calls of finished and failed steps cost, failed attempts included."""

    calls: int = Field(description="Requests sent to models")
    retries: int = Field(description="Part of calls: asked again after an error or an invalid answer")
    input_tokens: int
    cached_tokens: int = Field(description="Part of input_tokens that a provider's cache served")
    output_tokens: int
    price: PriceInfo


class QualityFindings(AnswerModel):
    """Findings by severity; 030-1-quality.json names them, each with both places."""

    high: int
    medium: int
    low: int


class QualityInfo(AnswerModel):
    """What programs found in the finished plan. A plan with findings is complete all the same, and says so."""

    score: int | None = Field(ge=0, le=100, description="100: nothing found; null: drafted without a model, not scored")
    findings: QualityFindings


class FailureInfo(AnswerModel):
    """Why a plan failed; recoverable: plan_resume can help, else only plan_retry."""

    failure_reason: FailureReason | None
    failed_step: str | None
    message: str | None
    recoverable: bool | None


class PlanStatus(AnswerModel):
    """Answer of plan_status (6.3)."""

    plan_id: str
    state: PlanState
    progress_percentage: float = Field(ge=0, le=100)
    steps_completed: int
    steps_total: int
    current_step: str | None = Field(description="Title of the stage under way; null when none is")
    model_profile: ModelProfile
    target: Target
    detail: Detail
    derived_from: str | None = Field(description=ORIGIN)
    archived: bool = Field(description="True: frozen, and out of plan_list")
    timing: Timing
    queue_position: int | None = Field(
        description="Where it waits its turn, its place in line, 1: it is next; null where it does not wait"
    )
    stalled: bool = Field(description="True where a plan under way has not moved for longer than it should take")
    files_count: int = Field(description="Of all files that finished steps made")
    files: list[FileEntry] = Field(description="The ten newest of these by pipeline step")
    usage: UsageInfo
    quality: QualityInfo | None = Field(description="What the checks of the whole plan found; null until they have run")
    poll_after_sec: int | None = Field(description="When to ask again; null when the plan has come to an end")
    error: FailureInfo | None = Field(default=None, description="Only where state is failed")


class PlanStopped(AnswerModel):
    """Answer of plan_stop."""

    plan_id: str
    state: PlanState
    stop_requested: bool = Field(description="True: it is stopped, by this call or one before. False: it had ended")


class PlanSummary(AnswerModel):
    """One line of plan_list."""

    plan_id: str
    state: PlanState
    progress_percentage: float = Field(ge=0, le=100)
    created_at: datetime
    prompt_excerpt: str
    target: Target
    derived_from: str | None = Field(description=ORIGIN)


class PlanList(AnswerModel):
    """Answer of plan_list, newest first."""

    plans: list[PlanSummary]
    next_before: str | None = Field(description="Pass it as before for the next page; null on the last one")
    message: str


class FileLink(AnswerModel):
    """A file of a plan that can be fetched."""

    plan_id: str
    content_type: str
    download_size: int = Field(description="Bytes")
    sha256: str
    generated_at: datetime
    download_url: str = Field(description="Absolute; needs no key; works until download_expires_at")
    download_expires_at: datetime


class PlanFileInfo(FileLink):
    """Answer of plan_file_info once the file is ready."""

    artifact: str = Field(description="report or zip")


class ExamplePrompt(AnswerModel):
    """One example of what a good prompt looks like."""

    id: str
    title: str
    tags: list[str]
    prompt: str


class ExamplePrompts(AnswerModel):
    """Answer of example_prompts."""

    samples: list[ExamplePrompt]
    message: str


class ProfileModel(AnswerModel):
    """A model of a profile."""

    key: str
    provider_class: str
    model: str
    priority: int = Field(description="0 is asked first")


class ProfileInfo(AnswerModel):
    """A profile that has an available model."""

    profile: ModelProfile
    title: str
    summary: str
    model_count: int
    models: list[ProfileModel]


class ModelProfiles(AnswerModel):
    """Answer of model_profiles (6.1.1)."""

    default_profile: ModelProfile
    profiles: list[ProfileInfo]
    unavailable: dict[ModelProfile, str] = Field(description="The other profiles, each with what must be set up for it")
    message: str


def as_tool_output(answer: type[AnswerModel], base: type[AnswerModel] = AnswerModel) -> type[AnswerModel]:
    """Return *answer* with every field optional and ``error`` added; *base* says how fields are spelt.

    An error result carries structured content too, and clients check it against the same output schema.
    """
    fields: dict[str, Any] = {}
    for name, field in answer.model_fields.items():
        kind: Any = field.annotation
        fields[name] = (kind | None, Field(default=None, description=field.description))
    own: Any = answer.model_fields["error"].annotation if "error" in answer.model_fields else None
    fields["error"] = (ErrorInfo | own, Field(default=None, description="Set where something is wrong"))
    return create_model(answer.__name__, __base__=base, __doc__=answer.__doc__, **fields)
