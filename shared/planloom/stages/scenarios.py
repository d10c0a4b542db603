"""Stage 006: three coherent scenarios, scored on stated criteria; the chosen one and what would change the choice."""

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.levers import Stance
from planloom.stages.stage import StageResult


class Choice(Answer):
    """A vital lever as one scenario sets it."""

    lever: str = Field(max_length=40, description="id of a vital lever")
    title: str = Field(max_length=80, description="Title of that lever")
    setting: str = Field(max_length=80, description="Label of the setting")
    fixed: bool = Field(default=False, description="The goal fixes it: the same in every scenario")


class Scenario(Answer):
    """A coherent set of settings of the vital levers."""

    stance: Stance
    title: str = Field(min_length=3, max_length=90)
    story: str = Field(
        min_length=40, max_length=900, description="How it runs from start to end, with the goal's numbers"
    )
    choices: list[Choice] = Field(min_length=1, max_length=8)
    gains: str = Field(min_length=10, max_length=300)
    gives_up: str = Field(min_length=10, max_length=300)


class Criterion(Answer):
    """One criterion: its weight in percent and the points of each scenario, 1 poor to 5 good."""

    name: str = Field(min_length=3, max_length=80)
    weight: int = Field(ge=1, le=100, description="Percent; the weights of all criteria sum to 100")
    careful: int = Field(ge=1, le=5)
    balanced: int = Field(ge=1, le=5)
    bold: int = Field(ge=1, le=5)
    why: str = Field(
        min_length=10, max_length=400, description="What in the goal sets the weight and the points"
    )


class Scenarios(StageResult):
    """Stage 006's result: three scenarios in the order careful, balanced, bold."""

    scenarios: tuple[Scenario, ...]
    criteria: tuple[Criterion, ...]
    chosen: Stance
    because: str
    changes: tuple[str, ...] = Field(
        description="What would change the choice, each with the setting it moves to"
    )

    @property
    def choice(self) -> Scenario:
        """The chosen scenario."""
        return next(s for s in self.scenarios if s.stance == self.chosen)

    def points(self, stance: Stance) -> float:
        """Return the weighted points of *stance*, 1.0-5.0."""
        total = sum(c.weight for c in self.criteria)
        return round(sum(c.weight * int(getattr(c, stance)) for c in self.criteria) / total, 2)
