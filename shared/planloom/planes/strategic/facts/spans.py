"""Spans of a goal: text made plain character for character, quotes found in it, and its sentences."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise
from typing import Protocol, TypeVar

#: Characters of a goal that are read, some 18,000 words; what follows is not read, so that time stays bounded.
MOST_READ = 120_000


class Spanning(Protocol):
    """Anything found in a text: ``text[start:end]``."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


Found = TypeVar("Found", bound=Spanning)

#: Digits of other scripts, full-width ones among them: the first of each ten.
_ZEROS = (
    0x0660,
    0x06F0,
    0x0966,
    0x09E6,
    0x0A66,
    0x0AE6,
    0x0BE6,
    0x0C66,
    0x0CE6,
    0x0D66,
    0x0E50,
    0x0ED0,
    0x1040,
    0xFF10,
)
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\xa0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\r", " "),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff0d\u301c\uff5e", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\uff07\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\uff02\u300c\u300d", '"'),
        **dict(zip("（），．：；／％＄￥￡￦", "(),.:;/%$¥£₩", strict=True)),
        # the Arabic decimal and thousands separators, the Arabic comma
        **dict(zip("\u066b\u066c\u060c", ".,,", strict=True)),
        **{chr(zero + digit): str(digit) for zero in _ZEROS for digit in range(10)},
    }
)
#: What a comparison leaves out: Markdown marks of bold and code, marks of writing direction.
_UNSEEN = re.compile(r"\*\*+|__+|`+|[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\xad]+")


def plain(text: str) -> str:
    """Return *text* with typographic dashes, quotes and spaces and foreign digits made plain, one character for one."""
    return text.translate(_PLAIN)


_SAME = str.maketrans("ıſς", "isσ", "\u0307")


def fold(word: str) -> str:
    """Return *word* as a key: what a pattern takes for the same letter in another case is the same (ſ, ς, İ, ı)."""
    return word.lower().translate(_SAME)


def locate(goal: str, quote: str) -> tuple[int, int] | None:
    """Return where *quote* is in *goal*, or None; an ellipsis in it is not expanded.

    Tried in this order: as written; with plain quotes, dashes and spaces, white space as one space; in any letter case.
    A place where the quote would cut a number (``5 million`` in ``15 million``) does not count.
    """
    goal, quote = goal[:MOST_READ], quote.strip()
    if not quote:
        return None
    if (at := _first(goal, quote)) is not None:
        return at, at + len(quote)
    text, places = _squeezed(goal)
    wanted, _ = _squeezed(quote)
    for fold in (str, _lower):
        if wanted and (at := _first(fold(text), fold(wanted))) is not None:
            return places[at], places[at + len(wanted) - 1] + 1
    return None


def _lower(text: str) -> str:
    """Lower case, but never of another length."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _first(text: str, quote: str) -> int | None:
    """Return the first place of *quote* at the edges of words; else the first that cuts no number."""
    at, second = text.find(quote), None
    while at >= 0:
        end = at + len(quote)
        if not _cuts_number(text, at, end):
            if not _cuts_word(text, at, end):
                return at
            second = at if second is None else second
        at = text.find(quote, max(at + 1, end - 1))
    return second


def _cuts_word(text: str, start: int, end: int) -> bool:
    return (start > 0 and text[start - 1].isalnum() and text[start].isalnum()) or (
        end < len(text) and text[end].isalnum() and text[end - 1].isalnum()
    )


def _cuts_number(text: str, start: int, end: int) -> bool:
    before = text[start].isdecimal() and re.search(r"\d[.,']?\Z", text[max(0, start - 2) : start])
    return bool(before) or (text[end - 1].isdecimal() and bool(re.match(r"[.,']?\d", text[end : end + 2])))


def _squeezed(text: str) -> tuple[str, list[int]]:
    """Return *text* plain, without unseen marks, runs of white space as one; and the place of each character."""
    text = plain(text)
    dropped = [False] * len(text)
    for found in _UNSEEN.finditer(text):
        dropped[found.start() : found.end()] = [True] * (found.end() - found.start())
    characters: list[str] = []
    places: list[int] = []
    for at, character in enumerate(text):
        blank = character.isspace()
        if dropped[at] or (blank and characters and characters[-1] == " "):
            continue
        characters.append(" " if blank else character)
        places.append(at)
    return "".join(characters), places


class ReadSpans:
    """The spans that are read already, so that no number is read twice."""

    def __init__(self, *groups: Iterable[Spanning]) -> None:
        self._spans = sorted((each.start, each.end) for group in groups for each in group)
        self._starts = [start for start, _ in self._spans]

    def overlaps(self, start: int, end: int) -> bool:
        """Return whether a span overlaps *start* to *end*; the spans are assumed not to overlap much."""
        at = bisect_right(self._starts, end - 1)
        return any(last > start for _, last in self._spans[max(0, at - 3) : at])


def outside(found: Iterable[Found], *read: Iterable[Spanning]) -> tuple[Found, ...]:
    """Return what of *found* overlaps nothing in *read*."""
    spans = ReadSpans(*read)
    return tuple(each for each in found if not spans.overlaps(each.start, each.end))


def in_order(found: Iterable[Found]) -> tuple[Found, ...]:
    """Return *found* by place without overlaps: the longer of two wins, of equals the first in *found*."""
    kept: list[Found] = []
    for each in sorted(found, key=lambda f: (f.start, -f.end)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
        elif each.end - each.start > kept[-1].end - kept[-1].start:
            kept[-1] = each
    return tuple(kept)


_SHORT = """
    e.g i.e eg ie approx ca cf vs incl excl dr mr mrs ms prof st mt ft jr sr dept est max min avg tel al inh bzw z.b d.h
    u.a usw mio mrd tsd mln mld str inkl exkl ggf evtl bl.a f.eks kr pr stk ltd inc co corp p.ej sra jan feb mar apr jun
    jul aug sep sept oct nov dec okt dez rs env art sig dott ing np tzn ok tj atd tzv г гг тыс млн млрд руб т.е т.д т.п
"""
_ABBREVIATIONS = frozenset(_SHORT.split())
#: Abbreviations only before a number: no. 7, art. 3; else "no." is an answer.
_COUNTED = frozenset({"no", "nos", "nr", "art", "sec", "fig", "kl", "č", "ст"})
#: These end a sentence where a capital follows.
_EITHER = frozenset({"a.m", "p.m", "inc", "ltd", "co", "etc", "г", "руб", "kr"})
_END = re.compile(r"(?<![.!?…])[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？]+[」』”]*|[।॥؟](?=\s)|\n")
_BULLET = re.compile(r"[ \t]*(?:[-*+•‣▪–—#>]+|\(?\d{1,2}[.)]|\(?[a-zA-Z][.)])[ \t]+")
_EDGE = re.compile(r"[\s#>]*(?:[-*+•‣▪–—]+\s+|\(?\d{1,2}[.)]\s+)?")
_LAST_WORD = re.compile(r"[\w.]+\Z")
#: A line shorter than this that ends without a stop is a heading or an item, not wrapped text.
_WRAPPED = 60


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the sentences of *text* in order, without the white space and bullets around them."""
    text = text[:MOST_READ]
    cuts = [0, *(m.end() for m in _END.finditer(text) if _ends(text, m)), len(text)]
    return tuple(span for start, end in pairwise(cuts) if (span := _trimmed(text, start, end)))


def _ends(text: str, mark: re.Match[str]) -> bool:
    if mark.group() == "\n":
        return _line_ends(text, mark.start())
    if mark.group() != ".":
        return True
    found = _LAST_WORD.search(text[max(0, mark.start() - 12) : mark.start()])
    if found is None:
        return True
    word, rest = found.group().lower().lstrip("."), text[mark.end() : mark.end() + 8].lstrip()
    if word in _COUNTED:
        return not rest[:1].isdigit()
    if word in _ABBREVIATIONS or word in _EITHER or (len(word) == 1 and found.group().isupper()):
        return word in _EITHER and (not rest or rest[0].isupper())
    return not _is_ordinal(text, mark, word, rest)


def _is_ordinal(text: str, mark: re.Match[str], word: str, rest: str) -> bool:
    """``am 1. Mai``, ``den 1. maj``, and ``1.`` before an item."""
    if not word.isdigit() or len(word) > 2 or text[: mark.start()].endswith(f":{word}"):
        return False
    line = text[max(0, mark.start() - 40) : mark.start() - len(word)].rpartition("\n")[2]
    if not line.strip():
        return True
    return rest[:1].islower() or (rest[:1].isupper() and _names_month(rest))


def _names_month(rest: str) -> bool:
    # every German month starts with these letters, and few nouns at the start of a sentence do
    return rest[:3] in {
        "Jan",
        "Jän",
        "Feb",
        "Mär",
        "Apr",
        "Mai",
        "Jun",
        "Jul",
        "Aug",
        "Sep",
        "Okt",
        "Nov",
        "Dez",
        "Qua",
    }


def _line_ends(text: str, at: int) -> bool:
    line = text[max(text.rfind("\n", max(0, at - 200), at) + 1, at - 200) : at].strip()
    rest = text[at + 1 : at + 40]
    if not line or not rest.strip() or rest.lstrip(" \t\r").startswith("\n") or _BULLET.match(rest):
        return True
    return len(line) < _WRAPPED and (line[-1] in ".:;!?" or rest.lstrip()[:1].isupper())


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    edge = _EDGE.match(text, start, end)
    start = edge.end() if edge else start
    length = len(text[start:end].rstrip())
    return (start, start + length) if length else None
