"""The days on which a study observes: it collects data then, and not as soon as its instruments are there."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from planloom.domain.facts import Day
from planloom.domain.pert import ThreePoint
from planloom.knowledge.brief import Brief
from planloom.knowledge.sequence import Order
from planloom.knowledge.targets import FixedDay, Step, Target

#: The kind of project that observes, and its packages that do, from the last campaign to the one before it.
STUDY = "research"
LAST, BEFORE = ("collection_rest", "field_campaign"), ("collection",)
#: What lasts longer is a time frame and no campaign.
LONGEST = 93

_OBSERVES = re.compile(
    r"\b(?:sampl(?:ed?|es|ing)|re-?sampled|measur(?:ed?|es|ing|ements?)|survey(?:s|ed|ing)?|census(?:es)?|counted|"
    r"monitor(?:ed|ing)|observ(?:ed?|es|ing|ations?)|interview(?:s|ed|ing)?|record(?:ed|ings?)|campaigns?|"
    r"data collection|collect(?:ed|s|ing)?|field seasons?|follow-ups?|waves?)\b",
    re.IGNORECASE,
)


def windows(brief: Brief, steps: Iterable[Step]) -> dict[str, FixedDay]:
    """Return by id the days on which packages collect data, where the prompt names such days: the last two at most.

    A single day named is none of a series: it may as well be the first.
    """
    found = _campaigns(brief)
    if brief.archetype.name != STUDY or len(found) < 2:
        return {}
    held: dict[str, FixedDay] = {}
    for step in steps:
        if step.key in LAST:
            held[step.id] = found[-1]
        elif step.key in BEFORE and found[-2].first > brief.start:
            held[step.id] = found[-2]
    return held


def within(estimates: Mapping[str, ThreePoint], held: Mapping[str, FixedDay]) -> dict[str, ThreePoint]:
    """Return *estimates*, those of what is observed on *held* days replaced by the working days that these have."""
    return {**estimates, **{name: ThreePoint(n, n, n) for name, n in _lengths(held) if name in estimates}}


def ready_by(held: Mapping[str, FixedDay], steps: Sequence[Step], orders: Sequence[Order]) -> tuple[Target, ...]:
    """Return for each package of *held* the day by which all must be done that it waits for."""
    found = []
    for step in steps:
        waits = tuple(order.after for order in orders if order.task == step.id)
        if step.id in held and waits:
            day = held[step.id].first - timedelta(days=1)
            found.append(Target(f"{step.title}: begins", day, waits, "prompt", final=False))
    return tuple(found)


def _campaigns(brief: Brief) -> list[FixedDay]:
    last = brief.deadline or date.max
    days = [day for day in brief.facts.days if _is_campaign(brief, day) and brief.start <= day.latest <= last]
    return sorted({FixedDay(max(day.earliest, brief.start), day.latest) for day in days}, key=lambda d: d.first)


def _is_campaign(brief: Brief, day: Day) -> bool:
    said = next((s.text for s in brief.facts.sentences if s.start <= day.start < s.end), "")
    return (
        day.role in ("milestone", "other")
        and (day.latest - day.earliest).days <= LONGEST
        and bool(_OBSERVES.search(said))
    )


def _lengths(held: Mapping[str, FixedDay]) -> list[tuple[str, int]]:
    found = []
    for name, window in held.items():
        days = (window.first + timedelta(days=n) for n in range(window.days))
        found.append((name, max(1, sum(day.weekday() < 5 for day in days))))
    return found
