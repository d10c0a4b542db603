"""Stage 009: what the plan takes for true, how sure that is, what breaks if it is false, and when it is tested."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult

Confidence = Literal["low", "medium", "high"]
DOUBT: dict[Confidence, int] = {"high": 1, "medium": 2, "low": 3}


class Assumption(Answer):
    """One assumption with its test."""

    id: str = Field(pattern=r"^A[0-9]{1,2}$")
    text: str = Field(min_length=10, max_length=300)
    basis: str = Field(
        min_length=5, max_length=300, description="Words of the goal, a claim id, or why it is assumed"
    )
    confidence: Confidence
    impact: int = Field(ge=1, le=5, description="On the plan if it is false")
    breaks: str = Field(min_length=10, max_length=300, description="What breaks if it is false")
    test: str = Field(min_length=10, max_length=300)
    owner: str = Field(min_length=2, max_length=80, description="A role")
    by: date = Field(description="Tested by this day")
    gate: str = Field(min_length=2, max_length=120, description="The gate that waits for the test")

    @property
    def weight(self) -> int:
        """Impact times doubt (high confidence 1, medium 2, low 3), 1-15."""
        return self.impact * DOUBT[self.confidence]


class Assumptions(StageResult):
    """Stage 009's result: by weight, heaviest first, ids A1.. in that order; the first three lead."""

    assumptions: tuple[Assumption, ...]
    review: tuple[str, ...] = Field(default=(), description="What the review changed or still doubts")
