"""Responses of the endpoints of webhooks."""

from datetime import datetime
from typing import Any

from pydantic import Field

from planloom.core.endpoint import ApiModel
from planloom.notifications.webhook import Delivery, DeliveryState, Webhook


class WebhookInfo(ApiModel):
    """A webhook, without its secret."""

    name: str
    url: str
    events: list[str]
    created_at: datetime


class WebhookAdded(WebhookInfo):
    """A webhook that was added."""

    secret: str = Field(description="Signs the messages to it. Store it now: it is not shown again")


class WebhookList(ApiModel):
    """The account's webhooks, by name."""

    webhooks: list[WebhookInfo]


class EventClassInfo(ApiModel):
    """A class of events."""

    type: str
    description: str
    json_schema: dict[str, Any] = Field(description="JSON Schema of data in the message")


class EventClassList(ApiModel):
    """All classes of events."""

    events: list[EventClassInfo]


class WebhookTest(ApiModel):
    """What came of a test."""

    delivered: bool
    status: int | None = Field(description="HTTP status of the receiver's response; null where there was none")
    error: str


class DeliveryInfo(ApiModel):
    """An event on its way to a webhook, without its data."""

    delivery_id: str = Field(description="The header webhook-id of the message")
    event_id: str
    type: str
    state: DeliveryState
    attempts: int
    status: int | None
    error: str
    created_at: datetime
    last_at: datetime | None
    next_at: datetime | None = Field(description="When the next attempt is due; null where none is")


class DeliveryList(ApiModel):
    """A page of deliveries, newest first."""

    deliveries: list[DeliveryInfo]
    next: str | None = Field(default=None, description="Pass it as before for the next page; null after the last")


class Replayed(ApiModel):
    """What is sent again."""

    delivery_ids: list[str]


class WebhookRemoved(ApiModel):
    """What was removed."""

    removed: str


def webhook_info(webhook: Webhook) -> WebhookInfo:
    """Return what callers see of a webhook."""
    return WebhookInfo(name=webhook.name, url=webhook.url, events=list(webhook.events), created_at=webhook.created_at)


def delivery_info(delivery: Delivery) -> DeliveryInfo:
    """Return what callers see of a delivery: its data may hold signed links for other people."""
    return DeliveryInfo(
        delivery_id=delivery.delivery_id,
        event_id=delivery.event.event_id,
        type=delivery.event.type,
        state=delivery.state,
        attempts=delivery.attempts,
        status=delivery.status,
        error=delivery.error,
        created_at=delivery.created_at,
        last_at=delivery.last_at,
        next_at=delivery.next_at if delivery.state is DeliveryState.PENDING else None,
    )
