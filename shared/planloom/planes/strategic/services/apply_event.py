"""Apply one event of the bus to the view; repeats change nothing, and the order does not matter."""

from collections.abc import Mapping
from typing import Any

from planloom.planes.strategic.events import EVENTS
from planloom.planes.strategic.ports.plans import PlanStore


def apply_event(plans: PlanStore, event_type: str, detail: Mapping[str, Any]) -> bool:
    """Return whether the event was new. Raises KeyError for an unknown type and ValidationError for an unknown form."""
    return plans.apply(EVENTS[event_type].model_validate(detail))
