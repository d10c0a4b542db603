"""Publish an event of what has happened already: a bus that is down must not undo it."""

import logging

from planloom.planes.strategic.events import PlanEvent
from planloom.planes.strategic.ports.plans import PlanStore
from planloom.planes.strategic.ports.running import Bus

logger = logging.getLogger(__name__)


def publish(bus: Bus, event: PlanEvent) -> None:
    """Put *event* on the bus; where that fails, log it and continue.

    The view is rebuilt from the step records when the run ends, so that a lost event is progress shown late.
    """
    try:
        bus.put(event)
    except Exception:
        logger.warning("event not published", exc_info=True, extra={"event": type(event).__name__})


def apply_and_publish(plans: PlanStore, bus: Bus, event: PlanEvent) -> None:
    """Apply *event* to the view at once, for a caller who reads it next, and publish it."""
    plans.apply(event)
    publish(bus, event)
