"""Requests of the endpoints of approvals."""

from typing import Annotated, Literal

from pydantic import Field

from planloom.approvals.approval import LONGEST_COMMENT, Decision, Person
from planloom.core.endpoint import ApiModel

ApprovalId = Annotated[str, Field(max_length=200, description="Id of the approval")]


class ListApprovals(ApiModel):
    """Which approvals."""

    state: Literal["pending", "ended"] = Field(default="pending", description="Those to decide, or those decided")
    person: str | None = Field(
        default=None, max_length=200, description="Only those that this person may respond to, or did"
    )
    plane: str | None = Field(default=None, max_length=40, description="Only those of this plane: workflows, graphs")
    limit: int = Field(default=20, ge=1, le=100, description="How many to read; a page may have fewer")
    before: str | None = Field(default=None, max_length=300, description="next of the page before")


class ApprovalRequest(ApiModel):
    """Which approval."""

    approval_id: ApprovalId


class RespondToApproval(ApprovalRequest):
    """A person's response."""

    by: Person = Field(description="Who responds: an approver or a delegate")
    decision: Decision = Field(description="What they say")
    comment: str = Field(default="", max_length=LONGEST_COMMENT, description="Why; what to change")
    sha256: str | None = Field(
        default=None,
        pattern="^[0-9a-f]{64}$",
        description="The version that the person saw: another one than the pinned is refused",
    )


class DelegateApproval(ApprovalRequest):
    """Who responds in whose place."""

    by: Person = Field(description="The approver")
    to: Person = Field(description="Who may respond in their place")


class LinkToApproval(ApprovalRequest):
    """For whom."""

    person: Person = Field(description="Who will respond with the link")
