"""Stage 020: the author revises the base document into the chapters of the main document, in parallel."""

import asyncio
from collections.abc import Mapping

from planloom.domain.plans import Detail
from planloom.models.model import Part
from planloom.stages.chapter_tables import MOST_ROWS, MOST_ROWS_BRIEF, tables_of
from planloom.stages.chapters import (
    MATERIAL,
    Spec,
    Text,
    Writers,
    chapter_pages,
    document_parts,
    outline_chapters,
    prose_words,
    rules,
    writers,
)
from planloom.stages.computed_plan import ComputedPlan
from planloom.stages.context import StageContext
from planloom.stages.results import Chapter, MainDocument, Schedule
from planloom.stages.stage import Section, Stage


def _words(standard: int, brief: int) -> Mapping[Detail, int]:
    return {"brief": brief, "standard": standard, "full": standard}


#: In the order of the document. Words are of text and tables together.
CHAPTERS = (
    Spec(
        "project_plan",
        "What is undertaken, and how it works",
        _words(2000, 700),
        "the concept, the hardest day, scope, measures of success",
        """\
What is undertaken, for whom, and what is different afterwards. How it works on its hardest day, hour by hour or step by
step, with numbers (people, loads, capacities, minutes, spare): the physical or organisational solution in full, as the
base document thought it out. The institutions, law and practice of the place that shape the concept. What is in scope
and what is out, and why. How success is measured, from which baseline, read by whom.""",
    ),
    Spec(
        "levers",
        "Decisions",
        _words(1500, 500),
        "the decisions with their options, and why one is recommended",
        """\
The few decisions that the plan hangs on. For each: what is decided, what each option costs, delays and makes possible,
why the recommended one, what would change the choice, until when it can be undone at little cost, what follows if
nobody decides. At least one real alternative is argued as seriously as the recommended one, with its costs.""",
    ),
    Spec(
        "calendar",
        "How the time runs",
        _words(1200, 400),
        "days, gates, odds of dates, seasons, the hardest weeks",
        """\
How the time runs from the first day to the last: what goes in parallel, what drives the end, where slack is. The odds
of each dated demand, and what they rest on; beside them what a quarter more of all durations does. The gates: what is
known then, what is sunk, what leaving costs, who decides. Seasons, sessions and meetings that bind. The two or three
hardest weeks, and how they are got through. If a date does not hold, say so first, with the options that would.""",
    ),
    Spec(
        "budget",
        "Money",
        _words(1200, 450),
        "amounts, sources, cash, running costs, reserves and who may spend them",
        """\
What it costs and why the large lines have their size; which are offers, which are assumed. Where the money comes from,
when and on which condition; the months in which it is short and what is done about it. Contingency and untouchable
reserve: each with its one rule of who may spend it on what. Pay before the opening, tax, running costs of the first
years, working capital, when it pays back; which inputs move the result most. What is cut first if money is missing.""",
    ),
    Spec(
        "approvals",
        "Approvals and parties",
        _words(850, 300),
        "who decides outside the team, law and practice, what each must hear",
        """\
Who outside the team must agree, give or be won: what each decides, by which law or habit of the place (to verify, and
how), in which meeting, with which papers, and which work waits. Who could stop it and what they want. What is done if
an approval is refused or a meeting late.""",
    ),
    Spec(
        "team",
        "People",
        _words(800, 250),
        "roles, load, who stands in, pay",
        """\
Who does the work, from where they come and how much of their week is really free. The months in which a role has more
work than time, and what gives then. Who holds which key file or skill alone, and who stands in from when. What happens
to the end if one role is missing. Pay and contracts until the work ends, not until the opening.""",
    ),
    Spec(
        "risks",
        "Risks and when to stop",
        _words(1050, 350),
        "risks, triggers, responses, stop rules",
        """\
The risks that could end it, in the order of what they may cost: the chain from cause to effect, the trigger with number
and day, the response with its package and line, what remains after it. The stop rules: at which value, on which day,
who stops, and what is left then. Proportionate: small risks in one sentence together.""",
    ),
    Spec(
        "next_steps",
        "The next ninety days",
        _words(500, 150),
        "what is done in the first ninety days",
        """\
The first ninety days: what must happen in which order and why so, each step with a role, a date and how one sees that
it is done; the first calls and what they must find out; what is not started yet on purpose. What is known at the end
of the ninety days that is not known today, and which decision that allows.""",
    ),
)

OWNERS = "\n".join(f"- {spec.title}: {spec.owns}" for spec in CHAPTERS)

INSTRUCTIONS = """\
You revise the base document into the final plan. Others write its other chapters at this moment, from the same
material. You write the chapter "{title}".

{asks}

{material}
Keep the concept, the judgement and the voice of the base document: its thought is carried over, not summarised away.
Change what accepted findings, patches, computed values and what was taken over change. Every sentence holds for this
undertaking only.

One home for each rule, number and argument: chapters and what stands in them alone:
{owners}
What another chapter owns is referred to in half a sentence, not repeated.

{tables}

{rules}"""
TABLES_BELOW = """\
A program puts the tables that you are shown last below your text. Do not repeat their rows: say what they mean, what is
remarkable in them, and what follows."""
NO_TABLES = "No table stands below your text."


async def draft(context: StageContext) -> MainDocument:
    """Write all chapters at once; a lost one is what programs can say of it."""
    schedule = context.read("schedule", Schedule)
    if context.about.outline_only:
        plan = ComputedPlan(schedule.spine, schedule.computed)
        return MainDocument(chapters=outline_chapters(plan, {spec.name: spec.title for spec in CHAPTERS}))
    shared = writers(context, document_parts(context))
    written = await asyncio.gather(*(_chapter(shared, spec) for spec in CHAPTERS))
    unknown = dict.fromkeys(name for _, text in written for name in text.unknown)
    chapters = tuple(chapter for chapter, _ in written)
    return context.with_missing(MainDocument(chapters=chapters, unknown_figures=tuple(unknown)))


async def _chapter(shared: Writers, spec: Spec) -> tuple[Chapter, Text]:
    detail = shared.context.about.detail
    tables = tables_of(spec.name, shared.plan, MOST_ROWS_BRIEF if detail == "brief" else MOST_ROWS)
    words = prose_words(spec.words[detail], tables)
    instructions = INSTRUCTIONS.format(
        title=spec.title,
        material=MATERIAL,
        asks=spec.asks,
        owners=OWNERS,
        tables=TABLES_BELOW if tables else NO_TABLES,
        rules=rules(shared.values, words),
    )
    extra = (Part("tables below your text", tables, by_id=True),) if tables else ()
    return await shared.chapter(spec, instructions, extra, tables)


def pages(result: MainDocument) -> Mapping[str, str]:
    """The chapters by section."""
    return chapter_pages(result.chapters)


STAGE = Stage(
    number=20,
    name="main_document",
    title="Main document",
    needs=("start", "choice", "review_plan", "schedule"),
    version=6,
    result=MainDocument,
    draft=draft,
    pages=pages,
    sections=tuple(Section(spec.name, spec.title, slot) for slot, spec in enumerate(CHAPTERS, 2)),
)
