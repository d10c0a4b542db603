"""Stage 020: the author edits the base document, block by block, into the main document; figures follow the rows."""

import asyncio
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from planloom.models.model import Part
from planloom.planes.strategic.stages import anchors
from planloom.planes.strategic.stages.annex_tables import ANNEX_TABLES, annex_table
from planloom.planes.strategic.stages.base_document import BaseDocument
from planloom.planes.strategic.stages.base_tables import COST, END, START
from planloom.planes.strategic.stages.blocks import (
    Block,
    blocks_of,
    joined,
    row_of,
    shown,
)
from planloom.planes.strategic.stages.chapter_tables import FIRST, TABLES, below_headings, document_tables
from planloom.planes.strategic.stages.chapters import (
    Writers,
    author_said,
    chapter_of,
    chapter_pages,
    outline_chapters,
    plan_of,
    writers,
)
from planloom.planes.strategic.stages.computed_plan import ComputedPlan
from planloom.planes.strategic.stages.computed_shown import computed_part
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.document_checks import Place, stale
from planloom.planes.strategic.stages.document_sections import NEXT, OPENING, parts
from planloom.planes.strategic.stages.edit_document import Editing, outline
from planloom.planes.strategic.stages.figures import rendered
from planloom.planes.strategic.stages.labels import Labels, labels_of
from planloom.planes.strategic.stages.plan_changes import listed, reasons
from planloom.planes.strategic.stages.results import (
    SUMMARY,
    Chapter,
    Choice,
    MainDocument,
    Repaired,
    Review,
    Structured,
)
from planloom.planes.strategic.stages.row_names import with_names
from planloom.planes.strategic.stages.schedule import DATES, dates_table
from planloom.planes.strategic.stages.stage import Section, Stage
from planloom.planes.strategic.stages.text import bullets, demoted

#: The sections of the interface; their files are numbered in this order.
CHAPTERS = {
    "project_plan": "What is undertaken, and how it works",
    "levers": "Decisions",
    "calendar": "How the time runs",
    "budget": "Money",
    "approvals": "Approvals and parties",
    "team": "People",
    "risks": "Risks and when to stop",
    "next_steps": "The next ninety days",
}


async def draft(context: StageContext) -> MainDocument:
    """Have the base document edited at once, or by section; where an answer is lost, it is as programs update it."""
    plan = plan_of(context)
    choice = context.read("choice", Choice)
    if context.about.outline_only or not choice.base:
        return MainDocument(chapters=outline_chapters(plan, CHAPTERS))
    review, language = context.read("review_plan", Review), context.goal.facts.language
    base = BaseDocument(choice.base, context.read("spine", Structured).first, plan, language)
    editing = Editing(writers(context, *_parts(context, base, choice, review)), base, review)
    tables = document_tables(plan, context.about.detail)
    printed = [each for table in tables.values() for each in (table.title, table.text)]
    printed += [*CHAPTERS.values(), SUMMARY, DATES, *_heads(plan), dates_table(plan)]
    printed += [annex_table(name, plan) for name in ANNEX_TABLES]
    blocks, labels = await asyncio.gather(editing.edited(), labels_of(context, printed))
    chapters, placed = _chapters(editing.shared, base, blocks, labels)
    chapters = [_with_names(chapter, plan, context.goal.prompt) for chapter in chapters]
    made = MainDocument(
        opening=next((chapter for chapter in chapters if chapter.name == OPENING), None),
        chapters=tuple(chapter for chapter in chapters if chapter.name != OPENING),
        placed=placed,
        unknown_figures=editing.shared.unknown([anchors.names_alone(b.text) for b in blocks if b.edited]),
        labels=labels.words,
    )
    return context.with_missing(made)


def _parts(context: StageContext, base: BaseDocument, choice: Choice, review: Review) -> tuple[Part, ...]:
    """Return what the author is shown, after the facts."""
    why = reasons((*context.read("repair", Repaired).patches, *review.patches))
    return (
        Part("the base document in blocks", shown(base.blocks), by_id=True, source=base.source),
        Part("its outline", outline(base.blocks), by_id=True),
        Part("taken over from another draft, where the base does not say it yet", choice.beside or "nothing"),
        *author_said(context),
        Part("your decisions on the findings", bullets(_decided(review))),
        Part("what changed in the rows", listed(base.changed, why, base.blocks), by_id=True),
        computed_part(base.plan.spine, base.plan.computed),
        Part("places that programs found out of date", _listed(stale(base)), by_id=True),
        Part("what starts and is decided in the first ninety days", bullets(_first_steps(base.plan)), by_id=True),
    )


def _first_steps(plan: ComputedPlan) -> Iterator[str]:
    """Yield the tasks that start, and the decisions that are due, within ninety days of the start, by day."""
    until = plan.computed.start + FIRST
    steps = [
        (found.start, f"to {found.end}: {package.id} {package.title}; {plan.title(package.owner)}; {package.done_when}")
        for package in plan.in_order
        if (found := plan.dated.get(package.id))
    ]
    steps += [
        (row.by, f"at the latest: {row.id} {row.question} {plan.title(row.decided_by)} decides")
        for row in plan.spine.decisions
        if row.by
    ]
    yield from (f"{day} {said}" for day, said in sorted(steps) if day < until)


def _chapters(
    shared: Writers, base: BaseDocument, blocks: Sequence[Block], labels: Labels
) -> tuple[list[Chapter], tuple[str, ...]]:
    """Return the sections of the document *blocks*, figures put in, and the tables whose rows are all in them.

    The section named OPENING is the summary. One that the document lacks has the tables of its rows, unless these
    are elsewhere; the others have those whose ids the document uses and no table of it explains.
    """
    made = []
    for name, section in parts(blocks).items():
        heading, rest = (section[0], section[1:]) if section[0].level else (None, section)
        title = _title(heading) if heading else labels.term(CHAPTERS.get(name, SUMMARY))
        made.append(chapter_of(name, title, demoted(_printed(shared, base, rest, labels)), _source(section)))
    named = (b.cells[0] if b.kind == "row" else b.text for b in blocks if b.kind in ("row", "heading") and b.text)
    rows = {found[0] for words in named if (found := anchors.ID.search(words))}
    tables = document_tables(base.plan, shared.context.about.detail)
    placed = [name for name, table in tables.items() if table.ids and table.ids <= rows]
    there = {chapter.name: n for n, chapter in enumerate(made)}
    used = set(anchors.ID.findall("\n".join(chapter.text for chapter in made))) - rows
    for name in CHAPTERS:
        ours = {key: each for key, each in tables.items() if each.chapter == name}
        ours = {key: each for key, each in ours.items() if not each.computed} or ours
        own = {key: each for key, each in ours.items() if name == NEXT or key not in placed}
        if name in there:
            # an id that the reader meets is explained in the document
            own = {key: each for key, each in own.items() if not each.ids.isdisjoint(used)}
        if own and name in there:
            chapter = made[there[name]]
            text = f"{chapter.text.rstrip()}\n\n{below_headings(own.values(), labels)}"
            made[there[name]] = chapter_of(name, chapter.title, text, chapter.source)
        elif own:
            made.append(chapter_of(name, labels.term(CHAPTERS[name]), below_headings(own.values(), labels), "rows"))
        placed += own
    return made, tuple(placed)


def _with_names(chapter: Chapter, plan: ComputedPlan, goal: str) -> Chapter:
    text = with_names(chapter.text, plan.rows, goal)
    return chapter_of(chapter.name, chapter.title, text, chapter.source)


def _printed(shared: Writers, base: BaseDocument, blocks: Sequence[Block], labels: Labels) -> str:
    """Return *blocks* as Markdown with every figure in its place, heads of computed columns in the language."""
    heads = _heads(base.plan)
    said = (
        replace(b, text=row_of(labels.term(cell) if cell in heads else cell for cell in b.cells))
        if b.kind == "head"
        else b
        for b in blocks
    )
    text = anchors.put_in(joined(said), base.values, base.language)[0]
    return rendered(text, {name: labels.value(value) for name, value in shared.values.items()}).text


def _heads(plan: ComputedPlan) -> tuple[str, ...]:
    demands = (cell for block in blocks_of(TABLES["demands"].render(plan))[:1] for cell in block.cells)
    return (START, END, f"{COST} ({plan.spine.frame.currency})", *demands)


def _source(section: Sequence[Block]) -> str:
    """Return the digest of what authors wrote of *section*: figures by name, rows that follow the plan by id."""
    texts = (block.cells[0] if block.kind == "row" and not block.edited else block.text for block in section)
    return hashlib.sha256(anchors.names_alone("\n".join(texts)).encode()).hexdigest()[:16]


def _title(heading: Block) -> str:
    """Return the words of *heading*, with the number by which texts refer to it."""
    return heading.text.lstrip("# ").strip("* ") or heading.text


def _listed(places: Sequence[Place]) -> str:
    return bullets(f"[{place.label}] {place.said}" for place in places) or "none"


def _decided(review: Review) -> Iterator[str]:
    """Yield each finding that was accepted or left open with what the author decided."""
    texts = {finding.id: finding.text for finding in review.findings}
    for ruling in review.rulings:
        if ruling.verdict != "rejected":
            question = f" Open question: {ruling.question}" if ruling.question else ""
            said = f"{ruling.verdict.capitalize()}: {ruling.reason}{question}"
            yield f"{texts.get(ruling.finding, ruling.finding)} {said}"


def edited(_: str, before: MainDocument, after: MainDocument) -> MainDocument:
    """Return *after* with the chapters that a person changed no longer as their author wrote them."""
    texts = {chapter.name: chapter.text for chapter in before.chapters}
    chapters = (c if texts.get(c.name) == c.text else c.model_copy(update={"source": ""}) for c in after.chapters)
    return after.model_copy(update={"chapters": tuple(chapters)})


def pages(result: MainDocument) -> Mapping[str, str]:
    """The chapters by section."""
    return chapter_pages(result.chapters)


STAGE = Stage(
    number=20,
    name="main_document",
    title="Main document",
    needs=("start", "choice", "spine", "repair", "review_plan", "schedule"),
    version=40,
    result=MainDocument,
    draft=draft,
    pages=pages,
    sections=tuple(Section(name, title, slot) for slot, (name, title) in enumerate(CHAPTERS.items(), 2)),
    edited=edited,
)
