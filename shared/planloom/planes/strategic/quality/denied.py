"""Check: facts that the plan denies, and amounts and dates of the goal that no fact holds: lost in reading."""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache

from planloom.planes.strategic.facts.amounts import find_amounts
from planloom.planes.strategic.facts.dates import find_dates
from planloom.planes.strategic.facts.fact import Facts, Spanned
from planloom.planes.strategic.quality.draft import GOAL_FILE, START_FILE, Draft
from planloom.planes.strategic.quality.finding import Finding, Outcome, finding, place

CHECK = "denied"
TITLE = "Facts that the plan denies, or that were not understood"

#: A plan that says there is no budget, although the goal gives one, misleads the people who pay for it.
MOST_SCORE = 50

_GOAL = "(?:goal|prompt|brief)"
_VERBS = r"(?:names?|sets?|states?|gives?|mentions?|specif(?:y|ies)|contains?|has|holds?)"
_FOUND = r"(?:is |was |were |are )?(?:found|named|given|stated|set|mentioned|specified)"
#: What a plan may deny, with the words for it.
_TOPICS = {
    "budget": r"(?:total )?(?:budget|amount of money)",
    "deadline": "(?:deadline|end date|due date|date by which)",
    "start": "(?:start|starting) (?:date|day)",
}


def check(draft: Draft) -> Outcome:
    """High for a fact that the plan denies, and for an amount or a date of the goal that no fact holds."""
    facts = draft.facts
    denials = list(_denials(draft))
    lost = [piece for piece in facts.unread if _states(piece.text, facts.language)]
    looked = f"{len(draft.body)} passages against {len(_TOPICS)} kinds of facts; {len(facts.unread)} passages not read"
    findings = (*(found for _, found in denials), *map(_not_held, lost))
    most = MOST_SCORE if any(name == "budget" for name, _ in denials) else 100
    return Outcome(looked_at=looked, findings=findings, most=most)


def _states(text: str, language: str) -> bool:
    """Return whether *text* states an amount of money or a date."""
    return bool(find_amounts(text, language) or find_dates(text, language, date.min))


def _denials(draft: Draft) -> Iterator[tuple[str, Finding]]:
    held = [(name, nouns, fact) for name, nouns in _TOPICS.items() if (fact := _fact(draft.facts, name))]
    for passage in draft.body:
        if "no" not in passage.own.lower():
            continue
        for name, nouns, fact in held:
            hit = _pattern(nouns).search(passage.own)
            if hit:
                message = f"The plan says “{hit[0]}”; the goal gives one: “{' '.join(fact.text.split())[:120]}”."
                there = place(START_FILE if fact.by == "caller" else GOAL_FILE, fact.text or name)
                yield name, finding(CHECK, "high", message, place(passage.file, passage.text), there)


@cache
def _pattern(nouns: str) -> re.Pattern[str]:
    # "no budget for training" denies nothing: the phrase must end after the noun
    return re.compile(
        rf"\b{_GOAL} (?:itself )?(?:{_VERBS} no|does not (?:name|set|state|give|mention|specify) (?:an?|any|the)) "
        rf"{nouns}(?=\s*(?:[.,;:)]|$|and\b|or\b|so\b))|\bno {nouns} {_FOUND} (?:in|by) the {_GOAL}\b",
        re.I,
    )


def _fact(facts: Facts, name: str) -> Spanned | None:
    held: dict[str, Spanned | None] = {
        "budget": next((money for money in facts.money if money.role == "total"), None),
        "deadline": next((day for day in facts.days if day.role == "deadline"), None),
        "start": next((day for day in facts.days if day.role == "start"), None),
    }
    return held[name]


def _not_held(piece: Spanned) -> Finding:
    said = " ".join(piece.text.split())[:160]
    message = f"The goal says “{said}”, and no fact holds it: nothing in the plan rests on it."
    return finding(CHECK, "high", message, place(START_FILE, "not among the facts"), place(GOAL_FILE, piece.text))
