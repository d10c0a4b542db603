"""Stage 003: five attacks on the premise, each with a verdict and the cheapest test that could kill it."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult

Lens = Literal["need", "novelty", "belief", "success", "opposition"]


class Attack(Answer):
    """One attack through one lens."""

    lens: Lens
    attack: str = Field(
        min_length=40, max_length=900, description="The case against, in three to six sentences"
    )
    evidence: str = Field(
        min_length=5, max_length=300, description="Words of the goal, a claim id, or to verify: how"
    )
    verdict: Literal["holds", "shaky", "fails"] = Field(description="Of the premise, after the attack")
    because: str = Field(min_length=10, max_length=300, description="Why this verdict, in one sentence")
    test: str = Field(
        min_length=10, max_length=400, description="The cheapest test that could kill the premise"
    )
    kills: str = Field(min_length=5, max_length=240, description="The result that would kill it, measurable")
    role: str = Field(min_length=2, max_length=80)
    by: date = Field(description="The day by which the test is done")


class PremiseAttack(StageResult):
    """Stage 003's result: one attack per lens, in the order of ``Lens``."""

    attacks: tuple[Attack, ...]
