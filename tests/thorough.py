"""How much `make test` tries: a sample of the long series, all of them with PLANLOOM_THOROUGH=1 (`make thorough`)."""

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

THOROUGH = bool(os.environ.get("PLANLOOM_THOROUGH"))


def sampled(cases: Sequence[T], every: int) -> list[T]:
    """Return *cases*, by default each *every*-th of them, the first and the last included."""
    if THOROUGH:
        return list(cases)
    return [case for place, case in enumerate(cases) if place % every == 0 or place == len(cases) - 1]
