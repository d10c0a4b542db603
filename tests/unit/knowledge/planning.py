"""Briefs with facts set by hand where a test is about what follows from them."""

from datetime import date
from typing import Any

from planloom.domain.facts import Closure, Day, Money
from planloom.knowledge.brief import Brief, make_brief
from tests.unit.stated_facts import stated_facts as read_facts

TODAY = date(2026, 11, 2)


def brief(prompt: str, **facts: Any) -> Brief:
    """Return the brief of *prompt*, some of its facts replaced."""
    return make_brief(prompt, read_facts(prompt, TODAY).model_copy(update=facts), TODAY)


def closure(prompt: str, text: str, **conditions: Any) -> Closure:
    """Return the closure that the words *text* of *prompt* state."""
    start = prompt.index(text)
    return Closure(text=text, start=start, end=start + len(text), **conditions)


def day(prompt: str, text: str, when: date, role: str, label: str = "") -> Day:
    """Return the day that the words *text* of *prompt* name."""
    start = prompt.index(text)
    return Day(text=text, start=start, end=start + len(text), earliest=when, latest=when, role=role, label=label)


def money(prompt: str, text: str, amount: float, role: str, currency: str = "EUR", noun: str = "") -> Money:
    """Return the amount that the words *text* of *prompt* name."""
    start = prompt.index(text)
    span = {"text": text, "start": start, "end": start + len(text)}
    said = {"low": amount, "high": amount, "role": role, "currency": currency, "noun": noun}
    return Money.model_validate(span | said)
