"""Split a prompt into sentences, each with its exact span; bullets, headings and wrapped lines included."""

import re
from itertools import pairwise

from planloom.domain.facts import Spanned
from planloom.reading.tables.months import MONTHS

_ABBREVIATIONS = """
e.g i.e eg ie approx ca cf vs incl excl dr mr mrs ms prof st mt ft jr sr dept est max min avg tel al inh bzw z.b d.h
u.a usw mio mrd tsd str inkl exkl ggf evtl bl.a f.eks kr pr stk ltd inc co corp p.ej sra jan feb mar apr jun jul aug
sep sept oct nov dec rs
"""
#: A full stop after one of these ends no sentence.
ABBREVIATIONS = frozenset(_ABBREVIATIONS.split())

_END = re.compile(r"(?<![.!?…])[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？]+[」』”]*|\n")
_BULLET = re.compile(r"[ \t]*(?:[-*+•‣▪–—#>]+|\(?\d{1,2}[.)]|\(?[a-zA-Z][.)])[ \t]+")
_EDGE = re.compile(r"[\s#>]*(?:[-*+•‣▪–—]+\s+|\(?\d{1,2}[.)]\s+)?")
#: Abbreviations only before a number: no. 7, art. 3; else "no." is an answer.
COUNTED = frozenset({"no", "nos", "nr", "art", "sec", "fig", "kl"})
_DIGIT_NEXT = re.compile(r"\s*\d")
_NEXT_WORD = re.compile(r"\s*([^\W\d_]+)")
_LAST_WORD = re.compile(r"[\w.]+$")
#: A line shorter than this that ends without a stop is a heading or an item, not wrapped text.
_WRAPPED = 60


def read_sentences(prompt: str) -> tuple[Spanned, ...]:
    """Return the sentences of *prompt* in order, without the white space and bullets around them."""
    cuts = [0, *(m.end() for m in _END.finditer(prompt) if _ends(prompt, m)), len(prompt)]
    trimmed = (_trim(prompt, start, end) for start, end in pairwise(cuts))
    return tuple(s for s in trimmed if s is not None)


def _ends(prompt: str, mark: re.Match[str]) -> bool:
    if mark.group() == "\n":
        return _line_ends(prompt, mark.start())
    if not mark.group().startswith(".") or len(mark.group()) > 1:
        return True
    word = _LAST_WORD.search(prompt, max(0, mark.start() - 12), mark.start())
    if word is None:
        return True
    known = word.group().lower().lstrip(".")
    initial = len(word.group()) == 1 and word.group().isupper()
    if known in COUNTED:
        return _DIGIT_NEXT.match(prompt, mark.end()) is None
    if known in ABBREVIATIONS or initial or known in {"a.m", "p.m"}:
        return _next_is_capital(prompt, mark.end()) and known in {"a.m", "p.m", "inc", "ltd", "co", "etc"}
    if not known.isdigit() or len(known) > 2 or prompt[mark.start() - len(known) - 1 : mark.start()][:1] == ":":
        return True
    # "am 1. Mai 2027", "den 1. maj": an ordinal.
    if not prompt[max(0, mark.start() - 40) : mark.start() - len(known)].rpartition("\n")[2].strip():
        # "1. First thing": the number of an item.
        return False
    following = _NEXT_WORD.match(prompt, mark.end())
    return following is None or (following[1][0].isupper() and following[1].lower() not in MONTHS)


def _next_is_capital(prompt: str, at: int) -> bool:
    rest = prompt[at : at + 8].lstrip()
    return not rest or rest[0].isupper()


def _line_ends(prompt: str, at: int) -> bool:
    line = prompt[max(prompt.rfind("\n", max(0, at - 200), at) + 1, at - 200) : at].strip()
    rest = prompt[at + 1 : at + 40]
    if not line or not rest.strip() or rest.lstrip(" \t\r").startswith("\n") or _BULLET.match(rest):
        return True
    return len(line) < _WRAPPED and (line[-1] in ".:;!?" or rest.lstrip()[:1].isupper())


def _trim(prompt: str, start: int, end: int) -> Spanned | None:
    edge = _EDGE.match(prompt, start, end)
    start = edge.end() if edge else start
    text = prompt[start:end].rstrip()
    return Spanned(text=text, start=start, end=start + len(text)) if text else None
