"""Requests of the endpoints of implementation plans; argument names are the specification's, in camelCase."""

from typing import Annotated, Any

from pydantic import Field

from planloom.core.endpoint import CamelModel
from planloom.planes.implementation.document.schema import VERSION
from planloom.planes.implementation.records import PlanType, StepStatus
from planloom.planes.implementation.services.comment_on_plan import TEXT_CHARACTERS
from planloom.planes.implementation.services.draft_from_markdown import MARKDOWN_CHARACTERS
from planloom.planes.implementation.services.list_implementation_plans import MOST

Plan = Annotated[dict[str, Any], Field(description="The plan, an object that fits the schema of get_plan_format.")]
Version = Annotated[str, Field(description=f'Version of the schema that the plan is written to: "{VERSION}".')]
AnyVersion = Annotated[
    str | None, Field(description=f'Version of the schema that the plan is written to; "{VERSION}" by default.')
]
Number = Annotated[int, Field(ge=1, le=999_999)]
Revision = Annotated[Number | None, Field(description="Number of a revision; the current one by default.")]
RequestId = Annotated[
    str | None,
    Field(min_length=1, max_length=200, description="Your own id: a repeat with the same id is the same plan."),
]
Ref = Annotated[str | None, Field(max_length=500, description="Branch or commit to start from.")]
Stack = Annotated[list[str] | None, Field(max_length=50, description="Languages and frameworks.")]


class ReadFormat(CamelModel):
    """Which version of the schema."""

    schema_version: str | None = Field(default=None, description=f'Version of the schema; "{VERSION}" by default.')


class ValidatePlan(CamelModel):
    """A plan to check."""

    schema_version: Version
    plan: Plan


class PlanToCheck(CamelModel):
    """A plan to check; over HTTP the version may be left out."""

    schema_version: AnyVersion = None
    plan: Plan


class _Origin(CamelModel):
    source: dict[str, Any] | None = Field(
        default=None,
        description="Where the plan comes from: mdHash (hash of the Markdown), origin (its path or address).",
    )
    client_request_id: RequestId = None


class CreatePlan(_Origin, ValidatePlan):
    """A plan to store."""


class PlanToCreate(_Origin, PlanToCheck):
    """A plan to store; over HTTP the version may be left out."""


class PlanRequest(CamelModel):
    """Which plan."""

    plan_id: str = Field(description="UUID returned by create_plan or list_plans.")


class ReadPlan(PlanRequest):
    """Which plan, and which revision of it."""

    revision: Revision = None


class UpdatePlan(PlanRequest):
    """The whole changed plan."""

    plan: Plan
    revision: Number = Field(description="The revision that you read and changed.")
    schema_version: str | None = Field(default=None, description=f'"{VERSION}", which is the default.')
    source: dict[str, Any] | None = Field(
        default=None, description="Where the change comes from; by default the source stays."
    )
    note: str | None = Field(default=None, max_length=500, description="Why you changed it; shown in plan_history.")


class SetStepStatus(PlanRequest):
    """The new state of a step."""

    step_id: str = Field(max_length=40, description="Id of the step: S3.")
    status: StepStatus = Field(description="doing before you start, done once verified, blocked if stuck.")
    revision: Number | None = Field(
        default=None, description="Reject the call unless this is the current revision; rarely needed."
    )


class AddComment(PlanRequest):
    """A comment."""

    text: str = Field(
        max_length=TEXT_CHARACTERS,
        description=f"What there is to say, up to {TEXT_CHARACTERS:,} characters; shown as plain text.",
    )
    step_id: str | None = Field(
        default=None, max_length=40, description="Step that it is about; the whole plan by default."
    )


class ListComments(PlanRequest):
    """Which comments."""

    step_id: str | None = Field(default=None, max_length=40, description="Only those on this step.")


class ListPlans(CamelModel):
    """Which plans, and which page of them."""

    plan_type: PlanType | None = Field(default=None, description="Only plans of this type.")
    status: StepStatus | None = Field(default=None, description="Only plans in this state as a whole.")
    repo: str | None = Field(
        default=None, max_length=500, description="Only plans for this repository (context.repo, exactly)."
    )
    q: str | None = Field(default=None, max_length=200, description="Words that title, goal or repo contain.")
    limit: int = Field(default=20, ge=1, le=MOST, description="How many plans to return.")
    before: str | None = Field(
        default=None, max_length=100, description="nextBefore of the page before, for the next page."
    )


class ComparePlan(PlanRequest):
    """Which two revisions."""

    from_revision: Number | None = Field(default=None, description="Earlier one; the one before by default.")
    to_revision: Revision = None


class RevisionsToCompare(PlanRequest):
    """Which two revisions; over HTTP they are called from and to."""

    from_revision: Number | None = Field(
        default=None, alias="from", description="Earlier one; the one before by default."
    )
    to_revision: Revision = Field(default=None, alias="to")


class DraftFromMarkdown(CamelModel):
    """Markdown to read a plan from."""

    markdown: str = Field(description=f"The plan as Markdown, at most {MARKDOWN_CHARACTERS:,} characters.")
    repo: str | None = Field(default=None, max_length=500, description="Repository, where the text does not say it.")
    ref: Ref = None
    stack: Stack = None

    def place(self) -> dict[str, Any]:
        """Return where the plan is to be carried out, as the request states it."""
        stated = {"repo": self.repo, "ref": self.ref, "stack": self.stack}
        return {name: value for name, value in stated.items() if value}


class Context(CamelModel):
    """Where the plan is to be carried out; it is used instead of what the origin of the plan says."""

    repo: str | None = Field(default=None, min_length=1, max_length=500)
    ref: str | None = Field(default=None, min_length=1, max_length=500)
    stack: list[str] | None = Field(default=None, min_length=1, max_length=50)


class MarkdownToRead(CamelModel):
    """Markdown to read a plan from; over HTTP repo, ref and stack are fields of context."""

    markdown: str = Field(description=f"The plan as Markdown, at most {MARKDOWN_CHARACTERS:,} characters.")
    context: Context = Context()

    def place(self) -> dict[str, Any]:
        """Return where the plan is to be carried out, as the request states it."""
        return self.context.model_dump(exclude_none=True)
