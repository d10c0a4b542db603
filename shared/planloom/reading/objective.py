"""Find the sentence that says what is to be done, and where in it the doing begins."""

import re
from dataclasses import dataclass
from functools import cache

from planloom.domain.facts import Spanned
from planloom.reading.page import Page
from planloom.reading.tables.verbs import GERUNDS, KNOWN

#: Sentences that are looked at: who has not said by then what is wanted, has said it first or not at all.
_LOOKED_AT = 25
_LABEL = r"(?:(?:project|overall|main|our|the|primary)\s+)*(?:goal|objective|aim|mission|task|project|purpose|idea|plan|brief)"
_WANTS = (
    r"(?:want|wants|would like|'d like|plan|plans|intend|intends|aim|aims|need|needs|hope|hopes|wish|wishes|propose|proposes|"
    r"seek|seeks|have decided|has decided|are planning|is planning|am planning|are going|is going|am going|are aiming|"
    r"have to|has to|looking|must)"
)


@dataclass(frozen=True)
class Objective:
    """The objective sentence; ``verbs`` are the base forms found, ``at`` is where their object begins in the text.

    Without a known verb ``verbs`` is empty and ``at`` is where the naming of the thing begins.
    """

    sentence: Spanned
    verbs: tuple[str, ...]
    at: int


def find_objective(page: Page) -> Objective:
    """Return the sentence with the clearest statement of intent, the first where none stands out."""
    ranked = ((_score(page, s) - 0.25 * i, -i, s) for i, s in enumerate(page.sentences[:_LOOKED_AT]))
    _, _, best = max(ranked, key=lambda r: r[:2])
    at, verbs = _entry(page, best)
    return Objective(best, verbs, at)


def _score(page: Page, sentence: Spanned) -> float:
    text = page.text[sentence.start : sentence.end]
    lead = _lead().match(text)
    score = 0.0
    if lead:
        score = {"label": 6.0, "aim": 5.0, "ask": 5.0, "want": 4.0, "will": 3.0, "doing": 3.0}[str(lead.lastgroup)]
        if _DENIAL.search(text[: lead.end() + 4]):
            return -2.0
    if _first_verb().match(text):
        score = max(score, 4.0)
    return score - (2.0 if _ASIDE.match(text) else 0.0) - (1.0 if len(text.split()) < 3 else 0.0)


#: After "we want to", any word is a verb.
_INFINITIVE = re.compile(r"(?<=\bto )([a-z]+)\s")
_DENIAL = re.compile(r"\b(?:not|never|no|don't|won't|nobody)\b", re.IGNORECASE)
_ASIDE = re.compile(
    r"(?:success|budget|risks?|governance|banned|constraints?|note|do not|don't|assume|include|ensure|make sure|use|avoid|"
    r"pick|start with|provide|describe|explain|if|when|focus|indicate|clarify|state|recognize|detail|propose|mark)\b",
    re.IGNORECASE,
)


def _entry(page: Page, sentence: Spanned) -> tuple[int, tuple[str, ...]]:
    """Return where the object begins in the text, and the verbs before it."""
    start, text = sentence.start, page.text[: sentence.end]
    for _ in range(3):
        lead = _lead().match(text, start)
        if lead is None:
            break
        start = lead.end()
    if start == sentence.start and not _first_verb().match(text, start):
        later = _later_verb().search(text, start)
        start = later.end() if later else start
    verbs: list[str] = []
    if start > sentence.start and not _verb().match(text, start) and (word := _INFINITIVE.match(text, start)):
        return word.end(), (word.group(1),)
    while len(verbs) < 4 and (found := _verb().match(text, start)):
        verbs.append(_base(found.group("verb")))
        start = found.end()
    return start, tuple(verbs)


def _base(verb: str) -> str:
    verb = " ".join(verb.lower().split())
    return GERUNDS.get(verb, verb)


@cache
def _verbs() -> str:
    forms = sorted((*KNOWN, *GERUNDS), key=len, reverse=True)
    return "|".join(form.replace(" ", r"\s+") for form in forms)


@cache
def _first_verb() -> re.Pattern[str]:
    return re.compile(rf"(?:please\s+)?(?:{_verbs()})\s+\S", re.IGNORECASE)


@cache
def _later_verb() -> re.Pattern[str]:
    """ "After the storm, rebuild the pier": the order comes after a comma."""
    return re.compile(rf"[,;:]\s(?=(?:{_verbs()})\s(?:the|an?|our|my|all|\d))", re.IGNORECASE)


@cache
def _verb() -> re.Pattern[str]:
    adverb = r"(?:(?:successfully|jointly|quickly|safely|then|also|to|properly|fully|gradually|permanently)\s+)?"
    return re.compile(rf"\s*(?:,\s*)?(?:and\s+|&\s*|or\s+)?{adverb}(?P<verb>{_verbs()})(?=\s|$)", re.IGNORECASE)


@cache
def _lead() -> re.Pattern[str]:
    plan = r"(?:(?:detailed|comprehensive|full|complete|good|realistic|strategic|project|business|step-by-step|simple)\s+)*plan"
    verb = rf"(?=(?:{_verbs()})\s)"
    gerunds = "|".join(form.replace(" ", r"\s+") for form in sorted(GERUNDS, key=len, reverse=True))
    return re.compile(
        rf"\s*(?:(?P<label>{_LABEL}\s*(?::|-)\s*)"
        rf"|(?P<aim>[^.;:]{{0,80}}?\b(?:goal|objective|aim|mission|purpose|idea|ambition|vision)\b[^.;:]{{0,60}}?\b(?:is|are)\s+to\s+)"
        rf"|(?P<ask>(?:please\s+)?(?:can you\s+|could you\s+)?(?:help\s+(?:me|us)\s+(?:to\s+)?"
        rf"|(?:(?:give|make|write|draft|create|prepare|draw up|i need|we need|i want|we want)\s+(?:(?:me|us)\s+)?(?:an?\s+|the\s+)?{plan}\s+(?:for|to|of|on how to|that)\s+)))"
        rf"|(?P<want>[^.;:]{{0,140}}?\b{_WANTS}\s+(?:\w+ly\s+)?to\s+(?=[a-z-]+\s)|[^.;:]{{0,40}}?\b(?:we|i)\s+(?:want|need|would like)\s+(?=(?:a|an|the|our|my)\s))"
        rf"|(?P<will>[^.;:]{{0,140}}?\b(?:will|shall|is to|are to)\s+(?:\w+ly\s+)?{verb})"
        rf"|(?P<doing>[^.;:]{{0,100}}?\b(?:is|are|am|we're|i'm)\s+(?=(?:{gerunds})\s)))",
        re.IGNORECASE,
    )
