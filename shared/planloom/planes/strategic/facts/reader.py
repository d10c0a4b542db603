"""Read a goal with a model: one call reads, code verifies, failed items are asked once more and then left out."""

import re
from collections.abc import Awaitable, Callable, Collection, Iterable
from datetime import date
from typing import Any, Protocol, TypeVar

from planloom.core.frozen import Answer
from planloom.models.errors import AnswerInvalid, AnswerRefused, AnswerTruncated
from planloom.planes.strategic.facts import fact as f
from planloom.planes.strategic.facts.answer import Reading
from planloom.planes.strategic.facts.coverage import unread
from planloom.planes.strategic.facts.instructions import AGAIN, READ
from planloom.planes.strategic.facts.numbers import find_numbers
from planloom.planes.strategic.facts.polarity import denies
from planloom.planes.strategic.facts.questions import MOST_QUESTIONS, questions
from planloom.planes.strategic.facts.rules import read_facts
from planloom.planes.strategic.facts.spans import locate
from planloom.planes.strategic.facts.verify import CHECKS, Goal, NotVerified, Verified, fits, verify

A = TypeVar("A", bound=Answer)

#: The largest number of problems that are sent to a model in one call.
MOST_COMPLAINTS = 40
#: Characters on each side of a passage by which it is found in the goal.
NEAR = 40
#: A clause with a word of a ban may be none.
IF_BAN = ", if the goal rules it out; what others say, and a fact, is no ban"
#: Errors after which the goal is read by rules alone.
UNUSABLE = (AnswerInvalid, AnswerTruncated, AnswerRefused)


class Ask(Protocol):
    """Asks a model one call: its name, what it is to do, and material beside the goal."""

    def __call__(self, call: str, instructions: str, material: str, answer: type[A]) -> Awaitable[A]: ...


async def read_goal(goal: str, today: date, tables: Collection[str], ask: Ask) -> f.Facts:
    """Return the facts of *goal* as a model reads and programs verify them.

    *tables* are the kinds of undertaking that may be named. Where no answer can be used, what rules read is returned,
    with an entry in ``unverified`` that says so. Raises the other ModelErrors that *ask* raises.
    """
    base = read_facts(goal, today)
    instructions = READ.format(tables=", ".join(sorted(tables)))
    day = f"Today is {today.isoformat()}."
    try:
        reading = await ask("facts", instructions, day, Reading)
    except UNUSABLE as error:
        why = f.Unverified(field="all", said="", reason=f"The model gave no usable answer: {error.message}"[:240])
        return base.model_copy(update={"unverified": (why,)})
    where = Goal(goal, base.language, today, _country(reading, base))
    found = verify(reading, where)
    facts = _assemble(base, reading, found, where, tables)
    complaints = _complaints(facts, goal)
    if not complaints:
        return facts
    try:
        second = await ask(
            "facts-again", f"{instructions}\n{AGAIN}", "\n".join((day, _covered(facts), *complaints)), Reading
        )
    except UNUSABLE:
        return facts
    return _assemble(base, reading, _merged(found, verify(second, where)), where, tables)


def _country(reading: Reading, base: f.Facts) -> str | None:
    named = [place.country.upper() for place in reading.places if re.fullmatch(r"[A-Za-z]{2}", place.country)]
    own = [place.country for place in base.places if place.country]
    return next(iter([*named, *own]), None)


def _complaints(facts: f.Facts, goal: str) -> list[str]:
    wrong = [f"- {u.field}: {u.said} (quote: “{u.quote}”): {u.reason}." for u in facts.unverified]
    missed = [
        f"- no item holds “{span.text}” in “…{_around(span, goal)}…”{IF_BAN if _may_ban(span, facts.language) else ''}."
        for span in facts.unread
    ]
    return (wrong + missed)[:MOST_COMPLAINTS]


def _may_ban(span: f.Spanned, language: str) -> bool:
    """Return whether *span* was found for a word that rules something out, and states no number."""
    stated = any(character.isdigit() for character in span.text) or find_numbers(span.text, language)
    return not stated and denies(span.text, language)


def _around(span: f.Spanned, goal: str) -> str:
    """Return *span* with the words beside it: a number alone may occur in several places."""
    return " ".join(goal[max(0, span.start - NEAR) : span.end + NEAR].split())


def _covered(facts: f.Facts) -> str:
    """Return the passages that items hold already, so that none is given twice."""
    held = (
        (name, [f"“{item.text}”" for item in getattr(facts, field) if isinstance(item, f.Spanned)])
        for field, (name, _) in CHECKS.items()
    )
    return "\n".join(("Held already:", *(f"- {name}: {'; '.join(quotes)}" for name, quotes in held if quotes)))


def _merged(first: Verified, second: Verified) -> Verified:
    """Return the items of both; a passage that the second reading repeats with the same value is not changed."""
    merged = Verified({name: list(items) for name, items in first.items.items()}, [])
    for name, items in second.items.items():
        for item in items:
            if not any(_overlap(item, there) for there in merged.of(name)):
                merged.of(name).append(item)
    # what the second reading says of the same words replaces what failed in the first
    given = [item.text for items in second.items.values() for item in items if isinstance(item, f.Spanned)]
    given += [failure.quote for failure in second.failures]
    merged.failures = [
        u for u in first.failures if not any(u.quote and (u.quote in t or t in u.quote) for t in given if t)
    ]
    merged.failures += second.failures
    return merged


def _overlap(one: Any, other: Any) -> bool:
    if not isinstance(one, f.Spanned):
        return bool(one == other)
    values = ("low", "high", "earliest", "latest", "count", "what", "name")
    same = all(getattr(one, name, None) == getattr(other, name, None) for name in values)
    return same and one.start < other.end and other.start < one.end


def _assemble(base: f.Facts, reading: Reading, found: Verified, goal: Goal, tables: Collection[str]) -> f.Facts:
    """Return *base*, what rules know of the goal as a text, with the items that a model read."""
    failures = list(found.failures)
    money, days = list(found.of("money")), list(found.of("days"))
    rescued = _total_of_parts(reading, money, goal)
    if rescued:
        money.append(rescued)
        failures = [u for u in failures if not (u.field == "money" and "role total" in u.said)]
    money = _one(money, "total", lambda m: (m.low, m.high, m.currency), failures)
    days = _one(days, "start", lambda d: (d.earliest, d.latest), failures)
    items: dict[str, Any] = {name: tuple(values) for name, values in found.items.items()}
    first = {body.name.casefold(): body for body in reversed(found.of("organisations"))}
    bodies = tuple(body for body in found.of("organisations") if first[body.name.casefold()] is body)
    items |= {"money": tuple(money), "days": tuple(days), "organisations": bodies}
    facts = base.model_copy(
        update={
            "closures": (), "demands": (), "bans": (), "roles": (), "places": (), "organisations": (), "durations": (),
            "quantities": (), "open": (), **items,
            "title": _title(reading.title, base, goal.text),
            "subject": reading.subject if _of_goal(reading.subject, goal.text) else base.subject,
            "objective": _quoted(reading.objective, goal) or base.objective,
            "why": _quoted(reading.why, goal),
            "kind": f.Kind(words=reading.kind, table=reading.table if reading.table in tables else ""),
            "read_by": "model",
            "unverified": tuple(failures),
        }
    )  # fmt: skip
    facts = facts.model_copy(update={"unread": unread(goal.text, facts, goal.language, goal.today)})
    # questions of rules about what the model found are answered
    asked = [f.OpenPoint(question=o.question, field="" if o.field == "other" else o.field) for o in reading.open]
    own = [o for o in questions(facts) if o.field not in {each.field for each in asked}]
    return facts.model_copy(update={"open": tuple([*own, *asked][:MOST_QUESTIONS])})


def _one(items: list[Any], role: str, value: Callable[[Any], object], failures: list[f.Unverified]) -> list[Any]:
    """Return *items* with one value for *role* at most: where two disagree, neither has it."""
    of_role = [item for item in items if item.role == role]
    if len({value(item) for item in of_role}) < 2:
        return items
    for item in of_role:
        reason = f"the goal gives two values for {role}, and only one can hold"
        failures.append(
            f.Unverified(field=type(item).__name__.lower(), said=role, quote=item.text[:300], reason=reason)
        )
    return [item.model_copy(update={"role": "other"}) if item in of_role else item for item in items]


def _total_of_parts(reading: Reading, money: Iterable[f.Money], goal: Goal) -> f.Money | None:
    """Return the total that the funders give together, where their passages are too far apart for one quote."""
    if any(m.role == "total" for m in money):
        return None
    funding = [m for m in money if m.role == "funding"]
    for item in reading.money:
        of_currency = [m for m in funding if m.currency == item.currency.upper()]
        if item.role != "total" or len(of_currency) < 2 or not fits(item.low, item.high, of_currency):
            continue
        try:
            span = goal.span(item.quote)
        except NotVerified:
            span = {"text": of_currency[0].text, "start": of_currency[0].start, "end": of_currency[0].end}
        return f.Money(**span, low=item.low, high=item.high, currency=item.currency.upper(), role="total")
    return None


def _quoted(quote: str, goal: Goal) -> f.Spanned | None:
    try:
        return f.Spanned(**goal.span(quote)) if quote.strip() else None
    except NotVerified:
        return None


def _title(title: str, base: f.Facts, goal: str) -> str:
    """Return *title* where it is made of the goal: a word of it, and no number that the goal does not have."""
    return title if title.strip() and _of_goal(title, goal) else base.title


def _of_goal(text: str, goal: str) -> bool:
    words = re.findall(r"[^\W\d_]{4,}", text) or re.findall(r"[^\W\d_]+", text)
    known = any(locate(goal, word[: max(4, len(word) - 3)]) for word in words)
    return known and all(number in goal for number in re.findall(r"\d+", text))
