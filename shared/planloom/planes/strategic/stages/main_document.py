"""Stage 020: the author revises the draft into the main document; three last readers have passages corrected."""

import asyncio
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from planloom.models.model import Part
from planloom.planes.strategic.plans import Detail
from planloom.planes.strategic.quality.banned_words import banned_words
from planloom.planes.strategic.quality.words import count_words
from planloom.planes.strategic.spine.figures import old_values, stated
from planloom.planes.strategic.stages.annex_tables import ANNEX_TABLES, annex_table
from planloom.planes.strategic.stages.chapter_tables import TABLES, plan_tables
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
from planloom.planes.strategic.stages.document_sections import (
    Corrected,
    DocumentSection,
    corrected,
    divided,
    joined,
    listed,
    sections_of,
    with_sections,
)
from planloom.planes.strategic.stages.figures import figures
from planloom.planes.strategic.stages.labels import labels_of
from planloom.planes.strategic.stages.plan_changes import changed_rows, reasons
from planloom.planes.strategic.stages.repair import computed_of
from planloom.planes.strategic.stages.results import (
    SUMMARY,
    Chapter,
    Choice,
    MainDocument,
    Repaired,
    Review,
    Structured,
)
from planloom.planes.strategic.stages.revision import (
    ADDED,
    CHANGED,
    ONE_SECTION,
    OPENING,
    OTHER,
    PROOF,
    READERS,
    REVISE,
    WORDS,
    Name,
    Proof,
    Revision,
    SectionText,
    parts_asked,
)
from planloom.planes.strategic.stages.row_names import with_names
from planloom.planes.strategic.stages.schedule import DATES, dates_table
from planloom.planes.strategic.stages.shown import whole_plan
from planloom.planes.strategic.stages.stage import Section, Stage
from planloom.planes.strategic.stages.text import bullets

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
#: So many of a kind are shown of what programs notice.
MOST_NOTICED = 60
#: So many names are given for an old value.
MOST_NAMES = 3
#: The days on which a role, line or option begins or ends are those of much else.
_SPANS = (".first", ".last", "_undo_by")


async def draft(context: StageContext) -> MainDocument:
    """Have the draft revised and read; where an answer is lost, the document is as it was before it."""
    plan = plan_of(context)
    choice = context.read("choice", Choice)
    if context.about.outline_only or not choice.base:
        return MainDocument(chapters=outline_chapters(plan, CHAPTERS))
    printed = [text for name, rows in plan_tables(plan).items() for text in (TABLES[name].title, rows)]
    printed += [*CHAPTERS.values(), SUMMARY, DATES, dates_table(plan)]
    printed += [annex_table(name, plan) for name in ANNEX_TABLES]
    final = Final(writers(context), choice)
    chapters, labels = await asyncio.gather(final.chapters(), labels_of(context, printed))
    opening = next((chapter for chapter in chapters if chapter.name == OPENING), None)
    made = MainDocument(
        opening=opening,
        chapters=tuple(chapter for chapter in chapters if chapter.name != OPENING),
        labels=labels.words,
    )
    return context.with_missing(made)


@dataclass(frozen=True, eq=False)
class Final:
    """The main document of one context: the draft as it is revised, read once more, and divided into chapters."""

    shared: Writers
    choice: Choice

    @property
    def _context(self) -> StageContext:
        return self.shared.context

    @property
    def _plan(self) -> ComputedPlan:
        return self.shared.plan

    async def chapters(self) -> list[Chapter]:
        """Return the chapters of the document, in its order."""
        sections = sections_of(self.choice.base)
        revision, changed = await self._revised(sections)
        parts = {each.section: each.part for each in revision.parts}
        sections = with_sections(sections, revision.sections)
        about = {each.title: parts[each.number] for each in sections if each.number in parts}
        revised = corrected("\n\n".join(each.text for each in sections), revision.corrections)
        read, changed_since = await self._read(revised)
        now = await self._brought_up_to_date(read, {**changed_since, **changed})
        # what annexes were written from stays good while rows alone changed
        sources = {name: _digest(joined(sections)[1]) for name, sections in divided(read, about).items()}
        return [self._chapter(name, sections, sources.get(name, "")) for name, sections in divided(now, about).items()]

    def _chapter(self, name: Name, sections: Sequence[DocumentSection], source: str) -> Chapter:
        title, text = joined(sections)
        named = with_names(text, self._plan.rows, self._context.goal.prompt)
        return chapter_of(name, title or CHAPTERS[OTHER], named, source)

    async def _revised(self, sections: Sequence[DocumentSection]) -> tuple[Revision, Mapping[str, str]]:
        """Return the author's revision, and what the rows that were changed since were when it was given.

        Where it is lost, the document begins with what cannot hold.
        """
        asked = REVISE.format(added=f"{ADDED[self._detail]:,}", words=f"{WORDS[self._detail]:,}", parts=parts_asked())
        parts = tuple(self._shown(sections))
        calls = {"document": asked}
        if not self._context.about.long_answers:
            one = ((each, ONE_SECTION.format(number=each.number, title=each.title)) for each in sections)
            calls = {f"document-{each.number}": asked + alone for each, alone in one}
        given = await asyncio.gather(*(self._ask_for_revision(call, asked, parts) for call, asked in calls.items()))
        answers = [answer for answer in given if answer]
        if not answers:
            first = sections[0].text
            said = SectionText(section=sections[0].number, text=f"{first}\n\n{bullets(self._review.cannot_hold)}")
            return Revision(sections=[said]), {}
        revision = Revision(
            corrections=[each for answer in answers for each in answer.corrections],
            sections=[each for answer in answers for each in answer.sections],
            parts=[each for answer in answers for each in answer.parts],
        )
        return revision, {row: was for answer in answers for row, was in answer.rows_changed.items()}

    async def _ask_for_revision(self, call: str, asked: str, parts: tuple[Part, ...]) -> Revision | None:
        return await self._context.ask_part(
            call,
            asked,
            parts,
            Revision,
            rows=self.shared.rows,
            updates=True,
            part="the revision of the document: it is the draft, which decisions and tables are newer than",
        )

    def _shown(self, sections: Sequence[DocumentSection]) -> Iterator[Part]:
        """Yield what the author is shown."""
        first, now = self._first, self._plan
        why = reasons((*self._context.read("repair", Repaired).patches, *self._review.patches))
        rows = (
            f"{id_}: {said}. {' '.join(why.get(id_, ()))}".rstrip()
            for id_, said in changed_rows(first.spine, now.spine).items()
        )
        yield from whole_plan(self._context, now.spine, now.computed)
        yield from author_said(self._context)
        if self.choice.scores:
            said = f"what the judge found in both drafts, of which yours is {self.choice.letter}"
            yield Part(said, bullets(self.choice.scores))
        yield Part("your decisions on the findings", bullets(_decided(self._review)))
        yield Part("what changed in the rows since the draft, and why", bullets(rows), by_id=True)
        yield Part("tasks whose days moved since the draft", bullets(_moved(first, now)), by_id=True)
        old = bullets(self._old_values(self.choice.base))
        yield Part("values in the document that rows had and have no more", old, by_id=True)
        yield Part("the sections of the document", listed(sections))

    async def _read(self, revised: Corrected) -> tuple[str, Mapping[str, str]]:
        """Return the text as its last readers have it corrected, and what rows changed since were when they read it.

        A correction whose passage an earlier one has changed is left out.
        """
        text = revised.text
        words, most = count_words(text), min(WORDS[self._detail], count_words(self.choice.base) + ADDED[self._detail])
        length = f"The document has {words:,} words."
        if words > most:
            length += f" That is {words - most:,} too many: shorten the longest passages that nobody needs."
        parts = (
            self._context.facts(),
            Part("the document", text),
            *whole_plan(self._context, self._plan.spine, self._plan.computed)[2:],
        )
        noticed = {
            "numbers": [
                *(f"An old value? {each}" for each in self._old_values(text)),
                *(f"A correction found no place: {each}" for each in revised.refused),
            ],
            "readers": [
                f"“{ban.what}” is a word that the goal bans" for ban in banned_words(text, self._context.goal.facts)
            ],
        }
        found = {name: bullets(said[:MOST_NOTICED]) for name, said in noticed.items()}
        answers = await asyncio.gather(
            *(
                self._context.ask_part(
                    f"proof-{name}",
                    PROOF.format(asks=asks.format(length=length)),
                    (*parts, Part("what programs noticed in it", found.get(name) or "Nothing.", by_id=True)),
                    Proof,
                    rows=self.shared.rows,
                    updates=True,
                    part=f"the last reading of the document, for {name}",
                )
                for name, asks in READERS.items()
            )
        )
        changed: dict[str, str] = {}
        for answer in answers:
            if answer:
                text = corrected(text, answer.corrections).text
                changed |= answer.rows_changed
        return text, changed

    async def _brought_up_to_date(self, text: str, before: Mapping[str, str]) -> str:
        """Return *text* corrected for the rows that were as *before* when it was written."""
        if not before:
            return text
        rows = self.shared.rows
        now = (f"was: {was or 'not there'}\nnow: {rows.get(row, 'removed')}\n" for row, was in before.items())
        parts = (
            self._context.facts(),
            Part("the document", text),
            computed_part(self._plan.spine, self._plan.computed),
            Part("the rows as they were and as they are", "\n".join(now)),
        )
        said = f"the corrections of the document for the changed rows {', '.join(before)}"
        answer = await self._context.ask_part("document-changed", CHANGED, parts, Proof, part=said)
        return corrected(text, answer.corrections).text if answer else text

    def _old_values(self, text: str) -> Iterator[str]:
        """Yield each value of *text* that rows had when the draft was written and have no more."""
        for written, meaning in dict(stated(text, self._context.goal.facts.language)).items():
            if meaning in self._old:
                names = self._old[meaning][:MOST_NAMES]
                now = "; ".join(f"{name} is {self.shared.values.get(name, 'gone')} now" for name in names)
                yield f"{written}: {now}"

    @property
    def _detail(self) -> Detail:
        return self._context.about.detail

    @cached_property
    def _review(self) -> Review:
        return self._context.read("review_plan", Review)

    @cached_property
    def _first(self) -> ComputedPlan:
        """The plan as the draft has it."""
        spine = self._context.read("spine", Structured).first
        return ComputedPlan(spine, computed_of(self._context, spine))

    @cached_property
    def _old(self) -> Mapping[object, list[str]]:
        """The names of values that rows had when the draft was written and none has now; those of the goal are none."""
        values = figures(self._first.spine, self._first.computed)
        own = {name: value for name, value in values.items() if not name.endswith(_SPANS)}
        return old_values(own, {**self.shared.values, "goal": self._context.goal.prompt})


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _moved(first: ComputedPlan, now: ComputedPlan) -> Iterator[str]:
    """Yield each task that begins or ends on another day than in *first*."""
    for id_, dated in now.dated.items():
        was = first.dated.get(id_)
        if was and (was.start, was.end) != (dated.start, dated.end):
            yield f"{now.named(id_)}: {was.start} to {was.end} → {dated.start} to {dated.end}"


def _decided(review: Review) -> Iterator[str]:
    """Yield each finding that was accepted or left open with what the author decided."""
    texts = {finding.id: finding.text for finding in review.findings}
    for ruling in review.rulings:
        if ruling.verdict != "rejected" and not ruling.same_as:
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
    version=73,
    result=MainDocument,
    draft=draft,
    pages=pages,
    sections=tuple(Section(name, title, slot) for slot, (name, title) in enumerate(CHAPTERS.items(), 2)),
    edited=edited,
)
