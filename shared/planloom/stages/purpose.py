"""Stage 004: what the plan is for: business, personal or other; digital or physical; what success is measured by."""

from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult


class Measure(Answer):
    """One measure of success."""

    text: str = Field(min_length=5, max_length=240, description="What is measured, as the goal puts it")
    target: str = Field(
        min_length=1, max_length=120, description="The value to reach, with unit; 'to be set' where none"
    )
    how: str = Field(min_length=5, max_length=240, description="How it is measured")
    when: str = Field(min_length=2, max_length=120, description="When it is measured first, and how often")
    given: bool = Field(description="True where the goal states it; False where it is proposed")


class PurposeAnswer(Answer):
    """What the plan is for."""

    kind: Literal["business", "personal", "other"]
    kind_because: str = Field(min_length=10, max_length=300)
    medium: Literal["digital", "physical", "both"]
    medium_because: str = Field(min_length=10, max_length=300)
    topic: str = Field(min_length=3, max_length=120, description="What it is about, a noun phrase")
    change: str = Field(
        min_length=10, max_length=300, description="What is different afterwards, and for whom"
    )
    follows: list[str] = Field(
        min_length=2, max_length=6, description="What this means for the plan, one sentence each"
    )
    measures: list[Measure] = Field(min_length=1, max_length=8)


class Purpose(StageResult):
    """Stage 004's result."""

    purpose: PurposeAnswer
