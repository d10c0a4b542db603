"""What stage 024 asks for and what it makes: findings that name two places, their weight, and an action."""

from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult


class FindingRow(Answer):
    """A finding of the review; severity and likelihood 1-5, their product ranks it."""

    kind: Literal["contradiction", "gap", "weakness"]
    title: str = Field(min_length=5, max_length=160)
    place: str = Field(min_length=2, max_length=160, description="Section and row where it stands")
    against: str = Field(default="", max_length=160, description="The place that it disagrees with; empty for a gap")
    text: str = Field(min_length=10, max_length=600, description="What is wrong, with the figures of both places")
    consequence: str = Field(min_length=5, max_length=400)
    severity: int = Field(ge=1, le=5)
    likelihood: int = Field(ge=1, le=5)
    action: str = Field(min_length=5, max_length=400)
    role: str = Field(min_length=2, max_length=80)
    by: str = Field(min_length=2, max_length=80, description="A date or a gate")
    check: str = Field(min_length=5, max_length=240)

    @property
    def loss(self) -> int:
        """Severity times likelihood, 1-25."""
        return self.severity * self.likelihood


class FindingsAnswer(Answer):
    """The model's answer for one lens; empty where nothing is wrong."""

    findings: list[FindingRow] = Field(default_factory=list, max_length=8)
    sound: str = Field(min_length=5, max_length=400, description="What holds in this respect, with its figures")


class ReviewPlan(StageResult):
    """Stage 024's result: ten findings at most, contradictions first, then by expected loss."""

    findings: tuple[FindingRow, ...]
    sound: tuple[str, ...] = Field(description="What holds, one sentence for each lens")
