"""Read what binds the plan: every sentence or clause that says must, may not, at least, no more than, should."""

import re
from collections.abc import Iterator
from itertools import islice

from planloom.domain.facts import Demand, Spanned
from planloom.reading.clauses import clauses_of
from planloom.reading.nouns import phrase_after, phrase_before
from planloom.reading.page import MOST_FACTS, Page
from planloom.reading.wording import any_of

_MUST = re.compile(
    r"\b"
    + any_of("""
    must shall has_to have_to needs? need_to requires? required mandatory may_not may_only can_only cannot can't
    can_not (?:is|are)_not_(?:allowed|permitted) forbidden prohibited obligatory muss müssen darf_nicht skal
    må_ikke debe deben no_puede doit doivent ne_peut
""")
    + r"\b",
    re.IGNORECASE,
)
_SHOULD = re.compile(
    r"\b"
    + any_of(
        "should ought_to preferabl[ey] ideally would_like prefer has_asked_that have_asked_that expects? wants? soll sollte bør debería devrait"
    )
    + r"\b",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b"
    + any_of("""
    at_least at_most no_more_than not_more_than no_less_than no_fewer_than fewer_than no_later_than a_minimum_of
    a_maximum_of up_to_a_maximum mindestens höchstens mindst højst al_menos au_moins
""")
    + r"\b",
    re.IGNORECASE,
)
#: Words to avoid are bans, not demands.
_WORDING = re.compile(
    r"\b(?:banned|forbidden)\swords?\b|\b(?:use|say|write|mention)\sthe\s(?:words?|terms?|phrases?)\b", re.IGNORECASE
)
_WISH = re.compile(
    r"\b(?:i|we|they|\w+)\s(?:needs?|want|wants|would like|have to|has to|must|should|shall)\b", re.IGNORECASE
)


def read_demands(page: Page, objective: Spanned) -> tuple[Demand, ...]:
    """Return the binding clauses in order; the objective itself is none, unless it binds beyond its first verb."""
    return tuple(islice(_all(page, objective), MOST_FACTS))


def _all(page: Page, objective: Spanned) -> Iterator[Demand]:
    for sentence in page.sentences:
        for start, end in clauses_of(page, sentence):
            text = page.text[start:end]
            word = _binding(text)
            wish = sentence == objective and start == objective.start and _WISH.match(text)
            if word is None or wish or _WORDING.search(text):
                continue
            strength = "should" if word.re is _SHOULD else "must"
            yield Demand(**page.span(start, end), strength=strength, subject=_subject(text, word))


def _binding(text: str) -> re.Match[str] | None:
    """Return the word that binds: must before should before a bound."""
    return _MUST.search(text) or _SHOULD.search(text) or _BOUND.search(text)


def _subject(text: str, word: re.Match[str]) -> str:
    """Return what the clause is about: the noun before the binding word, else after it."""
    before = phrase_before(
        re.sub(r"\s+(?:work|construction)?\s*$", lambda m: m.group().rstrip(), text[: word.start()]), 4
    )
    if not before and (bound := _BOUND.search(text)):
        rest = re.sub(r"^\s*[\d.,%]+\s*%?\s*(?:of\s)?", "", text[bound.end() :])
        before = phrase_after(rest, 0)
    return (before or phrase_after(text[word.end() :], 0) or phrase_after(text, 0))[:120]
