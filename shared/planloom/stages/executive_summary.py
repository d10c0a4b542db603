"""Stage 025: one page for the reader who reads no other: what, why, when, for how much, what to decide now."""

from planloom.domain.wording import day_text
from planloom.stages.desk import Desk
from planloom.stages.excerpt import Excerpt, Pick
from planloom.stages.levers import Levers
from planloom.stages.parts.chosen_scenario import chosen_scenario
from planloom.stages.parts.plan_sections import AMOUNTS, CRITERIA, FRAME, FUNDING, GOAL, of_plan
from planloom.stages.parts.review_answer import ReviewPlan
from planloom.stages.parts.schedule_result import Schedule
from planloom.stages.parts.summary_answer import SummaryAnswer
from planloom.stages.parts.summary_outline import Summed, summary
from planloom.stages.premortem import Premortem
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.risks import RiskRegister
from planloom.stages.scenarios import Scenarios
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import table

INSTRUCTIONS = """\
Write the executive summary: one page for a reader who reads no other and must say yes, no or not yet.

- what, why, how_much, when: two or three sentences each, with the goal's numbers and the computed ones. If a date does
  not hold or money is missing, say so in the first sentence of that part.
- Dates are those that the schedule computed; where a planned gate is another day, print the computed one and say so.
- decisions: the three that matter most, as the plan took them, with what each costs and until when it can be undone.
- risks: the three that could end it, with the earliest sign and the value at which somebody acts.
- asked: what you ask of the reader now: one to three things, each with a date.
Nothing stands here that is not in the plan. No praise, no promise.
"""


#: What the page is made of: goal and money, the computed dates, decisions, the risks and what the critique found.
READS = (
    FRAME,
    of_plan(3600, GOAL, CRITERIA, AMOUNTS, FUNDING),
    Excerpt("schedule", 1800, (Pick("Schedule"), Pick("Milestones", ("Milestone", "Computed", "Demanded")))),
    Excerpt("levers", 1800, (Pick("The decisions that matter most", ("Lever", "Proposed", "Gives up", "By")),)),
    Excerpt(
        "risks",
        2400,
        (Pick("Risk register", ("Id", "Risk", "Score", "Owner"), rows=5), *(Pick(f"R{n}:") for n in range(1, 4))),
    ),
    Excerpt("review_plan", 2000, (Pick("Review of the Plan", ("finding", "loss", "action", "by")),)),
    Excerpt("premortem", 1800, (Pick("Tripwires", ("failure", "tripwire", "who watches")),)),
)


class ExecutiveSummary(StageResult):
    """Stage 025's result."""

    summary: SummaryAnswer


async def draft(desk: Desk) -> ExecutiveSummary:
    """One call."""
    context = (
        *desk.excerpts(*READS),
        desk.excerpt(chosen_scenario(desk, 2000)),
    )
    summed = Summed(
        brief=desk.brief,
        plan=desk.read("project_plan", ProjectPlan),
        schedule=desk.read("schedule", Schedule),
        levers=desk.read("levers", Levers),
        scenarios=desk.read("scenarios", Scenarios),
        risks=desk.read("risks", RiskRegister),
        review=desk.read("review_plan", ReviewPlan),
        premortem=desk.read("premortem", Premortem),
    )
    return ExecutiveSummary(
        summary=await desk.ask("summary", INSTRUCTIONS, context, SummaryAnswer, lambda: summary(summed))
    )


def markdown(result: ExecutiveSummary) -> str:
    """One page."""
    s = result.summary
    return "\n\n".join(
        [
            "# Executive Summary",
            s.what,
            f"**Why.** {s.why}",
            f"**When.** {s.when}",
            f"**For how much.** {s.how_much}",
            f"## {('One decision', 'Two decisions', 'Three decisions')[len(s.decisions) - 1]}",
            table(
                ["decision", "what it costs", "can be undone until"],
                [(row.decision, row.costs, row.until) for row in s.decisions],
            ),
            "## What could end it",
            table(["risk", "earliest sign", "who acts, and when"], [(row.risk, row.sign, row.act) for row in s.risks]),
            "## Asked of you now",
            table(["what", "by"], [(row.ask, day_text(row.by)) for row in s.asked]),
        ]
    )


STAGE = Stage(
    number=25,
    name="executive_summary",
    title="Executive Summary",
    needs=("levers", "premortem", "project_plan", "review_plan", "risks", "scenarios", "schedule"),
    version=6,
    result=ExecutiveSummary,
    draft=draft,
    markdown=markdown,
)
