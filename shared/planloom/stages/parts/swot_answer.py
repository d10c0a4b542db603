"""What stage 015 asks for and what it makes: entries with their evidence, and what follows from their pairs."""

from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult


class Entry(Answer):
    """One entry, with what speaks for it."""

    text: str = Field(min_length=10, max_length=300)
    evidence: str = Field(min_length=5, max_length=300, description="From the goal, a claim id, or to verify: how")


class Pair(Answer):
    """What follows when an inside and an outside entry meet."""

    kind: Literal["SO", "ST", "WO", "WT"]
    action: str = Field(min_length=10, max_length=300)
    role: str = Field(min_length=2, max_length=80)
    when: str = Field(min_length=2, max_length=80, description="A date or a gate")
    check: str = Field(min_length=5, max_length=200, description="How one sees that it is done")


class SwotAnswer(Answer):
    """The model's answer."""

    strengths: list[Entry] = Field(min_length=2, max_length=8)
    weaknesses: list[Entry] = Field(min_length=2, max_length=8)
    opportunities: list[Entry] = Field(min_length=2, max_length=8)
    threats: list[Entry] = Field(min_length=2, max_length=8)
    pairs: list[Pair] = Field(min_length=4, max_length=12)
    flagship: str = Field(default="", max_length=300, description="Empty where the goal has no room for one")
    missing: list[str] = Field(default_factory=list, max_length=6, description="What the analysis could not know")


class SwotAnalysis(StageResult):
    """Stage 015's result."""

    swot: SwotAnswer
