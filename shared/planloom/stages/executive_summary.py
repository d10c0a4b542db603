"""Stage 025: one page for the reader who reads no other: what, why, when, for how much, what to decide now."""

from datetime import date

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.knowledge.brief import amount_text, day_text
from planloom.knowledge.gates import due_day, gate_text
from planloom.knowledge.quoting import clip, lower_first
from planloom.stages.desk import Desk
from planloom.stages.levers import Levers
from planloom.stages.premortem import Premortem
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.review_answer import ReviewPlan
from planloom.stages.risks import RiskRegister
from planloom.stages.scenarios import Scenarios
from planloom.stages.schedule_result import Schedule
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import table

INSTRUCTIONS = """\
Write the executive summary: one page for a reader who reads no other and must say yes, no or not yet.

- what, why, how_much, when: two or three sentences each, with the goal's numbers and the computed ones. If a date does
  not hold or money is missing, say so in the first sentence of that part.
- decisions: the three that matter most, as the plan took them, with what each costs and until when it can be undone.
- risks: the three that could end it, with the earliest sign and the value at which somebody acts.
- asked: what you ask of the reader now: one to three things, each with a date.
Nothing stands here that is not in the plan. No praise, no promise.
"""


class DecisionRow(Answer):
    """A decision that the plan rests on."""

    decision: str = Field(min_length=5, max_length=300)
    costs: str = Field(min_length=3, max_length=300, description="What it costs or gives up")
    until: str = Field(min_length=2, max_length=120, description="Until when it can be undone: a date or a gate")


class EndingRow(Answer):
    """A risk that could end it."""

    risk: str = Field(min_length=5, max_length=300)
    sign: str = Field(min_length=5, max_length=300, description="The earliest sign, measurable")
    act: str = Field(min_length=5, max_length=300, description="The value at which somebody acts, and who")


class AskRow(Answer):
    """What is asked of the reader now."""

    ask: str = Field(min_length=5, max_length=300)
    by: date


class SummaryAnswer(Answer):
    """The model's answer."""

    what: str = Field(min_length=20, max_length=900)
    why: str = Field(min_length=10, max_length=700)
    how_much: str = Field(min_length=10, max_length=700)
    when: str = Field(min_length=10, max_length=900)
    decisions: list[DecisionRow] = Field(min_length=1, max_length=3)
    risks: list[EndingRow] = Field(min_length=1, max_length=3)
    asked: list[AskRow] = Field(min_length=1, max_length=3)


class ExecutiveSummary(StageResult):
    """Stage 025's result."""

    summary: SummaryAnswer


async def draft(desk: Desk) -> ExecutiveSummary:
    """One call."""
    context = (
        desk.excerpt("project_plan", 6000),
        desk.excerpt("schedule", 3000),
        desk.excerpt("scenarios", 3000),
        desk.excerpt("review_plan", 3000),
        desk.excerpt("premortem", 3000),
    )
    summary = await desk.ask("summary", INSTRUCTIONS, context, SummaryAnswer, lambda: outline(desk))
    return ExecutiveSummary(summary=summary)


def outline(desk: Desk) -> SummaryAnswer:
    """The page from the results of other stages: nothing in it that is not in them."""
    plan, schedule = desk.read("project_plan", ProjectPlan), desk.read("schedule", Schedule)
    return SummaryAnswer(
        what=_what(plan),
        why=clip(plan.plan.goal.relevant, 700),
        how_much=_how_much(plan),
        when=_when(schedule),
        decisions=_decisions(desk),
        risks=_endings(desk),
        asked=_asked(desk, plan, schedule),
    )


def _what(plan: ProjectPlan) -> str:
    measures = "; ".join(lower_first(clip(c.text, 140)).rstrip(".") for c in plan.plan.criteria[:3])
    return clip(f"{plan.plan.goal.statement} It has succeeded when {measures}.", 900)


def _how_much(plan: ProjectPlan) -> str:
    b = plan.budget
    if b.currency is None:
        return (
            "The goal sets no total: the budget shows shares only, and the first thing to settle is how much may be "
            f"spent. The largest share, {max(b.lines, key=lambda line: line.amount).title.lower()}, is "
            f"{max(line.amount for line in b.lines) / b.total:.0%}."
        )
    top = sorted(b.lines, key=lambda line: (-line.amount, line.id))[:3]
    lines = ", ".join(f"{lower_first(line.title)} {amount_text(line.amount, b.currency)}" for line in top)
    said = f"{amount_text(b.total, b.currency)}, of which {amount_text(b.contingency, b.currency)} is contingency. "
    said += f"The largest lines are {lines}. "
    if b.funding and b.gap > 0:
        said = f"{amount_text(b.gap, b.currency)} of the money has no source yet. " + said
    return clip(said + f"The estimate is of AACE class {b.estimate_class}: quotes will move it.", 700)


def _when(schedule: Schedule) -> str:
    dated = [m for m in schedule.milestones if m.kind == "prompt"] or list(schedule.milestones)
    gates = "; ".join(f"{lower_first(clip(m.title, 80))} on {day_text(m.day)}" for m in dated[:3])
    return clip(f"{schedule.verdict_text} On the way: {gates}.", 900)


def _decisions(desk: Desk) -> list[DecisionRow]:
    levers, scenarios = desk.read("levers", Levers), desk.read("scenarios", Scenarios)
    vital = {lever.id: lever for lever in levers.levers}
    rows = []
    for choice in scenarios.choice.choices[:3]:
        lever = vital[choice.lever]
        setting = next((s for s in lever.settings if s.label == choice.setting), lever.settings[0])
        fixed = " (fixed by the goal)" if choice.fixed else ""
        rows.append(
            DecisionRow(
                decision=clip(f"{lever.title}: {lower_first(setting.label)}{fixed}. {setting.text}", 300),
                costs=clip(setting.cost, 300),
                # what can hardly be undone must be right when the design is signed, the rest when building ends
                until=clip(gate_text(desk.brief, "design" if lever.irreversibility >= 4 else "build"), 120),
            )
        )
    return rows


def _endings(desk: Desk) -> list[EndingRow]:
    risks = desk.read("risks", RiskRegister).risks[:2]
    rows = [
        EndingRow(
            risk=clip(f"{risk.id} {risk.title} (score {risk.score} of 25): {lower_first(risk.effect)}", 300),
            sign=clip(risk.trigger, 300),
            act=clip(f"{risk.owner}: {lower_first(risk.action)}", 300),
        )
        for risk in risks
    ]
    story = desk.read("premortem", Premortem).stories[0]
    act = clip(f"{story.watcher}: {lower_first(story.tripwire)}", 300)
    return [*rows, EndingRow(risk=clip(story.title, 300), sign=clip(story.warning, 300), act=act)]


def _asked(desk: Desk, plan: ProjectPlan, schedule: Schedule) -> list[AskRow]:
    soon = due_day(desk.brief, 10)
    asks = [
        f"Confirm what others must give: {lower_first(d.what)} ({d.role} asks)." for d in plan.plan.dependencies[:1]
    ]
    findings = desk.read("review_plan", ReviewPlan).findings
    asks += [f"Settle the first finding of the review: {lower_first(finding.action)}" for finding in findings[:1]]
    first = min(schedule.tasks, key=lambda task: (task.start, task.id))
    start = AskRow(
        ask=clip(f"Let {lower_first(first.owner)} begin with {lower_first(first.title)}.", 300), by=first.start
    )
    return [start, *(AskRow(ask=clip(ask, 300), by=soon) for ask in asks)]


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
            "## Three decisions",
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
    version=1,
    result=ExecutiveSummary,
    draft=draft,
    markdown=markdown,
)
