"""Finds plans and runs without progress, on a schedule."""

from collections.abc import Callable, Iterable
from typing import Any

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from planloom import wiring
from planloom.planes.strategic.services.credits import settle_ended
from planloom.planes.strategic.services.delete_plan import erase_deleted
from planloom.planes.strategic.services.watch_plans import watch_plans
from planloom.wiring import approvals as wiring_approvals
from planloom.wiring import notifications as wiring_notifications
from planloom.wiring import runs as wiring_runs
from planloom.wiring import workflows as wiring_workflows

logger = Logger()
metrics = Metrics()

#: What the watchdog may do with a plan; each is a metric: PlansStalled, ...
WATCHED = ("started", "ended", "stalled", "inactive")
#: What is done about what calls and workers left behind: message of the log, its key, and what returns the ids.
REPAIRS: tuple[tuple[str, str, Callable[[], Iterable[str]]], ...] = (
    (
        "deleted plans erased",
        "plan_ids",
        lambda: erase_deleted(wiring.ports().plan_records, wiring.ports().shares),
    ),
    (
        "credits settled late",
        "runs",
        lambda: settle_ended(wiring.ports().plan_records, wiring.ports().billing),
    ),
    ("runs repaired", "run_ids", lambda: wiring_runs.runs().repair()),
    ("deliveries queued again", "delivery_ids", lambda: wiring_notifications.webhooks().requeue_lost()),
    ("approvals published late", "approval_ids", lambda: wiring_approvals.approvals().publish_left_over()),
    ("effects carried out late", "run_ids", lambda: wiring_workflows.executor().carry_out_left_over()),
    ("specifications without a run deleted", "spec_ids", lambda: wiring_workflows.executor().delete_orphans()),
)


@logger.inject_lambda_context(clear_state=True)
@metrics.log_metrics
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, str]:
    """Repair or end plans without progress; returns the actions by plan id."""
    metrics.add_metric("WatchdogRuns", MetricUnit.Count, 1)
    try:
        done = watch_plans(wiring.ports().run_control)
        logger.info("plans watched", acted=len(done))
        for action in WATCHED:
            metrics.add_metric(f"Plans{action.title()}", MetricUnit.Count, list(done.values()).count(action))
    finally:
        # a plan that cannot be checked must not prevent the erasing of deleted plans
        for message, key, repair in REPAIRS:
            if found := repair():
                logger.info(message, extra={key: sorted(found)})
    return done
