"""Stage 015: strengths, weaknesses, opportunities and threats of the plan, and what follows from their pairs."""

from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer, Frozen
from planloom.knowledge.brief import Brief
from planloom.knowledge.tables import Swot
from planloom.stages.desk import Desk
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import bullets, table

INSTRUCTIONS = """\
Write the SWOT analysis of the plan.

Strengths and weaknesses are inside the project: what its people decide or own. Opportunities and threats are outside:
what happens whether or not they act. Keep them apart; if an entry could stand on either side, it is not sharp enough.
Each entry names its evidence: a number or a demand of the goal, a claim by id, or "to verify" with how.
Then pair them: use a strength to take an opportunity (SO), use a strength against a threat (ST), mend a weakness to
take an opportunity (WO), mend a weakness before a threat meets it (WT). At least one pair of each kind. Each pair is
an action with a role, a date or gate, and a check.
Name the flagship use, the one use or offer that would make the rest follow, only where the goal has room for one.
"""


class Entry(Answer):
    """One entry, with what speaks for it."""

    text: str = Field(min_length=10, max_length=300)
    evidence: str = Field(min_length=5, max_length=300, description="From the goal, a claim id, or to verify: how")


class Pair(Answer):
    """What follows when an inside and an outside entry meet."""

    kind: Literal["SO", "ST", "WO", "WT"]
    action: str = Field(min_length=10, max_length=300)
    role: str = Field(min_length=2, max_length=80)
    when: str = Field(min_length=2, max_length=80, description="A date or a gate")
    check: str = Field(min_length=5, max_length=200, description="How one sees that it is done")


class SwotAnswer(Answer):
    """The model's answer."""

    strengths: list[Entry] = Field(min_length=2, max_length=8)
    weaknesses: list[Entry] = Field(min_length=2, max_length=8)
    opportunities: list[Entry] = Field(min_length=2, max_length=8)
    threats: list[Entry] = Field(min_length=2, max_length=8)
    pairs: list[Pair] = Field(min_length=4, max_length=12)
    flagship: str = Field(default="", max_length=300, description="Empty where the goal has no room for one")
    missing: list[str] = Field(default_factory=list, max_length=6, description="What the analysis could not know")


class SwotAnalysis(StageResult):
    """Stage 015's result."""

    swot: SwotAnswer


async def draft(desk: Desk) -> SwotAnalysis:
    """One call, from the project plan."""
    plan = desk.read("project_plan", ProjectPlan)
    swot = await desk.ask(
        "swot",
        INSTRUCTIONS,
        (desk.excerpt("project_plan", 9000),),
        SwotAnswer,
        lambda: outline(desk.brief, plan),
    )
    return SwotAnalysis(swot=swot)
