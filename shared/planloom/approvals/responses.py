"""Responses of the endpoints of approvals."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from planloom.approvals.approval import Approval, ApprovalState, Decision, Outcome, people
from planloom.core.endpoint import ApiModel

#: What the outcome of a response means for the person who gave it.
MEANING = {
    Outcome.RECORDED: "The response counts. More approvers must respond.",
    Outcome.DECIDED: "The response counts, and with it the approval is decided.",
    Outcome.REPEATED: "The same response was given before. It counts once.",
    Outcome.ALREADY_ANSWERED: "Another response was given in this approver's place before. That one counts.",
    Outcome.ALREADY_DECIDED: "The approval was decided before. This response does not count.",
    Outcome.EXPIRED: "The time to respond was over. This response does not count.",
    Outcome.WITHDRAWN: "The approval is no longer needed. This response does not count.",
}


class SubjectInfo(ApiModel):
    """What is approved."""

    plane: str
    run_id: str
    node_id: str = Field(description="The node or step that waits")
    title: str
    sha256: str = Field(description="Pins the version; another version needs another approval")
    objective: str = Field(description="What the node or step is for")
    instructions: str = Field(description="What approvers are asked to do or to check")
    content: str = Field(description="The text of it that approvers see")
    complete: bool = Field(description="Whether content is all of it")


class ResponseInfo(ApiModel):
    """One response that counts."""

    by: str
    approver: str = Field(description="In whose place; the same as by, unless it was delegated")
    decision: Decision
    comment: str
    at: datetime | None
    by_link: bool = Field(description="Whether it came by a signed link instead of an API key")
    key: str = Field(description="Beginning of the API key that brought it, as planloom keys list shows it")


class EscalationInfo(ApiModel):
    """Who may decide alone after a time."""

    at: datetime
    to: list[str]
    escalated: bool


class ApprovalInfo(ApiModel):
    """One approval."""

    approval_id: str
    state: ApprovalState
    subject: SubjectInfo
    approvers: list[str]
    people: list[str] = Field(description="Who may respond now: approvers, delegates, those it was escalated to")
    rule: Literal["any", "all", "quorum"]
    needed: int = Field(description="How many approvers must approve")
    separate_duties: bool
    made_by: list[str]
    requested_at: datetime
    expires_at: datetime | None
    decided_at: datetime | None
    escalation: EscalationInfo | None
    delegations: dict[str, str] = Field(description="By approver, who may respond in their place")
    responses: list[ResponseInfo]
    reason: str = Field(description="Why it was withdrawn")


class ApprovalList(ApiModel):
    """A page of approvals, newest first."""

    approvals: list[ApprovalInfo]
    next: str | None = Field(default=None, description="Pass it as before for the next page; null after the last")


class ResponseResult(ApiModel):
    """What became of a response."""

    outcome: Outcome
    counted: bool
    message: str
    approval: ApprovalInfo


class ApprovalLink(ApiModel):
    """A signed link. Send it only to that person."""

    person: str
    url: str
    expires_at: datetime


def approval_info(approval: Approval) -> ApprovalInfo:
    """Return what callers see of an approval: all but the hashes of keys and the ids of links."""
    escalation = approval.escalation
    return ApprovalInfo(
        approval_id=approval.approval_id,
        state=approval.state,
        subject=SubjectInfo.model_validate(approval.subject.model_dump(exclude={"files"})),
        approvers=list(approval.approvers),
        people=list(people(approval)),
        rule=approval.rule.kind,
        needed=approval.rule.needed(len(approval.approvers)),
        separate_duties=approval.separate_duties,
        made_by=list(approval.made_by),
        requested_at=approval.requested_at,
        expires_at=approval.expires_at,
        decided_at=approval.decided_at,
        escalation=escalation
        and EscalationInfo(at=escalation.at, to=list(escalation.to), escalated=approval.escalated),
        delegations={each.approver: each.to for each in approval.delegations},
        responses=[
            ResponseInfo(
                by=each.by,
                approver=each.approver,
                decision=each.decision,
                comment=each.comment,
                at=each.at,
                by_link=bool(each.link),
                key=each.key_shown,
            )
            for each in approval.responses
        ],
        reason=approval.reason,
    )


def response_result(approval: Approval, outcome: Outcome) -> ResponseResult:
    """Return what the person who responded learns."""
    return ResponseResult(
        outcome=outcome,
        counted=outcome in (Outcome.RECORDED, Outcome.DECIDED),
        message=MEANING[outcome],
        approval=approval_info(approval),
    )
