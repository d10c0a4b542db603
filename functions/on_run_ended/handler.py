"""Sets the final state of a plan when its execution has ended."""

import json
from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.parser import parse
from aws_lambda_powertools.utilities.parser.envelopes import EventBridgeEnvelope
from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel

from planloom import wiring
from planloom.planes.strategic.plans import run_of
from planloom.planes.strategic.services.end_run import end_run

logger = Logger()
processor = BatchProcessor(event_type=EventType.SQS)


class StatusChange(BaseModel):
    """Detail of "Step Functions Execution Status Change"."""

    name: str
    status: str


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """End the runs of a batch; failed ones are delivered again alone, and finally go to the dead-letter queue."""
    return process_partial_response(event=event, record_handler=_end, processor=processor, context=context)


def _end(record: SQSRecord) -> None:
    change = parse(json.loads(record.body), model=StatusChange, envelope=EventBridgeEnvelope)
    assert isinstance(change, StatusChange)
    plan_id, run = run_of(change.name)
    end_run(wiring.ports().run_control, plan_id, run, change.status)
    logger.info("run ended", plan_id=plan_id, run=run, status=change.status)
