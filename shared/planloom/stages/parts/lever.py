"""What a strategic lever is: a choice with at least three answers; how levers are ranked and decided."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer

#: More than these nobody decides well; the rest are set without a meeting.
MOST_VITAL = 5

Stance = Literal["careful", "balanced", "bold"]


class Setting(Answer):
    """One way to set a lever; the settings of a lever exclude each other."""

    label: str = Field(min_length=2, max_length=80, description="Unique within the lever")
    text: str = Field(min_length=10, max_length=300, description="What is done when it is chosen")
    cost: str = Field(min_length=5, max_length=240, description="What choosing it costs or gives up")
    stance: Stance
    ruled_out: str = Field(
        default="", max_length=200, description="Words of the goal that rule it out, quoted; or empty"
    )


class Lever(Answer):
    """A strategic choice: a question with at least three answers."""

    id: str = Field(pattern=r"^[a-z0-9_]{2,40}$")
    title: str = Field(min_length=3, max_length=80)
    question: str = Field(min_length=10, max_length=240)
    anchor: str = Field(min_length=5, max_length=300, description="The demand or fact of the goal it bears on, quoted")
    settings: list[Setting] = Field(min_length=3, max_length=4)
    impact: int = Field(ge=1, le=5, description="On success: 1 hardly, 5 decides it")
    irreversibility: int = Field(ge=1, le=5, description="1 undone in a week, 5 never")
    fixed: str = Field(default="", max_length=80, description="Label of the setting that the goal fixes; empty if open")
    fixed_by: str = Field(default="", max_length=300, description="The words of the goal that fix it")
    pulls_against: str = Field(default="", max_length=40, description="id of another lever, or empty")
    tension: str = Field(default="", max_length=300, description="How the two pull against each other")

    @property
    def weight(self) -> int:
        """Impact times irreversibility, 1-25."""
        return self.impact * self.irreversibility

    def setting(self, stance: Stance) -> Setting:
        """Return the setting for *stance*: the fixed one, else that of the stance, else the nearest not ruled out."""
        order: dict[Stance, tuple[Stance, ...]] = {
            "careful": ("careful", "balanced", "bold"),
            "balanced": ("balanced", "careful", "bold"),
            "bold": ("bold", "balanced", "careful"),
        }
        fixed = next((s for s in self.settings if s.label == self.fixed), None)
        free = [s for s in self.settings if not s.ruled_out] or self.settings
        ranked = sorted(free, key=lambda s: order[stance].index(s.stance))
        return fixed or ranked[0]


class LeversAnswer(Answer):
    """What one drafter hands in."""

    levers: list[Lever] = Field(min_length=1, max_length=6)


class LeverScore(Answer):
    """The score of one lever after comparison."""

    id: str = Field(max_length=40)
    impact: int = Field(ge=1, le=5)
    irreversibility: int = Field(ge=1, le=5)
    why: str = Field(min_length=5, max_length=300)
    duplicate_of: str = Field(default="", max_length=40, description="id of the lever that asks the same; or empty")


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
    because: str = Field(min_length=10, max_length=600)
    gives_up: str = Field(min_length=5, max_length=300)
    role: str = Field(min_length=2, max_length=80, description="Who decides")
    by: date


class Ranking(Answer):
    """The levers compared, and what must be decided."""

    scores: list[LeverScore] = Field(max_length=20)
    tensions: list[Tension] = Field(default_factory=list, max_length=8)
    decisions: list[Decision] = Field(min_length=1, max_length=MOST_VITAL)
