"""Fields that several requests and responses of strategic plans share."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from planloom.core.endpoint import ApiModel
from planloom.core.errors import (
    InsufficientCredits,
    ModelProfilesUnavailable,
    PlanArchived,
    PlanNotFound,
    RequestConflict,
    RequestInProgress,
)
from planloom.core.usage import CURRENCY, Usage
from planloom.models.profile import ModelProfile
from planloom.models.profiles import Models
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.plan_file_info import FileInfo

#: What an endpoint that starts a run may raise.
RUN_ERRORS = (
    InsufficientCredits,
    PlanNotFound,
    PlanArchived,
    RequestConflict,
    RequestInProgress,
    ModelProfilesUnavailable,
)

ORIGIN = "plan_id of the plan that it comes from, by a change or as passed to plan_create; null where there is none"

#: With the outline a plan takes well under a minute, with models 10 to 20, with large ones longer (specification, 6.3).
POLL_OUTLINE_SECONDS = 5
POLL_SECONDS: dict[ModelProfile, int] = {"baseline": 60, "custom": 60, "premium": 300, "frontier": 300}


class PlanRequest(ApiModel):
    """Which plan."""

    plan_id: str = Field(description="UUID returned by plan_create. Use that exact UUID.")


FilePath = Annotated[str, Field(max_length=200, description="As plan_artifacts gives it: 016-2-expert_criticism.md")]


def request_id(repeat: str) -> Any:
    """Return the field client_request_id, of type ``str | None``; *repeat* says what a repeat is."""
    described = f"Your own id: a repeat with the same id is {repeat}."
    return Field(default=None, min_length=1, max_length=200, description=described)


class PriceInfo(ApiModel):
    """What requests cost by the price table; a price that is not in the table is not guessed."""

    amount: float = Field(description="Of the requests whose price is known")
    currency: str
    known: bool = Field(description="False where a model was asked whose price is not known: amount is not all of it")


class FileLink(ApiModel):
    """A file of a plan that can be fetched."""

    plan_id: str
    content_type: str
    download_size: int = Field(description="Bytes")
    sha256: str
    generated_at: datetime
    download_url: str = Field(description="Absolute; needs no key; works until download_expires_at")
    download_expires_at: datetime


def poll_after(models: Models, plan: Plan) -> int:
    """Return when to ask again, in seconds: sooner where no language model takes part, later with large ones."""
    return POLL_OUTLINE_SECONDS if models.outline_only(plan.model_profile) else POLL_SECONDS[plan.model_profile]


def price_of(spent: Usage) -> PriceInfo:
    """Return what *spent* cost in money."""
    return PriceInfo(amount=float(spent.price), currency=CURRENCY, known=spent.price_known)


def link_to(info: FileInfo) -> dict[str, Any]:
    """Return the fields of a FileLink to *info*."""
    return {
        "plan_id": info.plan_id,
        "content_type": info.content_type,
        "download_size": info.size,
        "sha256": info.sha256,
        "generated_at": info.generated_at,
        "download_url": info.url,
        "download_expires_at": info.url_expires_at,
    }
