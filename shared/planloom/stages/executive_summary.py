"""Stage 025: the executive summary, written over the chapters as they are."""

from collections.abc import Mapping

from planloom.domain.model_errors import AnswerLost
from planloom.domain.plans import Detail
from planloom.models.model import Part
from planloom.stages.chapter_tables import RenderedTable
from planloom.stages.chapters import Spec, author_said, document_part, plan_of, rules, writers
from planloom.stages.context import StageContext
from planloom.stages.missing import computed
from planloom.stages.outline_pages import outline_summary
from planloom.stages.results import SUMMARY, ExecutiveSummary
from planloom.stages.schedule import DATES, dates_table
from planloom.stages.stage import Section, Stage

WORDS: Mapping[Detail, int] = {"brief": 600, "standard": 900, "full": 900}

INSTRUCTIONS = """\
Write the executive summary of the plan that you are shown, for a decision maker who reads nothing else. In this order:
what is undertaken and why; how it works, in three sentences with the numbers that carry it; for how much money, from
where, and when it is short; by when; the three decisions that matter, each with its options, recommendation, who
decides and by when; the three risks that could end it, each with its trigger and response; what is asked of the reader
now, with a day. Nothing that is not in the plan.

You are shown the facts of the goal, what the author said cannot hold, if there is such a thing, the main document with
its tables, what programs computed of each dated demand, and the names of all figures. What cannot hold is said in the
first paragraphs, with the options that would. Of each date say what the table of dates says of it, no more and no
less: a date with low odds is not called kept. A program puts that table where you write {{{{table:dates}}}} on a line
of its own; say only what its odds rest on and what would better them.

{rules}
Write sections in Markdown, each with a short heading of its own. At most {words} words in all.
"""


async def draft(context: StageContext) -> ExecutiveSummary:
    """One call; what programs can say where its answer is lost."""
    plan = plan_of(context)
    if context.about.outline_only:
        return ExecutiveSummary(text=outline_summary(plan))
    dates = dates_table(plan)
    tables = {"dates": RenderedTable("executive_summary", DATES, dates)} if dates else {}
    said = author_said(context)
    shared = writers(context, document_part(context), tables=tables)
    instructions = INSTRUCTIONS.format(rules=rules(shared.values), words=WORDS[context.about.detail])
    spec = Spec("executive_summary", SUMMARY, WORDS, "")
    try:
        raw = await shared.write(spec.name, instructions, (*said, Part("the table of dates", dates)))
    except AnswerLost:
        context.lost[spec.name] = computed("the executive summary")
        texts = [outline_summary(plan), *(part.text for part in said)]
        return context.with_missing(ExecutiveSummary(text="\n".join(texts).rstrip() + "\n"))
    made = shared.chapters([spec], {spec.name: raw}, all_tables=True)[0]
    summary = ExecutiveSummary(title=made.title, text=made.text, unknown_figures=shared.unknown([raw]))
    return context.with_missing(summary)


def pages(result: ExecutiveSummary) -> Mapping[str, str]:
    """The summary under its heading."""
    return {"executive_summary": f"# {result.title}\n\n{result.text}"}


STAGE = Stage(
    number=25,
    name="executive_summary",
    title="Executive summary",
    needs=("start", "review_plan", "schedule", "main_document"),
    version=21,
    result=ExecutiveSummary,
    draft=draft,
    pages=pages,
    sections=(Section("executive_summary", "Executive summary"),),
)
