"""Stage 023: the tasks of each work package, level 3 of the work breakdown."""

from pydantic import Field

from planloom.domain.frozen import Answer, Frozen
from planloom.stages.stage import StageResult


class LeafAnswer(Answer):
    """A level-3 task."""

    package: str = Field(pattern=r"^\d+\.\d+$", description="id of the package that it is part of")
    title: str = Field(min_length=5, max_length=140, description="Verb and object: what is done, to what")
    owner: str = Field(min_length=2, max_length=80, description="One role, no person")
    share: int = Field(
        ge=5, le=100, description="Percent of the package's time; a package's shares sum to 100"
    )
    test: str = Field(min_length=8, max_length=240, description="How one sees that it is done")


class WbsLevel3Answer(Answer):
    """The model's answer for the packages of one deliverable; tasks of a package follow one another."""

    tasks: list[LeafAnswer] = Field(min_length=1, max_length=40)


class Leaf(Frozen):
    """A level-3 task with its place in the WBS."""

    id: str = Field(pattern=r"^\d+\.\d+\.\d+$")
    package: str = Field(description="id of its package")
    title: str
    owner: str
    share: float = Field(gt=0, le=1, description="Of the package's time; a package's shares sum to 1")
    test: str


class WbsLevel3(StageResult):
    """Stage 023's result: at least one task for every package of the WBS, in order of id."""

    leaves: tuple[Leaf, ...]
