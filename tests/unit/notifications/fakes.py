"""Webhooks in memory, whose queue runs by the clock of the test."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from planloom.notifications.events import Event, RunEnded, make_event
from planloom.notifications.service import Complete, Webhooks
from planloom.notifications.webhook import Attempt, Delivery, DeliveryState, Webhook
from planloom.tools.address_guard import AddressRefused
from tests.unit.runs.fakes import Writes

NOW = datetime(2027, 3, 1, 9, tzinfo=UTC)
URL = "https://hooks.example.com/planloom"


@dataclass
class FakeWebhookStore:
    webhooks: dict[tuple[str, str], Webhook] = field(default_factory=dict)

    def put(self, webhook: Webhook) -> None:
        self.webhooks[webhook.account, webhook.name] = webhook

    def get(self, account: str, name: str) -> Webhook | None:
        return self.webhooks.get((account, name))

    def of_account(self, account: str) -> list[Webhook]:
        return [each for (owner, _), each in sorted(self.webhooks.items()) if owner == account]

    def delete(self, account: str, name: str) -> None:
        self.webhooks.pop((account, name), None)


@dataclass
class FakeSecrets:
    kept: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)

    def put(self, account: str, name: str, secrets: Mapping[str, str]) -> None:
        self.kept[account, name] = dict(secrets)

    def get(self, account: str, name: str) -> dict[str, str]:
        return self.kept.get((account, name), {})

    def delete(self, account: str, name: str) -> None:
        self.kept.pop((account, name), None)


@dataclass
class FakeDeliveryStore:
    deliveries: dict[str, Delivery] = field(default_factory=dict)
    writes: Writes = field(default_factory=Writes)

    def add(self, delivery: Delivery) -> bool:
        if delivery.delivery_id in self.deliveries:
            return False
        self.writes.next(lambda: self.deliveries.__setitem__(delivery.delivery_id, delivery))
        return True

    def get(self, delivery_id: str) -> Delivery | None:
        return self.deliveries.get(delivery_id)

    def replace(self, delivery: Delivery, before: int) -> bool:
        known = self.deliveries.get(delivery.delivery_id)
        if known is None or known.version != before:
            return False
        self.writes.next(lambda: self.deliveries.__setitem__(delivery.delivery_id, delivery))
        return True

    def newest_of(
        self, account: str, webhook: str, limit: int, before: str | None = None
    ) -> list[tuple[str, Delivery]]:
        found = [
            (f"{each.created_at.isoformat()}#{each.delivery_id}", each)
            for each in self.deliveries.values()
            if (each.account, each.webhook) == (account, webhook)
        ]
        found.sort(key=lambda each: each[0], reverse=True)
        return [each for each in found if before is None or each[0] < before][:limit]

    def overdue(self, before: datetime, limit: int) -> list[str]:
        pending = [each for each in self.deliveries.values() if each.state is DeliveryState.PENDING]
        found = sorted((each.next_at, each.delivery_id) for each in pending if each.next_at < before)
        return [delivery_id for _, delivery_id in found[:limit]]


@dataclass
class FakePoster:
    """Returns *attempts* in order, the last one for ever; keeps what was posted."""

    attempts: list[Attempt] = field(default_factory=lambda: [Attempt(status=200)])
    posted: list[tuple[str, Mapping[str, str], bytes]] = field(default_factory=list)

    def check(self, url: str) -> None:
        if "internal" in url:
            raise AddressRefused("internal leads to 10.0.0.1, which is no public address.")

    def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Attempt:
        self.posted.append((url, headers, body))
        return self.attempts.pop(0) if len(self.attempts) > 1 else self.attempts[0]


@dataclass
class FakeQueue:
    """Messages with the time at which they arrive."""

    clock: "Clock"
    events: list[Event] = field(default_factory=list)
    deliveries: list[tuple[datetime, str]] = field(default_factory=list)
    writes: Writes = field(default_factory=Writes)

    def publish(self, events: Sequence[Event]) -> None:
        self.writes.next(lambda: self.events.extend(events))

    def deliver(self, delivery_id: str, delay: float) -> None:
        assert 0 <= delay <= 900
        due = self.clock.time + timedelta(seconds=delay)
        self.writes.next(lambda: self.deliveries.append((due, delivery_id)))


@dataclass
class Clock:
    time: datetime = NOW

    def __call__(self) -> datetime:
        return self.time


@dataclass
class Setting:
    """Webhooks with all that they use."""

    poster: FakePoster = field(default_factory=FakePoster)
    complete: Complete = lambda event, _: event
    clock: Clock = field(default_factory=Clock)
    writes: Writes = field(default_factory=Writes)

    def __post_init__(self) -> None:
        self.store, self.secrets = FakeWebhookStore(), FakeSecrets()
        self.deliveries = FakeDeliveryStore(writes=self.writes)
        self.queue = FakeQueue(self.clock, writes=self.writes)
        self.webhooks = Webhooks(
            store=self.store,
            secrets=self.secrets,
            deliveries=self.deliveries,
            queue=self.queue,
            poster=self.poster,
            complete=self.complete,
            now=self.clock,
        )

    def add(self, name: str = "ops", *events: str, account: str = "acme") -> str:
        """Add a webhook and return its secret."""
        return self.webhooks.add(account, name, URL, events, "https://api.example.com/api")[1]

    def publish(self, event: Event) -> None:
        self.webhooks.publish(event)
        self.work(until=self.clock.time)

    def work(self, until: datetime) -> None:
        """Process the queue until *until*, with the clock at each message's time; it keeps what was not processed."""
        while self.queue.events:
            self.webhooks.fan_out(self.queue.events[0])
            self.queue.events.pop(0)
        while due := sorted(each for each in self.queue.deliveries if each[0] <= until):
            at, delivery_id = due[0]
            self.clock.time = max(at, self.clock.time)
            self.webhooks.deliver(delivery_id)
            self.queue.deliveries.remove(due[0])
        self.clock.time = max(until, self.clock.time)

    def only(self) -> Delivery:
        """Return the only delivery."""
        (found,) = self.deliveries.deliveries.values()
        return found


def an_event(run_id: str = "r1", account: str = "acme") -> Event:
    data = RunEnded(plane="workflows", run_id=run_id, title="Launch", state="completed")
    return make_event(account, data, NOW, run_id, 1)
