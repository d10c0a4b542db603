"""The days that a prompt sets, and the packages that must be done by each of them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from planloom.domain.facts import Day
from planloom.facts.quoting import clip, quotable
from planloom.knowledge.brief import Brief
from planloom.knowledge.event_day import MOST_DAYS, ON_A_DAY
from planloom.knowledge.forced_permits import is_of_prompt
from planloom.knowledge.sequence import ACCEPTANCE, Order, successors
from planloom.knowledge.tracing import Page, matching_page

_WISH = re.compile(r"^(?:we|i|they)\s+(?:want|wish|plan|intend|aim|need|have|would like)\s+to\s+", re.IGNORECASE)

#: What starts so many working days after the work is accepted looks back on it and is no part of it.
LOOKS_BACK = 40


@dataclass(frozen=True)
class Step:
    """A work package as far as dates go: ``id`` 2.3, ``key`` its name, ``phase`` the id of its phase."""

    id: str
    key: str
    title: str
    phase: str
    kind: str
    outdoor: bool = False
    fixed: bool = False


@dataclass(frozen=True)
class Target:
    """The packages *tasks* must be done by *day*; *final* where it is the deadline of the whole."""

    title: str
    day: date
    tasks: tuple[str, ...]
    source: str
    final: bool


@dataclass(frozen=True)
class FixedDay:
    """The day or days on which the thing itself takes place: a festival, a wedding. Both ends count."""

    first: date
    last: date

    @property
    def days(self) -> int:
        """How many calendar days it lasts."""
        return (self.last - self.first).days + 1


def fixed_day(brief: Brief) -> FixedDay | None:
    """Return the day that an event takes place on; None for other goals, and where a month is all that is said."""
    stated = _deadline_day(brief)
    if brief.archetype.name not in ON_A_DAY or stated is None or (stated.latest - stated.earliest).days > MOST_DAYS:
        return None
    return FixedDay(max(stated.earliest, brief.start), stated.latest)


def takes_place(step: Step) -> bool:
    """Return whether *step* is what takes place on the fixed day."""
    # what the prompt wants by a day of its own stands beside acceptance too
    return step.kind == "operate" and step.phase == "launch" and not is_of_prompt(step.key)


def targets(brief: Brief, steps: Sequence[Step], orders: Sequence[Order]) -> tuple[Target, ...]:
    """Return the dated demands of *brief* that fit a package, in order of date, the deadline last."""
    found = [_milestone(brief, day, steps) for day in _dated(brief)]
    kept = [target for target in found if target]
    if brief.deadline:
        stated = _deadline_day(brief)
        title = _label(brief, stated) if stated else "End of the time frame"
        source = stated.source if stated else _frame_source(brief)
        kept.append(Target(title, brief.deadline, goals(brief, steps, orders), source, final=True))
    return tuple(sorted(kept, key=lambda t: (t.final, t.day, t.title)))


def goals(brief: Brief, steps: Sequence[Step], orders: Sequence[Order]) -> tuple[str, ...]:
    """Return the ids of the packages that must be done by the deadline, in order of *steps*.

    A deadline that the prompt sets by date asks for the thing itself: closing packages after acceptance come
    later. A time frame (18 months of funding) or an assumed end includes them. Neither includes looking back
    months after acceptance.
    """
    pairs = [(order.task, order.after) for order in orders]
    late = {order.task for order in orders if order.lag >= LOOKS_BACK}
    late |= successors(pairs, late)
    if _deadline_day(brief):
        accepted = [step.id for step in steps if step.key == ACCEPTANCE]
        if accepted:
            # a rollout in waves is still asked for, what else follows acceptance is not
            late |= {step.id for step in steps if step.phase != "launch"} & successors(pairs, accepted)
        else:
            late |= {step.id for step in steps if step.phase == "close"}
    kept = tuple(step.id for step in steps if step.id not in late)
    return kept or tuple(step.id for step in steps)


def upstream(orders: Iterable[Order], of: Iterable[str]) -> frozenset[str]:
    """Return the ids *of* and all that they wait for, directly or not."""
    return successors([(order.after, order.task) for order in orders], of) | frozenset(of)


def _deadline_day(brief: Brief) -> Day | None:
    return next((d for d in brief.facts.days if d.role == "deadline" and d.latest == brief.deadline), None)


def _dated(brief: Brief) -> list[Day]:
    last = _deadline_day(brief)
    days = [d for d in brief.facts.days if d.role in ("milestone", "deadline") and d.latest >= brief.start]
    return [d for d in days if d is not last]


def _milestone(brief: Brief, day: Day, steps: Sequence[Step]) -> Target | None:
    step = matching_page(brief, day, {s.id: Page(s.key.replace("_", " "), s.title) for s in steps})
    phase = next((s.phase for s in steps if s.id == step), "")
    # what the prompt wants after the whole is done is no package that leads to it
    if step is None or (brief.deadline and day.latest > brief.deadline and phase != "close"):
        return None
    return Target(_label(brief, day), day.latest, (step,), day.source, final=False)


def _label(brief: Brief, day: Day) -> str:
    said = _WISH.sub("", day.label) if day.label and quotable(brief.facts, [day]) else day.text
    return clip(said[:1].upper() + said[1:], 110)


def _frame_source(brief: Brief) -> str:
    return next((d.source for d in brief.facts.durations if d.role == "total"), "to verify")
