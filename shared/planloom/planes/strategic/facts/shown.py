"""The facts as callers see them: what was understood, what is unclear, what was not read."""

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.planes.strategic.facts import fact as f


class ShownTotal(Frozen):
    """The money for the whole undertaking."""

    low: float
    high: float
    currency: str = Field(description="ISO 4217")
    quote: str = Field(description="The words of the goal, or the caller's correction")
    assumed: bool = Field(description="True: the currency was inferred from its sign")


class ShownDay(Frozen):
    """A date of the goal; two readings where ``ambiguous``."""

    earliest: str = Field(description="ISO 8601 date")
    latest: str = Field(description="ISO 8601 date")
    quote: str
    what: str = Field(default="", description="What happens then, where the goal says it")
    ambiguous: bool = False


class ShownPeople(Frozen):
    """Persons whom the goal counts or names."""

    count: int
    who: str
    part: str
    quote: str


class ShownBan(Frozen):
    """What the goal rules out."""

    what: str
    kind: str
    quote: str


class ShownPlace(Frozen):
    """Where it happens."""

    name: str
    kind: str
    quote: str


class ShownValue(Frozen):
    """Any other number, amount, length of time or demand, in words, with what it is for."""

    role: str
    value: str
    what: str
    quote: str


class ShownUnverified(Frozen):
    """What a model stated and no program could verify; nothing is built on it."""

    field: str
    said: str
    quote: str
    reason: str


class ShownQuestion(Frozen):
    """A question to answer before drafting; ``field`` of ``facts`` takes the answer, where it is not empty."""

    question: str
    field: str


class ShownFacts(Frozen):
    """What is understood of a goal; null and [] say that nothing was found in it, not that it sets none."""

    language: str = Field(description="ISO 639-1")
    title: str
    kind: str = Field(description="What is undertaken; empty where it is unclear")
    table: str = Field(description="The table of its kind that a plan without a model uses; empty where none fits")
    total: ShownTotal | None
    deadline: ShownDay | None
    start: ShownDay | None
    people: tuple[ShownPeople, ...]
    bans: tuple[ShownBan, ...]
    places: tuple[ShownPlace, ...]
    days: tuple[ShownDay, ...] = Field(description="Every other date")
    values: tuple[ShownValue, ...] = Field(description="Every other amount, length of time, number and demand")
    contradictions: tuple[str, ...]
    questions: tuple[ShownQuestion, ...] = Field(description="What to answer first, the most important first")
    unverified: tuple[ShownUnverified, ...]
    unread: tuple[str, ...] = Field(description="Numbers, dates and bans of the goal that no fact holds")
    read_by: str = Field(description="rules or model")


def shown(facts: f.Facts) -> ShownFacts:
    """Return *facts* as callers see them."""
    total = next((m for m in facts.money if m.role == "total"), None)
    days = {role: [_day(d) for d in facts.days if d.role == role] for role in ("deadline", "start")}
    return ShownFacts(
        language=facts.language,
        title=facts.title,
        kind=facts.kind.words,
        table=facts.kind.table,
        total=_total(total) if total else None,
        deadline=next(iter(days["deadline"]), None),
        start=next(iter(days["start"]), None),
        people=tuple(ShownPeople(count=r.count, who=r.title, part=r.part, quote=r.text) for r in facts.roles),
        bans=tuple(ShownBan(what=b.what, kind=b.kind, quote=b.text) for b in facts.bans),
        places=tuple(ShownPlace(name=p.name, kind=p.kind, quote=p.text) for p in facts.places),
        days=tuple(_day(d) for d in facts.days if d.role not in days),
        values=tuple(_values(facts)),
        contradictions=tuple(c.what for c in facts.contradictions),
        questions=tuple(ShownQuestion(question=o.question, field=o.field) for o in facts.open),
        unverified=tuple(ShownUnverified(**u.model_dump()) for u in facts.unverified),
        unread=tuple(span.text for span in facts.unread),
        read_by=facts.read_by,
    )


def _total(money: f.Money) -> ShownTotal:
    return ShownTotal(low=money.low, high=money.high, currency=money.currency, quote=money.text, assumed=money.assumed)


def _day(day: f.Day) -> ShownDay:
    earliest, latest = day.earliest.isoformat(), day.latest.isoformat()
    return ShownDay(earliest=earliest, latest=latest, quote=day.text, what=day.label, ambiguous=day.ambiguous)


def _values(facts: f.Facts) -> list[ShownValue]:
    found = [
        ShownValue(role=m.role, value=f"{_range(m.low, m.high)} {m.currency}", what=_about(m), quote=m.text)
        for m in facts.money
        if m.role != "total"
    ]
    found += [
        ShownValue(role="duration", value=f"{_range(d.low, d.high)} {d.unit}", what=d.label, quote=d.text)
        for d in facts.durations
    ]
    found += [
        ShownValue(role=q.role, value=f"{_range(q.low, q.high)} {q.unit}".strip(), what=q.noun, quote=q.text)
        for q in facts.quantities
    ]
    found += [ShownValue(role=d.strength, value="", what=d.subject, quote=d.text) for d in facts.demands]
    return found


def _about(money: f.Money) -> str:
    per = f"per {money.per}" if money.per else ""
    return ", ".join(part for part in (money.noun, money.who, per, money.condition) if part)


def _range(low: float, high: float) -> str:
    return f"{low:,.12g}" if low == high else f"{low:,.12g} to {high:,.12g}"
