"""Read what binds the plan: every sentence or clause that says must, may not, at least, no more than, should."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Literal

from planloom.domain.facts import Demand
from planloom.reading.clauses import clauses_of
from planloom.reading.nouns import phrase_after, phrase_before, skip_determiners
from planloom.reading.objective import Objective
from planloom.reading.page import MOST_FACTS, Page
from planloom.reading.wording import any_of

_MUST = re.compile(
    r"\b"
    + any_of("""
    must shall only_allowed no_\\w+_(?:may|can|shall) has_to have_to needs? need_to requires? required mandatory
    may_not may_only can_only (?:cannot|can't|can_not)(?!_(?:prove|know|see|afford|explain|tell|find))
    (?:is|are)_not_(?:allowed|permitted) forbidden prohibited obligatory muss müssen darf_nicht skal må_ikke
    debe deben no_puede doit doivent ne_peut
""")
    + r"\b",
    re.IGNORECASE,
)
_SHOULD = re.compile(
    r"\b"
    + any_of("""
    should ought_to preferabl[ey] ideally would_like prefer ha(?:s|ve)_asked_that expects? soll sollte bør
    debería devrait
""")
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
_RELATIVE = re.compile(r"(?:\s(?:will|would|can|may|has|have|is|are)(?:\s\w+)?)?\s*(?:that|,?\s?which|who)?\s*$")
#: An opening of so many words names its subject; one with a verb or a comma does not, nor does a pronoun.
_SHORT = 7
_NO_NAME = re.compile(
    r",(?!\d)|\b(?:is|are|was|has|have|will|do|does|comes?|means|says?|shows?|that|which|who|if|when)\b|^(?:we|i|it|they|you|there)\b",
    re.IGNORECASE,
)
#: The verb after a modal: "has to fit".
_DOING = re.compile(r"^\s*(?:not\s)?(?:be\s)?(?:(?!(?:an?|the|its|our|both|all|no)\b)[a-z]+\s(?=\w+))?")
_AMOUNT = re.compile(r"^\s*[\d.,]*\s*%?\s*(?:of\s)?")
#: Words to avoid are bans, not demands.
_WORDING = re.compile(
    r"\b(?:banned|forbidden)\swords?\b|\b(?:use|say|write|mention)\sthe\s(?:words?|terms?|phrases?)\b", re.IGNORECASE
)


def read_demands(page: Page, objective: Objective) -> tuple[Demand, ...]:
    """Return the binding clauses in order; "we need to build" in the objective is a wish and binds nothing."""
    return tuple(islice(_all(page, objective), MOST_FACTS))


def _all(page: Page, objective: Objective) -> Iterator[Demand]:
    for sentence in page.sentences:
        for start, end in clauses_of(page, sentence):
            wish = start == objective.sentence.start and end > objective.at
            text = page.text[start:end]
            word = _binding(text, objective.at - start if wish else 0)
            if word is not None and not _WORDING.search(text):
                strength: Literal["must", "should"] = "should" if word.re is _SHOULD else "must"
                yield Demand(**page.span(start, end), strength=strength, subject=_subject(text, word))


def _binding(text: str, at: int) -> re.Match[str] | None:
    """Return the word from *at* on that binds: must before should before a bound."""
    return _MUST.search(text, at) or _SHOULD.search(text, at) or _BOUND.search(text, at)


def _subject(text: str, word: re.Match[str]) -> str:
    """Return what the clause is about: its opening up to the binding word, where that is short; else the next noun."""
    before = _RELATIVE.sub("", text[: word.start()])
    opening = before[skip_determiners(before) :].strip()
    bound = _BOUND.match(text)
    if not bound and 0 < len(opening.split()) <= _SHORT and not _NO_NAME.search(opening):
        return opening
    bounded = phrase_after(_AMOUNT.sub("", text[bound.end() :]), 0) if bound else ""
    nobody = phrase_after(word.group(), 3) if word.group().lower().startswith("no ") else ""
    said = nobody or phrase_before(before, 4) or phrase_after(text, 0)
    return (bounded or said or phrase_after(_DOING.sub("", text[word.end() :], count=1), 0))[:120]
