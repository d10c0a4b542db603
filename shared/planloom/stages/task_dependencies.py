"""Stage 021: which work package waits for which, and why."""

from pydantic import Field

from planloom.domain.frozen import Answer, Frozen
from planloom.stages.stage import StageResult


class WaitAnswer(Answer):
    """What one package waits for."""

    task: str = Field(pattern=r"^\d+\.\d+$", description="id of the package that waits")
    after: list[str] = Field(
        min_length=1, max_length=6, description="ids of the packages that must finish first"
    )
    lag: int = Field(default=0, ge=0, le=250, description="Working days between their finish and its start")
    why: str = Field(min_length=5, max_length=200, description="What it takes from them; one line")


class TaskDependenciesAnswer(Answer):
    """The model's answer; a package that can start on the first day is left out."""

    waits: list[WaitAnswer] = Field(min_length=1, max_length=80)


class Dependency(Frozen):
    """Finish-to-start: ``task`` starts once ``after`` has finished and ``lag`` working days have passed."""

    task: str
    after: str
    lag: int = Field(default=0, ge=0)
    why: str


class TaskDependencies(StageResult):
    """Stage 021's result: an acyclic graph over the packages of the WBS."""

    dependencies: tuple[Dependency, ...]
    starts: tuple[str, ...] = Field(description="Packages that wait for nothing")
    dropped: tuple[str, ...] = Field(default=(), description="Links that were left out, each with the reason")
