"""Tell an event of what has happened already: a bus that is down must not undo it."""

import logging

from planloom.domain.events import PlanEvent
from planloom.services.world import World

logger = logging.getLogger(__name__)


def tell(world: World, event: PlanEvent) -> None:
    """Put *event* on the bus; where that fails, log it and go on.

    The view is rebuilt from the step records when the run ends, so that an event lost is progress shown late.
    """
    try:
        world.bus.put(event)
    except Exception:
        logger.warning("event not told", exc_info=True, extra={"event": type(event).__name__})


def note(world: World, event: PlanEvent) -> None:
    """Fold *event* into the view at once, for a caller who looks right after it, and tell it."""
    world.plans.fold(event)
    tell(world, event)
