"""Shorten a text by rule: whole paragraphs while they fit, then whole sentences, never within one."""

import re

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_CUT = "\n[shortened]"


def shorten(text: str, limit: int) -> str:
    """Return *text* in at most *limit* characters, ended at a paragraph, line or sentence and marked as shortened.

    A first sentence longer than *limit* is cut at a word, so that something is always left.
    """
    if len(text) <= limit:
        return text
    room = limit - len(_CUT)
    kept = ""
    for piece in re.split(r"(\n+)", text):
        if len(kept) + len(piece) <= room:
            kept += piece
            continue
        for sentence in _SENTENCE_END.split(piece):
            if len(kept) + len(sentence) + 1 > room:
                break
            kept += sentence + " "
        break
    if not kept.strip():
        kept = text[:room].rsplit(" ", 1)[0]
    return kept.rstrip() + _CUT
