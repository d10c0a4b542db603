"""Stage 025: the executive summary: the first section of the main document, and the dated demands with their odds."""

from collections.abc import Mapping

from planloom.planes.strategic.stages.chapters import labels_made, plan_of
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.outline_pages import outline_summary
from planloom.planes.strategic.stages.results import SUMMARY, ExecutiveSummary, MainDocument
from planloom.planes.strategic.stages.schedule import DATES, dates_table
from planloom.planes.strategic.stages.stage import Section, Stage


async def draft(context: StageContext) -> ExecutiveSummary:
    """Return what the author wrote as the first section, so that nothing is said twice; else what programs can say."""
    plan = plan_of(context)
    opening = context.read("main_document", MainDocument).opening
    if opening is None:
        return ExecutiveSummary(text=outline_summary(plan))
    labels, dates = labels_made(context), dates_table(plan)
    below = f"\n## {labels.value(DATES)}\n\n{labels.table(dates)}" if dates else ""
    return ExecutiveSummary(title=labels.value(SUMMARY), text=f"{opening.text.rstrip()}\n{below}".rstrip() + "\n")


def pages(result: ExecutiveSummary) -> Mapping[str, str]:
    """The summary under its heading."""
    return {"executive_summary": f"# {result.title}\n\n{result.text}"}


STAGE = Stage(
    number=25,
    name="executive_summary",
    title="Executive summary",
    needs=("start", "schedule", "main_document"),
    version=47,
    result=ExecutiveSummary,
    draft=draft,
    pages=pages,
    sections=(Section("executive_summary", "Executive summary"),),
    asks_model=False,
)
