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
from babel.localedata import locale_identifiers
from babel.numbers import format_decimal, list_currencies
from pydantic import Field

from planloom.core.frozen import Answer
from planloom.models.model import Part
from planloom.planes.strategic.compute.found import VERDICTS
from planloom.planes.strategic.facts.fact import Facts
from planloom.planes.strategic.spine.markdown import HEADINGS
from planloom.planes.strategic.spine.spine import TABLES
from planloom.planes.strategic.stages.computed_plan import KINDS
from planloom.planes.strategic.stages.context import StageContext

#: Phrases in cells and values, beside days, amounts, heads of tables and the words of rows. A single word counts where
#: it is a whole cell, or behind a number.
PHRASES = (
    "working days", "working day", "calendar days", "calendar day", "person-days", "person-day", "days in", "of",
    "nothing yet", "(chosen)", "If nobody decides", "Decided", "not before", "fixed day", "(start)", "at the latest",
    "only if", "in kind", "evenly over", "evenly", "at the start of", "at the end of", "at the start", "at the end",
    *KINDS.values(), "Without contingency and reserve", "All lines", "All sources",
    "goal", "computed", "assumed", "to verify", "there", "promised", "applied for",
    "the whole", "is kept", "is not kept", "is kept as computed, but not safely",
    "is kept as computed, and missed in most runs", "under 5%", "over 95%", *(word for _, word in VERDICTS),
    "Done when", "Further tasks", "Find out whether it holds",
    *(HEADINGS[name] for name, (_, kind) in TABLES.items() if "basis" in kind.model_fields),
    "end, calendar days", "cost", "result of a year", "fits", "too much", "none", "not within 30 years",
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
#: 1,250; a number with places at the beginning of a cell or in a product: 2.5; 400 m2 × 2.5.
_NUMBER = re.compile(
    r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|^\d+\.\d+(?=$| [/(]| [^×]*×)|(?<=[×/] )\d+\.\d+"
)
_AMOUNT = re.compile(r"\b([A-Z]{3}) (-?)((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)(?![\d,])")
_CELL = re.compile(r"(?<!\\)\|")
_HEADING = re.compile(r"(#* ?)(.*)")
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
        """Return a head, title, sentence, cell or value that a program made, with its days, amounts and phrases."""
        if self._locale is None:
            return text
        if text in self.words:
            text = self.words[text]
        elif self._phrases:
            text = self._phrases.sub(lambda m: self.words[m[0]], text)
        text = _MONTH.sub(self._month, _SHORT.sub(self._short, _DAY.sub(self._day, text)))
        return _NUMBER.sub(lambda m: self._number(m[0]), _AMOUNT.sub(self._amount, text))

    def table(self, markdown: str) -> str:
        """Return a table, and the lines around it, that a program made."""
        return "\n".join(map(self._line, markdown.split("\n"))) if self._locale else markdown

    def _line(self, line: str) -> str:
        if not line.startswith("| "):
            marks, words = _HEADING.fullmatch(line).groups()  # type: ignore[union-attr]
            return f"{marks}{self.value(words)}"
        cells = (self._cell(cell.strip()) for cell in _CELL.split(line)[1:-1])
        return f"| {' | '.join(cells)} |"

    def _cell(self, cell: str) -> str:
        words = cell.removeprefix("**").removesuffix("**")
        return cell.replace(words, self.value(words)) if words else cell

    @cached_property
    def _locale(self) -> Locale | None:
        try:
            locale = Locale.parse(self.language.replace("-", "_"))
        except (UnknownLocaleError, ValueError):
            return None
        return None if locale.language == "en" else locale

    @cached_property
    def _phrases(self) -> re.Pattern[str] | None:
        known = sorted((phrase for phrase in PHRASES if phrase in self.words), key=len, reverse=True)
        # a single word may be one of another language: within a cell it counts behind a number
        each = (rf"(?<=\d ){phrase}" if phrase.isalpha() else re.escape(phrase) for phrase in known)
        return re.compile(rf"(?<!\w)(?:{'|'.join(each)})(?!\w)") if known else None

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

    def _amount(self, found: re.Match[str]) -> str:
        if found[1] not in list_currencies():
            return found[0]  # a standard: DIN 1090
        return f"{found[2]}{self._number(found[3])} {found[1]}"

    def _number(self, text: str) -> str:
        return str(format_decimal(text.replace(",", ""), locale=self._locale))


def locale_of(facts: Facts) -> str:
    """Return the language of the goal with the country of its first place, which writes numbers in its own way."""
    country, _ = facts.home
    found = f"{facts.language}_{country}"
    return found if country and found in locale_identifiers() else facts.language


async def labels_of(context: StageContext, printed: Iterable[str]) -> Labels:
    """Return how programs print in the language of the goal; *printed* are the tables and titles to come, in English.

    A model is asked for the terms, once; where it gives none, days and amounts alone are in that language. A term whose
    digits it changed stays English.
    """
    language = locale_of(context.goal.facts)
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
    """Yield the heads of the tables in *printed*, and its headings and lines that belong to no table or list."""
    for markdown in printed:
        lines = markdown.splitlines()
        for line, after in pairwise([*lines, ""]):
            if after.startswith("|---"):
                yield from filter(None, (cell.strip() for cell in _CELL.split(line)[1:-1]))
            elif not line.startswith(("|", "- ")) and line.strip("# "):
                yield line.lstrip("# ")
