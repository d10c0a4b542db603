"""The facts of a goal as Markdown: what every call of a model is shown first, and a page of the plan.

Every fact is there whole, with the words of the goal that state it. Only the words that the goal bans are left out.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import groupby

from planloom.core.wording import day_text
from planloom.planes.strategic.claims import Claim
from planloom.planes.strategic.facts import fact as f
from planloom.planes.strategic.facts.fact import money_text
from planloom.planes.strategic.facts.public_holidays import PublicHoliday
from planloom.planes.strategic.facts.quoting import passages
from planloom.planes.strategic.outline.spared_words import spared_quote
from planloom.planes.strategic.stages.text import bullets

_MONEY: Mapping[str, str] = {
    "total": "budget of the whole",
    "cap": "limit",
    "part": "part of the budget",
    "funding": "source of money",
    "revenue": "income",
    "salary": "pay",
    "recurring": "comes again",
    "loss": "lost or owed today",
}
_QUANTITIES: Mapping[str, str] = {"baseline": "today", "target": "aimed at", "present": "there and stays"}
_PARTS: Mapping[str, str] = {"works": "works on it", "decides": "decides", "served": "it is for them", "other": ""}
_BOUNDS: Mapping[str, str] = {"at_least": "at least ", "at_most": "at most ", "about": "about "}


def facts_page(
    facts: f.Facts, claims: Iterable[Claim], today: date, label: str, holidays: Iterable[PublicHoliday] = ()
) -> str:
    """Return the page of *facts*; *claims* that are no facts are listed as assumed or computed."""
    head = [
        f"# {facts.title}",
        f"Drafted on {day_text(today)} as {label}. The goal: {_quoted(facts, facts.objective)}.",
        f"Why: {_quoted(facts, facts.why)}." if facts.why else "",
    ]
    listed = (
        f"## {heading}\n\n{bullets(lines)}".rstrip()
        for heading, lines in ((heading, list(lines)) for heading, lines in _lists(facts, tuple(claims), holidays))
        if lines
    )
    return "\n\n".join(part for part in (*head, *listed) if part)


def _lists(
    facts: f.Facts, claims: tuple[Claim, ...], holidays: Iterable[PublicHoliday]
) -> Iterator[tuple[str, Iterable[str]]]:
    yield "What is assumed, and what follows by arithmetic", _assumed(facts, claims)
    yield "Money", (_money(facts, money) for money in facts.money)
    yield "Dates", (_day(facts, day) for day in facts.days)
    yield "Lengths of time", (_duration(facts, each) for each in facts.durations)
    yield "Numbers", (_quantity(facts, each) for each in facts.quantities)
    yield "What the goal demands", (f"{d.strength}: {_quoted(facts, d)}" for d in facts.demands)
    yield "What the goal rules out or limits", _bans(facts)
    yield "When work is possible", (_quoted(facts, closure) for closure in facts.closures)
    country, region = facts.home
    of = f"{country} and its region {region}" if region else f"all of {country}"
    yield f"Public holidays of {of}, by rule", _by_year(holidays)
    yield "What is decided already", (f"{fixed.what}: {_quoted(facts, fixed)}" for fixed in facts.fixed)
    yield "Success", (_criterion(facts, each) for each in facts.criteria)
    yield "People", (_role(facts, role) for role in facts.roles)
    yield "Bodies", (_with(o.name, o.decides and f"decides: {o.decides}", "") for o in facts.organisations)
    yield "Meetings", (f"{m.who}: {m.rhythm}: {_quoted(facts, m)}" for m in facts.meetings)
    yield "Places", (_with(p.name, p.kind, p.country or "") for p in facts.places)
    yield "What the caller corrected", (_quoted(facts, each) for each in _corrected(facts))
    yield "What the goal leaves open", (spared_quote(point.question, facts) for point in facts.open)
    yield "What contradicts itself in the goal", (spared_quote(c.what, facts) for c in facts.contradictions)
    yield "What could not be verified, and is not used", (_unverified(facts, u) for u in _not_held(facts))
    yield (
        "Numbers, dates and bans of the goal that no fact holds",
        (_quoted(facts, span) for span in passages(facts, facts.unread)),
    )


def _by_year(holidays: Iterable[PublicHoliday]) -> Iterator[str]:
    for year, found in groupby(holidays, key=lambda holiday: holiday.day.year):
        yield f"{year}: " + "; ".join(f"{h.day:%a} {h.day.day} {h.day:%b} {h.name}" for h in found)


def _quoted(facts: f.Facts, span: f.Spanned) -> str:
    return f"“{spared_quote(span.text, facts).rstrip('.!;, ')}”"


def _with(*parts: str) -> str:
    return ": ".join(part for part in parts if part)


def _assumed(facts: f.Facts, claims: Iterable[Claim]) -> Iterator[str]:
    claims = tuple(claims)
    for claim in claims:
        if claim.kind != "fact":
            yield _with(f"{claim.kind}: {claim.text}", claim.test or "")
    # never that the goal sets none: only that none was found
    if not any(claim.id == "start.deadline" for claim in claims):
        yield "Deadline: it could not be read in the goal."
    if not any(money.role == "total" for money in facts.money):
        yield "Budget of the whole: it could not be read in the goal."


def _money(facts: f.Facts, money: f.Money) -> str:
    about = ", ".join(
        part
        for part in (
            _MONEY.get(money.role, money.role if money.role != "other" else ""),
            money.noun,
            f"per {money.per}" if money.per else "",
            f"from or by {money.who}" if money.who else "",
            f"on condition: {money.condition}" if money.condition else "",
            "currency inferred" if money.assumed else "",
        )
        if part
    )
    return _with(money_text(money), spared_quote(about, facts), _quoted(facts, money))


def _day(facts: f.Facts, day: f.Day) -> str:
    first, last = (f"{each:%A} {day_text(each)}" for each in (day.earliest, day.latest))
    said = first if first == last else f"{first} {'or' if day.ambiguous else 'to'} {last}"
    if (day.earliest.month, day.earliest.day, day.latest) == (1, 1, date(day.earliest.year, 12, 31)):
        said = f"{day.earliest.year}"
    role = "" if day.role == "other" else day.role
    unclear = "unclear which" if day.ambiguous else ""
    return _with(said, unclear, role, spared_quote(day.label, facts), _quoted(facts, day))


def _duration(facts: f.Facts, found: f.Duration) -> str:
    role = "time for the whole" if found.role == "total" else ""
    label = found.label if found.label != found.unit else ""
    return _with(f"{_range(found.low, found.high)} {found.unit}", role, label, _quoted(facts, found))


def _quantity(facts: f.Facts, found: f.Quantity) -> str:
    value = f"{_BOUNDS.get(found.bound, '')}{_range(found.low, found.high)} {found.unit}".strip()
    about = spared_quote(found.noun, facts) if found.noun != found.unit else ""
    return _with(f"{value} {about}".strip(), _QUANTITIES.get(found.role, ""), _quoted(facts, found))


def _bans(facts: f.Facts) -> Iterator[str]:
    for ban in facts.bans:
        if ban.kind == "approach":
            what, said = spared_quote(ban.what, facts), _quoted(facts, ban)
            yield said if what in said else _with(what, said)
    words = sum(ban.kind == "word" for ban in facts.bans)
    if words:
        yield f"Words that this plan does not print, as the goal lists them: {words}"


def _role(facts: f.Facts, role: f.Role) -> str:
    # rules cannot read who works, decides or is served
    part = _PARTS[role.part] if facts.read_by == "model" else ""
    return _with(f"{role.count} × {role.title}", part, _quoted(facts, role))


def _criterion(facts: f.Facts, found: f.Criterion) -> str:
    today = f"today {found.baseline}" if found.baseline else ""
    value = " ".join(part for part in (found.target, found.by_when) if part)
    return _with(*(spared_quote(part, facts) for part in (found.measure, today, value)), _quoted(facts, found))


def _corrected(facts: f.Facts) -> Iterator[f.Spanned]:
    for items in (facts.money, facts.days, facts.roles, facts.bans, facts.places):
        yield from (item for item in items if item.by == "caller")


def _not_held(facts: f.Facts) -> Iterator[f.Unverified]:
    """Yield what could not be verified, but for words that another fact holds: what they say is used."""
    kept = (facts.money, facts.days, facts.durations, facts.quantities, facts.roles, facts.demands, facts.bans)
    texts = [item.text for items in kept for item in items]
    for found in facts.unverified:
        if not any(found.quote and (found.quote in text or text in found.quote) for text in texts):
            yield found


def _unverified(facts: f.Facts, found: f.Unverified) -> str:
    return spared_quote(_with(found.field, found.said, found.reason), facts)


def _range(low: float, high: float) -> str:
    return f"{low:,.12g}" if low == high else f"{low:,.12g} to {high:,.12g}"
