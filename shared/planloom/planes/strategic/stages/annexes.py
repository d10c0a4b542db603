"""Stage 021: the annexes; writers in parallel for those that need judgement, programs for the tables."""

import asyncio
from collections.abc import Mapping

from planloom.planes.strategic.plans import Detail
from planloom.planes.strategic.stages.annex_tables import ANNEX_TABLES, annex_table
from planloom.planes.strategic.stages.chapter_tables import TABLES as CHAPTER_TABLES
from planloom.planes.strategic.stages.chapter_tables import below_headings, plan_tables
from planloom.planes.strategic.stages.chapters import (
    Spec,
    Writers,
    chapter_of,
    chapter_pages,
    document_part,
    outline_chapters,
    plan_of,
    rules,
    writers,
)
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.results import Annexes, Chapter
from planloom.planes.strategic.stages.stage import Section, Stage
from planloom.planes.strategic.stages.tasks import tasks_text


def _words(standard: int, brief: int = 0, full: int = 0) -> Mapping[Detail, int]:
    words: dict[Detail, int] = {"standard": standard, "full": full or standard}
    return words | ({"brief": brief} if brief else {})


#: The annexes that are written, by section.
WRITTEN = (
    Spec(
        "pitch",
        "Pitch",
        _words(450, 350),
        """\
One page for the one reader who can say yes; name that role. What changes for whom, why now, why this team, what it
costs and brings, the honest odds, what is asked of the reader, and the next step with its day.""",
    ),
    Spec(
        "scenarios",
        "Scenarios",
        _words(900),
        """\
Three coherent ways to the objective: careful, balanced, bold. Each is a set of options of the decisions (by id and
key), with its cost, its end, what it gives up and what it risks. A table scores them on four or five criteria that
differ between them. Which one the plan takes, why, and what value of which figure would change the choice.""",
        ("decisions",),
    ),
    Spec(
        "governance",
        "Governance",
        _words(700),
        """\
As few bodies as this undertaking needs, perhaps one person. For each: who sits in it by role, what it decides, up to
which amount and delay, how often it meets, who may stop the work. Who may spend contingency and reserve. What goes to
whom above these limits, and where decisions are recorded. Fit its size: no committee for a shop.""",
        ("roles", "parties", "decisions"),
    ),
    Spec(
        "swot_analysis",
        "Strengths, weaknesses, opportunities, threats",
        _words(800),
        """\
Three to five each of strengths, weaknesses (within the undertaking), opportunities and threats (outside), each with its
evidence in the plan or the goal. Then pairs turned into actions, each with role, date and check: a strength that uses
an opportunity, one that meets a threat, a weakness that is repaired to use or to survive one.""",
        ("assumptions",),
    ),
    Spec(
        "documents",
        "Documents",
        _words(900, full=2200),
        """\
At most twelve documents that matter, in two tables. To write: purpose, who writes, who approves, by when, outline in a
line, the package that makes it. To find: what for, where, how recent it must be, how one gets access, who.""",
        ("packages", "approvals"),
    ),
    Spec(
        "related_resources",
        "Comparable undertakings and sources",
        _words(500),
        """\
Comparable undertakings, bodies of knowledge, registers and standards that help this one: what exactly to take from
each or to ask whom there. Only what you know to exist; every entry is marked "to verify" with how. Better four than
twelve.""",
    ),
    Spec(
        "questions_answers",
        "Questions and answers",
        _words(1600, 700),
        """\
Ten to fourteen questions that a sceptical funder, authority, neighbour, operator or competitor asks about this plan,
the hardest first. Each is a heading; the answer comes from the plan, with its place (chapter, id). Where the plan does
not say, write so, and who finds it out by when.""",
        ("assumptions", "questions"),
    ),
    Spec(
        "pre_project_assessment",
        "Go, no-go or not yet",
        _words(600),
        """\
Go, no-go or not yet, in the first sentence, with the one reason that decides. The blockers in order, each with what
removes it, who, by when, and how one sees it. What would turn the answer.""",
        ("assumptions", "questions"),
    ),
)
#: Annexes that programs make, with titles.
TABLES = {
    "assumptions": "Assumptions",
    "data_collection": "What to find out",
    "wbs": "Work breakdown",
    "task_dependencies": "Dependencies",
    "task_durations": "Durations",
}
LEVEL3 = "wbs_level3"
REST = "tables"
ORDER = (
    "pitch", "scenarios", "assumptions", "governance", "swot_analysis", "documents", "data_collection",
    "related_resources", "questions_answers", "wbs", LEVEL3, "task_dependencies", "task_durations",
    "pre_project_assessment", REST,
)  # fmt: skip
TITLES = {
    **{spec.name: spec.title for spec in WRITTEN},
    **TABLES,
    LEVEL3: "Tasks of each package",
    REST: "Tables of the plan",
}

INSTRUCTIONS = """\
You write the annex "{title}" of a plan. Others write the other annexes at this moment: {others}.

{asks}

You are shown: the facts of the goal; the main document of the plan, final, with its tables; the names of all figures;
and, where this annex needs them, further rows of the plan. The main document holds concept, decisions, calendar, money,
approvals, people, risks and next steps: do not retell it and do not contradict it. Every sentence holds for this
undertaking only.

{rules}
Write sections in Markdown, each with a short heading of its own; in the text use paragraphs, lists and, where things
are compared, small tables. At most {words} words in all; far fewer for an undertaking that a few people do themselves.
"""
DRAFTS = """
After the tables, write drafts of the two most important documents to be written, each as far as the plan allows, ready
for its author to complete."""


async def draft(context: StageContext) -> Annexes:
    """Write the annexes of the plan's detail at once; a lost one is what programs can say of it."""
    plan = plan_of(context)
    detail = context.about.detail
    specs = [spec for spec in WRITTEN if detail in spec.words]
    if context.about.outline_only:
        named = {spec.name for spec in specs} | set(TABLES)
        return Annexes(chapters=outline_chapters(plan, {name: TITLES[name] for name in ORDER if name in named}))
    shared = writers(context, document_part(context))
    level3 = [_level3(shared)] if detail == "full" else []
    found = await asyncio.gather(*(_annex(shared, spec) for spec in specs), *level3)
    by_name = {chapter.name: chapter for chapter in found} | {
        name: chapter_of(name, title, shared.labels.table(annex_table(name, plan))) for name, title in TABLES.items()
    }
    rest = {name: text for name, text in plan_tables(plan, detail).items() if CHAPTER_TABLES[name].annexed}
    by_name[REST] = chapter_of(REST, TITLES[REST], below_headings(rest, shared.labels))
    return context.with_missing(Annexes(chapters=tuple(by_name[name] for name in ORDER if name in by_name)))


async def _annex(shared: Writers, spec: Spec) -> Chapter:
    detail = shared.context.about.detail
    drafts = DRAFTS if spec.name == "documents" and detail == "full" else ""
    instructions = INSTRUCTIONS.format(
        title=spec.title,
        others=", ".join(title for name, title in TITLES.items() if name != spec.name),
        asks=f"{spec.asks}{drafts}",
        rules=rules(shared.values),
        words=spec.words[detail],
    )
    return await shared.chapter(spec, instructions, shared.rows_of(*spec.rows))


async def _level3(shared: Writers) -> Chapter:
    return chapter_of(LEVEL3, TITLES[LEVEL3], await tasks_text(shared))


def pages(result: Annexes) -> Mapping[str, str]:
    """The annexes by section."""
    return chapter_pages(result.chapters)


assert set(TABLES) == set(ANNEX_TABLES)

STAGE = Stage(
    number=21,
    name="annexes",
    title="Annexes",
    needs=("start", "schedule", "main_document"),
    version=46,
    result=Annexes,
    draft=draft,
    pages=pages,
    sections=tuple(Section(name, TITLES[name], slot) for slot, name in enumerate(ORDER, 2)),
)
