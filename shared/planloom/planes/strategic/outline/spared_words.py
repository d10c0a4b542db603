"""Remove the words that a goal bans from texts: tables are written for every goal, and quotes may contain them."""

import re
from typing import Any, TypeVar

from planloom.core.frozen import Answer
from planloom.planes.strategic.facts.fact import Facts

A = TypeVar("A", bound=Answer)

#: What follows a noun; before anything else the banned word was an adjective and is removed without a mark.
_AFTER_NOUN = (
    r"(?=\s*(?:[,.;:!?)”’]|$|(?:of|in|on|for|to|is|are|was|must|with|by|at|from|and|or|that|which|has|will|can|may)\b))"
)
_GAP = "[…]"


def spare(answer: A, facts: Facts) -> A:
    """Return *answer* without the words that *facts* ban: an adjective is removed, a noun becomes ``[…]``.

    Single words (ids, choices from a list) stay as they are.
    """
    word = _banned(facts)
    if not word or not re.search(word, answer.model_dump_json(), re.IGNORECASE):
        return answer
    return type(answer).model_validate(_spared(answer.model_dump(), word))


def spared_quote(text: str, facts: Facts) -> str:
    """Return words of the goal on one line, each word that *facts* ban as ``[…]``: a quote shows what is left out."""
    line, word = " ".join(text.split()), _banned(facts)
    return re.sub(word, _GAP, line, flags=re.IGNORECASE) if word else line


def _banned(facts: Facts) -> str:
    banned = [re.escape(ban.what) for ban in facts.bans if ban.kind == "word"]
    return rf"\b(?:{'|'.join(banned)})s?\b" if banned else ""


def _spared(value: Any, word: str) -> Any:
    if isinstance(value, dict):
        return {key: _spared(each, word) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_spared(each, word) for each in value]
    if not isinstance(value, str) or " " not in value or not re.search(word, value, re.IGNORECASE):
        return value
    kept = re.sub(rf"{word}{_AFTER_NOUN}", _GAP, value, flags=re.IGNORECASE)
    kept = re.sub(rf"{word}[\s-]*", "", kept, flags=re.IGNORECASE)
    return kept[:1].upper() + kept[1:] if value[:1].isupper() else kept
