"""Find the words of the prompt that a text of the tables bears on, to quote them beside that text."""

import re
from collections import Counter
from collections.abc import Iterator

from planloom.domain.facts import Spanned
from planloom.facts.quoting import quotable, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import dangers, sentence_of
from planloom.knowledge.tracing import stems

_CLAUSE = re.compile(
    r"\s*;\s+|,\s+(?:and|but|so|because|of which|with|run by)\s+|\s+because\s+|,\s+(?=\w+ (?:must|may|is|are|has)\b)"
)
#: A clause shorter than this says too little to be quoted alone.
_LEAST_WORDS = 5
#: A clause of so few telling words is about each of them.
_SHORT = 4
#: What a text is about, where no word of it stands in the prompt: the fact to quote instead.
_PERMIT = re.compile(r"\b(?:permit|permission|approv|consent|licen[cs]|authorit|allowed)", re.IGNORECASE)
_MONEY = re.compile(r"\b(?:cost|price|pay|paid|money|budget|cash|fund|lease|reserve|contract)", re.IGNORECASE)
_TIME = re.compile(
    r"\b(?:weeks?|months?|days?|date|pace|rhythm|early|late|first day|season|permit|approv)", re.IGNORECASE
)
_PEOPLE = re.compile(r"\b(?:team|staff|people|hire|train|own work|knowledge|crew|volunteer)", re.IGNORECASE)


def nearest(brief: Brief, text: str, head: str = "", shared: int = 2) -> Spanned | None:
    """Return the clause of the prompt that shares most telling words with *text*, *shared* at least, or None.

    One word is enough where *head* holds it and the clause is short. A word weighs the less, the more clauses hold
    it, and six times as much where *head* holds it; long clauses have no advantage. The first wins a tie; a clause
    with a word that the prompt bans is never returned.
    """
    wanted, first = stems(f"{head} {text}"), stems(head)
    held = [(clause, stems(clause.text)) for clause in _clauses(brief)]
    spread = Counter(stem for _, found in held for stem in found & wanted)
    best, most = None, 0.0
    for clause, found in held:
        common = sorted(found & wanted)
        weight = sum((3.0 if stem in first else 0.5) / spread[stem] for stem in common) / (len(found) or 1) ** 0.5
        enough = len(common) >= shared or (len(found) <= _SHORT and bool(first & found))
        if enough and weight > most:
            best, most = clause, weight
    return best


def basis(brief: Brief, text: str, limit: int = 160, head: str = "") -> str:
    """Return the prompt's own words that *text* bears on, quoted: by shared words, else by what it is about.

    Where even the objective may not be printed, says what is made.
    """
    found = nearest(brief, text, head) or _about(brief, f"{head} {text}")
    # a goal of one letter is quoted by nobody
    return quote(found, limit) if found and len(found.text) > 3 else f"the goal: {brief.facts.subject}"


def ruled_out(brief: Brief, text: str) -> Spanned | None:
    """Return the ban of the prompt that *text* would break, or None: most of the ban's telling words stand in it."""
    words = stems(text)
    for ban in brief.facts.bans:
        wanted = stems(ban.what)
        if ban.kind == "approach" and wanted and len(wanted & words) * 2 > len(wanted):
            return ban
    return None


def demanded(brief: Brief, text: str, shared: int = 2) -> Spanned | None:
    """Return the demand of the prompt that asks for what *text* says, or None."""
    words = stems(text)
    for danger in dangers(brief.facts):
        if danger.kind == "obligation" and len(words & stems(danger.said.text)) >= shared:
            return next(iter(quotable(brief.facts, (danger.said,))), None)
    return None


def _clauses(brief: Brief) -> Iterator[Spanned]:
    for sentence in quotable(brief.facts, brief.facts.sentences):
        start = 0
        for cut in (*_CLAUSE.finditer(sentence.text), None):
            end = cut.start() if cut else len(sentence.text)
            if cut and len(sentence.text[start:end].split()) < _LEAST_WORDS:
                continue
            text = sentence.text[start:end]
            yield Spanned(text=text, start=sentence.start + start, end=sentence.start + end)
            start = cut.end() if cut else end


def _about(brief: Brief, text: str) -> Spanned | None:
    facts = brief.facts
    spans: list[Spanned | None] = []
    if _PERMIT.search(text):
        spans += [d.said for d in dangers(facts) if d.kind == "approval" and d.party][:1]
    if _MONEY.search(text):
        spans.append(brief.total)
    if _PEOPLE.search(text):
        spans += facts.roles[:1]
    if _TIME.search(text):
        spans += [day for day in facts.days if day.role == "deadline"][:1]
    near = [_clause_of(brief, span) for span in spans if span]
    return next(iter(quotable(facts, (*near, facts.objective))), None)


def _clause_of(brief: Brief, span: Spanned) -> Spanned:
    found = (clause for clause in _clauses(brief) if clause.start <= span.start < clause.end)
    return next(found, sentence_of(brief.facts, span))
