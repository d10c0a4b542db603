"""The event classes that webhooks can subscribe to; each class is the schema of its ``data``."""

import hashlib
from datetime import datetime
from typing import Any, ClassVar, Literal

from pydantic import Field

from planloom.core.frozen import Frozen


class Person(Frozen):
    """What one approver said."""

    by: str
    approver: str = Field(description="In whose place; the same as by, unless it was delegated")
    decision: Literal["approve", "request_changes", "reject"]
    comment: str = Field(description="The first 300 characters")
    key: str = Field(default="", description="Beginning of the API key that brought it; empty for a signed link")


class Message(Frozen):
    """A text for people that can be sent on as it is: plain text, no markup."""

    subject: str
    text: str


class EventData(Frozen):
    """What an event says; ``type`` names its class."""

    type: ClassVar[str]


class ApprovalData(EventData):
    """An approval as it was when the event happened."""

    type: ClassVar[str] = ""

    approval_id: str
    plane: str
    run_id: str
    node_id: str
    title: str
    sha256: str = Field(description="Pins what is to be approved")
    state: str = Field(description="pending, approved, changes_requested, rejected, expired or withdrawn")
    people: tuple[str, ...] = Field(description="Who may respond now")
    rule: str = Field(description="How many must approve, in words")
    requested_at: datetime
    expires_at: datetime | None = None
    responses: tuple[Person, ...] = Field(default=(), description="The last 20")
    message: Message | None = Field(default=None, description="A text for the people")
    links: dict[str, str] = Field(
        default_factory=dict, description="By person, a signed link that works once; send each to its person alone"
    )


class ApprovalRequested(ApprovalData):
    """An approval was requested."""

    type = "approval.requested"


class ApprovalDelegated(ApprovalData):
    """An approver delegated the response to another person."""

    type = "approval.delegated"


class ApprovalEscalated(ApprovalData):
    """No decision was made in time; more people may decide now."""

    type = "approval.escalated"


class ApprovalEnded(ApprovalData):
    """An approval was decided, has expired or was withdrawn; ``state`` says which."""

    type = "approval.ended"


class RunEnded(EventData):
    """A run ended: completed, failed, blocked, stopped or aborted."""

    type = "run.ended"

    plane: str
    run_id: str
    title: str
    state: str
    reason: str = ""


class RunStateChanged(EventData):
    """A workflow run came into another state, such as awaiting-human or blocked."""

    type = "run.state_changed"

    plane: str
    run_id: str
    title: str
    state: str
    previous: str = ""
    reason: str = ""


class NodeReady(EventData):
    """A node of a workflow run is ready for its owner to begin."""

    type = "node.ready"

    plane: str
    run_id: str
    node_id: str
    label: str
    owner_type: str
    owner: str


class WebhookTested(EventData):
    """A test that webhook_test sends; every webhook gets it when tested."""

    type = "webhook.test"

    webhook: str


#: Every class that a webhook can subscribe to, by type.
EVENT_CLASSES: dict[str, type[EventData]] = {
    each.type: each
    for each in (
        ApprovalRequested,
        ApprovalDelegated,
        ApprovalEscalated,
        ApprovalEnded,
        RunEnded,
        RunStateChanged,
        NodeReady,
    )
}


class Event(Frozen):
    """One event of an account. ``event_id`` is equal for the same event, however often it is published."""

    event_id: str = Field(min_length=1, max_length=200)
    account: str
    type: str
    at: datetime
    data: dict[str, Any]


def make_event(account: str, data: EventData, at: datetime, *identity: object) -> Event:
    """Return an event whose id follows from *identity*: publishing it again after a crash is the same event."""
    named = "\n".join(str(each) for each in (account, data.type, *identity))
    event_id = f"evt_{hashlib.sha256(named.encode()).hexdigest()[:32]}"
    return Event(event_id=event_id, account=account, type=data.type, at=at, data=data.model_dump(mode="json"))
