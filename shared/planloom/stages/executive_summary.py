"""Stage 025: the executive summary, written over the chapters as they are."""

from collections.abc import Mapping

from planloom.domain.model_errors import AnswerLost
from planloom.domain.plans import Detail
from planloom.models.model import Part
from planloom.stages.chapters import author_said, chapter_pages, rules, writers
from planloom.stages.computed_plan import ComputedPlan
from planloom.stages.context import StageContext
from planloom.stages.missing import computed
from planloom.stages.outline_pages import outline_summary
from planloom.stages.results import ExecutiveSummary, MainDocument, Schedule
from planloom.stages.stage import Section, Stage

WORDS: Mapping[Detail, int] = {"brief": 600, "standard": 900, "full": 900}

INSTRUCTIONS = """\
Write the executive summary of the plan that you are shown, for a decision maker who reads nothing else. In this order:
what is undertaken and why; how it works, in three sentences with the numbers that carry it; for how much money, from
where, and when it is short; by when, with the odds of each date and what they rest on, and plainly if a date does not
hold; the three decisions that matter, each with its options, recommendation, who decides and by when; the three risks
that could end it, each with its trigger and response; what is asked of the reader now, with a day. Nothing that is not
in the plan. You are shown the facts of the goal, the chapters of the main document as they are, the plan as rows with
ids, what programs computed of them, and the names of all figures. Where they differ, rows and computed values are
right. What the author said cannot hold is said in the first paragraphs, with the options that would.

{rules}"""


async def draft(context: StageContext) -> ExecutiveSummary:
    """One call; what programs can say where its answer is lost."""
    schedule = context.read("schedule", Schedule)
    plan = ComputedPlan(schedule.spine, schedule.computed)
    if context.about.outline_only:
        return ExecutiveSummary(text=outline_summary(plan))
    shown = chapter_pages(context.read("main_document", MainDocument).chapters)
    chapters = Part("the chapters of the main document", "\n\n".join(shown.values()))
    shared = writers(context, (*author_said(context), chapters))
    instructions = INSTRUCTIONS.format(rules=rules(shared.values, WORDS[context.about.detail]))
    try:
        text = await shared.write("executive_summary", instructions)
    except AnswerLost:
        context.lost["executive_summary"] = computed("the executive summary")
        said = "".join(part.text for part in author_said(context))
        return context.with_missing(ExecutiveSummary(text=f"{outline_summary(plan)}\n{said}".rstrip() + "\n"))
    return context.with_missing(ExecutiveSummary(text=text.markdown, unknown_figures=text.unknown))


def pages(result: ExecutiveSummary) -> Mapping[str, str]:
    """The summary under its heading."""
    return {"executive_summary": f"# Executive summary\n\n{result.text}"}


STAGE = Stage(
    number=25,
    name="executive_summary",
    title="Executive summary",
    needs=("start", "review_plan", "schedule", "main_document"),
    version=6,
    result=ExecutiveSummary,
    draft=draft,
    pages=pages,
    sections=(Section("executive_summary", "Executive summary"),),
)
