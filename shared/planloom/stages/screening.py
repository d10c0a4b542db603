"""Stage 002: the redline gate: allow, caution or refuse, with the one reason that decides."""

from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult

Concern = Literal[
    "none",
    "mass_harm",
    "violence",
    "weapons",
    "trafficking",
    "child_abuse",
    "self_harm",
    "fraud",
    "cybercrime",
    "drugs",
    "persecution",
    "other",
]


class Condition(Answer):
    """What the plan must keep to because it is planned with caution."""

    text: str = Field(min_length=10, max_length=300)
    role: str = Field(min_length=2, max_length=80, description="Who answers for it: a role, never a name")
    check: str = Field(min_length=5, max_length=240, description="How one sees that it is kept")


class Verdict(Answer):
    """The gate's answer."""

    verdict: Literal["allow", "caution", "refuse"]
    concern: Concern = Field(description="What kind of harm was weighed; none where nothing was")
    reason: str = Field(min_length=10, max_length=400, description="The one reason that decides")
    evidence: str = Field(
        max_length=300, description="The words of the goal that decide, quoted; may be empty"
    )
    allowed_if: str = Field(max_length=400, description="refuse: what would make it allowed; else empty")
    conditions: list[Condition] = Field(
        default_factory=list, max_length=5, description="caution: what binds the plan"
    )


class Screening(StageResult):
    """Stage 002's result; a refused prompt has none, since PromptRefused is raised instead."""

    screening: Verdict
