"""What callers send about implementation plans over HTTP: the body of each request."""

from typing import Annotated

from pydantic import Field

from planloom.api.camel import CamelModel, JsonObject
from planloom.domain.implementation_plans import StepStatus
from planloom.implementation.schema import VERSION
from planloom.services.comment_on_plan import TEXT_CHARACTERS

RevisionNumber = Annotated[int, Field(ge=1, le=999_999)]
Version = Annotated[str | None, Field(description=f"Of the schema: {VERSION}, which is the default")]


class PlanToCheck(CamelModel):
    """Body of POST /validate."""

    schema_version: Version = None
    plan: JsonObject


class PlanToCreate(PlanToCheck):
    """Body of POST /v1/implementation-plans."""

    source: JsonObject | None = Field(default=None, description="Where it comes from: mdHash, origin")
    client_request_id: str | None = Field(
        default=None, min_length=1, max_length=200, description="A repeat with the same id is the same plan"
    )


class PlanToSave(PlanToCheck):
    """Body of PUT /v1/implementation-plans/{planId}."""

    revision: RevisionNumber = Field(description="The revision that the change is built upon")
    source: JsonObject | None = None
    note: str | None = Field(default=None, max_length=500, description="Why; shown in the history")


class StatusToSet(CamelModel):
    """Body of PUT .../steps/{stepId}/status."""

    status: StepStatus
    revision: RevisionNumber | None = Field(default=None, description="Refuse unless this is the current revision")


class CommentToAdd(CamelModel):
    """Body of POST .../comments."""

    text: str = Field(max_length=TEXT_CHARACTERS)
    step_id: str | None = Field(default=None, description="Step that it is about; the whole plan by default")
