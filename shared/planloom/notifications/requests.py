"""Requests of the endpoints of webhooks."""

from typing import Annotated

from pydantic import Field

from planloom.core.endpoint import ApiModel
from planloom.notifications.webhook import DeliveryState

Name = Annotated[str, Field(max_length=64, description="Name of the webhook")]


class AddWebhook(ApiModel):
    """A webhook to add."""

    name: Name
    url: str = Field(max_length=2_000, description="Public https URL that takes POST requests")
    events: list[str] = Field(
        default_factory=list, max_length=50, description="Types of events, as webhook_events lists them; empty: all"
    )


class WebhookRequest(ApiModel):
    """Which webhook."""

    name: Name


class ListDeliveries(WebhookRequest):
    """Which deliveries."""

    state: DeliveryState | None = Field(default=None, description="Only those in this state")
    limit: int = Field(default=20, ge=1, le=100, description="How many to read; with state a page may have fewer")
    before: str | None = Field(default=None, max_length=300, description="next of the page before")


class ReplayDeliveries(WebhookRequest):
    """What to send again."""

    delivery_id: str | None = Field(
        default=None, max_length=100, description="One delivery; without it, the dead ones of the newest 100"
    )
