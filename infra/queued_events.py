"""Events that must not be lost: rule, queue, Lambda, and a dead-letter queue for what fails on the way."""

import aws_cdk as cdk
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_lambda_event_sources as sources
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.python_function import PythonFunction

#: A message that its Lambda refused this often is a fault to be looked at, not to be tried again.
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
        # Two queues for the dead: what the rule could not deliver is an event, what the Lambda refused a message.
        undelivered = dead_letters(self, "Undelivered")
        refused = dead_letters(self, "Refused")
        self.dead = (undelivered, refused)
        queue = sqs.Queue(
            self,
            "Queue",
            encryption=sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            # AWS asks for six times the function's timeout, so that a throttled batch is not seen twice
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
    """Return a queue where what nobody took waits two weeks for somebody to look."""
    queue = sqs.Queue(
        scope,
        name,
        encryption=sqs.QueueEncryption.SQS_MANAGED,
        enforce_ssl=True,
        retention_period=cdk.Duration.days(14),
    )
    acknowledge(queue, "AwsSolutions-SQS3", "It is a dead-letter queue itself, of a rule or of a queue")
    return queue
