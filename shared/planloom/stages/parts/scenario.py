"""What a scenario is, and the arithmetic by which three of them are compared."""

from collections.abc import Sequence

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.parts.lever import Stance

STANCES: tuple[Stance, ...] = ("careful", "balanced", "bold")


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
        min_length=40, max_length=1200, description="How it runs from start to end, with the goal's numbers"
    )
    choices: list[Choice] = Field(min_length=1, max_length=8)
    gains: str = Field(min_length=10, max_length=400)
    gives_up: str = Field(min_length=10, max_length=400)


class Criterion(Answer):
    """One criterion: its weight in percent and the points of each scenario, 1 poor to 5 good."""

    name: str = Field(min_length=3, max_length=80)
    weight: int = Field(ge=1, le=100, description="Percent; the weights of all criteria sum to 100")
    careful: int = Field(ge=1, le=5)
    balanced: int = Field(ge=1, le=5)
    bold: int = Field(ge=1, le=5)
    why: str = Field(min_length=10, max_length=500, description="What in the goal sets the weight and the points")

    def points(self, stance: Stance) -> int:
        """Return the points of *stance*, 1-5."""
        return {"careful": self.careful, "balanced": self.balanced, "bold": self.bold}[stance]


def weighted(criteria: Sequence[Criterion], stance: Stance) -> float:
    """Return the weighted mean of the points of *stance*, 1.00-5.00."""
    total = sum(c.weight for c in criteria)
    return round(sum(c.weight * c.points(stance) for c in criteria) / total, 2)


def rescaled(criteria: Sequence[Criterion]) -> list[Criterion]:
    """Return *criteria* with weights of at least 1 that sum to 100, in the proportion that they have."""
    total = sum(c.weight for c in criteria)
    weights = [max(1, round(100 * c.weight / total)) for c in criteria]
    # what rounding leaves goes to the heaviest, where it changes least
    weights[weights.index(max(weights))] += 100 - sum(weights)
    return [c.model_copy(update={"weight": weight}) for c, weight in zip(criteria, weights, strict=True)]


def leader(criteria: Sequence[Criterion]) -> Stance:
    """Return the stance with most points; on a tie balanced before careful before bold."""
    order: tuple[Stance, ...] = ("balanced", "careful", "bold")
    return max(order, key=lambda stance: weighted(criteria, stance))


def tipping_weight(criteria: Sequence[Criterion], criterion: Criterion, stance: Stance) -> int | None:
    """Return the least weight in percent at which *criterion* would let *stance* lead, the others keeping proportion.

    None where no weight below 100 does.
    """
    others = [c for c in criteria if c is not criterion]
    for weight in range(criterion.weight + 1, 100):
        scale = (100 - weight) / sum(c.weight for c in others)

        def total(of: Stance, weight: int = weight, scale: float = scale) -> float:
            return weight * criterion.points(of) + scale * sum(c.weight * c.points(of) for c in others)

        if all(total(stance) > total(rival) for rival in STANCES if rival != stance):
            return weight
    return None
