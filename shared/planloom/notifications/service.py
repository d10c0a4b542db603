"""Webhooks of all accounts: added, tested, removed; events are fanned out to them, delivered, retried and replayed."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from planloom.notifications.errors import DeliveryNotFound, InvalidWebhook, WebhookNotFound
from planloom.notifications.events import EVENT_CLASSES, Event, WebhookTested, make_event
from planloom.notifications.ports import (
    LONGEST_DELAY,
    DeliveryStore,
    NotificationQueue,
    Poster,
    WebhookSecrets,
    WebhookStore,
)
from planloom.notifications.signing import new_secret, signed_headers
from planloom.notifications.webhook import (
    LOST_AFTER,
    Attempt,
    Delivery,
    DeliveryState,
    Webhook,
    attempted,
    body_of,
    new_delivery,
    replayed,
)
from planloom.tools.address_guard import AddressRefused

MOST_WEBHOOKS = 10
#: Deliveries that one call of replay sends again, and that the watchdog sends again at a time.
MOST_REPLAYED = 100
#: Below this path the secrets are kept: the functions' grants name it too.
PARAMETERS = "/planloom/webhooks"
NAME = re.compile(r"^[a-z0-9][a-z0-9_-]{0,63}$")
SECRET = "secret"  # noqa: S105 - the name of a field
#: The event of a webhook, completed for it: an approval's links begin with the webhook's base URL.
Complete = Callable[[Event, Webhook], Event]


@dataclass(frozen=True)
class Webhooks:
    """The webhooks of all accounts; every method for callers names the account."""

    store: WebhookStore
    secrets: WebhookSecrets
    deliveries: DeliveryStore
    queue: NotificationQueue
    poster: Poster
    complete: Complete
    now: Callable[[], datetime]

    def add(self, account: str, name: str, url: str, events: tuple[str, ...], base_url: str) -> tuple[Webhook, str]:
        """Store a webhook, in place of one of that name; return it with its new secret, shown this once.

        Without *events* it gets all classes. Raises InvalidWebhook.
        """
        self._check(account, name, url, events)
        secret = new_secret()
        webhook = Webhook(
            account=account,
            name=name,
            url=url,
            events=tuple(sorted(set(events or EVENT_CLASSES))),
            base_url=base_url,
            created_at=self.now(),
        )
        self.secrets.put(account, name, {SECRET: secret})
        self.store.put(webhook)
        return webhook, secret

    def get(self, account: str, name: str) -> Webhook:
        """Return a webhook. Raises WebhookNotFound."""
        webhook = self.store.get(account, name)
        if webhook is None:
            known = ", ".join(each.name for each in self.store.of_account(account)) or "none"
            raise WebhookNotFound(f"There is no webhook “{name[:64]}”. There are: {known}.")
        return webhook

    def all(self, account: str) -> list[Webhook]:
        """Return the account's webhooks, by name."""
        return self.store.of_account(account)

    def remove(self, account: str, name: str) -> None:
        """Remove a webhook and its secret; what is still to be delivered to it is given up. Raises WebhookNotFound."""
        self.get(account, name)
        self.store.delete(account, name)
        self.secrets.delete(account, name)

    def test(self, account: str, name: str) -> Attempt:
        """Post a test event to a webhook now, once, and return what came of it. Raises WebhookNotFound."""
        webhook, now = self.get(account, name), self.now()
        event = make_event(account, WebhookTested(webhook=name), now, name, now.isoformat())
        return self._post(webhook, event, f"test_{event.event_id}")

    def delivered(
        self, account: str, name: str, state: DeliveryState | None = None, limit: int = 20, before: str | None = None
    ) -> tuple[list[Delivery], str | None]:
        """Return a page of deliveries to a webhook, newest first, and the position of the next page.

        With *state*, a page may hold fewer than *limit* and not be the last. Raises WebhookNotFound.
        """
        self.get(account, name)
        found = self.deliveries.newest_of(account, name, limit, before)
        shown = [each for _, each in found if state in (None, each.state)]
        return shown, found[-1][0] if len(found) == limit else None

    def replay(self, account: str, name: str, delivery_id: str | None = None) -> list[str]:
        """Send deliveries again: one, or those of the newest 100 that are dead; return their ids.

        The message keeps its id, so that a receiver which has processed it can tell. Raises WebhookNotFound,
        DeliveryNotFound.
        """
        self.get(account, name)
        if delivery_id is None:
            found = self.deliveries.newest_of(account, name, MOST_REPLAYED)
            chosen = [each for _, each in found if each.state is DeliveryState.DEAD]
        else:
            one = self.deliveries.get(delivery_id)
            if one is None or (one.account, one.webhook) != (account, name):
                raise DeliveryNotFound(f"The webhook {name} has no delivery {delivery_id[:80]}. List its deliveries.")
            chosen = [one]
        return [each.delivery_id for each in chosen if self._again(each)]

    def publish(self, *events: Event) -> None:
        """Send *events* to the webhooks of their account that subscribe to their class, at least once each."""
        wanted = {
            account: {kind for each in self.store.of_account(account) for kind in each.events}
            for account in {event.account for event in events}
        }
        if chosen := [event for event in events if event.type in wanted[event.account]]:
            self.queue.publish(chosen)

    def fan_out(self, event: Event) -> list[str]:
        """Make a delivery for each webhook that subscribes to *event*, and queue it; return their ids.

        The same event again makes no other delivery.
        """
        made = []
        for webhook in self.store.of_account(event.account):
            if event.type not in webhook.events:
                continue
            delivery = new_delivery(self.complete(event, webhook), webhook, self.now())
            known = None if self.deliveries.add(delivery) else self.deliveries.get(delivery.delivery_id)
            # also where it was made before: the call that made it may have ended before it queued it
            if known is None or (known.state is DeliveryState.PENDING and not known.attempts):
                self.queue.deliver(delivery.delivery_id, 0)
                made.append(delivery.delivery_id)
        return made

    def deliver(self, delivery_id: str) -> Delivery | None:
        """Attempt a delivery where that is due, and queue the next attempt; return it, None where it is gone."""
        delivery = self.deliveries.get(delivery_id)
        if delivery is None or delivery.state is not DeliveryState.PENDING:
            return delivery
        early = (delivery.next_at - self.now()).total_seconds()
        if early > 1:
            self.queue.deliver(delivery_id, min(early, LONGEST_DELAY))
            return delivery
        webhook = self.store.get(delivery.account, delivery.webhook)
        if webhook is None:
            attempt = Attempt(error="The webhook was removed.", refused=True)
        else:
            attempt = self._post(webhook, delivery.event, delivery_id)
        after = attempted(delivery, attempt, self.now())
        if not self.deliveries.replace(after, delivery.version):
            # another message for the same attempt was faster: that one queued the next
            return self.deliveries.get(delivery_id)
        if after.state is DeliveryState.PENDING:
            self._queue(after)
        return after

    def requeue_lost(self) -> list[str]:
        """Queue deliveries whose message was lost; return their ids."""
        lost = self.deliveries.overdue(self.now() - LOST_AFTER, MOST_REPLAYED)
        for delivery_id in lost:
            self.queue.deliver(delivery_id, 0)
        return lost

    def _again(self, delivery: Delivery) -> bool:
        after = replayed(delivery, self.now())
        if not self.deliveries.replace(after, delivery.version):
            return False
        self._queue(after)
        return True

    def _queue(self, delivery: Delivery) -> None:
        early = (delivery.next_at - self.now()) / timedelta(seconds=1)
        self.queue.deliver(delivery.delivery_id, min(max(early, 0), LONGEST_DELAY))

    def _post(self, webhook: Webhook, event: Event, message_id: str) -> Attempt:
        secret = self.secrets.get(webhook.account, webhook.name).get(SECRET)
        if secret is None:
            return Attempt(error="The webhook has no secret. Add it again.", refused=True)
        body = body_of(event)
        headers = {
            "content-type": "application/json",
            "user-agent": "planloom-webhooks/1",
            **signed_headers(message_id, int(self.now().timestamp()), body, secret),
        }
        return self.poster.post(webhook.url, headers, body)

    def _check(self, account: str, name: str, url: str, events: tuple[str, ...]) -> None:
        if not NAME.match(name):
            raise InvalidWebhook("The name has small letters, digits, hyphens and underscores, at most 64.")
        unknown = sorted(set(events) - EVENT_CLASSES.keys())
        if unknown:
            raise InvalidWebhook(f"Unknown events: {', '.join(unknown)[:200]}. There are: {', '.join(EVENT_CLASSES)}.")
        if len([each for each in self.all(account) if each.name != name]) >= MOST_WEBHOOKS:
            raise InvalidWebhook(f"The account has {MOST_WEBHOOKS} webhooks. Remove one first.")
        try:
            self.poster.check(url)
        except AddressRefused as error:
            raise InvalidWebhook(str(error)) from error
