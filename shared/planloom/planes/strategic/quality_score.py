"""How good a plan is, as far as programs can tell: findings counted by severity, and a score of 0 to 100."""

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Frozen

Severity = Literal["high", "medium", "low"]

#: What a finding takes off the score. One high finding can cost the reader the plan, a low one a minute.
WEIGHTS: dict[Severity, int] = {"high": 15, "medium": 5, "low": 1}
#: No single check takes off more: forty rows with the same flaw are one flaw.
MOST_PER_CHECK = 25


class FindingCounts(Frozen):
    """How many findings of each severity there are."""

    high: int = Field(default=0, ge=0)
    medium: int = Field(default=0, ge=0)
    low: int = Field(default=0, ge=0)


class QualitySummary(Frozen):
    """What ``plan_status`` says of a plan's quality; ``quality.json`` holds the findings themselves.

    ``score`` is None where no model drafted the plan: an outline is no plan that could be compared with others.
    """

    # the table of plans keeps no None: what is missing there is None again
    score: int | None = Field(default=None, ge=0, le=100)
    findings: FindingCounts = FindingCounts()


def summary_of(found: Iterable[tuple[str, Severity]], *, most: int = 100, scored: bool = True) -> QualitySummary:
    """Return the summary of findings, each given as (check, severity): 100 less the weights, capped per check.

    The score is *most* at most, and None unless *scored*.
    """
    counts: dict[Severity, int] = {"high": 0, "medium": 0, "low": 0}
    taken: dict[str, int] = {}
    for check, severity in found:
        counts[severity] += 1
        taken[check] = min(MOST_PER_CHECK, taken.get(check, 0) + WEIGHTS[severity])
    score = min(most, max(0, 100 - sum(taken.values()))) if scored else None
    return QualitySummary(
        score=score, findings=FindingCounts(high=counts["high"], medium=counts["medium"], low=counts["low"])
    )
