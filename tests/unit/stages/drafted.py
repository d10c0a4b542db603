"""The three goals drafted up to their schedules, once for all tests that only read them."""

from collections.abc import Mapping
from functools import cache

from planloom.stages.stage import StageResult
from tests.unit.stages.drafting import draft


@cache
def drafted(prompt: str) -> Mapping[str, StageResult]:
    """Return the results of *prompt* by stage name."""
    return draft(prompt, "schedule")
