"""Fold one event of the bus into the view; twice is once, and order does not matter."""

from collections.abc import Mapping
from typing import Any

from planloom.domain.events import EVENTS
from planloom.services.world import World


def fold_event(world: World, event_type: str, detail: Mapping[str, Any]) -> bool:
    """Return whether the event was new. Raises KeyError for a type and ValidationError for a shape nobody knows."""
    return world.plans.fold(EVENTS[event_type].model_validate(detail))
