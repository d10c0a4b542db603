"""Give feedback about a plan or the service."""

from pydantic import Field

from planloom.core.endpoint import POST, ApiModel, Effect, Endpoint
from planloom.core.errors import PlanNotFound, RequestConflict, RequestInProgress
from planloom.core.file_store import FileStore
from planloom.planes.strategic.endpoints.plan_fields import request_id
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.feedback import TEXT_CHARACTERS, Category, give_feedback


class GiveFeedback(ApiModel):
    """A rating, and why."""

    rating: int = Field(ge=1, le=5, description="1: poor, 5: excellent.")
    category: Category = Field(description="What it is about.")
    text: str = Field(default="", max_length=TEXT_CHARACTERS, description="What is good, wrong or missing.")
    plan_id: str | None = Field(default=None, description="Your plan that it is about; left out: about no plan.")
    client_request_id: str | None = request_id("the same feedback")


class FeedbackGiven(ApiModel):
    """Response of plan_feedback."""

    feedback_id: str
    plan_id: str | None
    message: str


def _give(request: GiveFeedback, account: str, plan_records: PlanRecords, feedback: FileStore) -> FeedbackGiven:
    given = give_feedback(
        plan_records, feedback, account, request.rating, request.category, request.text, request.plan_id
    )
    message = "Thank you. The operators of this service can read it; it is kept when the plan is deleted."
    return FeedbackGiven(feedback_id=given.feedback_id, plan_id=given.plan_id, message=message)


PLAN_FEEDBACK = Endpoint(
    name="plan_feedback",
    title="Give feedback",
    description="""\
Sends a rating from 1 to 5 with a category and a text to the operators of this service, about one of your plans or about
none. Call it where the user states an opinion; do not rate on your own.""",
    group="plans",
    http=POST("/v1/feedback", status=201),
    request=GiveFeedback,
    response=FeedbackGiven,
    errors=(PlanNotFound, RequestConflict, RequestInProgress),
    effect=Effect.CHANGES,
    idempotent_by="client_request_id",
    handler=_give,
)
