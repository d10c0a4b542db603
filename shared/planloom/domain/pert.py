"""Three-point estimates: the PERT mean and deviation of a duration, and samples of it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class ThreePoint:
    """A duration in working days with ``0 < optimistic <= likely <= pessimistic``; ValueError otherwise.

    Source: Malcolm, Roseboom, Clark and Fazar 1959 (PERT).
    """

    optimistic: float
    likely: float
    pessimistic: float

    def __post_init__(self) -> None:
        if not 0 < self.optimistic <= self.likely <= self.pessimistic:
            raise ValueError(f"not 0 < optimistic <= likely <= pessimistic: {self}")

    @property
    def mean(self) -> float:
        """(o + 4m + p) / 6."""
        return (self.optimistic + 4 * self.likely + self.pessimistic) / 6

    @property
    def deviation(self) -> float:
        """(p - o) / 6."""
        return (self.pessimistic - self.optimistic) / 6

    @property
    def days(self) -> int:
        """The mean as whole working days, at least one: what a calendar can hold."""
        return max(1, math.floor(self.mean + 0.5))

    def scaled(self, factor: float) -> "ThreePoint":
        """Return all three points times *factor*, on whole days from two up and on half days below."""
        points = [_rounded(x * factor) for x in (self.optimistic, self.likely, self.pessimistic)]
        return ThreePoint(*points)

    def sampler(self, random: Random) -> Callable[[], float]:
        """Return what draws from the beta distribution that PERT assumes (shape 4), in working days."""
        low, width = self.optimistic, self.pessimistic - self.optimistic
        if width == 0:
            return lambda: low
        rise = 1 + 4 * (self.likely - self.optimistic) / width
        fall = 1 + 4 * (self.pessimistic - self.likely) / width
        return lambda: low + width * random.betavariate(rise, fall)


def ordered(points: Sequence[float]) -> ThreePoint:
    """Return the three *points* as an estimate, put in order where whoever gave them did not."""
    low, middle, high = sorted(points)
    return ThreePoint(low, middle, high)


def _rounded(days: float) -> float:
    if days < 2:
        return max(0.5, math.floor(days * 2 + 0.5) / 2)
    return float(math.floor(days + 0.5))
