"""Stage 016: the experts to ask, and what each would criticise in this plan."""

import asyncio
from functools import partial

from planloom.domain.wording import day_text
from planloom.models.model import Part
from planloom.stages.desk import Desk
from planloom.stages.excerpt import Excerpt, Pick
from planloom.stages.parts.expert_answer import (
    CriticismAnswer,
    CriticismRow,
    ExpertCriticism,
    ExpertReview,
    ExpertRow,
    ExpertsAnswer,
)
from planloom.stages.parts.expert_outline import criticise, experts
from planloom.stages.parts.plan_sections import (
    BUDGET,
    CHASED,
    CRITERIA,
    FRAME,
    MEASURES,
    PARTIES,
    PERMITS,
    SCOPE,
    of_plan,
)
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.stage import Stage
from planloom.stages.text import table

__all__ = ["STAGE", "CriticismRow", "ExpertCriticism", "ExpertReview", "ExpertRow"]

EXPERTS = """\
Name five or six experts who would see what the author of this plan could not. By field and standing, never by name:
"retired licensing officer of a listed quarter", not "a consultant". They must differ in what they see: one has seen
such a thing fail, one lives off what it disturbs, one controls it, one builds it, one pays for it. Leave out whoever
would only say what the plan says already. For each: what they see, which sections to send them, and the one question
to ask first, with this plan's own figures in it.
"""

CRITICISM = """\
You are the one expert that you are shown. Criticise this plan from your field: two to four flaws, the costliest first.

Each names the section and quotes the place: the row, figure or sentence. The flaw says what is wrong there, not what
is missing in general. The consequence is in money, days or people, with the plan's own figures and dates. The fix is
something that the plan can do before a date, with the role that does it and a check. No praise, no "consider", no
advice that would fit another project. If a figure looks impossible to you, say by how much.
"""


#: What the plan knows against itself; whom it disturbs; then the rows that a critic quotes.
WEAK = Excerpt(
    "swot_analysis",
    1600,
    (Pick("Weaknesses", ("Entry",)), Pick("Threats", ("Entry",)), Pick("What the analysis could")),
)
EXPERTS_READS = of_plan(3000, SCOPE, CRITERIA, PARTIES)
CRITICISM_READS = of_plan(4000, MEASURES, BUDGET, CHASED, PERMITS)


async def draft(desk: Desk) -> ExpertCriticism:
    """Two rounds: the list of experts; then each expert's criticism, side by side."""
    brief, plan = desk.brief, desk.read("project_plan", ProjectPlan)
    shared = desk.excerpts(FRAME, WEAK)
    plan_rows = desk.excerpt(CRITICISM_READS)
    found = await desk.ask(
        "experts", EXPERTS, (*shared, desk.excerpt(EXPERTS_READS)), ExpertsAnswer, lambda: experts(brief)
    )
    answers = await asyncio.gather(
        *(
            desk.ask_part(
                f"expert-{n}",
                CRITICISM,
                (*shared, plan_rows, _part(row)),
                CriticismAnswer,
                partial(criticise, brief, plan, row),
                part=f"the criticism by “{row.title}”",
            )
            for n, row in enumerate(found.experts, 1)
        )
    )
    pairs = zip(found.experts, answers, strict=True)
    reviews = [ExpertReview(expert=expert, criticisms=given.criticisms) for expert, given in pairs if given]
    return ExpertCriticism(reviews=tuple(reviews))


def _part(row: ExpertRow) -> Part:
    return Part("expert", f"{row.title}\nSees: {row.sees}\nWould ask first: {row.ask}")


def markdown(result: ExpertCriticism) -> str:
    """Return each expert with what they would criticise, where, and the fix."""
    parts = ["# Expert Criticism"]
    for review in result.reviews:
        expert = review.expert
        parts += [
            f"## {expert.title}",
            f"Sees: {expert.sees}",
            f"Send: {expert.reads}. Ask first: {expert.ask}",
            table(
                ("Section", "Place", "Flaw", "Consequence", "Fix", "Who", "By", "Check"),
                (
                    (c.section, c.place, c.flaw, c.consequence, c.fix, c.role, day_text(c.by), c.check)
                    for c in review.criticisms
                ),
            ),
        ]
    return "\n\n".join(part.rstrip() for part in parts)


STAGE = Stage(
    number=16,
    name="expert_criticism",
    title="Expert Criticism",
    needs=("project_plan", "swot_analysis"),
    version=5,
    result=ExpertCriticism,
    draft=draft,
    markdown=markdown,
)
