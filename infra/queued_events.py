"""Delivery of events that must not be lost: a rule, a queue, a Lambda, and dead-letter queues for failures."""

import aws_cdk as cdk
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_lambda_event_sources as sources
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.python_function import PythonFunction

#: After this many failed deliveries a message goes to the dead-letter queue.
ATTEMPTS = 5


class QueuedEvents(Construct):
    """Send the events of *pattern* on *bus* to *function*, through a queue, *batch* at a time with partial failures."""

    def __init__(
        self,
        scope: Construct,
        name: str,
        *,
        bus: events.IEventBus | None,
        pattern: events.EventPattern,
        function: PythonFunction,
        batch: int = 10,
    ) -> None:
        super().__init__(scope, name)
        # Two dead-letter queues: that of the rule has events, that of the Lambda has messages.
        undelivered = dead_letters(self, "Undelivered")
        refused = dead_letters(self, "Refused")
        self.dead = (undelivered, refused)
        queue = sqs.Queue(
            self,
            "Queue",
            encryption=sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            # AWS recommends six times the timeout of the function, so that a throttled batch is not delivered twice
            visibility_timeout=cdk.Duration.seconds(6 * _seconds(function)),
            dead_letter_queue=sqs.DeadLetterQueue(queue=refused, max_receive_count=ATTEMPTS),
        )
        events.Rule(
            self,
            "Rule",
            event_bus=bus,
            event_pattern=pattern,
            targets=[targets.SqsQueue(queue, dead_letter_queue=undelivered)],
        )
        function.add_event_source(
            sources.SqsEventSource(queue, batch_size=batch, max_concurrency=2, report_batch_item_failures=True)
        )


def _seconds(function: PythonFunction) -> float:
    assert function.timeout is not None
    return float(function.timeout.to_seconds())


def dead_letters(scope: Construct, name: str) -> sqs.Queue:
    """Return a dead-letter queue that keeps messages for two weeks."""
    queue = sqs.Queue(
        scope,
        name,
        encryption=sqs.QueueEncryption.SQS_MANAGED,
        enforce_ssl=True,
        retention_period=cdk.Duration.days(14),
    )
    acknowledge(queue, "AwsSolutions-SQS3", "It is a dead-letter queue itself, of a rule or of a queue")
    return queue
