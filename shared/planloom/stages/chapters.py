"""How chapters and annexes are asked for: what every writer is shown, how figures are written, what is asked again."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.domain.model_errors import AnswerLost
from planloom.domain.plans import Detail
from planloom.models.model import Part
from planloom.quality.words import count_words
from planloom.spine.digests import row_digests
from planloom.spine.figures import typed_by_hand
from planloom.spine.markdown import for_model
from planloom.stages.computed_plan import ComputedPlan
from planloom.stages.computed_shown import computed_part
from planloom.stages.context import StageContext
from planloom.stages.figures import figures, listed, rendered, syntax
from planloom.stages.missing import computed, with_missing
from planloom.stages.outline_pages import outline_page
from planloom.stages.results import Chapter, Choice, Review, Schedule
from planloom.stages.shown import document
from planloom.stages.text import bullets

#: Tables take words of a chapter's budget, but never more than this share of it.
MOST_TABLES = 0.5
#: So many wrong figures of one text are asked for again.
MOST_WRONG = 30

#: What the parts are that chapters and annexes are shown; see :func:`document_parts`.
MATERIAL = """\
You are shown: the facts of the goal; the base document (the whole plan as its author wrote it in one go) with what was
taken over from another draft; what the author said of the concept and of what cannot hold, if there was anything; the
author's decision on every finding of the critics; the plan as rows with ids; what programs computed of these rows; the
names of all figures. Where they differ, the rows and the computed values are right, then the accepted findings, then
what was taken over, then the base document.
"""
FIGURES = """\
Figures: every day, amount, duration, share and chance that a row or a computation holds is written by its name in
double braces; a program puts the value in its place, now and after every later edit.
{syntax}
The complete list of names is shown. Put nothing else between braces and no unit after them. A number that has no name
(of the goal, of a source, of your own short calculation) is written as it is, marked goal, computed, assumed or to
verify; never a number that disagrees with a row. Refer to rows by id where a reader would look them up: P12, G2, K4.
"""
FORM = """\
Write sections in Markdown, each with a short heading of its own; in the text use paragraphs, lists and, where things
are compared, small tables. At most {words} words in all.
"""

CORRECT = """\
A program checked the figures of the text that you are shown. Each place listed either names a figure that does not
exist, or states by hand a figure that no row, fact or computation holds. Give for each place: was, the shortest
passage of the text that holds it, copied exactly, with any braces; now, the same passage with the right name in double
braces from the list, or, if the number is true and has no name, with its mark (computed, assumed, to verify), or
without the number. Change nothing else. {syntax}
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

    was: str = Field(max_length=400)
    now: str = Field(max_length=400)


class Corrections(Answer):
    """Corrected passages."""

    names_figures = True

    corrections: list[Correction] = Field(default_factory=list, max_length=40)


@dataclass(frozen=True)
class Spec:
    """A chapter or annex that is written: its section's name and title, words by detail, and what it holds.

    ``owns`` says what stands there and nowhere else; ``asks`` is what its writer is asked for. A detail that ``words``
    does not name leaves it out.
    """

    name: str
    title: str
    words: Mapping[Detail, int]
    owns: str
    asks: str = field(repr=False)


@dataclass(frozen=True)
class Text:
    """A written text: Markdown with figures rendered, and what is still wrong with its figures."""

    markdown: str
    unknown: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()

    @property
    def wrong(self) -> int:
        """How many figures are wrong."""
        return len(self.unknown) + len(self.typed)


@dataclass(frozen=True, eq=False)
class Writers:
    """What the calls of one stage share: the same parts in the same order, so that providers cache them."""

    context: StageContext
    plan: ComputedPlan
    values: Mapping[str, str]
    shown: tuple[Part, ...]
    rows: Mapping[str, str]

    async def write(self, call: str, instructions: str, extra: tuple[Part, ...] = ()) -> Text:
        """Ask for a text and once more for its wrong figures, as ``<call>-figures``; the better one is returned.

        Raises AnswerLost where no usable answer was given.
        """
        answer = await self.context.ask(call, instructions, (*self.shown, *extra), Written, rows=self.rows)
        raw = joined(answer)
        first = self.checked(raw)
        if not first.wrong:
            return first
        named = [f"{{{{{name}}}}}: no such name" for name in first.unknown]
        wrong = [*named, *(f"{figure}: by hand" for figure in first.typed)]
        second = await self.context.ask_part(
            f"{call}-figures",
            CORRECT.format(syntax=syntax(self.values)),
            (
                self.context.facts(),
                figure_part(self.plan, self.values),
                Part("the text", raw),
                Part("places", "\n".join(f"- {line}" for line in wrong[:MOST_WRONG])),
            ),
            Corrections,
            rows=self.rows,
        )
        if second is None:
            # the text itself is there: a wrong figure is reported by the checks, not as a missing part
            self.context.lost.pop(f"{call}-figures", None)
            return first
        for correction in second.corrections:
            if correction.was:
                raw = raw.replace(correction.was, correction.now)
        return min(self.checked(raw), first, key=lambda text: text.wrong)

    async def chapter(
        self, spec: Spec, instructions: str, extra: tuple[Part, ...] = (), tables: str = ""
    ) -> tuple[Chapter, Text]:
        """Return the written chapter above its *tables*; what a program can say where the answer was lost."""
        try:
            text = await self.write(spec.name, instructions, extra)
        except AnswerLost:
            self.context.lost[spec.name] = said = computed(spec.title)
            page = with_missing(f"# {spec.title}\n\n{outline_page(spec.name, self.plan)}", [said])
            return chapter_of(spec.name, spec.title, page.partition("\n\n")[2]), Text("")
        return chapter_of(
            spec.name, spec.title, "\n\n".join(part.rstrip() for part in (text.markdown, tables) if part.strip())
        ), text

    def checked(self, raw: str) -> Text:
        """Return *raw* with its figures rendered, and what is wrong with them."""
        found = rendered(raw, self.values)
        typed = typed_by_hand(raw, self._allowed())
        return Text(found.text, tuple(found.unknown), tuple(typed))

    def _allowed(self) -> tuple[str, ...]:
        return (*self.values.values(), self.context.goal.prompt, self.context.texts.get("start", ""))


def writers(context: StageContext, more: tuple[Part, ...] = ()) -> Writers:
    """Return what writers of *context* share, from the stages that it needs; *more* is shown last of it."""
    result = context.read("schedule", Schedule)
    plan = ComputedPlan(result.spine, result.computed)
    values = figures(result.spine, result.computed)
    shown = (
        context.facts(),
        *more,
        Part("the plan as rows with ids", for_model(result.spine), by_id=True),
        computed_part(result.spine, result.computed),
        figure_part(plan, values),
    )
    return Writers(context, plan, values, shown, row_digests(result.spine))


def document_parts(context: StageContext) -> tuple[Part, ...]:
    """Return the base document with what was taken over, whole, and the author's decisions on the findings."""
    return (
        document(context.read("choice", Choice)),
        *author_said(context),
        Part("the author's decision on every finding", context.text("review_plan"), by_id=True),
    )


def author_said(context: StageContext) -> tuple[Part, ...]:
    """Return what the author changed of the concept, and what cannot hold; no part where neither was said."""
    review = context.read("review_plan", Review)
    lines = [f"The concept: {review.concept}"] if review.concept else []
    lines += [f"Cannot hold: {said}" for said in review.cannot_hold]
    return (Part("what the author said of the concept and of what cannot hold", bullets(lines)),) if lines else ()


def figure_part(plan: ComputedPlan, values: Mapping[str, str]) -> Part:
    """Return the names of all figures with their values today."""
    return Part("names of all figures", listed(plan, values), by_id=True)


def rules(values: Mapping[str, str], words: int) -> str:
    """Return the rules of every text: how figures are written, the form and the length."""
    return f"{FIGURES.format(syntax=syntax(values))}\n{FORM.format(words=words)}"


def prose_words(budget: int, tables: str) -> int:
    """Return the words left for prose where *tables* stand in the same chapter, rounded to a hundred.

    Instructions that an edit of a row leaves alike keep kept answers usable.
    """
    return round(max(budget - count_words(tables), budget * (1 - MOST_TABLES)) / 100) * 100


def joined(answer: Written) -> str:
    """Return the sections as Markdown below ``##`` headings."""
    blocks = []
    for section in answer.sections:
        heading = " ".join(section.heading.lstrip("# ").split())
        blocks.append(f"## {heading}\n\n{section.text}" if heading else section.text)
    return "\n\n".join(_below(block) for block in blocks) + "\n"


def chapter_of(name: str, title: str, body: str) -> Chapter:
    """Return the chapter with *body* as its text and its words counted."""
    return Chapter(name=name, title=title, text=body.rstrip() + "\n", words=count_words(body))


def outline_chapters(plan: ComputedPlan, titles: Mapping[str, str]) -> tuple[Chapter, ...]:
    """Return the chapters of *titles* (by name) as programs write them without a model."""
    return tuple(chapter_of(name, title, outline_page(name, plan)) for name, title in titles.items())


def chapter_pages(chapters: tuple[Chapter, ...]) -> Mapping[str, str]:
    """Return the pages of *chapters* by section."""
    return {chapter.name: f"# {chapter.title}\n\n{chapter.text}" for chapter in chapters}


def _below(block: str) -> str:
    """Return *block* with a heading of the first level one level lower: that is the page's."""
    return "\n".join(f"#{line}" if line.startswith("# ") else line for line in block.splitlines())
