"""Stage 013: comparable projects, what to learn from each, and how to reach those who know."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult


class Comparable(Answer):
    """A comparable project, or a kind of it to look for."""

    title: str = Field(min_length=3, max_length=200)
    certainty: Literal["beyond doubt", "to verify"] = Field(
        description="to verify: a kind to look for, not a name"
    )
    likeness: str = Field(
        min_length=5, max_length=400, description="In what it is like this plan, and in what not"
    )
    learn: str = Field(min_length=5, max_length=400, description="The question it answers for this plan")
    changes: str = Field(
        min_length=5, max_length=300, description="Which part of the plan its answer would change"
    )
    verify: str = Field(min_length=5, max_length=400, description="How to find, check and reach it")
    role: str = Field(min_length=2, max_length=80)
    by: date
    check: str = Field(min_length=5, max_length=240)


class ResourcesAnswer(Answer):
    """The model's answer."""

    comparables: list[Comparable] = Field(min_length=2, max_length=10)


class RelatedResources(StageResult):
    """Stage 013's result."""

    resources: ResourcesAnswer
