"""Applies the events of plans, from the bus, to progress and log."""

import json
from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from planloom import wiring
from planloom.planes.strategic.services.apply_event import apply_event

logger = Logger()
processor = BatchProcessor(event_type=EventType.SQS)


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """Apply a batch of events; failed ones are delivered again alone, and finally go to the dead-letter queue."""
    return process_partial_response(event=event, record_handler=_apply, processor=processor, context=context)


def _apply(record: SQSRecord) -> None:
    envelope = json.loads(record.body)
    first = apply_event(wiring.ports().plans, envelope["detail-type"], envelope["detail"])
    logger.info("event applied", event=envelope["detail-type"], plan_id=envelope["detail"]["plan_id"], first=first)
