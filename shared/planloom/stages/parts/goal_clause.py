"""Find the clause of the goal that speaks of the same thing as a row, so that no quote stands where it says nothing."""

import re
from collections.abc import Iterator

from planloom.domain.facts import Spanned
from planloom.facts.quoting import clip, quotable
from planloom.knowledge.brief import Brief
from planloom.knowledge.tracing import stems

#: Words that a clause and a short row must share: one is chance, two are a subject.
_SHARED = 2
_FEWEST_WORDS, _MOST_WORDS = 5, 30
#: What is said to whoever drafts the plan says nothing of the goal.
_TO_US = re.compile(r"\b(?:please|tell us|the plan should|show us)\b", re.IGNORECASE)
_LONGEST = 170
_LEANS = re.compile(r"(?:that|which|who|whose|where|when|for which|of which|with|because|since|so that|if)\b", re.I)
_LEAD = re.compile(r"^(?:and|but|or|so|then)\s+", re.IGNORECASE)


def goal_clause(brief: Brief, text: str, least: int = _SHARED) -> str | None:
    """Return the clause of the goal that shares the most telling words with *text*; None where none shares *least*.

    The sentence that names the goal is left out: it stands at the top of every plan.
    """
    wanted = stems(text)
    best, most = None, least - 1
    for sentence in quotable(brief.facts, brief.facts.sentences):
        if sentence.start == brief.facts.objective.start or _TO_US.search(sentence.text):
            continue
        for clause in _clauses(sentence):
            shared = len(stems(clause) & wanted)
            if shared > most and len(clause.split()) <= _MOST_WORDS:
                best, most = clause, shared
    return clip(best, _LONGEST) if best else None


def quoted(brief: Brief, text: str, lead: str, least: int = _SHARED) -> str:
    """Return ``" <lead>: “<clause>”."`` to stand after a sentence, or nothing where the goal does not speak of it."""
    clause = goal_clause(brief, text, least)
    return f" {lead}: “{clause}”." if clause else ""


def _clauses(sentence: Spanned) -> Iterator[str]:
    """The parts of *sentence* between commas; one that leans on the part before it is joined to that."""
    kept = ""
    for part in re.split(r"[,;:]\s+", sentence.text.strip().rstrip(".!?")):
        if kept and (_LEANS.match(part) or len(kept.split()) < _FEWEST_WORDS or len(part.split()) < _FEWEST_WORDS):
            kept = f"{kept}, {part}"
            continue
        if kept:
            yield _LEAD.sub("", kept)
        kept = part
    if kept:
        yield _LEAD.sub("", kept)
