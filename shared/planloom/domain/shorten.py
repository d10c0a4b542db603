"""Shorten a text by rule: whole lines while they fit, then whole sentences of prose; never within a sentence."""

import re
from collections.abc import Sequence

_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])")
_CUT = "[shortened]"
#: Between the cells of a row: a row says one thing and is kept whole or not at all.
CELLS = " | "


def shorten(text: str, limit: int) -> str:
    """Return *text* in at most *limit* characters, ended at a line or sentence and marked as shortened.

    Where not even the first sentence fits, the mark alone is left.
    """
    if len(text) <= limit:
        return text
    room = limit - len(_CUT) - 1
    kept: list[str] = []
    for line in text.splitlines():
        if len(line) <= room:
            kept.append(line)
            room -= len(line) + 1
            continue
        kept.append(_sentences(line, room))
        break
    return "\n".join([*filter(str.strip, kept), _CUT])


def shares(lengths: Sequence[int], limit: int) -> list[int]:
    """Return how much of *limit* each of *lengths* gets: all that it asks where that is less than an equal share."""
    granted = [0] * len(lengths)
    left = limit
    for rest, index in zip(
        range(len(lengths), 0, -1), sorted(range(len(lengths)), key=lengths.__getitem__), strict=True
    ):
        granted[index] = min(lengths[index], max(left, 0) // rest)
        left -= granted[index]
    return granted


def _sentences(line: str, room: int) -> str:
    if CELLS in line:
        return ""
    kept = ""
    for sentence in _SENTENCE_END.split(line):
        if len(kept) + len(sentence) + 1 > room:
            break
        kept += f"{sentence} "
    return kept.rstrip()
