"""Name what the plan makes: a noun phrase from the objective, short enough to stand in a sentence."""

import re

from planloom.reading.gazetteer import find_known
from planloom.reading.objective import Objective
from planloom.reading.page import Page
from planloom.reading.subject_edges import (
    EDGE,
    FURTHER,
    GENERIC,
    INTO,
    LISTED,
    MEANS,
    MINE,
    MINE_COUNTED,
    PLACE_BETWEEN,
    PURPOSE,
    STOP,
)
from planloom.reading.subject_foreign import foreign_subject
from planloom.reading.tables.verbs import ACTS, CONVERTING, GERUNDS, MAKING, gerund

#: A subject is cut here; ``Facts.subject`` holds no more.
_MOST = 120


def read_subject(page: Page, objective: Objective) -> str:
    """Return the noun phrase of what is made, at most 120 characters; "the project" where nothing is named."""
    start, end, verbs = objective.at, objective.sentence.end, objective.verbs
    foreign = foreign_subject(page, objective) if not verbs else ""
    if foreign:
        return _fit(foreign)
    verb = verbs[0] if verbs else ""
    if verb and verb not in MAKING and (means := _means(page, start, end)):
        start, verb = means, "build"
    words = _fit(_thing(page.text, start, end, verb))
    if not any(c.isalpha() for c in words):
        return "the project"
    return _phrase(verb, words) if verb else _plain(page, words)


def _means(page: Page, start: int, end: int) -> int | None:
    """Return where the thing made begins in "protect the shore by building a wall"."""
    for found in MEANS.finditer(page.text, start, end):
        if GERUNDS.get(found["how"].lower()) in MAKING:
            return found.end()
    return None


def _thing(text: str, start: int, end: int, verb: str) -> str:
    """Return the words of the thing that *text* names from *start* on; a vague one with what it is for."""
    start += len(text[start:end]) - len(text[start:end].lstrip(" \"'\n"))
    stop = _next(EDGE, text, start + 1, end)
    if listed := LISTED.match(text, start):
        stop = _next(EDGE, text, listed.end(), end)
    if verb in CONVERTING and (into := INTO.search(text, start, end)):
        stop = _next(EDGE, text, into.end(), end)
    head, more = text[start:stop].rstrip(), ""
    if GENERIC.search(head) or len(head.split()) < 3:
        skip = PLACE_BETWEEN.match(text, stop)
        further = FURTHER.match(text, skip.end()) if skip else PURPOSE.match(text, stop)
        if further:
            more = text[skip.end() if skip else stop : _next(STOP, text, further.end(), end)]
    return " ".join(f"{head} {more}".split()).strip(" \"'.,!?")


def _next(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    found = pattern.search(text, start, end)
    return found.start() if found else end


def _phrase(verb: str, words: str) -> str:
    words = MINE.sub("the", MINE_COUNTED.sub("", words))
    if verb in MAKING:
        return words
    if verb in ACTS:
        return _fit(f"the {ACTS[verb]} of {words}")
    return _fit(f"{gerund(verb)} {words}")


def _plain(page: Page, words: str) -> str:
    """Return *words* fit for the middle of a sentence: a capital stays where it belongs to a name."""
    first, _, rest = words.partition(" ")
    name = not first[1:].islower() or rest[:1].isupper() or any(True for _ in find_known(first))
    return words if name or page.language == "de" else first.lower() + words[len(first) :]


def _fit(words: str) -> str:
    return words if len(words) <= _MOST else words[: _MOST + 1].rsplit(" ", 1)[0][:_MOST].rstrip(" ,")
