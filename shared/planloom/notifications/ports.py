"""What notifications need from outside: tables, secrets, a queue, and what posts to URLs."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from planloom.notifications.events import Event
from planloom.notifications.webhook import Attempt, Delivery, Webhook

#: Seconds that the queue can delay a message.
LONGEST_DELAY = 900


class WebhookStore(Protocol):
    """The webhooks of all accounts."""

    def put(self, webhook: Webhook) -> None:
        """Store or replace a webhook."""

    def get(self, account: str, name: str) -> Webhook | None:
        """Return a webhook."""

    def of_account(self, account: str) -> list[Webhook]:
        """Return all webhooks of *account*, by name."""

    def delete(self, account: str, name: str) -> None:
        """Delete a webhook; no error where there is none."""


class WebhookSecrets(Protocol):
    """The secrets with which messages are signed."""

    def put(self, account: str, name: str, secrets: Mapping[str, str]) -> None:
        """Store or replace the secrets of a webhook."""

    def get(self, account: str, name: str) -> dict[str, str]:
        """Return the secrets of a webhook; none where there are none."""

    def delete(self, account: str, name: str) -> None:
        """Delete the secrets of a webhook; no error where there are none."""


class DeliveryStore(Protocol):
    """The deliveries of all accounts, for 30 days."""

    def add(self, delivery: Delivery) -> bool:
        """Store a new delivery; return False, changing nothing, where its id is taken."""

    def get(self, delivery_id: str) -> Delivery | None:
        """Return a delivery."""

    def replace(self, delivery: Delivery, before: int) -> bool:
        """Store *delivery* where the stored one has the version *before*; else return False, changing nothing."""

    def newest_of(
        self, account: str, webhook: str, limit: int, before: str | None = None
    ) -> list[tuple[str, Delivery]]:
        """Return deliveries to a webhook, newest first, each with the position that *before* takes for those after."""

    def overdue(self, before: datetime, limit: int) -> list[str]:
        """Return the ids of pending deliveries whose next attempt was due earlier than *before*."""


class NotificationQueue(Protocol):
    """Messages to the function that fans out and delivers."""

    def publish(self, events: Sequence[Event]) -> None:
        """Queue each of *events* for the webhooks of its account."""

    def deliver(self, delivery_id: str, delay: float) -> None:
        """Queue an attempt at a delivery after *delay* seconds, at most LONGEST_DELAY."""


class Poster(Protocol):
    """What posts to the URLs of webhooks."""

    def check(self, url: str) -> None:
        """Raise planloom.tools.address_guard.AddressRefused where *url* leads to an address that is not public."""

    def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Attempt:
        """Post *body*, without following redirects, and return what came of it within ten seconds."""
