"""What the author is asked who revises the draft, and what its last readers are asked; the answers."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Answer
from planloom.planes.strategic.plans import Detail
from planloom.planes.strategic.stages.chapters import Correction

Name = Literal[
    "opening", "project_plan", "levers", "approvals", "calendar", "team", "budget", "risks", "next_steps"
]  # fmt: skip
#: The part that is printed as the executive summary.
OPENING: Name = "opening"
#: The part of sections of which nobody has said what they are about.
OTHER: Name = "project_plan"
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
ADDED: Mapping[Detail, int] = {"brief": 200, "standard": 500, "full": 500}

REVISE = """\
You are the author of this plan. Your draft is the document. Since it was written, programs have computed it,
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
tables of the plan, whose rows have ids; what programs computed of them; what the judge found in both drafts; your
decisions on the findings; what changed in the rows since the draft; tasks whose days moved; values in the document that
are older than the rows; the sections of the document with their words. Where they differ, rows and computed values are
right, then your decisions, then what is taken over, then the document. Where a row is only a cruder copy of what the
document says (a title cut short, a rounded amount, a task split in two), the document is right and stays.

Go through it in this order:
1. What is not true, or no longer. What the judge found wrong in your draft is wrong still, unless a row or a decision
   has put it right since. Each changed row, each moved task, each old value: find all the places in which the document
   says it, in words, tables, sums, texts to send and the summary, and correct them all. A sum is that of its own rows.
   Two rules, limits, counts or odds for the same thing become one.
2. What you decided. An accepted finding changes the one place where its reader acts on it: a row or a plain sentence,
   in the words of the document. What was accepted and changes nothing that somebody does is left out. Of what may be
   taken over, take at most the five that matter most to the readers; leave the rest.
3. What programs know better. The chance of the end date is the computed one if that is lower, said once, with what it
   rests on; other chances stay as they are, as long as they agree with it. Work for which somebody has no time gets
   another day or another person: a lack of time is not described, it is removed. What of the goal cannot hold as asked,
   with what would, is in the first section. Every demand, limit and refusal of the goal can be traced to where it is
   met: if the document has no table for that, it gets a short one.
4. What can go: what is said twice, what was replaced, what somebody who acts does not use; conditions that are piled on
   each other in one cell or sentence (the one that decides stays); digits that pretend to know more than was assumed;
   how the plan was made (drafts, findings, critics, programs). All together the document gets at most {added} words
   longer than the listed sections are, better none, and has at most {words}, words of tables counted.

Plain sentences that one understands at first reading, in the tone in which the document speaks to those who asked. No
telegram style, no chains of figures in brackets, no codes and no ids of rows, no abbreviations of your own; amounts and
days in the form in which the document writes them. Marks as in the document: once, where a thing is first stated.

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
they stand; the texts to send say the same days, amounts and conditions as the plan, and ask for what it needs. Chances
agree with each other, and that of the end is not above the computed one.""",
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


def parts_asked() -> str:
    """Return the parts with what each is about."""
    return "\n".join(f"  {name}: {said}" for name, said in PARTS.items())
