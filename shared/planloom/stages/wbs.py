"""Stage 019: the work breakdown, levels 1 and 2: deliverables, and the packages that make them up."""

from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer, Frozen
from planloom.stages.stage import StageResult

Kind = Literal[
    "research", "design", "legal", "permit", "finance", "people", "procurement", "build", "test", "communication",
    "operate", "handover",
]  # fmt: skip


class DeliverableAnswer(Answer):
    """A level-1 deliverable."""

    title: str = Field(
        min_length=3, max_length=100, description="A thing that exists in the end: a noun phrase"
    )
    result: str = Field(
        min_length=10, max_length=300, description="What exists when it is done, with its figures"
    )
    phase: str = Field(min_length=2, max_length=40, description="id of the phase in which most of it is made")


class Level1Answer(Answer):
    """The model's answer for level 1."""

    deliverables: list[DeliverableAnswer] = Field(min_length=3, max_length=14)


class PackageAnswer(Answer):
    """A level-2 work package."""

    key: str = Field(
        pattern=r"^[a-z][a-z0-9_]*$",
        max_length=50,
        description="Short name in snake_case, unique in the whole WBS",
    )
    title: str = Field(min_length=3, max_length=120, description="What exists when it is done: a noun phrase")
    owner: str = Field(min_length=2, max_length=80, description="One role, no person")
    kind: Kind
    test: str = Field(min_length=10, max_length=300, description="How one sees that it is done")
    outdoor: bool = Field(default=False, description="Work under the open sky, bound by seasons in the goal")
    fixed: bool = Field(default=False, description="Its time is set by others: a permit, a loan, a delivery")
    serves: str = Field(
        default="", max_length=300, description="The demand of the goal that calls for it, quoted"
    )


class Level2Answer(Answer):
    """The model's answer for the packages of one deliverable."""

    packages: list[PackageAnswer] = Field(min_length=1, max_length=12)


class Package(Frozen):
    """A work package with its place in the WBS."""

    id: str = Field(pattern=r"^\d+\.\d+$", description="2.3: the third package of deliverable 2")
    key: str
    title: str
    owner: str
    kind: Kind
    test: str
    outdoor: bool
    fixed: bool
    serves: str = Field(default="", description="The demand of the prompt that calls for it; may be empty")


class Deliverable(Frozen):
    """A deliverable with its packages."""

    id: str = Field(pattern=r"^\d+$")
    title: str
    result: str
    phase: str = Field(description="id of a phase of the archetype")
    phase_title: str
    packages: tuple[Package, ...]


class Trace(Frozen):
    """A demand of the prompt, and the packages that meet it."""

    demand: str
    source: str = Field(description="prompt:<start>-<end>")
    packages: tuple[str, ...] = Field(description="ids such as 2.3; empty where no package meets it")


class Wbs(StageResult):
    """Stage 019's result: 100% of the work, level 1 in ``deliverables``, level 2 in their ``packages``."""

    deliverables: tuple[Deliverable, ...]
    traces: tuple[Trace, ...] = ()

    @property
    def packages(self) -> tuple[Package, ...]:
        """All packages, in order of id."""
        return tuple(p for d in self.deliverables for p in d.packages)
