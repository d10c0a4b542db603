"""Stage 024: the plan reviewed as a whole: contradictions between sections first, ten findings at most."""

from planloom.stages.data_collection import DataCollection
from planloom.stages.desk import Desk
from planloom.stages.excerpt import Excerpt, Pick
from planloom.stages.lenses import Lens, parts_through
from planloom.stages.parts.documents_answer import Documents
from planloom.stages.parts.plan_sections import (
    BUDGET,
    BY_PHASE,
    FRAME,
    FUNDING,
    MEASURES,
    PAY,
    PERMITS,
    SCOPE,
    WAITS,
    of_plan,
)
from planloom.stages.parts.review_answer import FindingRow, FindingsAnswer, ReviewPlan
from planloom.stages.parts.review_outline import review
from planloom.stages.parts.reviewed import Reviewed
from planloom.stages.parts.schedule_result import Schedule
from planloom.stages.parts.schedule_sections import VERDICT
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.stage import Stage
from planloom.stages.team import Team
from planloom.stages.text import bullets, table
from planloom.stages.wbs import Wbs

MOST_FINDINGS = 10

#: One call per lens, side by side; each sees the sections that it sets against each other.
LENSES = (
    Lens(
        "dates",
        "dates: computed end against deadline, milestones against bars, actions due before or after what they need, "
        "lead times of others, seasons and closed days",
        (
            of_plan(2600, WAITS, PERMITS),
            Excerpt(
                "schedule",
                3600,
                (
                    Pick("Milestones"),
                    Pick("Critical path"),
                    Pick("All packages", ("", "Package", "Start", "End", "After", "Slack")),
                    Pick("Days on which work is done"),
                ),
            ),
        ),
    ),
    Lens(
        "money",
        "money: lines, contingency and total; what is promised outside the budget; funding that comes after it is "
        "spent; pay against heads and months",
        (
            of_plan(4000, BUDGET, PAY, BY_PHASE, FUNDING),
            Excerpt("data_collection", 900, (Pick("Data to Collect", ("Question", "Cost")),)),
        ),
    ),
    Lens(
        "people",
        "people: roles that own work and stand in no team, one person on too many packages, heads that differ between "
        "sections, decisions that nobody may take",
        (
            Excerpt("team", 3000, (Pick("Team"), Pick("Review of the team", ("Finding", "Who", "When")))),
            Excerpt("governance", 1200, (Pick("Who decides", ("Body", "Decides", "Limit")),)),
            Excerpt("schedule", 1400, (Pick("Critical path", ("", "Package", "Owner", "Start", "End")),)),
        ),
    ),
    Lens(
        "demands",
        "the goal's own demands: each number, limit and ban of it, whether a package and a measure serve it",
        (
            of_plan(3200, SCOPE, MEASURES),
            Excerpt("wbs", 2200, (Pick("Where each demand"), Pick("Work breakdown", ("", "Deliverable"), prose=False))),
        ),
    ),
    Lens(
        "evidence",
        "what the plan takes for true: guesses that carry weight, questions answered after the decision that needs "
        "them, documents that come after their use",
        (
            Excerpt("data_collection", 2400, (Pick("Data to Collect", ("By", "Question", "Decides", "Enough is")),)),
            Excerpt(
                "documents",
                1200,
                (Pick("To create", ("By", "Document", "Approved by")), Pick("To find", ("By", "Document"))),
            ),
            Excerpt("expert_criticism", 2000, (Pick("", ("Section", "Flaw", "Consequence"), rows=1, prose=False),)),
        ),
    ),
)

INSTRUCTIONS = """\
Review the whole plan through one lens: {question}.

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
    answers = await parts_through(
        desk, LENSES, INSTRUCTIONS, desk.excerpts(FRAME, VERDICT), FindingsAnswer, lambda lens: review(reviewed, lens)
    )
    found = [finding for answer in answers.values() for finding in answer.findings]
    return ReviewPlan(findings=_ranked(found), sound=tuple(answer.sound for answer in answers.values()))


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
        "schedule",
        "team",
        "wbs",
    ),
    version=6,
    result=ReviewPlan,
    draft=draft,
    markdown=markdown,
)
