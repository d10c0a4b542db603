"""Read what the prompt rules out: words that must not be printed, and approaches that must not be taken."""

import re
from collections.abc import Iterator
from itertools import islice

from planloom.domain.facts import Ban, Spanned
from planloom.reading.banned_approaches import find_approaches
from planloom.reading.banned_words import says_no_word
from planloom.reading.page import MOST_FACTS, Page

_NOT = (
    r"(?:(?:please\s)?do\snot|don't|never|(?:must|may|should|shall|can|will)\s(?:not|never)|cannot|"
    r"(?:must|should|can|wo)n't|(?:is|are)\snot\sto|(?:ought|is|are)\snot\s(?:allowed\s)?to)"
)
_TERM = r"(?:words?|terms?|phrases?|expressions?|buzzwords?)"
_LIST_LEAD = re.compile(
    rf"\b(?:(?:banned|forbidden|prohibited|excluded|disallowed)\s{_TERM}(?:\s(?:are|is|include))?\s?:?\s"
    rf"|(?:{_NOT}|avoid|without)\s(?:ever\s)?(?:us(?:e|ing)|writ(?:e|ing)|say(?:ing)?|"
    rf"mention(?:ing)?|print(?:ing)?|contain(?:ing)?|includ(?:e|ing))?\s?(?:any\sof\s)?(?:the\s)?(?:following\s)?{_TERM}(?:\s(?:like|such\sas))?\s?:?\s"
    rf"|(?:the\s)?following\s{_TERM}\sare\s(?:banned|forbidden|not\sallowed)\s?:\s"
    rf"|(?:{_NOT}|avoid)\s(?:us(?:e|ing)|say(?:ing)?|writ(?:e|ing))\s(?=[\"'“„«])"
    # "do not call kelp 'the new gold'"
    r"|\b(?:not|never)\s(?:call|describe|refer\sto|label)\s(?:(?!\bnot\b)[^\"'“.;:]){1,60}?\s(?=[\"'“]))",
    re.IGNORECASE,
)
_AFTER_LIST = re.compile(
    r"(?P<list>(?:[\"'“„«][^\"'”“»\n]{1,40}[\"'”“»](?:,\s?(?:and\s|or\s)?|\s(?:and|or)\s)?){1,30})\s(?:are|is)\s"
    r"(?:banned|forbidden|not\sallowed|not\sto\sbe\sused|off\slimits)",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"[\"“„«「『][ \u00a0]?([^\"”“»」』\n]{1,40}?)[ \u00a0]?[\"”“»」』]|(?<![\w])'([^'\n]{1,40})'(?!\w)"
)
_BARE = re.compile(r"[^,;]+")
_STOP = re.compile(r"\.(?=\s|$)|;|\n|$|\s(?:in\s(?:the|any|your|our|print)|anywhere|when|because|as\sthey|since)\b")
_MOST_WORDS = 4
_LONGEST_LIST = 2000


def read_bans(page: Page, objective: Spanned) -> tuple[Ban, ...]:
    """Return the bans in order: banned words first in their own form, approaches as noun phrases."""
    words = list(islice(_words(page), MOST_FACTS))
    spans = [(ban.start, ban.end) for ban in words]
    approaches = [
        Ban(**page.span(start, end), kind="approach", what=what[:160])
        for start, end, what in islice(find_approaches(page, objective), MOST_FACTS)
        if not any(a < end and start < b for a, b in spans)
    ]
    return tuple(sorted((*words, *approaches), key=lambda ban: (ban.start, ban.end)))


def _words(page: Page) -> Iterator[Ban]:
    for lead in islice(_LIST_LEAD.finditer(page.text), MOST_FACTS):
        end = min(lead.end() + _LONGEST_LIST, len(page.text))
        stop = _STOP.search(page.text, lead.end(), end)
        yield from _terms(page, lead.end(), stop.start() if stop else end)
    for found in _AFTER_LIST.finditer(page.text):
        yield from _terms(page, *found.span("list"))
    if page.language != "en":
        for sentence in page.sentences:
            if says_no_word(page.language, page.text[sentence.start : sentence.end]):
                yield from _quoted(page, sentence.start, sentence.end)


def _terms(page: Page, start: int, end: int) -> Iterator[Ban]:
    quoted = list(_quoted(page, start, end))
    if quoted:
        yield from quoted
        return
    for piece in _BARE.finditer(page.text, start, end):
        yield from _bare(page, *piece.span())


def _quoted(page: Page, start: int, end: int) -> Iterator[Ban]:
    for found in _QUOTED.finditer(page.text, start, end):
        yield _word(page, *found.span(1 if found.group(1) else 2))


def _bare(page: Page, start: int, end: int) -> Iterator[Ban]:
    """Yield the words of "artisanal or curated": each side of and, or."""
    for found in re.finditer(r"(?:(?!\s(?:or|and|nor)\s).)+", page.text[start:end], re.DOTALL):
        piece = re.sub(r"^\s*(?:and|or|nor)\s+|\s*\(.*$", "", found.group())
        at = start + found.start() + found.group().index(piece) if piece else start
        if piece.strip() and len(piece.split()) <= _MOST_WORDS:
            yield _word(page, at, at + len(piece))


def _word(page: Page, start: int, end: int) -> Ban:
    span = page.span(start, end)
    return Ban(**span, kind="word", what=span["text"].strip("\"'“”„«»()"))
