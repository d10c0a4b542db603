"""Webhooks of an account, and the delivery of one event to one webhook."""

import hashlib
import json
from datetime import datetime, timedelta
from enum import StrEnum

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.notifications.events import Event

#: Seconds after each failed attempt until the next: eleven attempts within 24 hours.
DELAYS = (10, 60, 300, 900, 1800, 3600, 7200, 14400, 21600, 36000)
#: Deliveries are kept so long.
KEPT = timedelta(days=30)
#: A delivery that is overdue by so much has lost its message: the watchdog sends it again.
LOST_AFTER = timedelta(minutes=5)


class Webhook(Frozen):
    """A URL of an account to which events are sent. ``base_url`` begins the links in messages to it."""

    account: str
    name: str
    url: str
    events: tuple[str, ...] = Field(description="Types of events")
    base_url: str
    created_at: datetime


class DeliveryState(StrEnum):
    """``pending``: an attempt is to come. ``dead``: given up; replay sends it again."""

    PENDING = "pending"
    DELIVERED = "delivered"
    DEAD = "dead"


class Delivery(Frozen):
    """One event on its way to one webhook. ``next_at`` is when the next attempt is due."""

    delivery_id: str
    account: str
    webhook: str
    event: Event
    state: DeliveryState = DeliveryState.PENDING
    attempts: int = 0
    created_at: datetime
    next_at: datetime
    last_at: datetime | None = None
    status: int | None = Field(default=None, description="HTTP status of the last attempt")
    error: str = Field(default="", max_length=500)
    version: int = 1


class Attempt(Frozen):
    """What came of sending: an HTTP status, or an error where there was no response."""

    status: int | None = None
    error: str = Field(default="", max_length=500)
    refused: bool = Field(default=False, description="Another attempt would not help")

    @property
    def delivered(self) -> bool:
        """Whether the receiver took it."""
        return self.status is not None and 200 <= self.status < 300


def new_delivery(event: Event, webhook: Webhook, now: datetime) -> Delivery:
    """Return the delivery of *event* to *webhook*; the same event has one for each time the webhook was added."""
    named = f"{event.event_id}\n{webhook.account}\n{webhook.name}\n{webhook.created_at.isoformat()}"
    return Delivery(
        delivery_id=f"dlv_{hashlib.sha256(named.encode()).hexdigest()[:32]}",
        account=webhook.account,
        webhook=webhook.name,
        event=event,
        created_at=now,
        next_at=now,
    )


def attempted(delivery: Delivery, attempt: Attempt, now: datetime) -> Delivery:
    """Return *delivery* after *attempt*: delivered, pending with the time of the next attempt, or dead."""
    update = {
        "attempts": delivery.attempts + 1,
        "last_at": now,
        "status": attempt.status,
        "error": attempt.error,
        "version": delivery.version + 1,
    }
    if attempt.delivered:
        return delivery.model_copy(update={**update, "state": DeliveryState.DELIVERED})
    if attempt.refused or delivery.attempts >= len(DELAYS):
        return delivery.model_copy(update={**update, "state": DeliveryState.DEAD})
    return delivery.model_copy(update={**update, "next_at": now + timedelta(seconds=DELAYS[delivery.attempts])})


def replayed(delivery: Delivery, now: datetime) -> Delivery:
    """Return *delivery* as one that is to be sent again, with all attempts."""
    update = {"state": DeliveryState.PENDING, "attempts": 0, "next_at": now, "version": delivery.version + 1}
    return delivery.model_copy(update=update)


def body_of(event: Event) -> bytes:
    """Return the body of the message of *event*: ``{id, type, timestamp, data}`` as JSON."""
    message = {"id": event.event_id, "type": event.type, "timestamp": event.at.isoformat(), "data": event.data}
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
