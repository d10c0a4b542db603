"""Verify what a model read in a goal: the quote is in the goal, and the value is what the quote says."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from planloom.planes.strategic.facts import answer as a
from planloom.planes.strategic.facts import fact as f
from planloom.planes.strategic.facts.amounts import currency_of, find_amounts
from planloom.planes.strategic.facts.dates import find_dates
from planloom.planes.strategic.facts.durations import find_durations, names_one
from planloom.planes.strategic.facts.numbers import find_numbers
from planloom.planes.strategic.facts.polarity import denies, not_before
from planloom.planes.strategic.facts.spans import locate, sentences
from planloom.planes.strategic.facts.worded import feast_allows, shares_named

#: The relative difference up to which a quote and a value agree; both come from the same digits.
CLOSE = 1e-6
#: Two forms of one word begin with the same letters, and are as alike as this.
STEM, ALIKE = 3, 0.7
_DIGITS = re.compile(r"\d+")


class NotVerified(Exception):
    """The reason why an item cannot be verified."""


@dataclass(frozen=True)
class Goal:
    """A goal with all values that syntax shows in it; ``country`` settles currencies and numeric dates."""

    text: str
    language: str
    today: date
    country: str | None = None

    @cached_property
    def amounts(self) -> Sequence[Any]:
        """Every amount of money."""
        return find_amounts(self.text, self.language, self.country)

    @cached_property
    def dates(self) -> Sequence[Any]:
        """Every date."""
        return find_dates(self.text, self.language, self.today, self.country)

    @cached_property
    def durations(self) -> Sequence[Any]:
        """Every length of time."""
        return find_durations(self.text, self.language, self.country)

    @cached_property
    def numbers(self) -> Sequence[Any]:
        """Every number."""
        return find_numbers(self.text, self.language, self.country)

    @cached_property
    def sentences(self) -> Sequence[tuple[int, int]]:
        """Start and end of every sentence."""
        return sentences(self.text)

    def span(self, quote: str) -> dict[str, Any]:
        """Return the fields of a Spanned for *quote*. Raises NotVerified where the goal does not hold it."""
        found = locate(self.text, quote)
        if found is None:
            raise NotVerified("the quote is not in the goal character for character")
        return {"text": self.text[found[0] : found[1]], "start": found[0], "end": found[1]}

    def clause(self, span: dict[str, Any]) -> str:
        """Return the sentences that *span* touches: negation may come before the quote."""
        near = [self.text[start:end] for start, end in self.sentences if start < span["end"] and end > span["start"]]
        return " ".join(near) or span["text"]


@dataclass
class Verified:
    """The items that were verified, by field of the facts, and those that were not, with the reason."""

    items: dict[str, list[Any]] = field(default_factory=dict)
    failures: list[f.Unverified] = field(default_factory=list)

    def of(self, name: str) -> list[Any]:
        """Return the verified items of *name*."""
        return self.items.setdefault(name, [])


def verify(reading: a.Reading, goal: Goal) -> Verified:
    """Return the items of *reading* that *goal* supports, as facts; an item that fails affects no other."""
    found = Verified()
    for name, (source, check) in CHECKS.items():
        for item in getattr(reading, source):
            try:
                made = check(item, goal)
            except NotVerified as error:
                found.failures.append(_failure(source, item, str(error)))
                continue
            if made not in found.of(name):
                found.of(name).append(made)
    return found


def _failure(source: str, item: Any, reason: str) -> f.Unverified:
    said = ", ".join(f"{name} {value}" for name, value in item.model_dump().items() if value and "quote" not in name)
    return f.Unverified(field=source, said=said[:200], quote=item.model_dump().get("quote", "")[:300], reason=reason)


def _within(values: Collection[Any], span: dict[str, Any]) -> list[Any]:
    return [v for v in values if v.start < span["end"] and v.end > span["start"]]


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= CLOSE * max(abs(one), abs(other), 1.0)


def fits(low: float, high: float, values: Sequence[Any]) -> bool:
    """Return whether *values* give the range: one of them, two as its ends, or all of them as a sum.

    A number with one separator (1.250) may have a second reading; the model knows which is meant.
    """
    if low == high and any(getattr(v, "also", None) is not None and _same(v.also, low) for v in values):
        return True
    if any(_same(v.low, low) and _same(v.high, high) for v in values):
        return True
    if any(_same(v.low, low) for v in values) and any(_same(v.high, high) for v in values):
        return True
    return len(values) > 1 and _same(sum(v.low for v in values), low) and _same(sum(v.high for v in values), high)


def _ordered(low: float, high: float) -> None:
    if low > high:
        raise NotVerified("low is more than high")


def _money(item: a.MoneyItem, goal: Goal) -> f.Money:
    span = goal.span(item.quote)
    _ordered(item.low, item.high)
    currency = item.currency.upper()
    if not re.fullmatch(r"[A-Z]{3}", currency):
        raise NotVerified("currency is not a code of ISO 4217")
    stated = _within(goal.amounts, span)
    own = [v for v in stated if v.currency == currency or v.assumed]
    plain = [] if stated else _within(goal.numbers, span)
    if not fits(item.low, item.high, own or plain):
        amounts = "; ".join(f"{v.low:.12g} to {v.high:.12g} {v.currency}" for v in stated) or "no such amount"
        raise NotVerified(f"the quote reads as {amounts}")
    # a name that no table knows (soles) may still be that of the country's money
    home = currency_of(goal.country) if goal.country else None
    if not own and currency != home and not any(v.currency == currency for v in goal.amounts):
        raise NotVerified("neither the quote nor the goal names this currency")
    assumed = bool(own) and all(v.assumed for v in own)
    return f.Money(
        **span,
        low=item.low,
        high=item.high,
        currency=currency,
        role=item.role,
        noun=item.what[:80],
        assumed=assumed,
        who=item.who[:120],
        condition=item.condition,
        per=item.per[:60],
    )


def _iso(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NotVerified("earliest and latest are dates as YYYY-MM-DD") from None


def _day(item: a.DayItem, goal: Goal) -> f.Day:
    span = goal.span(item.quote)
    earliest, latest = _iso(item.earliest), _iso(item.latest or item.earliest)
    if earliest > latest:
        raise NotVerified("earliest is after latest")
    read = _within(goal.dates, span)
    unclear = next((d for d in read if d.ambiguous and {earliest, latest} <= {d.earliest, d.latest}), None)
    inside = any(_holds(d, earliest, latest) for d in read if not d.ambiguous)
    ends = any(d.earliest == earliest for d in read) and any(d.latest == latest for d in read)
    if not (unclear or inside or ends or feast_allows(span["text"], earliest, latest)):
        dates = "; ".join(f"{d.earliest} to {d.latest}" for d in read) or "no date"
        raise NotVerified(f"the quote reads as {dates}")
    if item.role == "deadline" and not_before(span["text"]):
        raise NotVerified("the quote says when it may begin at the earliest, which is no deadline")
    if unclear:
        earliest, latest = unclear.earliest, unclear.latest
    return f.Day(
        **span, earliest=earliest, latest=latest, role=item.role, label=item.binds[:120], ambiguous=bool(unclear)
    )


def _holds(read: Any, earliest: date, latest: date) -> bool:
    """Return whether the date that was *read* holds the days; one without a year may be of the year before or after.

    Syntax takes the next such day: the tense of the verb, which a model understands, shows that it is past.
    """
    shifts = (0, -1, 1) if read.yearless else (0,)
    return any(_moved(read.earliest, by) <= earliest and latest <= _moved(read.latest, by) for by in shifts)


def _moved(day: date, years: int) -> date:
    """Return *day* so many years later; 29 February becomes the 28th where there is none."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, day=28)


def _duration(item: a.DurationItem, goal: Goal) -> f.Duration:
    span = goal.span(item.quote)
    _ordered(item.low, item.high)
    read = [d for d in _within(goal.durations, span) if d.unit == item.unit] or _within(goal.numbers, span)
    one = item.low == item.high == 1 and names_one(span["text"], item.unit, goal.language)
    if item.low <= 0 or not (one or fits(item.low, item.high, read)):
        raise NotVerified("the quote does not give this length of time")
    return f.Duration(**span, low=item.low, high=item.high, unit=item.unit, role=item.role, label=item.what[:120])


def _closure(item: a.ClosedItem, goal: Goal) -> f.Closure:
    span = goal.span(item.quote)
    first = _iso(item.first) if item.first else None
    last = _iso(item.last) if item.last else None
    months = tuple(m for m in item.months if 1 <= m <= 12)
    weekdays = tuple(d for d in item.weekdays if 0 <= d <= 6)
    if not (months or weekdays or (first and last)):
        raise NotVerified("neither months, weekdays nor a dated period")
    if first and last:
        read = _within(goal.dates, span)
        stated = any(d.earliest <= first <= d.latest or d.earliest <= last <= d.latest for d in read)
        if first > last or not (stated or feast_allows(span["text"], first, last)):
            raise NotVerified("the quote does not give this period")
    return f.Closure(
        **span, forbidden=item.forbidden, outdoor=item.outdoor, months=months, weekdays=weekdays, first=first, last=last
    )


def _quantity(item: a.QuantityItem, goal: Goal) -> f.Quantity:
    span = goal.span(item.quote)
    _ordered(item.low, item.high)
    worded = item.low == item.high and any(
        _same(item.low, share * scale) for share in shares_named(span["text"]) for scale in (1, 100)
    )
    if not (worded or fits(item.low, item.high, _within(goal.numbers, span))):
        raise NotVerified("the quote does not give this number")
    return f.Quantity(
        **span,
        low=item.low,
        high=item.high,
        unit=item.unit[:30],
        noun=item.noun[:120],
        bound=item.bound,
        role=item.role,
    )


def _people(item: a.PeopleItem, goal: Goal) -> f.Role:
    span = goal.span(item.quote)
    numbers = _within(goal.numbers, span)
    if not any(_same(n.low, item.count) or _same(n.high, item.count) for n in numbers) and (numbers or item.count > 1):
        raise NotVerified("the quote does not give this count")
    return f.Role(**span, title=item.who, count=item.count, part=item.part)


def _ban(item: a.BanItem, goal: Goal) -> f.Ban:
    span = goal.span(item.quote)
    if item.kind == "word" and item.what.casefold() not in span["text"].casefold():
        raise NotVerified("the banned word is not in the quote")
    if not denies(goal.clause(span), goal.language):
        raise NotVerified("no word of the sentence rules anything out")
    return f.Ban(**span, kind=item.kind, what=item.what)


def _names(text: str) -> set[str]:
    """Return the words of *text* that begin with a capital."""
    return {word for word in re.findall(r"\w{3,}", text) if word[0].isupper()}


def _inflected(name: str, text: str) -> bool:
    """Return whether *text* has each word of *name*, perhaps with another ending: başhekimlik, başhekimliğe."""
    words, there = (re.findall(r"\w+", each.casefold()) for each in (name, text))
    return bool(words and there) and all(
        any(word[:STEM] == each[:STEM] for each in get_close_matches(word, there, len(there), ALIKE)) for word in words
    )


def _place(item: a.PlaceItem, goal: Goal) -> f.Place:
    span = goal.span(item.quote)
    name = item.name
    if locate(goal.text, name) is None and not _inflected(name, span["text"]):
        # of a name that adds what is known of the place, the quote is what the goal says of it
        if len(_names(name) & _names(span["text"])) < 2:
            raise NotVerified("the goal does not name this place")
        name = span["text"]
    country = item.country.upper() if re.fullmatch(r"[A-Za-z]{2}", item.country) else None
    region = item.region.upper() if country and re.fullmatch(r"[A-Za-z0-9]{1,3}", item.region) else None
    return f.Place(**span, name=name, kind=item.kind, country=country, region=region)


def _party(item: a.PartyItem, goal: Goal) -> f.Organisation:
    span = goal.span(item.quote)
    if locate(goal.text, item.name) is None and not _inflected(item.name, span["text"]):
        raise NotVerified("the goal does not name this body")
    return f.Organisation(**span, name=item.name, decides=item.decides)


def _criterion(item: a.CriterionItem, goal: Goal) -> f.Criterion:
    span = goal.span(item.quote)
    there = set(_DIGITS.findall(goal.clause(span)))
    if any(not set(_DIGITS.findall(text)) <= there for text in (item.baseline, item.target, item.by_when)):
        raise NotVerified("a number of baseline, target or by_when is not in the sentence of the quote")
    return f.Criterion(
        **span, measure=item.measure, baseline=item.baseline[:80], target=item.target[:80], by_when=item.by_when[:80]
    )


def _contradiction(item: a.ContradictionItem, goal: Goal) -> f.Contradiction:
    spans = [f.Spanned(**goal.span(quote)) for quote in (item.quote, item.other_quote)]
    if spans[0] == spans[1]:
        raise NotVerified("both quotes are the same passage")
    return f.Contradiction(what=item.what, quotes=tuple(spans))


#: Field of the facts: the list of the reading that fills it, and the check of an item.
CHECKS: dict[str, tuple[str, Callable[[Any, Goal], Any]]] = {
    "places": ("places", _place),
    "money": ("money", _money),
    "days": ("days", _day),
    "durations": ("durations", _duration),
    "closures": ("closed", _closure),
    "meetings": ("meetings", lambda i, g: f.Meeting(**g.span(i.quote), who=i.who[:120], rhythm=i.rhythm[:120])),
    "quantities": ("quantities", _quantity),
    "roles": ("people", _people),
    "organisations": ("parties", _party),
    "demands": ("demands", lambda i, g: f.Demand(**g.span(i.quote), strength=i.strength, subject=i.subject[:120])),
    "bans": ("bans", _ban),
    "criteria": ("criteria", _criterion),
    "fixed": ("fixed", lambda i, g: f.Fixed(**g.span(i.quote), what=i.what)),
    "contradictions": ("contradictions", _contradiction),
}
