"""Fans events out to the webhooks of their account, and attempts deliveries."""

import json
from typing import Any

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from planloom.notifications.events import Event
from planloom.wiring import notifications as wiring_notifications

logger = Logger()
metrics = Metrics()
processor = BatchProcessor(event_type=EventType.SQS)


@logger.inject_lambda_context(clear_state=True)
@metrics.log_metrics
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """Process a batch; failed messages are delivered again alone, and finally go to the dead-letter queue."""
    return process_partial_response(event=event, record_handler=_process, processor=processor, context=context)


def _process(record: SQSRecord) -> None:
    message = json.loads(record.body)
    if "events" in message:
        for each in message["events"]:
            event = Event.model_validate(each)
            made = wiring_notifications.webhooks().fan_out(event)
            logger.info("event fanned out", event_id=event.event_id, event=event.type, deliveries=len(made))
        metrics.add_metric("EventsFannedOut", MetricUnit.Count, len(message["events"]))
        return
    delivery = wiring_notifications.webhooks().deliver(message["delivery_id"])
    if delivery is None:
        metrics.add_metric("DeliveriesGone", MetricUnit.Count, 1)
        logger.warning("delivery is gone", delivery_id=message["delivery_id"])
        return
    # neither data nor error: these may hold signed links and what a receiver wrote
    logger.info(
        "delivery attempted",
        delivery_id=delivery.delivery_id,
        state=delivery.state.value,
        attempts=delivery.attempts,
        # the embedded AWS takes a line with the key "status" for the response
        http_status=delivery.status,
    )
    metrics.add_metric(f"Deliveries{delivery.state.value.title()}", MetricUnit.Count, 1)
