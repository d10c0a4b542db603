"""Stage 024: the plan reviewed as a whole: contradictions between sections first, ten findings at most."""

import asyncio

from planloom.models.model import Part
from planloom.stages.data_collection import DataCollection
from planloom.stages.desk import Desk
from planloom.stages.parts.documents_answer import Documents
from planloom.stages.parts.review_answer import FindingRow, FindingsAnswer, ReviewPlan
from planloom.stages.parts.review_outline import review
from planloom.stages.parts.reviewed import Reviewed
from planloom.stages.parts.schedule_result import Schedule
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.stage import Stage
from planloom.stages.team import Team
from planloom.stages.text import bullets, table
from planloom.stages.wbs import Wbs

MOST_FINDINGS = 10

#: One call per lens, side by side.
LENSES = {
    "dates": "dates: computed end against deadline, milestones against bars, actions due before or after what they "
    "need, lead times of others, seasons and closed days",
    "money": "money: lines, contingency and total; what is promised outside the budget; funding that comes after it is "
    "spent; pay against heads and months",
    "people": "people: roles that own work and stand in no team, one person on too many packages, heads that differ "
    "between sections, decisions that nobody may take",
    "demands": "the goal's own demands: each number, limit and ban of it, whether a package and a measure serve it",
    "evidence": "what the plan takes for true: guesses that carry weight, questions answered after the decision that "
    "needs them, documents that come after their use",
}

INSTRUCTIONS = """\
Review the whole plan through one lens: {lens}.

Look for places that cannot both be right, then for what is missing, then for what is weak. Report only what would
change a decision, six findings at most; none is a good answer where the plan holds.
- place and against: section and row of both places, with the figures as they stand there.
- text: what is wrong, in one or two sentences a person could check in a minute.
- consequence: in days, money or people. severity and likelihood 1-5: expected loss decides the order.
- action: what somebody does about it; role from the team; by: a date of the schedule or a gate; check: how one sees it.
- sound: what holds through this lens, with its figures: the reader must see that you looked.
Avoid: remarks on style, findings without a place, advice that fits any plan.
"""


async def draft(desk: Desk) -> ReviewPlan:
    """One call per lens, one round; merged and ranked here."""
    reviewed = Reviewed(
        brief=desk.brief,
        register=desk.register,
        plan=desk.read("project_plan", ProjectPlan),
        schedule=desk.read("schedule", Schedule),
        wbs=desk.read("wbs", Wbs),
        team=desk.read("team", Team),
        data=desk.read("data_collection", DataCollection),
        documents=desk.read("documents", Documents),
    )
    context = (
        desk.excerpt("project_plan", 7000),
        desk.excerpt("schedule", 6000),
        desk.excerpt("team", 3000),
        desk.excerpt("governance", 2500),
        desk.excerpt("expert_criticism", 3000),
    )
    answers = await asyncio.gather(*(_ask(desk, reviewed, lens, context) for lens in LENSES))
    found = [finding for answer in answers for finding in answer.findings]
    return ReviewPlan(findings=_ranked(found), sound=tuple(answer.sound for answer in answers))


async def _ask(desk: Desk, reviewed: Reviewed, lens: str, context: tuple[Part, ...]) -> FindingsAnswer:
    return await desk.ask(
        lens,
        INSTRUCTIONS.format(lens=LENSES[lens]),
        context,
        FindingsAnswer,
        lambda: review(reviewed, lens),
    )


def _ranked(found: list[FindingRow]) -> tuple[FindingRow, ...]:
    order = sorted(found, key=lambda finding: (finding.kind != "contradiction", -finding.loss, finding.title))
    return tuple(order[:MOST_FINDINGS])


def markdown(result: ReviewPlan) -> str:
    """The findings ranked in a table, then each with its two places; last what holds."""
    parts = ["# Review of the Plan"]
    if result.findings:
        parts += [
            table(
                ["#", "finding", "kind", "loss", "action", "role", "by", "check"],
                [
                    (f"V{n}", f.title, f.kind, f"{f.loss} of 25", f.action, f.role, f.by, f.check)
                    for n, f in enumerate(result.findings, 1)
                ],
            ),
            "## Findings",
        ]
    for n, finding in enumerate(result.findings, 1):
        places = finding.place + (f" against {finding.against}" if finding.against else "")
        parts += [
            f"### V{n}. {finding.title}",
            f"*{places}.* {finding.text}",
            f"**What it costs:** {finding.consequence} (severity {finding.severity}, likelihood {finding.likelihood})",
        ]
    return "\n\n".join([*parts, "## What holds", bullets(result.sound)])


STAGE = Stage(
    number=24,
    name="review_plan",
    title="Review of the Plan",
    needs=(
        "data_collection",
        "documents",
        "expert_criticism",
        "governance",
        "project_plan",
        "related_resources",
        "schedule",
        "swot_analysis",
        "team",
        "wbs",
        "wbs_level3",
    ),
    version=2,
    result=ReviewPlan,
    draft=draft,
    markdown=markdown,
)
