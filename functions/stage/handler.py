"""Handler of all stages: each stage is its own Lambda, with its name in PLAN_STAGE."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from planloom import wiring
from planloom.core.usage import Usage
from planloom.planes.strategic.run_errors import RunInterrupted, StageAborted
from planloom.planes.strategic.services.run_stage import run_stage
from planloom.tracing import traced

logger = Logger()
metrics = Metrics()


@cache
def _loop() -> asyncio.Runner:
    # one loop per Lambda: clients that are bound to a closed loop fail on the second invocation
    runner = asyncio.Runner()
    # the default is six threads on two cores, with which the report would read its files in fifteen rounds
    runner.get_loop().set_default_executor(ThreadPoolExecutor(wiring.CONNECTIONS))
    return runner


@logger.inject_lambda_context(clear_state=True)
@traced
@metrics.log_metrics
def handler(event: dict[str, Any], context: LambdaContext) -> None:
    """Run the stage of this Lambda for the plan and run in *event*; content is passed through S3."""
    stage = wiring.settings().stage
    logger.append_keys(stage=stage, plan_id=event["plan_id"], run=event["run"])
    metrics.add_dimension("stage", stage)
    logger.info("stage started")
    paid: list[Usage] = []
    try:
        record = _loop().run(run_stage(wiring.ports().stage_ports, stage, event["plan_id"], event["run"], paid.append))
    except RunInterrupted:
        logger.info("stage interrupted")
        metrics.add_metric("StagesInterrupted", MetricUnit.Count, 1)
        raise
    except StageAborted:
        # Lambda itself would log only the last exception, not its causes
        logger.exception("stage failed")
        metrics.add_metric("StagesFailed", MetricUnit.Count, 1)
        raise
    finally:
        # also if the stage failed or was stopped
        _measure(paid)
    skipped = record.run != event["run"]
    logger.info("stage finished", files=len(record.artifacts), calls=record.usage.calls, skipped=skipped)
    if skipped:
        metrics.add_metric("StagesSkipped", MetricUnit.Count, 1)
        return
    metrics.add_metric("StageSeconds", MetricUnit.Seconds, (record.ended_at - record.started_at).total_seconds())


def _measure(paid: list[Usage]) -> None:
    if paid:
        for name, unit, value in _spent(sum(paid, Usage())):
            metrics.add_metric(name, unit, value)


def _spent(usage: Usage) -> Iterator[tuple[str, MetricUnit, float]]:
    """Yield the usage of the stage's model calls as metrics; a price that is not completely known is left out."""
    yield "ModelCalls", MetricUnit.Count, usage.calls
    yield "ModelRetries", MetricUnit.Count, usage.retries
    yield "ModelSeconds", MetricUnit.Seconds, usage.seconds
    yield "InputTokens", MetricUnit.Count, usage.input_tokens
    yield "CachedTokens", MetricUnit.Count, usage.cached_tokens
    yield "OutputTokens", MetricUnit.Count, usage.output_tokens
    if usage.price_known:
        yield "PriceUSD", MetricUnit.NoUnit, float(usage.price)
