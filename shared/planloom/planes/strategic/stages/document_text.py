"""How the author is asked for the final plan, and for corrections of what programs find in it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, get_args

from pydantic import Field

from planloom.core.frozen import Answer
from planloom.planes.strategic.plans import Detail
from planloom.planes.strategic.quality.passages import sentences_of
from planloom.planes.strategic.quality.repeated import LONG_WORDS, alike
from planloom.planes.strategic.quality.words import count_words
from planloom.planes.strategic.stages.chapters import Correction
from planloom.planes.strategic.stages.text import bullets

Name = Literal[
    "opening", "project_plan", "levers", "approvals", "calendar", "team", "budget", "risks", "next_steps"
]  # fmt: skip
#: The part that is printed as the executive summary.
OPENING: Name = "opening"
#: The parts of the document in their order, and what each holds.
PARTS: Mapping[Name, str] = {
    "opening": "the plan in short, at most {opening} words: what will exist, for whom, by when, with which odds; "
    "the whole cost and where the money comes from; how it works in three sentences; what could end it; what "
    "cannot hold as asked, with the options that would; the decisions that the reader must take first, each with "
    "who, by when and what follows otherwise; who does what in the first ten working days, as a table. A program "
    "prints the table of promised days with their odds below it.",
    "project_plan": "how it works: the hardest day by the hour or step with numbers, the narrowest point and its "
    "capacity against the load, what happens if the most important thing fails; the ordinary day; what success is "
    "and who reads it from what; what is in scope and what is out; how each demand, limit and refusal of the goal "
    "is met",
    "levers": "decisions: options with cost, time and effect, the recommended one and why, who decides by when, "
    "what follows if they do not; gates: values that pass and who reads them, what is sunk by then, what leaving "
    "costs",
    "approvals": "who must agree: institutions, law and practice of the place; papers, meeting and answer of each "
    "approval, what waits for it, what happens if it is refused; opponents and what they would gain",
    "calendar": "the work: phases, the longest chain and what shortens it, seasons and closed days, what happens if "
    "all takes a quarter longer, the odds of each promised day and what they rest on; the table of tasks",
    "team": "who does what, when and how much; worst months, days needed against days there, and what is done then; "
    "pay before opening; who stands in for whom",
    "budget": "sum, estimate class, contingency and what nobody may touch; the table of cost lines; sources with "
    "days and conditions; cash by month or quarter with its lowest point; where it earns or costs by the year: "
    "one unit, the first years, working capital, break-even, what moves it most",
    "risks": "this undertaking's own risks with odds, cost, trigger (number and day), response, its cost and owner; "
    "the assumptions that matter most with their tests; when to stop for good",
    "next_steps": "the weeks after the first ten days to the ninetieth, as a table; then the texts to send, whole, "
    "as quotations (lines that begin with >), each below a heading with from whom, to whom, by which day",
}
#: Words of the author's own text and tables, and of the whole with the tables that programs print.
WORDS: Mapping[Detail, int] = {"brief": 2_800, "standard": 6_500, "full": 6_500}
WHOLE: Mapping[Detail, int] = {"brief": 4_300, "standard": 10_800, "full": 10_800}
#: The author's text may be so much longer than is left for it before it is sent back.
LONGER = 1.1
#: So many wrong passages are sent back.
MOST_WRONG = 60
TABLE = re.compile(r"(?m)^[ \t]*\{\{\s*table:\s*(\w+)\s*\}\}[ \t]*$")

INSTRUCTIONS = """\
You are the author of this plan. Your draft was the better of two. Then programs computed it, critics attacked it, and
you decided on what they found. Now write the final plan, whole and anew, as one text by one hand. It keeps the concept
of the draft, its arguments and its physical detail, and is better than the draft in all that was found since. Those who
decide, pay and do the work act on it without asking you. Readers will compare it with other plans for the same goal,
without knowing who wrote which: on whether each demand of the goal is met and can be traced, on numbers that agree, on
a schedule that holds, on how far it fits this case alone, on facts that are right or marked, on whether one can act on
it on the first morning, on risks with proportionate stop rules, and on economy: each paragraph and row is used.

You are shown: the facts of the goal; the document, which is your draft with what is taken over from the other one at
its end; the tables of the plan, whose rows have ids; what programs computed of them; what you said of the concept and
of what cannot hold, if there was anything; your decisions on the findings; what changed in the rows since the draft;
the tables that programs can print; the names of all figures. Where they differ, rows and computed values are right,
then your decisions, then what is taken over, then the draft.

- Passages of the draft that are still true may stay word for word. Work in what is taken over, and what your decisions
  change for those who act. Put beside each promised day its odds and what they rest on; at each gate what is sunk by
  then and what leaving costs; the month in which cash is lowest, the months in which a role has too much work, and what
  is done then. Each of these once, where its reader needs it.
- A computed value that a reader would not expect (low odds, a late day, a lack of cash) gets its reason and what would
  change it. Where the plan as computed and a demand of the goal part, it is said in the opening and nowhere hidden.
- Leave out how the plan was made (drafts, findings, critics, programs), what is said elsewhere in it, and what the
  annexes have, which others write: all assumptions, durations, dependencies, documents, governance, scenarios,
  questions and answers.
- Things are called by their names. Ids are allowed for tasks (P12), decisions (D2) and gates (G1), behind the name,
  where the reader looks them up in a table of the document; no other ids, no codes, no abbreviations of your own.
- Tables: one that programs print is a line {{{{table:NAME}}}} of its own below a sentence or heading of yours; do not
  copy its rows. The tables of tasks and cost lines are printed at the end of their parts where you name them nowhere.
  Of all else (demands, decisions, gates, approvals, people, risks) write tables of your own, short, in the form in
  which their reader uses them, figures by name. What no one uses on a day of this plan is no table.
- Where it matters, the reader can tell where a statement comes from: a computation shows how, what is neither of the
  goal nor computed is marked once, where it is first stated: (assumed), (to verify: with whom), in the language of the
  goal; below a table one line says it for its rows.
- Where the goal says what form the plan has (by quarter, to be read aloud, a page for a council, plain words), give it
  that form.
- At most {words} words of your own, tables of your own included, and {whole} with those that programs print, whose
  words are listed: what a shorter table of yours says as well is not printed. An undertaking that a few people do
  themselves takes half of that or less. The first days, the checks of the gates and the texts to send stay
  whole. Sections within a part have ### headings.

Figures: a day, amount, duration, share or chance that a row or a computation holds is written by its name in double
braces, in tables of yours, too; a program puts the value in its place, now and after every later edit.
{syntax}
Put nothing else between braces and no unit after them. Other numbers of the goal, of the draft or of your own short
calculation are written as they are, and agree with the rows.

The parts, in this order; their titles are yours, in the language of the goal:
{parts}
"""

SOME_PARTS = """
Write these parts now, and nothing else: {names}. Parts that are written are shown whole, as yours: keep every statement
of theirs and repeat none.
"""

CORRECT = """\
You have written the final plan; a program checked it. You are shown the passages in which something is wrong, each with
its part and below it what that is, then what is wrong in the whole. Put it right and change nothing else:
- corrections: was, the shortest part of a passage that holds the error, copied exactly with its braces; now, the same
  part put right: the figure by its right name, or the number if it is true, with its mark (computed, assumed, to
  verify), or without it; things by their names and not by ids. What is said twice stays where its reader needs it.
- parts: only where a part has to become shorter: the part written anew, whole.
What is no error stays without a correction.
{syntax}
"""

CHANGED = """\
You are the author of this plan. Since you wrote its final text, some rows were changed. You are shown the facts of the
goal, the passages of the text that name these rows, and each row as it was and as it is now, with the figures that are
computed of it by name. Figures in double braces are put in anew by a program: leave them. Correct only what is no
longer true: statements, arguments and numbers in words that rest on what the rows said before. was: the shortest part
of a passage that is no longer true, copied exactly with its braces; now: what is true. None if all is still true.
{syntax}
"""


class PlanPart(Answer):
    """A part of the final plan."""

    part: Name
    title: str = Field(max_length=160, description="In the language of the goal, without a number")
    text: str = Field(min_length=1, max_length=40_000, description="Markdown, figures as {{name}}")


class FinalPlan(Answer):
    """The final plan, in parts."""

    names_figures = True

    parts: list[PlanPart] = Field(min_length=1, max_length=9)


class PlanCorrections(Answer):
    """What is put right in the final plan."""

    names_figures = True

    corrections: list[Correction] = Field(default_factory=list, max_length=100)
    parts: list[PlanPart] = Field(default_factory=list, max_length=9)


Parts = Mapping[Name, PlanPart]


def parts_asked(detail: Detail) -> str:
    """Return the parts with what each holds, as the author is asked for them."""
    opening = 400 if detail == "brief" else 700
    return "\n".join(f"- {name}: {holds.format(opening=opening)}" for name, holds in PARTS.items())


def by_name(parts: Iterable[PlanPart]) -> dict[Name, PlanPart]:
    """Return *parts* by name in the order of the document; of two with one name, the first."""
    found = {part.part: part for part in reversed([*parts])}
    return {name: found[name] for name in get_args(Name) if name in found}


def corrected(parts: Parts, answer: PlanCorrections) -> Parts:
    """Return *parts* after *answer*."""
    made = {**parts, **{part.part: part for part in answer.parts if part.part in parts}}
    for each in answer.corrections:
        if each.was:
            made = {
                name: part.model_copy(update={"text": part.text.replace(each.was, each.now)})
                for name, part in made.items()
            }
    return made


def words_of(parts: Parts) -> int:
    """Return the words of the author's own text."""
    return sum(count_words(TABLE.sub("", part.text)) for part in parts.values())


def shown(parts: Parts) -> str:
    """Return *parts* as their author is shown them."""
    return "\n\n".join(f"[{name}] # {part.title}\n\n{part.text}" for name, part in parts.items())


class Faults:
    """What programs find wrong in the final plan: *in_passage* says what is wrong in one passage."""

    def __init__(self, parts: Parts, in_passage: Callable[[str], Sequence[str]], most_words: int) -> None:
        self.passages = list(_passages(parts, in_passage))
        self.whole = list(_in_whole(parts, most_words))

    def __len__(self) -> int:
        return sum(len(said) for _, _, said in self.passages) + len(self.whole)

    def text(self) -> str:
        """Return what is wrong as the author is shown it."""
        found = [
            f"[{name}] {passage}\nWrong in it:\n{bullets(said)}" for name, passage, said in self.passages[:MOST_WRONG]
        ]
        return "\n".join((*found, *([f"Wrong in the whole:\n{bullets(self.whole)}"] if self.whole else [])))


def passages_naming(parts: Parts, rows: Iterable[str]) -> str:
    """Return the passages that name *rows* by id, in braces or outside."""
    named = re.compile(rf"\b(?:{'|'.join(rows)})\b")
    found = ((name, each) for name, part in parts.items() for each in _split(part.text))
    return "\n\n".join(f"[{name}] {passage}" for name, passage in found if named.search(passage))


def _passages(parts: Parts, wrong: Callable[[str], Sequence[str]]) -> Iterator[tuple[Name, str, list[str]]]:
    twice = dict(_twice(parts))
    for name, part in parts.items():
        for passage in _split(part.text):
            again = [said for sentence, said in twice.items() if sentence in passage]
            if said := [*wrong(passage), *again]:
                yield name, passage, said


def _split(text: str) -> Iterator[str]:
    """Yield the paragraphs, and the rows of tables, of *text*."""
    for block in re.split(r"\n\s*\n", text.strip()):
        if block.lstrip().startswith("|"):
            yield from (row for row in block.splitlines() if not re.fullmatch(r"[\s|:-]+", row))
        else:
            yield block


def _twice(parts: Parts) -> Iterator[tuple[str, str]]:
    """Yield each long sentence that is said before, and where; texts that go out may repeat what others say."""
    long = [
        (name, sentence)
        for name, part in parts.items()
        for passage in _split(part.text)
        if not passage.lstrip().startswith((">", "|"))
        for sentence in sentences_of(passage)
        if len(sentence.split()) >= LONG_WORDS
    ]
    for first, again in alike([sentence for _, sentence in long]):
        yield long[again][1], f"a sentence of it is in the part {long[first][0]} already: “{long[again][1][:90]}…”"


def _in_whole(parts: Parts, most: int) -> Iterator[str]:
    words = words_of(parts)
    if words > most * LONGER:
        each = ", ".join(f"{name} {count_words(part.text):,}" for name, part in parts.items())
        yield (
            f"{words:,} words of yours, {words - most:,} too many beside the tables that are printed: write the longest"
            f" parts anew, shorter, or have fewer tables printed ({each})"
        )
