"""A goal as the rules read it: its values by syntax, its clauses, and the words of :file:`cues.toml` in it."""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from planloom.planes.strategic.facts.amounts import Amount, find_amounts
from planloom.planes.strategic.facts.dates import DateReading, find_dates
from planloom.planes.strategic.facts.durations import Duration as Length
from planloom.planes.strategic.facts.durations import find_durations
from planloom.planes.strategic.facts.numbers import Number, find_numbers
from planloom.planes.strategic.facts.spans import MOST_READ, ReadSpans, plain, sentences

#: The largest number of values of one kind; a pasted book would fill the plan with facts.
MOST_FACTS = 300
#: Scripts without spaces between words, or with endings that stick to them.
UNSPACED = frozenset({"ja", "ko", "th", "zh"})
_BREAK = re.compile(r"[;:()—。、，؛،!?]|,(?=\s)|\s-\s|\n|\.(?=\s|\Z)")
#: Between the first and the last day of what lasts several days.
_TO = re.compile(
    r"\s?(?:-|to|until|till|through|bis|au|al|até|a|tot|til|do|по|до|έως)\s?(?:the|the |il |el |le |o |zum )?"
)


@dataclass(frozen=True)
class Page:
    """A goal, read on the day *today*; ``text`` is the goal with plain marks, character for character."""

    goal: str
    text: str
    language: str
    today: date
    country: str | None = None

    @cached_property
    def amounts(self) -> Sequence[Amount]:
        """The amounts of money, in order."""
        return find_amounts(self.text, self.language, self.country)[:MOST_FACTS]

    @cached_property
    def dates(self) -> Sequence[DateReading]:
        """The dates, in order; "9 July 2027 to 11 July 2027" is one."""
        made: list[DateReading] = []
        for day in find_dates(self.text, self.language, self.today, self.country)[:MOST_FACTS]:
            last = made[-1] if made else None
            if (
                last
                and _TO.fullmatch(self.text, last.end, day.start)
                and last.latest < day.earliest
                and not day.ambiguous
            ):
                made[-1] = replace(last, end=day.end, latest=day.latest)
            else:
                made.append(day)
        return made

    @cached_property
    def durations(self) -> Sequence[Length]:
        """The lengths of time, in order."""
        return find_durations(self.text, self.language, self.country)[:MOST_FACTS]

    @cached_property
    def numbers(self) -> Sequence[Number]:
        """The numbers that are neither money nor time."""
        read = ReadSpans(self.amounts, self.dates, self.durations)
        return [n for n in find_numbers(self.text, self.language, self.country) if not read.overlaps(n.start, n.end)][
            :MOST_FACTS
        ]

    @cached_property
    def sentences(self) -> tuple[tuple[int, int], ...]:
        """The spans of the sentences, in order; one at least."""
        return sentences(self.text) or ((0, len(self.text)),)

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self.sentences]

    def sentence_no(self, at: int) -> int:
        """Return the number of the sentence that holds *at*, or of the one before it."""
        return max(bisect_right(self._starts, at) - 1, 0)

    def sentence(self, at: int) -> tuple[int, int]:
        """Return the span of the sentence that holds *at*, or of the one before it."""
        return self.sentences[self.sentence_no(at)]

    def clause(self, start: int, end: int) -> tuple[int, int]:
        """Return the span between the marks around *start* to *end*, within the sentence."""
        first, last = self.sentence(start)
        first = max(first, start - 400)
        for found in _BREAK.finditer(self.text, first, start):
            first = found.end()
        found_after = _BREAK.search(self.text, end, min(max(last, end), end + 400))
        return first, found_after.start() if found_after else min(max(last, end), end + 400)

    def clauses(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the spans between the marks of ``text[start:end]``, none empty."""
        cuts = [start, *(at for m in _BREAK.finditer(self.text, start, end) for at in m.span()), end]
        return [(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=True) if self.text[a:b].strip()]

    def find(self, cue: str, start: int, end: int) -> re.Match[str] | None:
        """Return the first word of *cue* in ``text[start:end]``."""
        pattern = cues(self.language, cue)
        return pattern.search(self.text, max(start, 0), end) if pattern else None

    def has(self, cue: str, start: int, end: int) -> bool:
        """Return whether a word of *cue* is in ``text[start:end]``."""
        return self.find(cue, start, end) is not None

    def span(self, start: int, end: int) -> dict[str, Any]:
        """Return the fields of a ``Spanned``, white space at its ends left out."""
        raw = self.goal[start:end]
        start += len(raw) - len(raw.lstrip())
        text = raw.strip()
        return {"text": text, "start": start, "end": start + len(text)}


def open_page(goal: str, language: str, today: date, country: str | None) -> Page:
    """Return the page of the first :data:`~planloom.planes.strategic.facts.spans.MOST_READ` characters of *goal*."""
    goal = goal[:MOST_READ]
    return Page(goal, plain(goal), language, today, country)


@cache
def cues(language: str, cue: str) -> re.Pattern[str] | None:
    """Return the pattern of the words of *cue* in *language*; None where there are none."""
    words = _table().get(language, {}).get(cue, "")
    return pattern_of(words, language) if words else None


def pattern_of(words: str, language: str, before: str = "", behind: str = "") -> re.Pattern[str]:
    """Return the pattern of *words*, alternatives set apart by ``|``; ``*`` is the rest of a word, if alone the whole.

    *before* and *behind* are patterns that must be there too.
    """
    spaced = re.sub(r"(?<![\\\w\])])\*|(?<!\\w)(?<=[\w'])\*", r"\\w*", words).replace(" ", r"\s+")
    edges = ("", "") if language in UNSPACED else (r"(?<!\w)", r"(?!\w)")
    return re.compile(f"{before}{edges[0]}(?:{spaced}){edges[1]}{behind}", re.IGNORECASE)


@cache
def words_of(language: str, cue: str) -> str:
    """Return the words of *cue* in *language* as the table has them; empty where there are none."""
    return _table().get(language, {}).get(cue, "")


@cache
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads((files(__package__) / "cues.toml").read_text(encoding="utf-8"))
