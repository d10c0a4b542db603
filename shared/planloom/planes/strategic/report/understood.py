"""The facts of a goal as short lines: what was read, of which kind, and from which words."""

from calendar import day_name, month_name
from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.core.wording import day_text
from planloom.planes.strategic.facts.fact import (
    Ban,
    Closure,
    Criterion,
    Day,
    Demand,
    Duration,
    Facts,
    Meeting,
    Money,
    Organisation,
    Place,
    Quantity,
    Role,
    Spanned,
    money_text,
)

Kind = Literal["money", "date", "people", "ban", "place", "quantity", "demand", "unread"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_BOUNDS = {"exactly": "", "at_least": "at least ", "at_most": "at most ", "about": "about "}
_PARTS = {"works": "does the work", "decides": "decides", "served": "is served", "other": ""}


class Item(Frozen):
    """One fact: its kind, what was understood, and the span of the goal; ``by`` caller: a correction, no span."""

    kind: Kind
    label: str = Field(description="What was understood, in English: deadline: 1 to 31 May 2027")
    quote: str
    start: int
    end: int
    by: Literal["goal", "caller"] = "goal"


def understood(facts: Facts) -> tuple[Item, ...]:
    """Return every fact that has words in the goal or comes from the caller, by kind and then by place in the goal."""
    found = [
        *(_item("money", each, _money(each)) for each in facts.money),
        *(_item("date", each, _day(each)) for each in facts.days),
        *(_item("date", each, _duration(each)) for each in facts.durations),
        *(_item("date", each, _closure(each)) for each in facts.closures),
        *(_item("date", each, _meeting(each)) for each in facts.meetings),
        *(_item("people", each, _role(each)) for each in facts.roles),
        *(_item("people", each, _organisation(each)) for each in facts.organisations),
        *(_item("ban", each, _ban(each)) for each in facts.bans),
        *(_item("place", each, _place(each)) for each in facts.places),
        *(_item("quantity", each, _quantity(each)) for each in facts.quantities),
        *(_item("quantity", each, _criterion(each)) for each in facts.criteria),
        *(_item("demand", each, _demand(each)) for each in facts.demands),
        *(_item("demand", each, f"fixed: {each.what}") for each in facts.fixed),
    ]
    return tuple(sorted(found, key=lambda item: (KINDS.index(item.kind), item.start)))


def not_understood(facts: Facts) -> tuple[Item, ...]:
    """Return the numbers, dates and bans of the goal that no fact holds."""
    return tuple(_item("unread", each, "not understood") for each in facts.unread)


def _item(kind: Kind, fact: Spanned, label: str) -> Item:
    return Item(kind=kind, label=label, quote=fact.text, start=fact.start, end=fact.end, by=fact.by)


def _joined(parts: Iterable[str]) -> str:
    return ", ".join(part for part in parts if part)


def _money(money: Money) -> str:
    role = "" if money.role == "other" else f"{money.role}: "
    return role + _joined(
        (
            money_text(money) + (f" per {money.per}" if money.per else ""),
            money.noun,
            money.who and f"by {money.who}",
            money.condition,
            "currency assumed" if money.assumed else "",
        )
    )


def _day(day: Day) -> str:
    role = "" if day.role == "other" else f"{day.role}: "
    first, last = day_text(day.earliest), day_text(day.latest)
    joint = "or" if day.ambiguous else "to"
    days = first if day.earliest == day.latest else f"{first} {joint} {last}"
    return role + _joined((days, "" if day.role == "deadline" else day.label, "two readings" if day.ambiguous else ""))


def _number(low: float, high: float) -> str:
    return f"{low:,.12g}" if low == high else f"{low:,.12g} to {high:,.12g}"


def _duration(duration: Duration) -> str:
    whole = "time frame: " if duration.role == "total" else "duration: "
    return whole + _joined((f"{_number(duration.low, duration.high)} {duration.unit}", duration.label))


def _closure(closure: Closure) -> str:
    work = "no outdoor work" if closure.outdoor else "no work"
    only = "outdoor work only" if closure.outdoor else "work only"
    return f"{work if closure.forbidden else only}: {_joined(_closed_times(closure))}"


def _closed_times(closure: Closure) -> Iterator[str]:
    yield from (month_name[month] for month in closure.months if 1 <= month <= 12)
    yield from (day_name[day] for day in closure.weekdays if 0 <= day <= 6)
    if closure.first or closure.last:
        yield " to ".join(day_text(day) for day in (closure.first, closure.last) if day)


def _meeting(meeting: Meeting) -> str:
    return f"meeting: {meeting.who}, {meeting.rhythm}"


def _role(role: Role) -> str:
    count = f"{role.count} × " if role.count > 1 else ""
    return _joined((count + role.title, _PARTS[role.part]))


def _organisation(organisation: Organisation) -> str:
    return _joined((organisation.name, organisation.decides and f"decides: {organisation.decides}"))


def _ban(ban: Ban) -> str:
    # the word itself is printed only where the goal is
    return "a word that the plan does not print" if ban.kind == "word" else f"ruled out: {ban.what}"


def _place(place: Place) -> str:
    return _joined((f"{place.kind}: {place.name}", place.country or ""))


def _quantity(quantity: Quantity) -> str:
    role = "" if quantity.role == "other" else f"{quantity.role}: "
    number = _BOUNDS[quantity.bound] + _number(quantity.low, quantity.high)
    return role + " ".join(part for part in (number, quantity.unit, quantity.noun) if part)


def _criterion(criterion: Criterion) -> str:
    return "success: " + _joined(
        (
            criterion.measure,
            criterion.baseline and f"today {criterion.baseline}",
            criterion.target and f"target {criterion.target}",
            criterion.by_when,
        )
    )


def _demand(demand: Demand) -> str:
    return f"{demand.strength}: {demand.subject}" if demand.subject else demand.strength
