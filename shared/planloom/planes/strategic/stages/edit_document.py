"""How the author of the base document is asked for its edits, and for corrections of what programs find in them."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from pydantic import Field

from planloom.core.frozen import Answer
from planloom.models.model import Part
from planloom.planes.strategic.plans import Detail
from planloom.planes.strategic.quality.words import count_words
from planloom.planes.strategic.stages.base_document import BaseDocument
from planloom.planes.strategic.stages.blocks import Block, Edit, applied, joined, renumbered, shown
from planloom.planes.strategic.stages.chapters import Writers, rules
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.document_checks import Checks, Place
from planloom.planes.strategic.stages.missing import left_out
from planloom.planes.strategic.stages.results import Review
from planloom.planes.strategic.stages.text import bullets

#: Words of the whole document, tables included, and of what its author adds.
WORDS: Mapping[Detail, int] = {"brief": 4_000, "standard": 10_300, "full": 10_300}
ADDED: Mapping[Detail, int] = {"brief": 800, "standard": 1_800, "full": 1_800}
#: So many wrong places are sent back.
MOST_WRONG = 60
#: Tables whose rows, when they are new, the document must mention.
MENTIONED = "NCPLAGKR"


INSTRUCTIONS = """\
You are the author of this plan. You wrote the base document; then programs computed it, critics attacked it, and you
decided on what they found. Now edit the base document into the final plan, block by block. It is not written anew: a
block that you do not name stays word for word as it is, with its concept, its arguments, its tables and its marks.

You are shown: the facts of the goal; the base document in blocks, each after its number in brackets, and its outline
with the words of each section and table; what was taken over from another draft and is not in it yet; what you said of
the concept and of what cannot hold, if there was anything; your decisions on the findings; the rows of the plan that
changed since the base was written, with the blocks that name them; what programs computed of the rows; places that
programs found out of date; what starts and is decided in the first ninety days; the names of all figures. Where they
differ, rows and computed values are right, then your decisions, then the base document.

Programs have done this: a figure that a row holds is written as {{{{P12.likely=8}}}}, its name and its value now, and
follows the row. Rows that the plan gave up are out of the tables; new tasks and cost lines are in them, in blocks with
their ids as numbers; so are demands of the goal that the base did not mention. The tables of tasks have start and end,
and what the cost lines of each task come to. These rows are right: leave them.

Edit in this order:
1. Correct what is no longer true: go through the changed rows, your decisions and the places out of date, one by one,
and through the blocks that name them. What follows from a change in another block is changed there, too. Compare the
tables of the first ten working days and of the weeks after them, and the texts to send, with the computed days: they
are acted on as they are.
2. Add what the reader needs and the base could not know, in the place where it is needed, at most {added} words in all.
In section 1: what cannot hold as asked, with the options that would, here and nowhere else; the odds of the dates that
are promised. Beside each date elsewhere: its odds and what they rest on. For each gate: what is sunk by then, what
leaving costs, its checks with the values that pass. The months in which cash is lowest or a role has too much work, and
what is done then; where a stock or cash runs low, a table by week. What was decided on the findings, where it changes
what somebody does. Every demand and every refusal of the goal, with who keeps it and how one sees that it is kept: a
table, or columns of one that is there. A base that is short since its undertaking is small stays short: the limits are
no lengths to be reached.
3. Remove what is said twice; what was replaced; what says how the plan was made (drafts, findings, critics). Then,
until the whole has at most {words} words with its tables, what the reader does not need to act: the annexes hold the
tables of results, assumptions, open questions, earnings and yearly costs, and durations and person-days of tasks. The
first days and weeks, the checks of gates and the texts to send stay whole. The outline says how many words there are
now. Ranges of blocks are deleted in one edit.

The result is handed out to those who decide, pay and do the work. Each task has owner, days, amount and check in its
row; the budget is whole, line by line, and its sums are those of its rows; every rule and argument is there once. Every
sentence holds for this undertaking only. Where the goal says what form the plan has (by quarter, to be read aloud, a
page for a council, plain words), give it that form. Section 1 is printed as the executive summary, of at most {opening}
words with its tables of decisions and first days, followed by a table of the dated demands with their odds that a
program makes. The ## headings stay, in their order. The last is that of the next ninety days and the texts to send,
which are quotations (lines that begin with "> "): whole, figures by name, no ids and no marks. Where the base has none,
write those that the first weeks need.

An edit names blocks by their numbers and gives the new text whole, in Markdown. In a block that you replace, copy the
figures with names that stay, in their braces; in text of your own, name figures without a value: {{{{P12.end}}}}. A row
of a table is a block; rows that you insert after it belong to its table and have its columns. No block is named by two
edits that replace or delete it.

{rules}"""
ONE_SECTION = """
Edit only the blocks [{first}] to [{last}] now, section {n} of {of}; you edit the others in other answers."""

CORRECT = """\
A program checked the document that you edited. Its blocks have new numbers now. You are shown its outline, the blocks
in which something is wrong, and below each what that is; then what is wrong in the whole. Answer with edits by these
numbers that put it right and change nothing else. A number that is true and has no name gets its mark (goal, computed,
assumed, to verify); what is said twice stays where its reader needs it; a row that no block mentions is added where it
is needed, or named with what covers it. What is no fault stays without an edit.

{rules}"""

CHANGED = """\
You are the author of this plan. Since you edited its final document, some rows were changed. You are shown the facts
of the goal, the outline of the document, the blocks that name these rows, and each row as it was and as it is now, with
the figures that are computed of it by name. Figures in double braces are put in anew by a program: leave them. Correct
only what is no longer true: statements, arguments and numbers in words that rest on what the rows said before. Answer
with edits by the numbers of the blocks; none if all is still true.

{rules}"""


class DocumentEdits(Answer):
    """The edits of the document; what they do not name stays."""

    names_figures = True

    edits: list[Edit] = Field(default_factory=list, max_length=400)


@dataclass(frozen=True, eq=False)
class Editing:
    """What the calls of the stage share: the base document, the parts that they are shown, and the review."""

    shared: Writers
    base: BaseDocument
    review: Review

    @property
    def context(self) -> StageContext:
        """The context of the stage."""
        return self.shared.context

    @cached_property
    def checks(self) -> Checks:
        """What documents are checked against."""
        spine, changed = self.base.plan.spine, self.base.changed
        new = [id_ for id_, said in changed.items() if said.startswith("new: ") and id_[0] in MENTIONED]
        demanded = [row.id for row in (*spine.demands, *spine.constraints)]
        return Checks(
            base=self.base,
            facts=self.context.goal.facts,
            expected=tuple(dict.fromkeys((*demanded, *new))),
            rows=self.shared.rows,
            written_by_hand=lambda text: self.shared.complaints(text, self.base.written),
            most_words=WORDS[self.context.about.detail],
        )

    def instructions(self) -> str:
        """Return what the author is asked for; the same for every value of a row."""
        detail = self.context.about.detail
        return INSTRUCTIONS.format(
            added=f"{ADDED[detail]:,}",
            words=f"{WORDS[detail]:,}",
            opening="600" if detail == "brief" else "900",
            rules=rules(self.shared.values),
        )

    async def edited(self) -> tuple[Block, ...]:
        """Return the base document as its author edits it, corrected once."""
        long = self.context.about.long_answers
        blocks, refused = await (self._in_one_go() if long else self._by_section())
        return await self._corrected(blocks, refused)

    async def _in_one_go(self) -> tuple[tuple[Block, ...], list[Place]]:
        answer = await self.context.ask_part(
            "document",
            self.instructions(),
            self.shared.shown,
            DocumentEdits,
            rows=self.shared.rows,
            edits=self.base.written,
            part="the edits of the document: it is the base document with its figures brought up to date",
        )
        if answer is None:
            return self._unedited(), []
        blocks, refused = applied(self.base.blocks, answer.edits)
        blocks = await self._for_changed_rows(blocks, answer.rows_changed)
        return blocks, [Place("", f"an edit of yours was left out, {e.why}: {e.edit.text}") for e in refused]

    def _unedited(self) -> tuple[Block, ...]:
        """Return the base document with what cannot hold at its top."""
        first = next((block.label for block in self.base.blocks if block.level > 1), "top")
        said = bullets(self.review.cannot_hold)
        return applied(self.base.blocks, [Edit(how="insert_after", block=first, text=said)])[0]

    async def _by_section(self) -> tuple[tuple[Block, ...], list[Place]]:
        """Ask for the edits of each section in an answer of its own."""
        sections = _sections(self.base.blocks)

        async def ask(n: int, section: Sequence[Block]) -> tuple[list[Edit], Mapping[str, str]]:
            asked = ONE_SECTION.format(first=section[0].label, last=section[-1].label, n=n, of=len(sections))
            answer = await self.context.ask_part(
                f"document-{n}",
                f"{self.instructions()}{asked}",
                self.shared.shown,
                DocumentEdits,
                rows=self.shared.rows,
                edits=joined(section),
                part=f"the edits of section {n}: it is that of the base document with its figures brought up to date",
            )
            if answer is None:
                return [], {}
            labels = {block.label for block in section} | ({"top"} if n == 1 else set())
            return [edit for edit in answer.edits if edit.block.strip("[] ") in labels], answer.rows_changed

        answers = await asyncio.gather(*(ask(n, section) for n, section in enumerate(sections, 1)))
        blocks = applied(self.base.blocks, [edit for edits, _ in answers for edit in edits])[0]
        changed = {row: was for _, before in answers for row, was in before.items()}
        return await self._for_changed_rows(blocks, changed), []

    async def _corrected(self, blocks: tuple[Block, ...], refused: Sequence[Place]) -> tuple[Block, ...]:
        """Ask once, as ``document-figures``, for what is wrong in *blocks*; return the better ones."""
        blocks = renumbered(blocks)
        wrong = [*self.checks.wrong(blocks), *refused]
        if not wrong or not (refused or any(block.edited for block in blocks)):
            return blocks
        answer = await self._ask_for_edits("document-figures", CORRECT, blocks, _passages(blocks, wrong[:MOST_WRONG]))
        if answer is None:
            # the text itself is there: what is wrong is reported by the checks, not as a missing part
            self.context.lost.pop("document-figures", None)
            return blocks
        made = applied(blocks, answer.edits)[0]
        return made if len(self.checks.wrong(renumbered(made))) <= len(wrong) else blocks

    async def _for_changed_rows(self, blocks: tuple[Block, ...], before: Mapping[str, str]) -> tuple[Block, ...]:
        """Return *blocks* with those corrected that name rows which were as *before* when they were written."""
        if not before:
            return blocks
        blocks = renumbered(blocks)
        named = re.compile(rf"\b(?:{'|'.join(before)})\b")
        places = shown(block for block in blocks if named.search(block.text))
        rows = Part("the rows as they were and as they are", "\n".join(_changes(self.shared, before)))
        answer = await self._ask_for_edits("document-changed", CHANGED, blocks, places, rows)
        if answer is None:
            said = f"the corrections of the document for the changed rows {', '.join(before)}"
            self.context.lost["document-changed"] = left_out(said)
            return blocks
        return applied(blocks, answer.edits)[0]

    async def _ask_for_edits(
        self, call: str, instructions: str, blocks: Sequence[Block], places: str, *more: Part
    ) -> DocumentEdits | None:
        parts = (self.context.facts(), Part("the outline", outline(blocks)), Part("the blocks", places), *more)
        return await self.context.ask_part(
            call, instructions.format(rules=rules(self.shared.values)), parts, DocumentEdits
        )


def _sections(blocks: Sequence[Block]) -> list[list[Block]]:
    """Return *blocks* cut at the headings of the second level; what is before the first belongs to it."""
    cut: list[list[Block]] = [[]]
    for block in blocks:
        if block.level == 2 and any(each.level == 2 for each in cut[-1]):
            cut.append([])
        cut[-1].append(block)
    return [section for section in cut if section]


def outline(blocks: Sequence[Block]) -> str:
    """Return the words of the whole, and the headings and tables of *blocks* with their numbers and words."""
    lines = [f"The whole: {count_words(joined(blocks)):,} words"]
    for n, block in enumerate(blocks):
        if block.level:
            ends = (m for m, b in enumerate(blocks[n + 1 :], n + 1) if 0 < b.level <= block.level)
            words = count_words(joined(blocks[n : next(ends, None)]))
            lines.append(f"[{block.label}] {block.text}: {words:,} words")
        elif block.kind == "head":
            rows = [block, *takewhile(lambda b: b.kind == "row", blocks[n + 1 :])]
            words = count_words(joined(rows))
            lines.append(f"[{block.label}] to [{rows[-1].label}] table {block.text}: {words:,} words")
    return "\n".join(lines)


def _passages(blocks: Sequence[Block], wrong: Sequence[Place]) -> str:
    """Return the blocks with something wrong, and below each what that is; then what is wrong in the whole."""
    said: dict[str, list[str]] = {}
    for place in wrong:
        said.setdefault(place.label, []).append(place.said)
    found = [f"[{b.label}] {b.text}\nWrong in it:\n{bullets(said[b.label])}" for b in blocks if b.label in said]
    whole = f"Wrong in the whole:\n{bullets(said[''])}" if "" in said else ""
    return "\n".join((*found, whole))


def _changes(shared: Writers, before: Mapping[str, str]) -> Iterator[str]:
    for row, was in before.items():
        figures = [f"{name} {value}" for name, value in shared.values.items() if name.startswith(f"{row}.")]
        yield f"was: {was}\nnow: {shared.rows.get(row, 'removed')}\nfigures now: {'; '.join(figures)}\n"
