"""Stage 020: one author revises the base document into the whole main document; a program puts in its tables."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.domain.model_errors import AnswerLost
from planloom.domain.plans import Detail
from planloom.models.model import Part
from planloom.spine.markdown import for_model
from planloom.stages.annex_tables import ANNEX_TABLES, annex_table
from planloom.stages.chapter_tables import document_tables
from planloom.stages.chapters import (
    Corrections,
    Passage,
    Spec,
    Writers,
    author_said,
    chapter_pages,
    joined,
    outline_chapters,
    plan_of,
    replaced,
    rules,
    writers,
)
from planloom.stages.computed_shown import computed_part
from planloom.stages.context import StageContext
from planloom.stages.labels import labels_of
from planloom.stages.missing import left_out
from planloom.stages.results import SUMMARY, Choice, MainDocument, Review
from planloom.stages.schedule import DATES, dates_table
from planloom.stages.shown import document
from planloom.stages.stage import Section, Stage
from planloom.stages.text import bullets

Named = Literal["project_plan", "levers", "calendar", "budget", "approvals", "team", "risks", "next_steps"]


def _words(standard: int, brief: int) -> Mapping[Detail, int]:
    return {"brief": brief, "standard": standard, "full": standard}


#: Words of the whole document, with the tables that its author places.
WORDS: Mapping[Detail, int] = {"brief": 4_000, "standard": 9_500, "full": 9_500}

#: In the order of the document. Words are a guide for the text, without tables.
CHAPTERS = (
    Spec(
        "project_plan",
        "What is undertaken, and how it works",
        _words(1300, 480),
        """\
what is undertaken, for whom, and what is different afterwards; what cannot hold as asked, if there is such a thing,
with the options that would; how it works on its hardest day, hour by hour or step by step, with numbers (people, loads,
capacities, minutes, spare), in full; the institutions, law and practice of the place that shape the concept; scope, and
what is out and why; how success is measured""",
    ),
    Spec(
        "levers",
        "Decisions",
        _words(1050, 380),
        """\
the few decisions that the plan hangs on: what each option costs, delays and makes possible, why the recommended one,
what would change the choice; at least one real alternative argued as seriously as the recommended one""",
    ),
    Spec(
        "calendar",
        "How the time runs",
        _words(850, 300),
        """\
what goes in parallel, what drives the end, where float is; the odds of each dated demand and what they rest on; gates:
what is known then, what is sunk, what leaving costs; seasons, sessions and meetings that bind; the two or three hardest
weeks""",
    ),
    Spec(
        "budget",
        "Money",
        _words(900, 320),
        """\
what it costs and why the large lines have their size; where the money comes from, when, on which condition; the months
in which it is short and what is done; contingency and reserve, each with its one rule of who may spend it on what; pay
before the opening, tax, running costs, working capital; what is cut first""",
    ),
    Spec(
        "approvals",
        "Approvals and parties",
        _words(600, 200),
        """\
who outside the team must agree, give or be won: what each decides, by which law or habit (to verify, and how), in which
meeting, which work waits; who could stop it and what they want; what is done if an approval is refused or late""",
    ),
    Spec(
        "team",
        "People",
        _words(550, 180),
        """\
from where people come and how much of their week is really free; the months in which a role has more work than time,
and what gives then; who holds a key skill or file alone, and who stands in from when""",
    ),
    Spec(
        "risks",
        "Risks and when to stop",
        _words(800, 280),
        """\
the risks that could end it, by what they may cost: the chain from cause to effect, and why the response fits; the stop
rules: at which value, on which day, who stops, and what is left then; small risks in one sentence together""",
    ),
    Spec(
        "next_steps",
        "The next ninety days",
        _words(450, 160),
        """\
what happens first and why in this order; the first calls and what they must find out; what is not started yet on
purpose; what is known at the end that is not known today, and which decision that allows""",
    ),
)

INSTRUCTIONS = """\
You are the author of this plan. You wrote the base document; then programs computed it, critics attacked it, and you
decided on what they found. Now revise the whole document into the final plan.

You are shown: the facts of the goal; the base document with what was taken over from another draft; what you said of
the concept and of what cannot hold, if there was anything; your decisions on the findings; the plan as rows with ids;
what programs computed of these rows; the tables that a program renders; the names of all figures. Where they differ,
the rows and the computed values are right, then your decisions, then what was taken over, then the base document.

Revise, do not rewrite. The base document is the floor: its concept, its hardest day, its arguments, its institutions
and laws, its marks (goal, computed, assumed, to verify) and its voice stay. Change what decisions and computed values
change, and what follows from that elsewhere. Cut repetitions, and the tables that a program renders now. The plan never
mentions drafts, findings, critics or how it was made.

Form first. Where the goal says what form the plan has (by quarter with the money beside it and a name on each line, to
be read aloud, a page for a council, plain words), the document has that form: write it as its reader asked for it. The
reader decides, reads from the first line to the last, and knows no code: things are called by their names, no id stands
in the text. Each rule, number and argument stands once, in the chapter where the reader needs it; one event has one
number everywhere. Every sentence holds for this undertaking only; plain sentences, none that has to be decoded.

Length: at most {words} words in all, the tables that you place included. Annexes hold what this reader does not need.
The document has eight chapters. Each is written as sections with short headings; how long each is follows from the
goal, the numbers are a guide.
{chapters}

Tables: a program renders those listed, complete, each as long as listed. Place those that this reader acts on, where
they are needed, once, on a line of its own: {{{{table:gates}}}}. Those that you do not place stand in an annex. Do not
write the tables that you place yourself and do not retell their rows: say what is remarkable in them and what follows.
Tables of your own are welcome where the goal asks for another form (the work by quarter: what, who, when, money, done
when), with figures by name. Sums of your own tables are those of the rows in them.

{rules}"""
ONE_CHAPTER = "\nWrite only the chapter {name} ({title}) now; you write the others in other answers."

CHANGED = """\
You are the author of this plan. Since you wrote its final document, some of its rows were changed. You are shown the
facts of the goal, the sections of your document that name these rows, and each row as it was and as it is now, with the
figures that are computed of it by name. Figures in double braces are put in anew by a program: leave them. Correct only
what is no longer true: statements, arguments and numbers in words that rest on what the rows said before. Give for
each: was, the sentences as they stand, copied exactly, with any braces; now, the same sentences as they have to be. If
all is still true, give none.

{rules}"""


class DocumentSection(Passage):
    """A section of the document."""

    chapter: Named
    text: str = Field(max_length=20_000, description="Markdown, figures as {{name}}, tables as {{table:name}}")


class Document(Answer):
    """The whole document: its sections in order, at least one for each chapter."""

    names_figures = True

    sections: list[DocumentSection] = Field(min_length=len(CHAPTERS), max_length=80)


class ChapterSections(Answer):
    """One chapter of the document: its sections in order."""

    names_figures = True

    sections: list[Passage] = Field(min_length=1, max_length=20)


async def draft(context: StageContext) -> MainDocument:
    """Write the whole document at once, or by chapter; a lost chapter is what programs can say of it."""
    plan = plan_of(context)
    if context.about.outline_only:
        return MainDocument(chapters=outline_chapters(plan, {spec.name: spec.title for spec in CHAPTERS}))
    tables = document_tables(plan, context.about.detail)
    listed = bullets(table.listed(name) for name, table in tables.items())
    shared = writers(
        context,
        document(context.read("choice", Choice)),
        *author_said(context),
        Part("your decisions on the findings", bullets(_decided(context.read("review_plan", Review)))),
        Part("the plan as rows with ids", for_model(plan.spine), by_id=True),
        computed_part(plan.spine, plan.computed),
        Part("the tables that a program renders", listed, by_id=True),
        tables=tables,
    )
    printed = [each for table in tables.values() for each in (table.title, table.text)]
    printed += [*(spec.title for spec in CHAPTERS), SUMMARY, DATES]
    printed += [dates_table(plan), *(annex_table(name, plan) for name in ANNEX_TABLES)]
    raw, labels = await asyncio.gather(_written(shared), labels_of(context, printed))
    shared = replace(shared, labels=labels)
    made = MainDocument(
        chapters=shared.chapters(CHAPTERS, raw),
        placed=shared.placed(raw.values()),
        unknown_figures=shared.unknown(raw.values()),
        labels=labels.words,
    )
    return context.with_missing(made)


async def _written(shared: Writers) -> dict[str, str]:
    """Return the chapters by name, corrected, figures and tables still by name; lost ones are left out."""
    raw = await _in_one_go(shared) if shared.context.about.long_answers else {}
    raw |= await _by_chapter(shared, [spec for spec in CHAPTERS if spec.name not in raw])
    return await shared.corrected("document", raw)


async def _in_one_go(shared: Writers) -> dict[str, str]:
    """Return the chapters that one answer gives, by name, brought up to date with rows that changed since."""
    try:
        answer = await shared.context.ask(
            "document", _instructions(shared), shared.shown, Document, rows=shared.rows, keep_changed=True
        )
    except AnswerLost:
        return {}
    chapters: dict[str, list[Passage]] = {}
    for section in answer.sections:
        chapters.setdefault(section.chapter, []).append(section)
    written = {name: joined(sections) for name, sections in chapters.items()}
    return await _updated(shared, written, answer.rows_changed) if answer.rows_changed else written


async def _by_chapter(shared: Writers, specs: list[Spec]) -> dict[str, str]:
    """Return the chapters *specs*, each from an answer of its own; those that are lost are left out."""

    async def ask(spec: Spec) -> tuple[str, str]:
        asked = f"{_instructions(shared)}{ONE_CHAPTER.format(name=spec.name, title=spec.title)}"
        answer = await shared.context.ask_part(spec.name, asked, shared.shown, ChapterSections, rows=shared.rows)
        return spec.name, joined(answer.sections) if answer else ""

    return {name: text for name, text in await asyncio.gather(*map(ask, specs)) if text}


async def _updated(shared: Writers, written: dict[str, str], before: Mapping[str, str]) -> dict[str, str]:
    """Return *written* with the sections corrected that name rows which were as *before* when it was written."""
    named = re.compile(rf"\b(?:{'|'.join(before)})\b")
    sections = [s for text in written.values() for s in re.split(r"(?m)^(?=## )", text) if named.search(s)]
    answer = await shared.context.ask_part(
        "document-changed",
        CHANGED.format(rules=rules(shared.values)),
        (
            shared.context.facts(),
            Part("the sections that name these rows", "\n\n".join(sections)),
            Part("the rows as they were and as they are", "\n".join(_changes(shared, before))),
        ),
        Corrections,
    )
    if answer is None:
        said = f"the corrections of the document for the changed rows {', '.join(before)}"
        shared.context.lost["document-changed"] = left_out(said)
        return written
    return {name: replaced(text, answer) for name, text in written.items()}


def _changes(shared: Writers, before: Mapping[str, str]) -> Iterator[str]:
    for row, was in before.items():
        figures = [f"{name} {value}" for name, value in shared.values.items() if name.startswith(f"{row}.")]
        yield f"was: {was}\nnow: {shared.rows.get(row, 'removed')}\nfigures now: {'; '.join(figures)}\n"


def _instructions(shared: Writers) -> str:
    detail = shared.context.about.detail
    chapters = (f"- {s.name} ({s.title}; about {s.words[detail]} words): {' '.join(s.asks.split())}." for s in CHAPTERS)
    return INSTRUCTIONS.format(chapters="\n".join(chapters), words=f"{WORDS[detail]:,}", rules=rules(shared.values))


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
    needs=("start", "choice", "review_plan", "schedule"),
    version=22,
    result=MainDocument,
    draft=draft,
    pages=pages,
    sections=tuple(Section(spec.name, spec.title, slot) for slot, spec in enumerate(CHAPTERS, 2)),
    edited=edited,
)
