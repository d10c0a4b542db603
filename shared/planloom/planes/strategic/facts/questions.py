"""Questions to ask before a plan is drafted: what is missing, unclear or contradictory, most important first."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from babel.numbers import get_currency_name

from planloom.planes.strategic.facts.fact import Day, Facts, Money, OpenPoint, Spanned

MOST_QUESTIONS = 7
#: The largest number of competing values in a question.
_NAMED = 3


def questions(
    facts: Facts, rivals: Mapping[str, Sequence[Spanned]] | None = None, today: date = date.min
) -> tuple[OpenPoint, ...]:
    """Return at most :data:`MOST_QUESTIONS` questions about *facts*, those that a model asked already left out.

    *rivals*: by field (``total``, ``deadline``) the passages that could each state it. A question about one that was
    not found names the highest amounts, or the last days after *today*, that the goal states.
    """
    asked = {point.field for point in facts.open if point.field}
    found = [p for p in _all(facts, rivals or {}, today) if not p.field or p.field not in asked]
    return (*facts.open, *found)[:MOST_QUESTIONS]


def _all(facts: Facts, rivals: Mapping[str, Sequence[Spanned]], today: date) -> Iterator[OpenPoint]:
    total = next((m for m in facts.money if m.role == "total"), None)
    deadline = next((d for d in facts.days if d.role == "deadline"), None)
    start = next((d for d in facts.days if d.role == "start"), None)
    for clash in facts.contradictions:
        yield OpenPoint(question=f"Which holds: {clash.what}"[:239] + "?", quote=next(iter(clash.quotes), None))
    if total is None:
        yield _which(
            "total", "How much money is there for the whole undertaking, in which currency?", rivals, _amounts(facts)
        )
    if deadline is None:
        yield _which("deadline", "By which date must it be finished?", rivals, _days(facts, today))
    yield from _unclear_days(deadline, start)
    yield from _currency(facts, total)
    if not facts.places:
        yield OpenPoint(question="Where does it take place: which town, region and country?", field="places")
    if start is None:
        yield OpenPoint(question="On which date can work start?", field="start")


def _amounts(facts: Facts) -> Sequence[Spanned]:
    return sorted((m for m in facts.money if not m.per), key=lambda m: -m.high)


def _days(facts: Facts, today: date) -> Sequence[Spanned]:
    return sorted(
        (d for d in facts.days if d.latest > today and d.role != "start"), key=lambda d: -d.latest.toordinal()
    )


def _which(field: str, plain: str, rivals: Mapping[str, Sequence[Spanned]], stated: Sequence[Spanned]) -> OpenPoint:
    found = list({r.text: r for r in rivals.get(field, ())}.values())
    if len(found) < 2:
        which = found or stated
        said = f" The goal names {_listed(which)}: is it that?" if len(which) == 1 else ""
        said = f" The goal names {_listed(which)}: is it one of these?" if len(which) > 1 else said
        return OpenPoint(question=f"{plain}{said}"[:240], field=field, quote=found[0] if found else None)
    named = _listed(found)
    about = "is the money for the whole undertaking" if field == "total" else "is the day by which all must be finished"
    return OpenPoint(question=f"Which of these {about}: {named}?"[:240], field=field, quote=found[0])


def _listed(found: Sequence[Spanned]) -> str:
    return ", ".join(f"“{text[:40]}”" for text in list(dict.fromkeys(r.text for r in found))[:_NAMED])


def _unclear_days(deadline: Day | None, start: Day | None) -> Iterator[OpenPoint]:
    for name, day in (("deadline", deadline), ("start", start)):
        if day is not None and day.ambiguous:
            readings = f"{_day_text(day.earliest)} or {_day_text(day.latest)}"
            yield OpenPoint(question=f"Is “{day.text[:60]}” {readings}?", field=name, quote=day)


def _currency(facts: Facts, total: Money | None) -> Iterator[OpenPoint]:
    money = total or next((m for m in facts.money if m.assumed), None)
    if money is not None and money.assumed:
        name = get_currency_name(money.currency, locale="en")
        yield OpenPoint(question=f"Is “{money.text[:60]}” in {name} ({money.currency})?", field="currency", quote=money)


def _day_text(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"
