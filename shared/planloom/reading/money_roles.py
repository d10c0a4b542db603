"""Decide what an amount of money is for, from the words around it."""

import re
from dataclasses import dataclass
from typing import Literal

from planloom.reading import money_words as words
from planloom.reading.nouns import STOP_WORDS, phrase_after, phrase_before

MoneyRole = Literal["total", "cap", "part", "funding", "revenue", "price", "salary", "other"]


@dataclass(frozen=True)
class Sense:
    """A role with its noun; ``weight`` says how surely a total is one: 0 for no total."""

    role: MoneyRole
    noun: str = ""
    weight: float = 0.0


def sense_of(before: str, after: str, *, aimed_at: bool, makes: str) -> Sense:
    """Return the role and noun of an amount between *before* and *after*, both lower case and of its sentence.

    *aimed_at*: the amount stands in the objective sentence; *makes*: the subject of the plan, lower case.
    """
    return (
        _threshold(before, after)
        or _rate(before, after)
        or _limit(before, after, aimed_at=aimed_at, makes=makes)
        or _total(before, after, makes)
        or (_named(before, after) if aimed_at else None)
        or _flow(before, after)
        or Sense("other")
    )


def _threshold(before: str, after: str) -> Sense | None:
    """ "Decisions above": an amount from which on somebody else decides."""
    found = words.THRESHOLD.search(before)
    if found is None:
        return None
    what = phrase_before(found["what"])
    decided = words.DECIDES.search(f"{found['what']} . {after[:60]}")
    return Sense("other", what) if decided and what and not words.BUDGET.search(before) else None


def _rate(before: str, after: str) -> Sense | None:
    found = words.RATE.match(after)
    if not found and not words.EACH.match(after):
        return None
    unit = (found["unit"] or found["per"]) if found else "item"
    near = _near(before)
    if words.LIMIT.search(before):
        return Sense("cap", _spoken_of(words.LIMIT.sub("", before)))
    if words.INCOME.search(near):
        return Sense("revenue", _spoken_of(near))
    if re.search(r"\bbudget\b", near):
        return Sense("other", "budget")
    if words.PAY.search(near) or (unit in {"hour", "annum", "year", "month"} and not words.PRICE.search(near)):
        return _pay(near, unit)
    return Sense("price", f"per {unit}" if unit not in words.TIME_UNITS | {"item"} else _spoken_of(near))


def _pay(near: str, unit: str) -> Sense:
    if words.PAYERS.search(near):
        return Sense("price", _spoken_of(near))
    return Sense("salary" if words.PAY.search(near) or unit == "hour" else "other", _spoken_of(near))


def _limit(before: str, after: str, *, aimed_at: bool, makes: str) -> Sense | None:
    found, part = words.LIMIT.search(before), words.PART_AFTER.match(after)
    if found is None:
        whole = aimed_at and words.UNDER.search(before) and not part and not words.FUNDS_AFTER.match(after)
        return Sense("total", "", 2.0) if whole else None
    said = _near(before[: found.start()])
    noun = phrase_after(after, part.end()) if part else _spoken_of(said)
    whole_said = re.search(r"\b(?:total|overall|budget|project|everything|altogether|whole)\b", said)
    if whole_said or words.TOTAL_AFTER.match(after) or (noun and noun in makes) or (aimed_at and not noun and not part):
        return Sense("total", "", 3.0)
    return Sense("cap", noun)


def _total(before: str, after: str, makes: str) -> Sense | None:
    found = words.BUDGET.search(before)
    if found:
        return _budget(found, before, makes)
    if words.PART_AFTER.match(after) and not words.PERIOD_AFTER.match(after):
        return None
    if words.GRANTS.search(before):
        return Sense("total", "", 2.0)
    if words.TOTAL_AFTER.match(after):
        return Sense("total", "", 2.5)
    if words.HAVE.search(before) and not re.match(r"\s(?:in|of)\s", after):
        return Sense("total", "", 1.0)
    return None


def _named(before: str, after: str) -> Sense | None:
    named = words.NAMED_BEFORE.search(before) and not words.NO_THING.match(after)
    return Sense("total", "", 1.5) if named else None


def _budget(found: re.Match[str], before: str, makes: str) -> Sense:
    word, aim = found["word"], found["aim"] or ""
    qualifier = found["of"].split()[-1:] or [""]
    if words.YEARLY.search(found["of"]):
        return Sense("other", f"{qualifier[0]} {word}".strip())
    purpose = phrase_after(aim, aim.index(" ") + 1) if aim else ""
    whole = re.search(r"\b(?:project|programme|program|whole|everything|work|plan)\b", aim)
    if purpose and not whole and purpose not in makes:
        return Sense("part", purpose)
    return _qualified(qualifier[0], word, before, makes)


def _qualified(qualifier: str, word: str, before: str, makes: str) -> Sense:
    if qualifier and qualifier not in words.WHOLE | STOP_WORDS and qualifier not in makes.split():
        if word in {"cost", "costs"} and before.rstrip().endswith(word):
            return Sense("price", qualifier)
        return Sense("part", qualifier)
    firmness = 4.0 if "budget" in word or word == "presupuesto" else 2.5
    return Sense("total", "", firmness + (2.0 if words.TOTAL_WORDS.search(before[-60:]) else 0.0))


def _flow(before: str, after: str) -> Sense | None:
    near = _near(before)
    if words.FUNDS_AFTER.match(after) or words.FUNDS_BEFORE.search(near):
        return Sense("funding", _source(near, after), 1.0 if words.SOLE.search(near) else 0.0)
    if words.INCOME.search(near) or words.INCOME_AFTER.match(after):
        return Sense("revenue", _spoken_of(near))
    if words.PAY.search(near):
        return Sense("salary", _spoken_of(near))
    part = words.PART_AFTER.match(after)
    if words.PART_BEFORE.search(near) or part:
        return Sense("part", (phrase_after(after, part.end()) if part else "") or _spoken_of(near))
    return Sense("price", _spoken_of(near)) if words.PRICE.search(near) else None


def _near(before: str) -> str:
    return re.split(r"[,;]", before)[-1]


def _spoken_of(before: str) -> str:
    """Return what is spoken of before "is", "of", "costs": rent, a reserve, the ticket price."""
    said = before.rstrip(" :=(").split()
    while said and (said[-1] in STOP_WORDS or said[-1] in words.LINKS):
        said.pop()
    return phrase_before(" ".join(said))


def _source(near: str, after: str) -> str:
    """Return where money comes from: bank loan, savings, investors."""
    found = re.match(r"\s(?:\w+\s){0,2}?(?:from|by|in|as|of)\s", after)
    noun = phrase_after(after, found.end()) if found else ""
    named = re.match(rf"\s((?:[\w-]+\s){{0,2}}{words.SOURCES})\b", after)
    if noun or named:
        return noun or (phrase_after(named[1], 0) if named else "")
    said = [m.group() for m in re.finditer(rf"\b{words.SOURCES}\b", near)]
    return said[-1] if said else ""
