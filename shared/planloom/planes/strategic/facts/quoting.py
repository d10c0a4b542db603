"""Quote the prompt: on one line, cut at a word, and without words that the prompt bans."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeVar

from planloom.planes.strategic.facts.fact import Facts, Spanned

#: A passage this short says nothing alone; so many words are quoted around it.
_BARE, _AROUND = 12, 4
_WORDS = re.compile(r"\S+")

S = TypeVar("S", bound=Spanned)


def clip(text: str, limit: int) -> str:
    """Return *text* on one line in at most *limit* characters, cut at a word and marked with an ellipsis."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    return line[: limit - 1].rsplit(" ", 1)[0].rstrip(" ,;:-") + "…"


def quote(span: Spanned, limit: int = 160) -> str:
    """Return what *span* says, in quotation marks, without its closing stop."""
    return f"“{clip(span.text, limit).rstrip('.!;, ')}”"


def passages(facts: Facts, spans: Iterable[Spanned]) -> Iterator[Spanned]:
    """Yield *spans* of the goal, a bare number with the words of its sentence around it, each part of it once."""
    end = -1
    for span in spans:
        if span.start < end:
            # the words around the one before hold it
            continue
        found = _in_sentence(facts, span) if len(span.text) <= _BARE else span
        end = found.end
        yield found


def _in_sentence(facts: Facts, span: Spanned) -> Spanned:
    inside = next((s for s in facts.sentences if s.start <= span.start and span.end <= s.end), span)
    before, after = inside.text[: span.start - inside.start], inside.text[span.end - inside.start :]
    if f"{before}{span.text}{after}" != inside.text:
        return span
    first = [found.start() for found in _WORDS.finditer(before)][-_AROUND:]
    last = [found.end() for found in _WORDS.finditer(after)][:_AROUND]
    start = first[0] if first else 0
    end = len(before) + len(span.text) + (last[-1] if last else 0)
    return Spanned(text=inside.text[start:end], start=inside.start + start, end=inside.start + end)


def quotable(facts: Facts, spans: Iterable[S]) -> tuple[S, ...]:
    """Return those of *spans* that hold none of the words which the prompt bans."""
    banned = tuple(ban.what for ban in facts.bans if ban.kind == "word")
    return tuple(span for span in spans if not (banned and _beginning(banned).search(span.text)))


@lru_cache(maxsize=64)
def _beginning(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})", re.IGNORECASE)
