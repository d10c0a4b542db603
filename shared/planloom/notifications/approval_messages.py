"""Events and messages about approvals."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from planloom.approvals.approval import Approval, ApprovalState, people
from planloom.approvals.ports import ApprovalStore, Change
from planloom.approvals.signed_links import LINKS, make_link
from planloom.approvals.wording import rule_text
from planloom.notifications.events import (
    ApprovalData,
    ApprovalDelegated,
    ApprovalEnded,
    ApprovalEscalated,
    ApprovalRequested,
    Event,
    Message,
    Person,
    make_event,
)
from planloom.notifications.webhook import Webhook

#: Responses in an event, the last ones, and characters of their comments: a message of the queue has 256 KB at most.
MOST_RESPONSES, LONGEST_COMMENT = 20, 300
CLASSES: dict[Change, type[ApprovalData]] = {
    "requested": ApprovalRequested,
    "delegated": ApprovalDelegated,
    "escalated": ApprovalEscalated,
    "ended": ApprovalEnded,
}
SUBJECTS: dict[Change, str] = {
    "requested": "Approval requested: {title}",
    "delegated": "Approval delegated: {title}",
    "escalated": "Approval escalated: {title}",
}
ENDS = {
    ApprovalState.APPROVED: "Approved: {title}",
    ApprovalState.CHANGES_REQUESTED: "Changes requested: {title}",
    ApprovalState.REJECTED: "Rejected: {title}",
    ApprovalState.EXPIRED: "Approval expired: {title}",
    ApprovalState.WITHDRAWN: "Approval withdrawn: {title}",
}


def approval_event(approval: Approval, change: Change, at: datetime) -> Event:
    """Return the event of *change*; published again, it is the same event."""
    subject = approval.subject
    data = CLASSES[change](
        approval_id=approval.approval_id,
        plane=subject.plane,
        run_id=subject.run_id,
        node_id=subject.node_id,
        title=subject.title,
        sha256=subject.sha256,
        state=approval.state.value,
        people=people(approval),
        rule=rule_text(approval),
        requested_at=approval.requested_at,
        expires_at=approval.expires_at,
        responses=tuple(
            Person(
                by=each.by,
                approver=each.approver,
                decision=each.decision.value,
                comment=each.comment[:LONGEST_COMMENT],
                key=each.key_shown,
            )
            for each in approval.responses[-MOST_RESPONSES:]
        ),
        message=approval_message(approval, change),
    )
    # requested, escalated and ended happen once; delegated may happen again
    again = approval.delegations[-1:] if change == "delegated" else ()
    return make_event(approval.account, data, at, approval.approval_id, *(each.at.isoformat() for each in again))


def approval_message(approval: Approval, change: Change) -> Message:
    """Return a plain text about *change* that can be sent to people; links come separately."""
    subject = approval.subject
    title = " ".join(subject.title.split())
    heading = SUBJECTS[change] if change != "ended" else ENDS[approval.state]
    lines = [f"Subject: {title}", f"Asked of: {', '.join(people(approval))}", rule_text(approval)]
    if change != "ended" and approval.expires_at:
        lines.append(f"Respond by: {approval.expires_at:%d %B %Y, %H:%M} UTC")
    for each in approval.responses[-MOST_RESPONSES:]:
        place = f" for {each.approver}" if each.approver != each.by else ""
        comment = f": {' '.join(each.comment[:LONGEST_COMMENT].split())}" if each.comment else ""
        lines.append(f"{each.by}{place} said {each.decision.value.replace('_', ' ')}{comment}")
    if approval.reason:
        lines.append(f"Reason: {approval.reason}")
    lines.append(f"Version: SHA-256 {subject.sha256}")
    return Message(subject=heading.format(title=title), text="\n".join(lines))


def with_links(store: ApprovalStore, secret: Callable[[], bytes]) -> Callable[[Event, Webhook], Event]:
    """Return what adds to an event about a pending approval a signed link for each person who may respond."""

    def complete(event: Event, webhook: Webhook) -> Event:
        if event.type not in {each.type for each in CLASSES.values()} - {ApprovalEnded.type}:
            return event
        approval = store.get(event.data["approval_id"])
        if approval is None or approval.account != webhook.account or approval.state is not ApprovalState.PENDING:
            return event
        key = secret()
        links = {each: f"{webhook.base_url}{LINKS}/{make_link(approval, each, key)}" for each in people(approval)}
        data: dict[str, Any] = {**event.data, "links": links}
        return event.model_copy(update={"data": data})

    return complete
