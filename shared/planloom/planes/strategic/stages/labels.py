"""The words that programs print into a plan, in the language of its goal: heads of tables, units, days, amounts."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import pairwise
from typing import Literal

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_skeleton
from babel.numbers import format_decimal
from pydantic import Field

from planloom.core.frozen import Answer
from planloom.models.model import Part
from planloom.planes.strategic.compute.found import VERDICTS
from planloom.planes.strategic.stages.context import StageContext

#: Phrases in cells and values, beside days, amounts and the words of rows.
PHRASES = (
    "working days", "working day", "calendar days", "calendar day", "person-days", "nobody named", "nobody", "no line",
    "If nobody decides", "decides.", "(chosen)", "the start", "the end", "no date found", "nothing yet", "none",
    "with its response", "only if", "Decided", "critical", "promised", "there", "applied for", "fits",
    "too much", "is kept", "is not kept",
    "is kept as computed, but not safely", "is kept as computed, and missed in most runs", "the whole",
    "Without contingency and reserve", "Contingency", "Reserve", "All lines", "All sources", "to verify", "assumed",
    "computed", "goal", "avoid", "reduce", "transfer", "accept", "own", "granted", "applied for", "planned",
    *(word for _, word in VERDICTS),
)  # fmt: skip
#: The largest number of terms in one call.
MOST_TERMS = 300

INSTRUCTIONS = """\
A program prints tables into a plan that is written in the language of its goal. Give its words in that language: each
term of the list, copied exactly, and its text as somebody who writes such plans in that language would put it at the
head of a column, as a title or in a cell, as short as the English one. Signs, brackets, numbers and ids stay as they
are.
"""

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DAY = re.compile(rf"\b(\d{{1,2}}) ({_MONTHS}) (\d{{4}})\b")
_SHORT = re.compile(r"\b(\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4})\b")
_MONTH = re.compile(rf"\b({_MONTHS}) (\d{{4}})\b")
_NUMBER = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])")
_AMOUNT = re.compile(r"\b([A-Z]{3}) (-?)((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)(?![\d,])")
_CELL = re.compile(r"(?<!\\)\|")
_DIGITS = re.compile(r"\d+")


class Label(Answer):
    """A term in the language of the goal."""

    term: str = Field(min_length=1, max_length=500, description="As in the list")
    text: str = Field(min_length=1, max_length=500)


class LabelsAnswer(Answer):
    """The terms of the list."""

    labels: list[Label] = Field(default_factory=list, max_length=MOST_TERMS)


@dataclass(frozen=True)
class Labels:
    """How programs print in *language* (BCP 47): English as it is; *words* gives terms in another one."""

    language: str = "en"
    words: Mapping[str, str] = field(default_factory=dict)

    def value(self, text: str) -> str:
        """Return a value or a cell that a program made, with its days, amounts, numbers and phrases."""
        if self._locale is None:
            return text
        text = _MONTH.sub(self._month, _SHORT.sub(self._short, _DAY.sub(self._day, text)))
        text = _AMOUNT.sub(lambda m: f"{m[2]}{self._number(m[3])} {m[1]}", text)
        text = _NUMBER.sub(lambda m: self._number(m[0]), text)
        return self._phrases.sub(lambda m: self.words[m[0]], text) if self._phrases else text

    def term(self, text: str) -> str:
        """Return a head, title or sentence from the table of words, or its value if the table does not have it."""
        return self.words.get(text) or self.value(text)

    def table(self, markdown: str) -> str:
        """Return a table, and the lines around it, that a program made."""
        return "\n".join(map(self._line, markdown.split("\n"))) if self._locale else markdown

    def _line(self, line: str) -> str:
        if not line.startswith("| "):
            return self.term(line)
        cells = (self._cell(cell.strip()) for cell in _CELL.split(line)[1:-1])
        return f"| {' | '.join(cells)} |"

    def _cell(self, cell: str) -> str:
        bold = "**" if cell.startswith("**") and cell.endswith("**") else ""
        return f"{bold}{self.term(cell.strip('*'))}{bold}" if bold else self.term(cell)

    @cached_property
    def _locale(self) -> Locale | None:
        try:
            locale = Locale.parse(self.language.replace("-", "_"))
        except (UnknownLocaleError, ValueError):
            return None
        return None if locale.language == "en" else locale

    @cached_property
    def _phrases(self) -> re.Pattern[str] | None:
        # a single word may be one of another language: it counts only where it is the whole cell
        parts = (phrase for phrase in PHRASES if phrase in self.words and not phrase.isalpha())
        known = sorted(parts, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, known))})(?!\w)") if known else None

    def _day(self, found: re.Match[str]) -> str:
        return self._date(found[0], "%d %B %Y", "long")

    def _short(self, found: re.Match[str]) -> str:
        return self._date(found[0], "%d %b %Y", "medium")

    def _date(self, text: str, written: str, form: Literal["long", "medium"]) -> str:
        try:
            day = datetime.strptime(text, written).date()  # noqa: DTZ007
        except ValueError:
            return text  # an author's own: 31 June
        return format_date(day, form, self._locale)

    def _month(self, found: re.Match[str]) -> str:
        month = datetime.strptime(found[0], "%B %Y")  # noqa: DTZ007
        return str(format_skeleton("yMMMM", month, locale=self._locale))

    def _number(self, text: str) -> str:
        return str(format_decimal(text.replace(",", ""), locale=self._locale))


async def labels_of(context: StageContext, printed: Iterable[str]) -> Labels:
    """Return how programs print in the language of the goal; *printed* are the tables and titles to come, in English.

    A model is asked for the terms, once; where it gives none, days and amounts alone are in that language. A term whose
    digits it changed stays English.
    """
    language = context.goal.facts.language
    if Labels(language)._locale is None:
        return Labels()
    terms = dict.fromkeys((*PHRASES, *_terms(printed)))
    listed = "\n".join(terms)
    answer = await context.ask_part("labels", INSTRUCTIONS, (Part("terms", listed),), LabelsAnswer)
    if answer is None:
        context.lost.pop("labels", None)  # nothing of the plan is missing
        return Labels(language)
    given = {each.term.strip(): each.text.strip() for each in answer.labels if each.term.strip() in terms}
    same = {term: text for term, text in given.items() if _DIGITS.findall(term) == _DIGITS.findall(text)}
    return Labels(language, {term: text.replace("|", "/").replace("\n", " ") for term, text in same.items()})


def _terms(printed: Iterable[str]) -> Iterator[str]:
    """Yield the heads of the tables in *printed*, and its lines that belong to no table."""
    for markdown in printed:
        lines = markdown.splitlines()
        for line, after in pairwise([*lines, ""]):
            if after.startswith("|---"):
                yield from filter(None, (cell.strip() for cell in _CELL.split(line)[1:-1]))
            elif line.strip() and not line.startswith(("|", "- ")):
                yield line
