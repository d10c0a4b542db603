"""Stage 010: go, no-go or not yet; what blocks, what removes it, and the actions of the first two weeks."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult


class Blocker(Answer):
    """Something that must be out of the way before money is committed."""

    id: str = Field(pattern=r"^B[0-9]{1,2}$")
    text: str = Field(min_length=10, max_length=300)
    source: str = Field(
        min_length=2, max_length=300, description="Ids of risks or assumptions, or words of the goal"
    )
    removed_by: str = Field(min_length=10, max_length=300, description="What removes it")
    role: str = Field(min_length=2, max_length=80)
    by: date
    check: str = Field(min_length=5, max_length=240)
    unblocks: str = Field(min_length=5, max_length=240, description="What may start once it is gone")


class FirstAction(Answer):
    """An action of the first two weeks."""

    id: str = Field(pattern=r"^N[0-9]{1,2}$")
    action: str = Field(min_length=10, max_length=300)
    role: str = Field(min_length=2, max_length=80)
    by: date
    check: str = Field(min_length=5, max_length=240, description="How one sees that it is done")
    serves: str = Field(
        min_length=2, max_length=80, description="Ids of the blocker, risk or assumption it serves"
    )


class Assessment(Answer):
    """The verdict and what follows from it."""

    verdict: Literal["go", "no_go", "not_yet"]
    reason: str = Field(min_length=20, max_length=500)
    go_if: list[str] = Field(
        min_length=1, max_length=6, description="Conditions, each checkable, on which it is a go"
    )
    no_go_if: list[str] = Field(
        min_length=1, max_length=4, description="What would end it before money is committed"
    )
    blockers: list[Blocker] = Field(default_factory=list, max_length=8)
    actions: list[FirstAction] = Field(min_length=5, max_length=12)
    decide_by: date = Field(description="The day of the next verdict")


class PreProjectAssessment(StageResult):
    """Stage 010's result."""

    assessment: Assessment
