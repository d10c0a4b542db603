"""The money that the prompt ties down: its reserve, its parts, its caps, its sources, and the limits on who decides."""

import re
from dataclasses import dataclass
from typing import Literal

from planloom.domain.facts import Money, Spanned
from planloom.domain.wording import amount_text
from planloom.facts.quoting import clip, quotable, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import sentence_of

Period = Literal["once", "hour", "day", "week", "month", "year", "unit"]

_RESERVE = r"(?:reserve|contingenc(?:y|ies)|buffer)"
_SHARE = r"(\d+(?:[.,]\d+)?)\s?(?:%|per ?cent)"
_RESERVE_SHARE = re.compile(rf"{_RESERVE}\b[^.;%]{{0,40}}?{_SHARE}|{_SHARE}[^.;%]{{0,20}}?{_RESERVE}", re.IGNORECASE)
_PERIOD = re.compile(r"\s*(?:/|an?\s|per\s|each\s|every\s)\s*(hour|day|week|month|year|annum)", re.IGNORECASE)
_PERIOD_WORD = re.compile(r"\b(hourly|daily|weekly|monthly|yearly|annual(?:ly)?)\b", re.IGNORECASE)
_PER_UNIT = re.compile(r"\s*(?:/|an?\s|per\s|each\b)", re.IGNORECASE)
_FROM = re.compile(
    r"\b(grants?|loans?|savings|donations?|investors?|equity|crowdfunding|sponsors?(?:hip)?|subsid(?:y|ies)|fund(?:ing|ed)?"
    r"|approved|allocated|own money|reserves of|council|ministry|foundation)\b",
    re.IGNORECASE,
)
_DECIDES = re.compile(r"\b(?:above|over|exceeding|more than|up to|below|under)\s+(?:about\s+)?$", re.IGNORECASE)
_DECISION = re.compile(
    r"\b(?:decisions?|decides?|sign\w*|changes?|approv\w+|go(?:es)? to|spend\w*|purchases?|orders?)\b", re.I
)
#: What opens a condition; it is one where its first clause says so.
_CONDITION = re.compile(r"\b(?:that|which|if|once|provided|subject to|only)\b")
_CONDITIONAL = re.compile(r"\b(?:must|if|once|only|subject|provided|unless|until)\b")
_CLAUSE_END = re.compile(r",(?!\d)|;|\s(?:and|while|but)\s")
_LONGEST_CONDITION = 200


@dataclass(frozen=True)
class Source:
    """Where money comes from: ``condition`` is the clause of the prompt that it hangs on; empty where there is none."""

    title: str
    amount: int
    condition: str
    said: Spanned


@dataclass(frozen=True)
class DecisionLimit:
    """An amount at which a decision goes to somebody else, with the clause that says so."""

    money: Money
    said: Spanned


def total_amount(brief: Brief) -> int | None:
    """Return the budget in whole units; of a range its upper end, as the ceiling; None where there is none."""
    return round(brief.total.high) if brief.total else None


def contingency(brief: Brief) -> tuple[float, str]:
    """Return contingency as a share of the total, and its basis: the prompt's words, or the usual share, assumed."""
    stated = _RESERVE_SHARE.search(brief.prompt)
    if stated:
        share = float((stated[1] or stated[2]).replace(",", ".")) / 100
        if 0 < share < 1:
            return share, f"From the goal: “{clip(stated[0], 80)}”"
    amount = next((m for m in brief.facts.money if m.role == "part" and re.search(_RESERVE, m.noun, re.I)), None)
    if amount and brief.total and amount.high < brief.total.high:
        return amount.high / brief.total.high, f"From the goal: {quote(amount)}"
    usual = brief.archetype.contingency
    return usual, f"Assumed: {usual:.0%}, usual for {brief.archetype.label} at this stage; confirmed at the first gate"


def stated_parts(brief: Brief) -> tuple[Money, ...]:
    """Return the amounts that the prompt sets aside for one thing, in the total's currency; no reserve."""
    total = brief.total
    return tuple(
        m
        for m in brief.facts.money
        if m.role == "part" and total and m.currency == total.currency and not re.search(_RESERVE, m.noun, re.I)
    )


def caps(brief: Brief) -> tuple[Money, ...]:
    """Return the amounts that something may not exceed; limits on who decides are no caps."""
    return tuple(m for m in brief.facts.money if m.role == "cap" and not _limits_decision(brief, m))


def decision_limits(brief: Brief) -> tuple[DecisionLimit, ...]:
    """Return the amounts at which the prompt hands a decision on, in its order."""
    return tuple(
        DecisionLimit(m, sentence_of(brief.facts, m))
        for m in brief.facts.money
        if m.role not in ("total", "funding") and _limits_decision(brief, m)
    )


def sources(brief: Brief) -> tuple[Source, ...]:
    """Return the sources that the prompt names; where only the total is given with its giver, that one."""
    total = brief.total
    if total is None:
        return ()
    named = [m for m in brief.facts.money if m.role == "funding" and m.currency == total.currency]
    apart = [m for m in named if m.start != total.start]
    if apart:
        return tuple(Source(_first(m.noun or _kind(brief, m)), round(m.high), _condition(brief, m), m) for m in apart)
    said = sentence_of(brief.facts, total)
    giver = _FROM.search(said.text)
    if giver is None or not quotable(brief.facts, [said]):
        return ()
    return (
        Source(
            _first(total.noun or f"{giver[0]} (as the goal says)"), round(total.high), _condition(brief, total), said
        ),
    )


def period(brief: Brief, money: Money) -> Period:
    """Return the time or unit that *money* is for: EUR 3,200 a month is for a month; ``once`` where nothing says."""
    after = brief.prompt[money.end : money.end + 24]
    said = _PERIOD.match(after)
    if said:
        word = said[1].lower()
        return "year" if word == "annum" else word  # type: ignore[return-value]
    near = _PERIOD_WORD.search(brief.prompt[max(money.start - 40, 0) : money.end + 20])
    if near:
        words = {"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month"}
        return words.get(near[1].lower(), "year")  # type: ignore[return-value]
    return "unit" if _PER_UNIT.match(after) else "once"


def cap_text(brief: Brief, money: Money) -> str:
    """Return the limit as plans print it: ``at most EUR 3,200 a month``."""
    per = period(brief, money)
    return f"at most {amount_text(money.high, money.currency)}" + (f" a {per}" if per not in ("once", "unit") else "")


def _limits_decision(brief: Brief, money: Money) -> bool:
    said = sentence_of(brief.facts, money)
    before = brief.prompt[said.start : money.start]
    return bool(_DECIDES.search(before)) and bool(_DECISION.search(said.text))


def _kind(brief: Brief, money: Money) -> str:
    """What kind of source *money* is by the words around it."""
    near = _FROM.search(brief.prompt[max(money.start - 40, 0) : money.end + 30])
    return near[0] if near else "Source named in the goal"


def _condition(brief: Brief, money: Money) -> str:
    """The clause after *money* that says what must be true first; whole, or nothing."""
    end = sentence_of(brief.facts, money).end
    others = [m.start for m in brief.facts.money if money.end <= m.start < end]
    until = min(others, default=end)
    begun = _CONDITION.search(brief.prompt, money.end, until)
    if begun is None:
        return ""
    # a clause that runs into the next amount ends before it, or goes on where the amount is part of it
    breaks = [found.start() for found in _CLAUSE_END.finditer(brief.prompt, begun.end(), end)]
    before = [at for at in breaks if at <= until]
    stop = before[-1] if others and before else next((at for at in breaks if at > until), end) if others else end
    said = brief.prompt[begun.start() : stop].split(";")[0].rstrip(" .,")
    while len(said) > _LONGEST_CONDITION and "," in said:
        said = said.rpartition(",")[0]
    return said if len(said) <= _LONGEST_CONDITION and _CONDITIONAL.search(re.split("[,;]", said)[0]) else ""


def _first(text: str) -> str:
    return text[:1].upper() + text[1:]
