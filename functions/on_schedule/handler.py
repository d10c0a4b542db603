"""Starts the run of a schedule that is due; EventBridge Scheduler invokes it."""

from typing import Any

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from planloom.tracing import traced
from planloom.wiring import graphs as wiring_graphs

logger = Logger()
metrics = Metrics()


@logger.inject_lambda_context(clear_state=True)
@traced
@metrics.log_metrics
def handler(event: dict[str, Any], context: LambdaContext) -> None:
    """Start the run that is due of the schedule ``name`` of ``account``."""
    logger.append_keys(schedule=event["name"])
    run_id = wiring_graphs.schedules().run_due(event["account"], event["name"])
    logger.info("schedule due", run_id=run_id)
    metrics.add_metric("ScheduledRuns" if run_id else "ScheduledRunsMissed", MetricUnit.Count, 1)
