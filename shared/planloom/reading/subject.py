"""Name what the plan makes: a noun phrase from the objective, short enough to stand in a sentence."""

import re

from planloom.reading.objective import Objective
from planloom.reading.page import Page
from planloom.reading.tables.verbs import ACTS, GERUNDS, MAKING, gerund

#: A subject is cut here; ``Facts.subject`` holds no more.
_MOST = 120
#: Heads that say nothing alone: what they are for is read on.
GENERIC = re.compile(
    r"\b(?:apps?|platform|system|program(?:me)?|project|service|tool|business|company|campaign|plan|solution|facility|"
    r"cent(?:er|re)|product|website|initiative|network|course|event|strategy|study|unit|lab|model|programs|software|"
    r"mission|agency|startup|firm|organi[sz]ation|application|space|place|site|report|book|film|game|series|scheme)$",
    re.IGNORECASE,
)
# Where a thing ends and its place, time, means or purpose begins.
_EDGE = re.compile(
    r"\s+-\s+|\s*[;:—(\[\"!?]|\.(?=\s|$)|,(?!\d)|\s+(?:in|at|by|near|from|on|within|until|before|after|over|using|against|for|to|so|"
    r"where|while|because|without|through|throughout|across|under|between|during|inside|outside|along|around|which|who|"
    r"whose|that|with|into|as|starting|based|located|headquartered|designed|aimed|targeting|focused|called|named|and then|"
    r"including|consisting|featuring|if|when|via|about)\b",
    re.IGNORECASE,
)
_PURPOSE = re.compile(r"\s+(?:for|that|which|to|where|with|about|on|of|against)\b", re.IGNORECASE)
_STOP = re.compile(
    r"\s+-\s+|[;:—(\[!?]|\.(?=\s|$)|,(?!\d)|\s+(?:by|until|before|within|so that|and (?:sync|then)|when|while)\b",
    re.IGNORECASE,
)
_MINE = re.compile(r"^(?:my|our|their|his|her|its|your)\b", re.IGNORECASE)
_MEANS = re.compile(r"\bby\s+(?P<how>\w+ing)\s+(?=\S)", re.IGNORECASE)


def read_subject(page: Page, objective: Objective) -> str:
    """Return the noun phrase of what is made, at most 120 characters; "the project" where nothing is named."""
    start, verbs = objective.at, objective.verbs
    end = objective.sentence.end
    verb = verbs[0] if verbs else ""
    if verb and verb not in MAKING and (means := _means(page, start, end)):
        start, verb = means, "build"
    start, stop = _thing(page.text, start, end)
    words = _fit(" ".join(page.text[start:stop].split()).strip(" \"'"))
    if not words:
        whole = _fit(" ".join(page.text[objective.sentence.start : end].split()).rstrip(".!?:; "))
        return whole or "the project"
    return _phrase(verb, words)


def _means(page: Page, start: int, end: int) -> int | None:
    """Return where the thing made begins in "protect the shore by building a wall"."""
    for found in _MEANS.finditer(page.text, start, end):
        if GERUNDS.get(found["how"].lower()) in MAKING:
            return found.end()
    return None


def _thing(text: str, start: int, end: int) -> tuple[int, int]:
    start += len(text[start:end]) - len(text[start:end].lstrip(" \"'"))
    stop = _next(_EDGE, text, start + 1, end)
    head = text[start:stop].rstrip()
    wanting = GENERIC.search(head) or len(head.split()) < 3
    if wanting and (more := _PURPOSE.match(text, stop)):
        stop = _next(_STOP, text, more.end(), end)
    return start, stop


def _next(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    found = pattern.search(text, start, end)
    return found.start() if found else end


def _phrase(verb: str, words: str) -> str:
    words = _MINE.sub("the", words)
    if not verb or verb in MAKING:
        return words
    if verb in ACTS:
        return _fit(f"the {ACTS[verb]} of {words}")
    return _fit(f"{gerund(verb)} {words}")


def _fit(words: str) -> str:
    return words if len(words) <= _MOST else words[: _MOST + 1].rsplit(" ", 1)[0][:_MOST].rstrip(" ,")
