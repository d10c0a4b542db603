"""The prompt laid open for the readers: text fit for matching, sentences, and what stands around a span."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from planloom.domain.facts import Spanned
from planloom.reading.language import guess_language
from planloom.reading.sentences import read_sentences

#: More facts of one kind than this help no plan, and would make a pasted book slow to read.
MOST_FACTS = 300
#: Characters of a prompt that are read, some 18,000 words: what follows is an annex, and time stays bounded.
MOST_READ = 120_000

# One character for one, so that a span in the plain text is the same span in the prompt.
_PLAIN = str.maketrans(
    dict.fromkeys("\xa0\u2007\u2009\u200a\u202f\t\r*`", " ") | dict.fromkeys("‐‑‒–−", "-") | dict.fromkeys("‘’ʼ", "'")
)
# Where a clause ends: a mark, or "and" before a new subject.
_BREAK = re.compile(
    r"[;:—]|,\s| - |\sand\s(?=(?:the|we|it|they|our|all|each|every|no|i|this|these|both)\s(?:\S+\s){1,4}?"
    r"(?:must|may|should|will|can|cannot|is|are|has|have|need|needs|opens?|starts?|begins?|ends?)\b)",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\([^()]*\)")


@dataclass(frozen=True)
class Page:
    """A prompt and the day on which it is read. Build it with :func:`open_page`.

    ``text`` is the prompt with typographic dashes, apostrophes, spaces and Markdown stars made plain, character for
    character: a match in ``text`` has the same span in ``prompt``.
    """

    prompt: str
    text: str
    today: date
    sentences: tuple[Spanned, ...]
    language: str

    @cached_property
    def starts(self) -> list[int]:
        """The sentences' first characters, for bisection."""
        return [s.start for s in self.sentences]

    def sentence_at(self, at: int) -> Spanned:
        """Return the sentence that holds character *at*, or the one before it."""
        return self.sentences[max(bisect_right(self.starts, at) - 1, 0)]

    def before(self, at: int, reach: int = 100) -> str:
        """Return what stands before *at* in its sentence, *reach* characters at most, lower case."""
        return self.text[max(self.sentence_at(at).start, at - reach) : at].lower()

    def after(self, at: int, reach: int = 80) -> str:
        """Return what follows *at* in the sentence of the character before it, lower case."""
        return self.text[at : min(self.sentence_at(max(at - 1, 0)).end, at + reach)].lower()

    def clause_before(self, at: int, reach: int = 160) -> tuple[int, int]:
        """Return the span from the last comma, semicolon, colon or dash before *at* in its sentence, to *at*."""
        floor = max(self.sentence_at(at).start, at - reach)
        inside = [m.span() for m in _ASIDE.finditer(self.text, floor, at)]
        breaks = [
            m.end() for m in _BREAK.finditer(self.text, floor, at) if not any(a < m.start() < b for a, b in inside)
        ]
        start = breaks[-1] if breaks else floor
        return start, at

    def clause_after(self, at: int, reach: int = 160) -> tuple[int, int]:
        """Return the span from *at* to the next comma, semicolon, colon or dash, or to the sentence's end."""
        roof = min(self.sentence_at(max(at - 1, 0)).end, at + reach)
        while at < roof and self.text[at] in ",: ":
            at += 1
        found = _BREAK.search(self.text, at, roof)
        return at, found.start() if found else roof

    def span(self, start: int, end: int) -> dict[str, Any]:
        """Return the fields of a :class:`Spanned` from *start* to *end*, white space at its ends left out."""
        raw = self.prompt[start:end]
        start += len(raw) - len(raw.lstrip())
        text = raw.strip()
        return {"text": text, "start": start, "end": start + len(text)}

    def phrase(self, start: int, end: int, most: int = 120) -> str:
        """Return the prompt from *start* to *end* on one line, cut at a word to *most* characters."""
        words = " ".join(self.text[start:end].split())
        return words if len(words) <= most else words[: most + 1].rsplit(" ", 1)[0][:most]


def open_page(prompt: str, today: date) -> Page:
    """Lay the first :data:`MOST_READ` characters of *prompt* open."""
    prompt = prompt[:MOST_READ]
    text = prompt.translate(_PLAIN)
    return Page(
        prompt, text, today, read_sentences(prompt) or (Spanned(text="", start=0, end=0),), guess_language(text)
    )


class Taken:
    """The spans that other facts have claimed, so that one number is not read twice."""

    def __init__(self, *kinds: tuple[Spanned, ...]) -> None:
        self._spans = sorted((fact.start, fact.end) for kind in kinds for fact in kind)
        self._starts = [start for start, _ in self._spans]

    def holds(self, start: int, end: int) -> bool:
        """Return whether a claimed span overlaps *start* to *end*."""
        at = bisect_right(self._starts, end - 1)
        return any(last > start for _, last in self._spans[max(0, at - 3) : at])
