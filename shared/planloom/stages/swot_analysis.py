"""Stage 015: strengths, weaknesses, opportunities and threats of the plan, and what follows from their pairs."""

from planloom.stages.desk import Desk
from planloom.stages.parts.plan_sections import AMOUNTS, CHASED, CRITERIA, FRAME, FUNDING, PARTIES, SCOPE, of_plan
from planloom.stages.parts.swot_answer import Entry, Pair, SwotAnalysis, SwotAnswer
from planloom.stages.parts.swot_outline import outline
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.stage import Stage
from planloom.stages.text import bullets, table

__all__ = ["STAGE", "Entry", "Pair", "SwotAnalysis", "SwotAnswer"]

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


#: Inside: scope, means, money. Outside: parties, funders, what the work waits for.
READS = of_plan(6500, SCOPE, CRITERIA, AMOUNTS, FUNDING, PARTIES, CHASED)


async def draft(desk: Desk) -> SwotAnalysis:
    """One call, from the project plan."""
    plan = desk.read("project_plan", ProjectPlan)
    swot = await desk.ask(
        "swot",
        INSTRUCTIONS,
        desk.excerpts(FRAME, READS),
        SwotAnswer,
        lambda: outline(desk.brief, plan),
    )
    return SwotAnalysis(swot=swot)


def markdown(result: SwotAnalysis) -> str:
    """Return the four sides with their evidence, the pairs as actions, and what could not be known."""
    swot = result.swot
    sides = (
        ("Strengths (inside)", swot.strengths),
        ("Weaknesses (inside)", swot.weaknesses),
        ("Opportunities (outside)", swot.opportunities),
        ("Threats (outside)", swot.threats),
    )
    parts = ["# SWOT Analysis"]
    for title, entries in sides:
        parts += [f"## {title}", table(("Entry", "Evidence"), ((e.text, e.evidence) for e in entries))]
    parts += [
        "## What follows from the pairs",
        table(
            ("Pair", "Action", "Who", "When", "Check"),
            ((p.kind, p.action, p.role, p.when, p.check) for p in swot.pairs),
        ),
    ]
    if swot.flagship:
        parts += ["## Flagship use", swot.flagship]
    if swot.missing:
        parts += ["## What the analysis could not know", bullets(swot.missing)]
    return "\n\n".join(part.rstrip() for part in parts)


STAGE = Stage(
    number=15,
    name="swot_analysis",
    title="SWOT Analysis",
    needs=("project_plan",),
    version=5,
    result=SwotAnalysis,
    draft=draft,
    markdown=markdown,
)
