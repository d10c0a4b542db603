"""Reads one goal with a model; plan_facts invokes it and does not wait for it."""

import asyncio
from functools import cache
from typing import Any

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from planloom import wiring
from planloom.planes.strategic.services.read_goal import run_reading
from planloom.tracing import traced

logger = Logger()
metrics = Metrics()


@cache
def _loop() -> asyncio.Runner:
    # one loop per Lambda: clients that are bound to a closed loop fail on the second invocation
    return asyncio.Runner()


@logger.inject_lambda_context(clear_state=True)
@traced
@metrics.log_metrics
def handler(event: dict[str, Any], context: LambdaContext) -> None:
    """Read the goal of ``facts_id``; the goal and its facts are in the bucket."""
    logger.append_keys(facts_id=event["facts_id"])
    logger.info("reading started")
    try:
        reading = _loop().run(
            run_reading(wiring.ports().readings, wiring.ports().models, wiring.ports().clock, event["facts_id"])
        )
    except Exception:
        metrics.add_metric("ReadingsFailed", MetricUnit.Count, 1)
        raise
    logger.info("reading ended", state=reading.state, calls=reading.usage.calls)
    metrics.add_metric("GoalsRead" if reading.state == "ready" else "ReadingsFailed", MetricUnit.Count, 1)
    metrics.add_metric("ModelCalls", MetricUnit.Count, reading.usage.calls)
    if reading.usage.price_known:
        metrics.add_metric("PriceUSD", MetricUnit.NoUnit, float(reading.usage.price))
