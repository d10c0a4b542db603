"""Stage 020: the author writes the final plan, whole and anew; programs put in its figures and tables, and check it."""

import asyncio
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from planloom.models.model import Part
from planloom.planes.strategic.facts.fact import Facts
from planloom.planes.strategic.quality.banned_words import banned_words
from planloom.planes.strategic.quality.words import count_words
from planloom.planes.strategic.spine.fields import ID, currency_letters
from planloom.planes.strategic.spine.figures import old_values, spine_values, stated, without_figures
from planloom.planes.strategic.stages.annex_tables import ANNEX_TABLES, annex_table
from planloom.planes.strategic.stages.chapter_tables import RenderedTable, below_headings, document_tables
from planloom.planes.strategic.stages.chapters import (
    BY_HAND,
    Writers,
    author_said,
    chapter_of,
    chapter_pages,
    outline_chapters,
    plan_of,
    writers,
)
from planloom.planes.strategic.stages.computed_plan import NUMBERED
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.document_text import (
    CHANGED,
    CORRECT,
    INSTRUCTIONS,
    OPENING,
    PARTS,
    SOME_PARTS,
    TABLE,
    WHOLE,
    WORDS,
    Faults,
    FinalPlan,
    Name,
    Parts,
    PlanCorrections,
    PlanPart,
    by_name,
    corrected,
    parts_asked,
    passages_naming,
    shown,
)
from planloom.planes.strategic.stages.figures import syntax
from planloom.planes.strategic.stages.labels import Labels, labels_of
from planloom.planes.strategic.stages.missing import left_out
from planloom.planes.strategic.stages.plan_changes import changed_rows, reasons
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
from planloom.planes.strategic.stages.shown import whole_plan
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
TITLES: Mapping[str, str] = {OPENING: SUMMARY, **CHAPTERS}
#: Tables that the document has in any case, and all that its author can have printed: what a program adds up or lists
#: by the dozen. Of the rest authors write shorter tables, and an annex has the whole ones.
ALWAYS = ("calendar", "lines")
PRINTED = (*ALWAYS, "sources", "cash", "running", "years")
#: The section that has the draft where the final text is lost.
DRAFTED: Name = "project_plan"
#: So many names are given for an old value.
MOST_NAMES = 3
#: The days on which a role, line or option begins or ends are those of much else.
_SPANS = (".first", ".last", "_undo_by")
#: A computation that is written out: 32 × 40, 15 / 0.63 - 22.59.
_ARITHMETIC = re.compile(r"\d\s?[×*/=+]\s?\d|\d\s[x−–-]\s\d")


async def draft(context: StageContext) -> MainDocument:
    """Have the author write the final plan; where that answer is lost, the draft and the tables are the document."""
    plan = plan_of(context)
    choice = context.read("choice", Choice)
    if context.about.outline_only or not choice.base:
        return MainDocument(chapters=outline_chapters(plan, CHAPTERS))
    tables = document_tables(plan, context.about.detail)
    final = Final(writers(context, *_parts(context, tables)), choice, tables)
    printed = [each for table in tables.values() for each in (table.title, table.text)]
    printed += [*CHAPTERS.values(), SUMMARY, DATES, dates_table(plan)]
    printed += [annex_table(name, plan) for name in ANNEX_TABLES]
    parts, labels = await asyncio.gather(final.written(), labels_of(context, printed))
    return context.with_missing(final.document(parts, labels))


def _parts(context: StageContext, tables: Mapping[str, RenderedTable]) -> tuple[Part, ...]:
    """Return what the author is shown, after the facts."""
    plan, review = plan_of(context), context.read("review_plan", Review)
    first = context.read("spine", Structured).first
    why = reasons((*context.read("repair", Repaired).patches, *review.patches))
    changed = (
        f"{id_}: {said}. {' '.join(why.get(id_, ()))}".rstrip() for id_, said in changed_rows(first, plan.spine).items()
    )
    return (
        *whole_plan(context, plan.spine, plan.computed)[1:],
        *author_said(context),
        Part("your decisions on the findings", bullets(_decided(review))),
        Part("what changed in the rows since the draft, and why", bullets(changed), by_id=True),
        Part("tables that programs can print", bullets(_listed(tables)), by_id=True),
    )


def _listed(tables: Mapping[str, RenderedTable]) -> Iterator[str]:
    for name, table in ((name, tables[name]) for name in PRINTED if name in tables):
        yield f"{{{{table:{name}}}}} {table.holds}; {count_words(table.text):,} words"


def _decided(review: Review) -> Iterator[str]:
    """Yield each finding that was accepted or left open with what the author decided."""
    texts = {finding.id: finding.text for finding in review.findings}
    for ruling in review.rulings:
        if ruling.verdict != "rejected" and not ruling.same_as:
            question = f" Open question: {ruling.question}" if ruling.question else ""
            said = f"{ruling.verdict.capitalize()}: {ruling.reason}{question}"
            yield f"{texts.get(ruling.finding, ruling.finding)} {said}"


@dataclass(frozen=True, eq=False)
class Final:
    """The final plan of one context: asked for, checked, and made a document."""

    shared: Writers
    choice: Choice
    tables: Mapping[str, RenderedTable]

    @cached_property
    def _syntax(self) -> str:
        return syntax(self.shared.values)

    @cached_property
    def _printed(self) -> frozenset[str]:
        """The tables that the author can have printed."""
        return frozenset(PRINTED).intersection(self.tables)

    async def written(self) -> Parts:
        """Return the parts as the author wrote them, corrected once; none where the answer is lost."""
        long = self.shared.context.about.long_answers
        # the opening sums up the other parts
        one_by_one = [*(name for name in PARTS if name != OPENING), OPENING]
        calls = [("document", [*PARTS])] if long else [(f"document-{name}", [name]) for name in one_by_one]
        parts: Parts = {}
        changed: dict[str, str] = {}
        for call, names in calls:
            parts, changed = await self._asked(call, names, parts, changed)
        absent = [name for name in PARTS if name not in parts]
        if long and parts and absent:
            # the answer was cut off
            parts, changed = await self._asked("document-rest", absent, parts, changed)
        if not parts:
            return parts
        return await self._corrected(await self._brought_up_to_date(by_name(parts.values()), changed))

    async def _asked(
        self, call: str, names: Sequence[Name], written: Parts, changed: Mapping[str, str]
    ) -> tuple[Parts, dict[str, str]]:
        """Return *written* with the parts *names*, and what the rows that they name were since they were written."""
        detail, more = self.shared.context.about.detail, list[Part]()
        words, whole = (f"{each[detail]:,}" for each in (WORDS, WHOLE))
        asked = INSTRUCTIONS.format(words=words, whole=whole, syntax=self._syntax, parts=parts_asked(detail))
        if len(names) < len(PARTS):
            asked += SOME_PARTS.format(names=", ".join(names))
            more += [Part("the parts that are written", shown(written))] if written else []
        answer = await self.shared.context.ask_part(
            call,
            asked,
            (*self.shared.shown, *more),
            FinalPlan,
            rows=self.shared.rows,
            updates=True,
            part=f"the final text of {', '.join(TITLES[name] for name in names)}: the tables of the plan are there",
        )
        if answer is None:
            return written, {**changed}
        made = {part.part: part for part in reversed(answer.parts) if part.part in names}
        return {**made, **written}, {**changed, **answer.rows_changed}

    async def _brought_up_to_date(self, parts: Parts, before: Mapping[str, str]) -> Parts:
        """Return *parts* corrected where they name rows that were as *before* when they were written."""
        if not before:
            return parts
        rows = Part("the rows as they were and as they are", "\n".join(self._changes(before)))
        passages = Part("the passages", passages_naming(parts, before))
        answer = await self._ask_for_corrections("document-changed", CHANGED, passages, rows)
        if answer is None:
            said = f"the corrections of the document for the changed rows {', '.join(before)}"
            self.shared.context.lost["document-changed"] = left_out(said)
            return parts
        return corrected(parts, answer)

    def _changes(self, before: Mapping[str, str]) -> Iterator[str]:
        for row, was in before.items():
            figures = [f"{name} {value}" for name, value in self.shared.values.items() if name.startswith(f"{row}.")]
            yield f"was: {was}\nnow: {self.shared.rows.get(row, 'removed')}\nfigures now: {'; '.join(figures)}\n"

    async def _corrected(self, parts: Parts) -> Parts:
        """Ask once, as ``document-figures``, for what is wrong in *parts*; return the better ones."""
        faults = self._faults(parts)
        if not faults:
            return parts
        whole = [Part("the document", shown(parts))] if faults.whole else []
        found = Part("what is wrong", faults.text())
        answer = await self._ask_for_corrections("document-figures", CORRECT, *whole, found)
        if answer is None:
            # the text itself is there: what is wrong is reported by the checks, not as a missing part
            self.shared.context.lost.pop("document-figures", None)
            return parts
        made = corrected(parts, answer)
        return made if len(self._faults(made)) <= len(faults) else parts

    async def _ask_for_corrections(self, call: str, instructions: str, *shown: Part) -> PlanCorrections | None:
        parts = (self.shared.context.facts(), *shown)
        return await self.shared.context.ask_part(
            call, instructions.format(syntax=self._syntax), parts, PlanCorrections
        )

    def _faults(self, parts: Parts) -> Faults:
        named = {*ALWAYS, *(name for part in parts.values() for name in TABLE.findall(part.text))}
        printed = sum(count_words(self.tables[name].text) for name in self._printed.intersection(named))
        detail = self.shared.context.about.detail
        return Faults(parts, self._wrong, min(WORDS[detail], WHOLE[detail] - printed))

    def _wrong(self, passage: str) -> list[str]:
        """Return what is wrong in *passage*: names that nothing has, unknown and old amounts, ids, banned words."""
        unknown = [
            f"{{{{table:{name}}}}}: no such table" for name in TABLE.findall(passage) if name not in self._printed
        ]
        said = self.shared.complaints(TABLE.sub("", passage), self.choice.base, self.choice.beside)
        if passage.lstrip().startswith(">") or _ARITHMETIC.search(passage):
            # a text that goes out has no marks, and a computation that is written out needs none
            said = [each for each in said if BY_HAND not in each]
        bare = without_figures(passage)
        old = (
            f"{written} was {', '.join(self._old[meaning][:MOST_NAMES])}, which has another value now"
            for written, meaning in stated(bare, self.shared.context.goal.facts.language)
            if meaning in self._old
        )
        rows = self.shared.plan.rows
        ids = (id_ for id_ in dict.fromkeys(ID.findall(bare)) if id_ in rows and id_[0] not in self._not_named)
        bans = (f"“{ban.what}” is a word that the goal bans" for ban in banned_words(passage, self._facts))
        return [*unknown, *said, *old, *(f"{id_}: call it by its name, {{{{{id_}}}}}" for id_ in ids), *bans]

    @cached_property
    def _not_named(self) -> frozenset[str]:
        """The letters of ids that texts may have: those of tables in the document, and the goal's own currency."""
        return frozenset(NUMBERED) | currency_letters(self.shared.context.goal.prompt)

    @property
    def _facts(self) -> Facts:
        return self.shared.context.goal.facts

    @cached_property
    def _old(self) -> Mapping[object, list[str]]:
        """The values that rows had when the draft was written and no row has now; those of the goal are none."""
        first = spine_values(self.shared.context.read("spine", Structured).first)
        own = {name: value for name, value in first.items() if not name.endswith(_SPANS)}
        return old_values(own, {**self.shared.values, "goal": self.shared.context.goal.prompt})

    def document(self, parts: Parts, labels: Labels) -> MainDocument:
        """Return the document of *parts*: figures and tables in their places, parts that are lost as their tables."""
        printed = self._printed.intersection(name for part in parts.values() for name in TABLE.findall(part.text))
        below: dict[str, list[str]] = {}
        for name, table in self.tables.items():
            if table.chapter not in parts or (name in ALWAYS and name not in printed):
                below.setdefault(table.chapter, []).append(name)
        names = [name for name in PARTS if name in parts or name in below or (name == DRAFTED and not parts)]
        chapters = {name: self._chapter(name, parts.get(name), below.get(name, ()), labels) for name in names}
        placed = printed.union(*below.values())
        return MainDocument(
            opening=chapters.pop(OPENING, None),
            chapters=tuple(chapters.values()),
            placed=tuple(name for name, table in self.tables.items() if name in placed and table.text == table.whole),
            unknown_figures=self.shared.unknown([TABLE.sub("", part.text) for part in parts.values()]),
            labels=labels.words,
        )

    def _chapter(self, name: Name, part: PlanPart | None, below: Sequence[str], labels: Labels) -> Chapter:
        """Return the chapter of *part*, with the tables *below* it; without any part, the draft is in its place."""
        shared = replace(self.shared, labels=labels)
        text, *rest = TABLE.split(part.text if part else self._unwritten() if name == DRAFTED else "")
        printed = [shared.printed(text)]
        for table, following in zip(rest[::2], rest[1::2], strict=True):
            printed += [labels.table(self.tables[table].text) if table in self._printed else ""]
            printed += [shared.printed(following)]
        body = demoted("\n\n".join(each.strip() for each in printed if each.strip()))
        tables = below_headings((self.tables[key] for key in below), labels, whole=False)
        whole = "\n\n".join(filter(None, (body, tables)))
        named = with_names(whole, self.shared.plan.rows, self.shared.context.goal.prompt)
        source = hashlib.sha256(part.text.encode()).hexdigest()[:16] if part else ""
        return chapter_of(name, part.title if part else labels.value(TITLES[name]), named, source)

    def _unwritten(self) -> str:
        """Return what cannot hold and the draft, which the tables are newer than."""
        review = self.shared.context.read("review_plan", Review)
        return "\n\n".join(filter(None, (bullets(review.cannot_hold), self.choice.base)))


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
    version=56,
    result=MainDocument,
    draft=draft,
    pages=pages,
    sections=tuple(Section(name, title, slot) for slot, (name, title) in enumerate(CHAPTERS.items(), 2)),
    edited=edited,
)
