"""What follows from the goal's own numbers by arithmetic, for sentences of the outline: growth, open days, sums."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from planloom.domain.facts import Quantity
from planloom.domain.wording import amount_text, day_text
from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import closed_days

_PLACES = re.compile(r"\b(?:seats?|beds?|rooms?|chairs?|tables?|berths?|desks?|places?|pitches|stalls?)\b", re.I)
_GUESTS = re.compile(r"\b(?:customers?|guests?|visitors?|patients?|covers|diners|users?|members)\b", re.I)


@dataclass(frozen=True)
class Figure:
    """A number that the prompt does not state but that follows from it; ``id`` is a slug, ``working`` the sum."""

    id: str
    text: str
    value: str
    unit: str
    working: str


def figures(brief: Brief) -> tuple[Figure, ...]:
    """Return what can be computed from the facts of *brief*, the most telling first."""
    return (*_growth(brief), *_turns(brief), *_open(brief), *_funding(brief), *_time(brief))


def figure(brief: Brief, slug: str) -> Figure | None:
    """Return the figure named *slug*, or None where the prompt does not yield it."""
    return next((f for f in figures(brief) if f.id == slug), None)


def capacities(brief: Brief) -> tuple[Quantity, ...]:
    """Return the quantities that say how big the thing is: counted, more than one, neither a share nor a target."""
    return tuple(q for q in brief.facts.quantities if q.noun and q.unit != "%" and q.high > 1 and q.bound != "at_most")


def _growth(brief: Brief) -> Iterator[Figure]:
    by_noun: dict[str, list[Quantity]] = {}
    for quantity in capacities(brief):
        if not quantity.unit:
            by_noun.setdefault(_singular(quantity.noun.split()[-1].lower()), []).append(quantity)
    for noun, counted in by_noun.items():
        first, last = counted[0].high, counted[-1].high
        if len(counted) > 1 and last > first:
            yield Figure(
                "growth",
                f"From {_number(first)} to {_number(last)} {counted[-1].noun} is growth by a factor of "
                f"{last / first:.3g}",
                f"{last / first:.3g}",
                f"times the first {noun} count",
                f"{_number(last)} / {_number(first)}",
            )
            return


def _turns(brief: Brief) -> Iterator[Figure]:
    seats = next((q for q in capacities(brief) if _PLACES.search(f"{q.noun} {q.text}")), None)
    guests = next((q for q in capacities(brief) if _GUESTS.search(q.noun) and _a_day(brief, q)), None)
    if seats and guests:
        turns = guests.high / seats.high
        yield Figure(
            "turns",
            f"{_number(guests.high)} {guests.noun} a day on {_number(seats.high)} {_noun(seats)} is {turns:.3g} per "
            f"{_singular(_noun(seats))} and day",
            f"{turns:.3g}",
            f"per {_singular(_noun(seats))} and day"[:40],
            f"{_number(guests.high)} / {_number(seats.high)}",
        )


def _a_day(brief: Brief, quantity: Quantity) -> bool:
    after = brief.prompt[quantity.end : quantity.end + 30]
    return re.search(r"\b(?:a|per|each|every) day\b|daily", f"{quantity.text}{after}") is not None


def _open(brief: Brief) -> Iterator[Figure]:
    if not brief.facts.closures:
        return
    days = (brief.end_assumed - brief.start).days + 1
    shut = closed_days(brief, brief.start, brief.end_assumed, outdoor=True)
    if shut:
        kind = "open to the work bound by season" if any(c.outdoor for c in brief.facts.closures) else "open to work"
        yield Figure(
            "open-days",
            f"{days - shut} of the {days} calendar days from {day_text(brief.start)} to {day_text(brief.end_assumed)} "
            f"are {kind}",
            str(days - shut),
            "calendar days",
            f"{days} - {shut} closed",
        )


def _funding(brief: Brief) -> Iterator[Figure]:
    total = brief.total
    sources = [m for m in brief.facts.money if m.role == "funding" and total and m.currency == total.currency]
    sources = [m for m in sources if total and m.high < total.high]
    if total and len(sources) > 1:
        known = sum(m.high for m in sources)
        gap = total.high - known
        tail = (
            "covers the budget"
            if gap == 0
            else f"leaves {amount_text(abs(gap), total.currency)} " + ("open" if gap > 0 else "more than the budget")
        )
        working = " + ".join(amount_text(m.high, m.currency) for m in sources)
        yield Figure("funding", f"The funding named, {working}, {tail}", f"{known:.0f}", total.currency, working)


def _time(brief: Brief) -> Iterator[Figure]:
    if brief.deadline is None:
        return
    days = (brief.deadline - brief.start).days
    yield Figure(
        "time",
        f"From {day_text(brief.start)} to {day_text(brief.deadline)} there are {days} calendar days, "
        f"{days / 7:.0f} weeks",
        str(days),
        "calendar days",
        f"{day_text(brief.deadline)} - {day_text(brief.start)}",
    )


def _noun(quantity: Quantity) -> str:
    match = _PLACES.search(f"{quantity.noun} {quantity.text}")
    word = match.group().lower() if match else quantity.noun
    return word if word.endswith("s") else f"{word}s"


def plural(noun: str) -> str:
    """Return *noun* for more than one: ``seat`` of a 48-seat café becomes ``seats``."""
    return noun if noun.endswith(("s", "children", "people", "men", "women", "staff")) else f"{noun}s"


def _singular(noun: str) -> str:
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,g}"
