"""Bus to view: fold each event of a plan into its progress and its log."""

import json
from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from planloom import wiring
from planloom.services.fold_event import fold_event

logger = Logger()
processor = BatchProcessor(event_type=EventType.SQS)


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """Fold a batch; what cannot be folded now is delivered again, alone, and goes to the dead-letter queue at last."""
    return process_partial_response(event=event, record_handler=_fold, processor=processor, context=context)


def _fold(record: SQSRecord) -> None:
    envelope = json.loads(record.body)
    folded = fold_event(wiring.world(), envelope["detail-type"], envelope["detail"])
    logger.info("event folded", event=envelope["detail-type"], plan_id=envelope["detail"]["plan_id"], first=folded)
