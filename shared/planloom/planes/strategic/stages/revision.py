"""How the author is asked to revise the draft, and its last readers for corrections; how both are applied."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Answer
from planloom.planes.strategic.plans import Detail
from planloom.planes.strategic.quality.words import count_words
from planloom.planes.strategic.stages.chapters import Correction

Name = Literal[
    "opening", "project_plan", "levers", "approvals", "calendar", "team", "budget", "risks", "next_steps"
]  # fmt: skip
#: The part that is printed as the executive summary.
OPENING: Name = "opening"
#: What the sections of a document are about.
PARTS: Mapping[Name, str] = {
    "opening": "the plan in short: always the first section",
    "project_plan": "what is undertaken and how it works, demands, success, scope; all that fits nowhere else",
    "levers": "decisions and gates",
    "approvals": "who must agree: institutions, law, approvals, opponents",
    "calendar": "the work, its tasks and dates",
    "team": "people",
    "budget": "money",
    "risks": "risks, assumptions, what is to be verified, when to stop",
    "next_steps": "the first days, the next ninety days, texts to send",
}
#: Words of the whole document.
WORDS: Mapping[Detail, int] = {"brief": 4_300, "standard": 10_300, "full": 10_300}
#: Words by which a revision may lengthen the draft, what is taken over from the other draft among them.
ADDED: Mapping[Detail, int] = {"brief": 400, "standard": 1_200, "full": 1_200}
#: A document has a heading of this kind for each section if it has so many.
LEAST_SECTIONS = 3

REVISE = """\
You are the author of this plan. Your draft, the document, was the better of two. Since then programs have computed it,
critics have attacked it, and you have decided on what they found. Now revise it into the final plan, which is handed
out to those who decide, pay and do the work. It stays the document that it is: its concept, order, arguments, tables
and voice. What you do not name stays word for word. It becomes true in every figure, and better in the places where
something was found; nobody may notice that it was revised.

Readers will compare it with other plans for the same goal, without knowing who wrote which: on whether each demand of
the goal is met and can be traced, on numbers that agree, on a schedule that holds, on how far it fits this case alone,
on facts that are right or marked, on whether one can act on it on the first morning, on risks with proportionate stop
rules, and on economy: every paragraph and row is used, said once, and easy to read for those who decide. Most revisions
lose on economy and on numbers: they add a condition here, a figure there, and leave the old value in three other
places.

You are shown: the facts of the goal; the document, with what may be taken over from the other draft at its end; the
tables of the plan, whose rows have ids; what programs computed of them; your decisions on the findings; what changed in
the rows since the draft; tasks whose days moved; values in the document that are older than the rows; the sections of
the document with their words. Where they differ, rows and computed values are right, then your decisions, then what is
taken over, then the document. Where a row is only a cruder copy of what the document says (a title cut short, a rounded
amount, a task split in two), the document is right and stays.

Go through it in this order:
1. What is no longer true. Each changed row, each moved task, each old value: find all the places in which the document
   says it, in words, tables, sums, texts to send and the summary, and correct them all. A sum is that of its own rows.
2. What you decided. An accepted finding changes the one place where its reader acts on it, in as few words as it takes:
   a row or half a sentence, in the words of the document. What was accepted and changes nothing that somebody does is
   left out. Of what may be taken over, take what makes the plan better for its readers, in its place; leave the rest.
3. What readers miss and programs know, each once, where it is needed: beside each promised day its odds and what they
   rest on; at each gate what is spent by then and what leaving costs; the month in which cash is lowest and what is
   left then; the month in which somebody has too much work, and who takes over. What of the goal cannot hold as asked,
   with what would, is in the first section. Every demand, limit and refusal of the goal can be traced to where it is
   met: if the document has no table for that, it gets a short one.
4. What can go: what is said twice, what was replaced, what somebody who acts does not use; how the plan was made
   (drafts, findings, critics, programs). All together the document gets at most {added} words longer than the draft,
   and has at most {words}. An undertaking that a few people do themselves stays short.

Plain sentences that one understands at first reading. No telegram style, no chains of figures in brackets, no codes and
no ids of rows, no abbreviations of your own; amounts and days in the form in which the document writes them. Marks as
in the document: once, where a thing is first stated.

Answer with
- corrections: was, a passage of the document, copied exactly and long enough to occur only once (of a table, a whole
  row); now, the passage as it is right. New rows and sentences are part of the passage beside which they stand.
- sections: only where most of a section changes: its number in the list of sections, and its whole new text with its
  heading; an empty text removes the section.
- parts: for each section of the list what it is about:
{parts}
"""

ONE_SECTION = """
Revise section {number} alone now, “{title}”; you revise the others in other answers, by the same rules.
"""

PROOF = """\
The plan below is handed out today. You read it last, together with two others, each of whom looks for other things; you
can still have passages corrected, and nothing else.

{asks}

You are shown the facts of the goal, the document as it will be handed out, the tables of the plan with what programs
computed of them, and, at the end, what programs noticed in the document, which may be right or wrong. The document was
revised by hand, and each correction by hand too; tables and computed values are exact copies of what was decided. Where
a row is only a cruder copy of what the document says, the document is right.

corrections: was, a passage of the document, copied exactly and long enough to occur only once (of a table, a whole
row); now, the passage as it is right, in the voice of the document, no longer than it was unless something is missing
that its reader must have. An error that stands in several places is corrected in each of them, and with all that
follows from it. Correct what is wrong or what a reader would stumble over, not what could be put otherwise. No ids of
rows, no remarks on the document. None at all, if all is right.
"""

#: What each of the last readers looks for.
READERS: Mapping[str, str] = {
    "numbers": """\
You check numbers. Recompute every product, sum, total of a table, difference, share, price of one unit, result of a
year and count of days or people in the document; compare them with the tables. Follow each amount, quantity, share,
threshold and count through the whole text: it has one value wherever it is said, and what is computed from it agrees.
Where two values stand, decide which is right from what they are made of, and correct the other wherever it stands.""",
    "days": """\
You check days, people and things to do. Each date has its right weekday, falls in the season, term or opening hours
that it needs, and is the same wherever it is said. Nothing is used, announced, paid, ordered, opened or decided before
what it needs is there: papers before meetings, answers before what waits for them, quotes before orders, trials before
decisions, licences before openings. Nobody is in two places on a day, nothing is asked of a person or machine that has
no time left. A fallback is possible in the days that are left when its trigger is read. The first days can be done as
they stand; the texts to send say the same days, amounts and conditions as the plan, and ask for what it needs. Odds
beside promised days are those computed.""",
    "readers": """\
You are the one who decides about this plan, then the one who begins with it on the first morning; you have seen nothing
of it before. Take the goal sentence by sentence: each demand, limit, refusal and wish is met where the plan says so, or
it is said plainly that it cannot be, at the beginning. A rule, price, institution or practice that its author cannot
know for certain is marked (assumed, to verify), once, and nothing is invented. What you understand only at the second
reading becomes a plain sentence: telegram style, chains of figures, words that the plan uses before it explains them,
abbreviations and codes without a key, words in another language. What is said twice stays where it is used, and goes
elsewhere. What nobody uses goes. Words that the goal bans go. {length}""",
}

CHANGED = """\
You are the author of this plan. Since its final text was written, some rows were changed. You are shown the facts of
the goal, the document, what programs compute of the rows as they are now, and each row as it was and as it is now.
Correct what is no longer true, in words, tables, sums and texts to send: what the document says of these rows, and the
days, amounts and odds that follow from them. Nothing else changes.
corrections: was, the shortest passage that is no longer true and occurs only once, copied exactly (of a table, a whole
row); now: what is true. None if all is still true.
"""


class SectionText(Answer):
    """A section written anew."""

    section: int = Field(ge=0, le=200, description="Its number in the list of sections")
    text: str = Field(max_length=40_000, description="Markdown with its heading; empty: the section is removed")


class SectionPart(Answer):
    """What a section is about."""

    section: int = Field(ge=0, le=200, description="Its number in the list of sections")
    part: Name


class Revision(Answer):
    """What changes in the draft."""

    corrections: list[Correction] = Field(default_factory=list, max_length=250)
    sections: list[SectionText] = Field(default_factory=list, max_length=40)
    parts: list[SectionPart] = Field(default_factory=list, max_length=200)


class Proof(Answer):
    """What a last reader corrects."""

    corrections: list[Correction] = Field(default_factory=list, max_length=120)


@dataclass(frozen=True)
class DocumentSection:
    """A section of the document: its number, its heading without signs (empty: what stands above the first), its text.

    *text* is the Markdown with the heading.
    """

    number: int
    title: str
    text: str

    @property
    def body(self) -> str:
        """The text without the heading."""
        return self.text.partition("\n")[2].strip() if self.title else self.text.strip()


def sections_of(document: str) -> tuple[DocumentSection, ...]:
    """Return the sections of *document*: those below its highest headings of which it has at least LEAST_SECTIONS."""
    lines = document.strip().splitlines()
    levels = _levels(lines)
    counts = {level: sum(each == level for each in levels) for level in levels if level}
    top = min((level for level, count in counts.items() if count >= LEAST_SECTIONS), default=min(counts, default=0))
    starts = [n for n, level in enumerate(levels) if level and level == top]
    parts = [lines[a:b] for a, b in zip([0, *starts], [*starts, len(lines)], strict=True)]
    texts = [("\n".join(part).strip(), bool(at)) for at, part in enumerate(parts)]
    return tuple(
        DocumentSection(number, title_of(text) if titled else "", text)
        for number, (text, titled) in enumerate(each for each in texts if each[0])
    )


def title_of(section: str) -> str:
    """Return the first line of *section* without the signs of a heading."""
    return section.strip().partition("\n")[0].strip("# ")


def _levels(lines: Iterable[str]) -> list[int]:
    """Return the level of the heading that each line is; 0 for other lines, and within fences."""
    found, fenced = [], False
    for line in lines:
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        heading = None if fenced else re.match(r"(#{1,6})\s", line)
        found.append(len(heading[1]) if heading else 0)
    return found


def listed(sections: Iterable[DocumentSection]) -> str:
    """Return the sections as their author is shown them: number, heading and words."""
    return "\n".join(f"{each.number}. {each.title or '(title)'}: {count_words(each.text):,} words" for each in sections)


@dataclass(frozen=True)
class Corrected:
    """A text after corrections, and those that found no place, each with the reason."""

    text: str
    refused: tuple[str, ...] = ()


def with_sections(sections: Iterable[DocumentSection], changed: Iterable[SectionText]) -> tuple[DocumentSection, ...]:
    """Return *sections* with those that are *changed*, without those that are removed.

    A new text without a heading keeps that which the section had.
    """
    new = {each.section: each.text.strip() for each in changed}
    made = (_anew(section, new.get(section.number, section.text)) for section in sections)
    return tuple(section for section in made if section.text)


def _anew(section: DocumentSection, text: str) -> DocumentSection:
    if section.title and text.startswith("#"):
        return replace(section, title=title_of(text), text=text)
    if section.title and text:
        return replace(section, text=f"{section.text.partition(chr(10))[0]}\n\n{text}")
    return replace(section, text=text)


def corrected(document: str, corrections: Sequence[Correction]) -> Corrected:
    """Return *document* with each of *corrections* whose passage occurs in it exactly once."""
    refused = []
    for each in corrections:
        found = _found(document, each.was)
        if len(found) == 1:
            document = document[: found[0].start()] + _fitting(each, found[0][0]) + document[found[0].end() :]
        elif each.was.strip() != each.now.strip():
            why = "is not in the document" if not found else f"occurs {len(found)} times"
            refused.append(f"“{each.was}” {why}; it was to become “{each.now}”")
    return Corrected(document, tuple(refused))


def _found(document: str, passage: str) -> list[re.Match[str]]:
    """Return where *passage* occurs, whatever space is between its words."""
    words = passage.split()
    return [*re.finditer(r"\s+".join(map(re.escape, words)), document)] if words else []


def _fitting(correction: Correction, replaced: str) -> str:
    """Return what replaces *replaced*: an empty text takes no blank line with it, a row stays a line of its own."""
    now = correction.now.strip("\n")
    return now if replaced == replaced.strip() else f"{now}\n"


def parts_asked() -> str:
    """Return the parts with what each is about."""
    return "\n".join(f"  {name}: {said}" for name, said in PARTS.items())
