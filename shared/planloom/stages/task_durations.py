"""Stage 022: optimistic, likely and pessimistic working days for each work package."""

from pydantic import Field

from planloom.domain.frozen import Answer, Frozen
from planloom.stages.stage import StageResult


class EstimateAnswer(Answer):
    """A three-point estimate in working days."""

    task: str = Field(pattern=r"^\d+\.\d+$", description="id of the package")
    optimistic: float = Field(gt=0, le=1000, description="One time in twenty it is quicker")
    likely: float = Field(gt=0, le=1000)
    pessimistic: float = Field(gt=0, le=1500, description="One time in twenty it takes longer")
    basis: str = Field(
        min_length=5, max_length=240, description="Quantity and rate, or whose lead time; what is assumed"
    )


class TaskDurationsAnswer(Answer):
    """The model's answer for the packages of one deliverable."""

    estimates: list[EstimateAnswer] = Field(min_length=1, max_length=12)


class Estimate(Frozen):
    """A three-point estimate with its PERT mean and deviation, all in working days."""

    task: str
    title: str
    optimistic: float
    likely: float
    pessimistic: float
    mean: float
    deviation: float
    fixed: bool = Field(description="A lead time set by others: not scaled")
    basis: str


class TaskDurations(StageResult):
    """Stage 022's result: one estimate per package, in order of id."""

    estimates: tuple[Estimate, ...]
    method: str = Field(description="Where the values come from and by what factor they were scaled")
