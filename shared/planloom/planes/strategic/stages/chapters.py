"""How annexes are asked for: how figures are written in a text, and what is asked again."""

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property

from pydantic import Field

from planloom.core.frozen import Answer
from planloom.models.errors import AnswerLost
from planloom.models.model import Part
from planloom.planes.strategic.plans import Detail
from planloom.planes.strategic.quality.words import count_words
from planloom.planes.strategic.spine.fields import currency_letters
from planloom.planes.strategic.spine.figures import typed_by_hand, unknown_rows
from planloom.planes.strategic.spine.markdown import for_model
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.computed_plan import ComputedPlan
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.figures import figures, listed, rendered, syntax
from planloom.planes.strategic.stages.labels import Labels, locale_of
from planloom.planes.strategic.stages.missing import computed, with_missing
from planloom.planes.strategic.stages.outline_pages import outline_page
from planloom.planes.strategic.stages.results import Chapter, MainDocument, Review, Schedule
from planloom.planes.strategic.stages.text import bullets

#: The number of wrong places of one text that are asked for again, and of the names offered for each.
MOST_WRONG = 30
MOST_NAMES = 8

FIGURES = """\
Figures: every day, amount, duration, share and chance that a row or a computation holds is written by its name in
double braces; a program puts the value in its place, now and after every later edit.
{syntax}
The complete list of names is shown. Put nothing else between braces and no unit after them. A number that has no name
(of the goal, of a source, of your own short calculation) is written as it is, followed by its mark in brackets: goal,
computed, assumed or to verify; never a number that disagrees with a row.
"""
NAMES = """\
Call things by their names in words, without ids.
"""

CORRECT = """\
A program checked passages of a text of yours. Below each passage it lists what is wrong in it: a figure by a name that
does not exist, a figure stated by hand that no row, fact or computation holds, or an id that no row has. Give for each:
was, the shortest part of the passage that holds it, copied exactly, with any braces; now, the same part with the right
name in double braces, or, if the number is true and has no name, with its mark (computed, assumed, to verify), or
without the number or id. Change nothing else. {syntax}
"""


class Passage(Answer):
    """A section of a text."""

    heading: str = Field(default="", max_length=120)
    text: str = Field(max_length=6000, description="Markdown, figures as {{name}}, at most 500 words")


class Written(Answer):
    """A text in sections."""

    names_figures = True

    sections: list[Passage] = Field(min_length=1, max_length=20)


class Correction(Answer):
    """A passage as it was, and as it is right."""

    was: str = Field(max_length=2000)
    now: str = Field(max_length=2500)


class Corrections(Answer):
    """Corrected passages."""

    names_figures = True

    corrections: list[Correction] = Field(default_factory=list, max_length=40)


@dataclass(frozen=True)
class Spec:
    """A chapter or annex that is written: its section's name and title, words by detail, and what it holds.

    ``asks`` is what its writer is asked for, ``rows`` the tables of the spine that an annex is shown beside the main
    document. A detail that ``words`` does not name leaves it out.
    """

    name: str
    title: str
    words: Mapping[Detail, int]
    asks: str = field(repr=False)
    rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wrong:
    """What is wrong in a text: the words as written, why, and whether they name a figure that does not exist."""

    what: str
    said: str
    name: bool = False


@dataclass(frozen=True, eq=False)
class Writers:
    """What the calls of one stage share: the same parts in the same order, so that providers cache them.

    ``rows`` are the rows as they are shown, by id.
    """

    context: StageContext
    plan: ComputedPlan
    values: Mapping[str, str]
    shown: tuple[Part, ...]
    rows: Mapping[str, str]
    labels: Labels = field(default_factory=Labels)

    async def write(self, call: str, instructions: str, extra: tuple[Part, ...] = ()) -> str:
        """Ask for a text and once more for what is wrong in it; return its Markdown, figures still by name.

        Raises AnswerLost where no usable answer was given.
        """
        answer = await self.context.ask(call, instructions, (*self.shown, *extra), Written, rows=self.rows)
        return await self._corrected(call, joined(answer.sections))

    async def _corrected(self, call: str, text: str) -> str:
        """Ask once, as ``<call>-figures``, for the passages of *text* that are wrong; the better one is returned."""
        places = list(self._places(text))
        if not places:
            return text
        answer = await self.context.ask_part(
            f"{call}-figures",
            CORRECT.format(syntax=syntax(self.values)),
            (self.context.facts(), Part("the passages", "\n\n".join(places[:MOST_WRONG]))),
            Corrections,
        )
        if answer is None:
            # the text itself is there: what is wrong is reported by the checks, not as a missing part
            self.context.lost.pop(f"{call}-figures", None)
            return text
        return min(replaced(text, answer), text, key=lambda each: len(self.wrong(each)))

    async def chapter(self, spec: Spec, instructions: str, extra: tuple[Part, ...] = ()) -> Chapter:
        """Return the written annex; what a program can say where the answer was lost."""
        try:
            raw = await self.write(spec.name, instructions, extra)
        except AnswerLost:
            return self._lost(spec)
        printed, source = rendered(raw, self._printed), hashlib.sha256(raw.encode()).hexdigest()[:16]
        chapter = chapter_of(spec.name, self.labels.value(spec.title), printed.text, source)
        return chapter.model_copy(update={"unknown_figures": printed.unknown})

    @cached_property
    def _printed(self) -> Mapping[str, str]:
        """The figures in the language of the labels."""
        return {name: self.labels.value(value) for name, value in self.values.items()}

    def rows_of(self, *tables: str) -> tuple[Part, ...]:
        """Return *tables* of the spine as rows, the last part of a call; none where no table is named."""
        shown = for_model(self.plan.spine, tables) if tables else ""
        return (Part("further rows of the plan", shown, by_id=True),) if shown else ()

    def _lost(self, spec: Spec) -> Chapter:
        """Return what a program can say in the place of *spec*, which says so."""
        self.context.lost[spec.name] = said = computed(spec.title)
        page = with_missing(f"# {spec.title}\n\n{outline_page(spec.name, self.plan)}", [said])
        return chapter_of(spec.name, spec.title, page.partition("\n\n")[2])

    def wrong(self, raw: str) -> list[Wrong]:
        """Return what is wrong with the figures and ids that *raw* names."""
        found = [Wrong(n, f"{{{{{n}}}}}: no such name", name=True) for n in rendered(raw, self.values).unknown]
        by_hand = typed_by_hand(raw, self._allowed())
        found += [Wrong(written, f"{written}: stated by hand") for written in by_hand]
        goal = self.context.goal.prompt
        known, money = {*self.plan.rows, *unknown_rows(goal, ())}, currency_letters(goal)
        unknown = (row for row in unknown_rows(_STANDARD.sub(" ", raw), known) if row[0] not in money)
        return found + [Wrong(row, f"{row}: no row has this id") for row in unknown]

    def _places(self, raw: str) -> Iterator[str]:
        """Yield each paragraph with something wrong below its heading, and what that is, with names that are near."""
        wrong = self.wrong(raw)
        heading = ""
        for block in raw.split("\n\n") if wrong else ():
            if block.startswith("#"):
                heading = f"{block.splitlines()[0]}\n"
            if said := [f"{each.said}{self._near(each, block)}" for each in wrong if each.what in block]:
                yield f"{'' if block.startswith('#') else heading}{block}\n\nWrong in it:\n{bullets(said)}"

    def _near(self, wrong: Wrong, block: str) -> str:
        """Return the names that *wrong* could mean: those that look like it, and those of the rows that it is about."""
        names = get_close_matches(wrong.what, [*self.values], 3, 0.6) if wrong.name else []
        rows = {wrong.what.partition(".")[0], *_ROWS.findall("" if wrong.name else block)}
        names += [name for name in self.values if name.partition(".")[0] in rows and name.count(".") == 1]
        near = list(dict.fromkeys(names))[:MOST_NAMES]
        return f" (near: {', '.join(near)})" if near else ""

    def _allowed(self) -> tuple[str, ...]:
        goal, facts = self.context.goal.prompt, self.context.texts.get("start", "")
        values = (*self.values.values(), *map(self.labels.value, self.values.values()))
        return (*values, goal, facts, *self.rows.values())


#: The number of a standard, a grade or a type behind its name in capitals: ASTM B456, DIN EN 1090, NEMA L5.
_STANDARD = re.compile(r"\b[A-Z]{2,}[ \u00a0][A-Z]\d{1,3}\b")
_ROWS = re.compile(r"\b[A-Z]\d{1,3}\b")


def writers(context: StageContext, *shown: Part) -> Writers:
    """Return what writers of *context* share: after the facts, the parts *shown*, then the names of all figures."""
    plan = plan_of(context)
    values = figures(plan.spine, plan.computed)
    names = Part("names of all figures", listed(plan, values), by_id=True)
    return Writers(
        context, plan, values, (context.facts(), *shown, names), rows_shown(plan.spine), labels_made(context)
    )


def labels_made(context: StageContext) -> Labels:
    """Return the labels that the main document was made with; days and amounts alone before it is made."""
    language = locale_of(context.goal.facts)
    if "main_document" not in context.needs:
        return Labels(language)
    return Labels(language, context.read("main_document", MainDocument).labels)


def plan_of(context: StageContext) -> ComputedPlan:
    """Return the final plan beside what is computed of it."""
    result = context.read("schedule", Schedule)
    return ComputedPlan(result.spine, result.computed)


def rows_shown(spine: Spine) -> dict[str, str]:
    """Return each row of *spine*, and its frame, as models are shown them, by id."""
    return {line.partition(" | ")[0]: line for line in for_model(spine).splitlines() if " | " in line}


def document_part(context: StageContext) -> Part:
    """Return the main document as it is, its figures and tables in place: another part only once its text was changed.

    An answer that was given to it stays good while values alone change, as long as it names no row that changed.
    """
    made = context.read("main_document", MainDocument)
    chapters = (made.opening, *made.chapters) if made.opening else made.chapters
    pages = chapter_pages(chapters)
    shown = {chapter.name: context.text(chapter.name) for chapter in made.chapters}
    texts = {name: shown.get(name) or page for name, page in pages.items()}
    same = {c.name: c.source if texts[c.name].strip() == pages[c.name].strip() else "" for c in chapters}
    source = "\n".join(same[name] or text for name, text in texts.items())
    return Part("the main document", "\n\n".join(texts.values()), by_id=True, source=source)


def author_said(context: StageContext) -> tuple[Part, ...]:
    """Return what the author changed of the concept, and what cannot hold; no part where neither was said."""
    review = context.read("review_plan", Review)
    lines = [f"The concept: {review.concept}"] if review.concept else []
    lines += [f"Cannot hold: {said}" for said in review.cannot_hold]
    return (Part("what the author said of the concept and of what cannot hold", bullets(lines)),) if lines else ()


def rules(values: Mapping[str, str]) -> str:
    """Return the rules of every text: how figures are written, and how things are named."""
    return f"{FIGURES.format(syntax=syntax(values))}\n{NAMES}"


def replaced(text: str, answer: Corrections) -> str:
    """Return *text* with the corrections of *answer* whose passages it has."""
    for each in answer.corrections:
        if each.was:
            text = text.replace(each.was, each.now)
    return text


def joined(sections: Collection[Passage]) -> str:
    """Return *sections* as Markdown below ``##`` headings."""
    blocks = []
    for section in sections:
        heading = " ".join(section.heading.lstrip("# ").split())
        blocks.append(f"## {heading}\n\n{section.text}" if heading else section.text)
    return "\n\n".join(_below(block) for block in blocks) + "\n"


def chapter_of(name: str, title: str, body: str, source: str = "") -> Chapter:
    """Return the chapter with *body* as its text and its words counted."""
    return Chapter(name=name, title=title, text=body.rstrip() + "\n", words=count_words(body), source=source)


def outline_chapters(plan: ComputedPlan, titles: Mapping[str, str]) -> tuple[Chapter, ...]:
    """Return the chapters of *titles* (by name) as programs write them without a model."""
    return tuple(chapter_of(name, title, outline_page(name, plan)) for name, title in titles.items())


def chapter_pages(chapters: tuple[Chapter, ...]) -> Mapping[str, str]:
    """Return the pages of *chapters* by section."""
    return {chapter.name: f"# {chapter.title}\n\n{chapter.text}" for chapter in chapters}


def _below(block: str) -> str:
    """Return *block* with a heading of the first level one level lower: that is the page's."""
    return "\n".join(f"#{line}" if line.startswith("# ") else line for line in block.splitlines())
