"""Stage 005: the strategic levers, the vital few among them, and the decisions that they call for."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult

Stance = Literal["careful", "balanced", "bold"]


class Setting(Answer):
    """One way to set a lever; the settings of a lever exclude each other."""

    label: str = Field(min_length=2, max_length=80, description="Unique within the lever")
    text: str = Field(min_length=10, max_length=300, description="What is done when it is chosen")
    cost: str = Field(min_length=5, max_length=240, description="What choosing it costs or gives up")
    stance: Stance


class Lever(Answer):
    """A strategic choice: a question with at least three answers, of which the project takes one."""

    id: str = Field(pattern=r"^[a-z0-9_]{2,40}$")
    title: str = Field(min_length=3, max_length=80)
    question: str = Field(min_length=10, max_length=240)
    anchor: str = Field(
        min_length=5, max_length=300, description="The demand or fact of the goal it bears on, quoted"
    )
    settings: list[Setting] = Field(min_length=3, max_length=4)
    impact: int = Field(ge=1, le=5, description="On success: 1 hardly, 5 decides it")
    irreversibility: int = Field(ge=1, le=5, description="1 undone in a week, 5 never")
    fixed: str = Field(
        default="", max_length=80, description="Label of the setting that the goal fixes; empty if open"
    )
    fixed_by: str = Field(default="", max_length=300, description="The words of the goal that fix it")

    @property
    def weight(self) -> int:
        """Impact times irreversibility, 1-25."""
        return self.impact * self.irreversibility


class Tension(Answer):
    """Two levers that pull against each other."""

    one: str = Field(max_length=40, description="id of a lever")
    other: str = Field(max_length=40, description="id of another lever")
    text: str = Field(min_length=10, max_length=300, description="What a setting of one does to the other")
    settle: str = Field(min_length=10, max_length=300, description="Which goes first and why")


class Decision(Answer):
    """A strategic decision that must be taken, by whom and when."""

    lever: str = Field(max_length=40, description="id of a vital lever")
    question: str = Field(min_length=10, max_length=240)
    proposed: str = Field(min_length=2, max_length=80, description="Label of the setting proposed")
    because: str = Field(min_length=10, max_length=400)
    gives_up: str = Field(min_length=5, max_length=240)
    role: str = Field(min_length=2, max_length=80, description="Who decides")
    by: date


class Levers(StageResult):
    """Stage 005's result: levers by weight, heaviest first."""

    levers: tuple[Lever, ...]
    vital: tuple[str, ...] = Field(description="ids of the vital few, heaviest first")
    tensions: tuple[Tension, ...] = ()
    decisions: tuple[Decision, ...] = ()
