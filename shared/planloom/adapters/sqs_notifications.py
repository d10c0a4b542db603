"""Queues events and deliveries for the function that sends them to webhooks."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from planloom.notifications.events import Event

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

#: Events in one message, which the function must fan out before its timeout, and their bytes: SQS takes 262,144.
MOST_EVENTS, MOST_BYTES = 25, 250_000


class SqsNotifications:
    """Implements planloom.notifications.ports.NotificationQueue on SQS; the client is built on first use."""

    def __init__(self, client: "Callable[[], SQSClient]", url: str) -> None:
        self._client = client
        self._url = url

    def publish(self, events: Sequence[Event]) -> None:
        for batch in _batches([event.model_dump_json() for event in events]):
            # one message of many events: a batch of messages needs another grant on the embedded AWS than on AWS
            self._send(f'{{"events": [{", ".join(batch)}]}}', 0)

    def deliver(self, delivery_id: str, delay: float) -> None:
        self._send(json.dumps({"delivery_id": delivery_id}), delay)

    def _send(self, body: str, delay: float) -> None:
        # rounded up: a message that arrives early is only delayed again
        self._client().send_message(QueueUrl=self._url, MessageBody=body, DelaySeconds=math.ceil(delay))


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        length = len(text.encode())
        if batch and (len(batch) == MOST_EVENTS or size + length > MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += length
    if batch:
        yield batch
