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
from planloom.reading.tables.units import TIME_UNITS
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
    should ought_to preferabl[ey] ideally would_like prefer ha(?:s|ve)_asked_that soll sollte bør debería
    devrait
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
#: What stands between a subject and its binding word, and is none of it.
_TRAIL = re.compile(
    r"(?:\s(?:will|would|can|may|has|have|is|are|should|must)(?:\s(?!of\b)\w+)?)?"
    r"(?:\s(?:and|or|also|therefore|still|then|already|each|all|both|of|by|to|for|is|be))*\s*,?\s*(?:that|which|who)?\s*$"
)
_RELATIVE = re.compile(r"\s(?:that|which|who)\s")
#: An opening of so many words names its subject; one with a verb or a comma does not, nor does a pronoun.
_SHORT = 9
#: "Success means": a demand on the whole.
_SUCCESS = re.compile(r"success\b|[^.;]{0,60}\bis\sa\ssuccess\b", re.IGNORECASE)
_LEADING = re.compile(r"^(?:(?:and|but|or|so|then|that|since|because|if|when|while)\s)+", re.IGNORECASE)
_NO_NAME = re.compile(
    r",(?!\d)|^(?:we|i|it|they|you|there|in|on|at|by|for|from|with|after|before|of|to|under|over|within|tilt)\b"
    r"|\b(?:of|so|each|and|or|to|in)$|\b"
    + any_of("""
    is are was were has have will do does comes? consists? means says? shows? found that which who whom if when
    chooses? elects? takes? costs? contains? falls? rises? meets? owns? pays? fills? ends? returns? gets? sees?
    wants? suppl(?:y|ies)
""")
    + r"\b",
    re.IGNORECASE,
)
#: The verb after a modal: "has to fit".
_DOING = re.compile(r"^\s*(?:not\s)?(?:be\s)?(?:(?!(?:an?|the|its|our|both|all|no)\b)[a-z]+\s(?=\w+))?")
_AMOUNT = re.compile(r"^\s*[\d.,]*\s*%?\s*(?:of\s)?")
#: What binds nothing: what is asked of whoever writes the plan, and words to avoid, which are bans.
_UNBINDING = re.compile(
    r"^(?:please\s)?(?:tell|say|show|name|explain)\b|\b(?:banned|forbidden)\swords?\b"
    r"|\b(?:use|say|write|mention)\sthe\s(?:words?|terms?|phrases?)\b",
    re.IGNORECASE,
)
_IF = re.compile(r"(?:and\s|or\s)?if\b", re.IGNORECASE)


def read_demands(page: Page, objective: Objective) -> tuple[Demand, ...]:
    """Return the binding clauses in order; "we need to build" in the objective is a wish and binds nothing."""
    return tuple(islice(_all(page, objective), MOST_FACTS))


def _all(page: Page, objective: Objective) -> Iterator[Demand]:
    for sentence in page.sentences:
        for start, end in clauses_of(page, sentence):
            wish = start == objective.sentence.start and end > objective.at
            text = page.text[start:end]
            word = _binding(text, objective.at - start if wish else 0)
            if (
                word is not None
                and not (word.re is _BOUND and (wish or _IF.match(text)))
                and not _UNBINDING.search(text)
            ):
                strength: Literal["must", "should"] = "should" if word.re is _SHOULD else "must"
                yield Demand(**page.span(start, end), strength=strength, subject=_subject(text, word))


def _binding(text: str, at: int) -> re.Match[str] | None:
    """Return the first word from *at* on that binds; a bound alone binds where neither must nor should is said."""
    said = [m for m in (_MUST.search(text, at), _SHOULD.search(text, at)) if m]
    return min(said, key=lambda m: m.start(), default=None) or _BOUND.search(text, at)


def _subject(text: str, word: re.Match[str]) -> str:
    """Return what the clause is about: its opening up to the binding word, where that is short; else the next noun."""
    if _SUCCESS.match(text):
        return "Success"
    opening = _opening(text[: word.start()])
    bound = _BOUND.match(text)
    if not bound and 0 < len(opening.split()) <= _SHORT and not _NO_NAME.search(opening):
        return opening[:120]
    bounded = phrase_after(_AMOUNT.sub("", text[bound.end() :]), 0) if bound else ""
    nobody = phrase_after(word.group(), 3) if word.group().lower().startswith("no ") else ""
    before = phrase_before(_TRAIL.sub("", text[: word.start()]), 4)
    said = (
        nobody or ("" if before.lower() in TIME_UNITS else before) or phrase_after(opening, 0) or phrase_after(text, 0)
    )
    return (bounded or said or phrase_after(_DOING.sub("", text[word.end() :], count=1), 0))[:120]


def _opening(before: str) -> str:
    """Return the last part of *before* that can be a subject: without explanations, leads and articles."""
    explained = before.rstrip().endswith(",")
    parts = _TRAIL.sub("", before).split(", ")
    part = parts[0] if explained else parts[-1]
    part = _LEADING.sub("", part.strip())
    return _RELATIVE.split(part[skip_determiners(part) :])[0].strip()
