"""What the schedule holds: everything that the Gantt chart, the files and the checks need."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Frozen
from planloom.stages.stage import StageResult


class ScheduledTask(Frozen):
    """A level-2 package on the calendar; durations and slack in working days of its own calendar."""

    id: str = Field(pattern=r"^\d+\.\d+$")
    key: str
    title: str
    deliverable: str = Field(description="id of the deliverable")
    deliverable_title: str
    phase: str = Field(description="Title of the phase")
    owner: str = Field(description="Title of a role")
    start: date = Field(description="First working day")
    end: date = Field(description="Last working day, inclusive")
    duration: int = Field(ge=1)
    optimistic: float
    likely: float
    pessimistic: float
    predecessors: tuple[str, ...] = Field(description="ids of the packages that must finish first")
    total_slack: int = Field(ge=0, description="It may slip so much before the computed end moves")
    free_slack: int = Field(ge=0, description="It may slip so much before any other package moves")
    critical: bool = Field(description="No slack and the end waits for it, or the tightest chain to a fixed day")
    outdoor: bool
    fixed: bool = Field(description="A lead time set by others")
    waits_for_season: bool = Field(default=False, description="Starts later than its predecessors allow: closed days")
    held_back: bool = Field(default=False, description="Could start earlier, but costs money while it waits")
    test: str = Field(description="How one sees that it is done")


class ScheduledLeaf(Frozen):
    """A level-3 task within the dates of its package."""

    id: str = Field(pattern=r"^\d+\.\d+\.\d+$")
    task: str = Field(description="id of its package")
    title: str
    owner: str
    start: date
    end: date
    test: str


class Milestone(Frozen):
    """A day to hold: a dated demand of the prompt, the end of a phase, or the end of the whole."""

    id: str = Field(pattern=r"^M\d+$")
    title: str
    kind: Literal["prompt", "phase", "end"]
    day: date = Field(description="Computed")
    target: date | None = Field(default=None, description="What the prompt demands; None where it demands none")
    planned: date | None = Field(
        default=None, description="Its day in the project plan, set before dates were computed"
    )
    spare: int | None = Field(default=None, description="Working days from day to target; negative: so many late")
    task: str = Field(description="id of the package whose end it is")
    source: str = Field(description="prompt:<start>-<end> of the target, or stage:schedule")


class Link(Frozen):
    """A finish-to-start arrow of the Gantt chart; ``driving`` where it sets the start of its target."""

    source: str
    target: str
    lag: int = 0
    driving: bool = False


class ClosedPeriod(Frozen):
    """Days on which the calendar forbids work, for shading; both ends inclusive."""

    first: date
    last: date
    outdoor: bool = Field(description="It binds outdoor work alone")
    reason: str


class Schedule(StageResult):
    """Stage 026's result: everything that the Gantt chart, the CSV and the checks need."""

    start: date
    deadline: date | None = Field(description="The prompt's; None where it sets none")
    end: date = Field(description="When what the deadline asks for is done; without one, the last day of the work")
    last_day: date = Field(description="End of the last package, closing included")
    p50: date = Field(description="`end` is reached by then in half of the simulated runs")
    p80: date = Field(description="`end` is reached by then in four of five simulated runs")
    chance: float | None = Field(ge=0, le=1, description="Share of the runs that hold the deadline; None without one")
    spare: int | None = Field(description="Working days from end to deadline; negative: late by so many; None without")
    verdict: Literal["holds", "tight", "late", "open"] = Field(
        description="holds: P80 before the deadline; tight: end before it, P80 after; late; open: no deadline"
    )
    verdict_text: str = Field(description="The verdict said plainly, with its dates")
    advice: tuple[str, ...] = Field(description="What to change on the critical path, or watch; actions with roles")
    tasks: tuple[ScheduledTask, ...] = Field(description="In order of id")
    leaves: tuple[ScheduledLeaf, ...]
    milestones: tuple[Milestone, ...] = Field(description="In order of date")
    critical_path: tuple[str, ...] = Field(description="ids of the chain that drives the end, in order of date")
    links: tuple[Link, ...]
    closed: tuple[ClosedPeriod, ...] = Field(default=(), description="Within the time of the plan, in order")
    calendar_notes: tuple[str, ...] = Field(description="Which days are worked, and which words of the prompt say so")
    method: str = Field(description="How the dates were computed, and what that leaves out")
