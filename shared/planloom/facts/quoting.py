"""Quote the prompt: on one line, cut at a word, and never a word that the prompt bans from print."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeVar

from planloom.domain.facts import Facts, Spanned

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


def quotable(facts: Facts, spans: Iterable[S]) -> tuple[S, ...]:
    """Return those of *spans* that hold none of the words which the prompt bans."""
    banned = tuple(ban.what for ban in facts.bans if ban.kind == "word")
    return tuple(span for span in spans if not (banned and _beginning(banned).search(span.text)))


@lru_cache(maxsize=64)
def _beginning(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})", re.IGNORECASE)
