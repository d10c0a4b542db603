"""On a schedule: find plans that stopped moving."""

from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from planloom import wiring
from planloom.services.delete_plan import erase_deleted
from planloom.services.watch_plans import watch_plans

logger = Logger()


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, str]:
    """Heal or end what needs it; returns what was done, by plan id."""
    try:
        done = watch_plans(wiring.world())
        logger.info("plans watched", acted=len(done))
    finally:
        # one plan that cannot be looked at keeps no deleted one from being erased
        erased = erase_deleted(wiring.world())
        if erased:
            logger.info("deleted plans erased", plan_ids=erased)
    return done
