"""The first claims of a plan: when, for how much and where, and what the goal states, each in words."""

import re
from collections.abc import Iterator
from datetime import date

from planloom.core.wording import day_text
from planloom.planes.strategic.claims import Claim, ClaimKind
from planloom.planes.strategic.facts.fact import Day, Duration, Facts, Money, Quantity, Spanned, money_text
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.facts.quoting import clip, quotable, quote

#: A prompt with hundreds of numbers would fill every later question with claims.
MOST_CLAIMS = 40
_BOUNDS = {"at_least": "at least ", "at_most": "at most ", "about": "about "}
_ROLES = {"baseline": " today", "target": ", aimed at"}


def first_claims(goal: Goal) -> tuple[Claim, ...]:
    """Return the claims ``start.<slug>`` of *goal*, the frame first; a slug that is taken gets ``-2``, ``-3``..."""
    made: list[Claim] = []
    taken: set[str] = set()
    for claim in (*_frame(goal), *_stated(goal)):
        free = next(s for n in range(1, 1000) if (s := claim.id if n == 1 else f"{claim.id}-{n}") not in taken)
        taken.add(free)
        made.append(claim.model_copy(update={"id": free}))
    return tuple(made[:MOST_CLAIMS])


def _frame(goal: Goal) -> Iterator[Claim]:
    yield _start(goal)
    yield from _deadline(goal)
    if goal.total:
        inferred = ", the currency inferred from its sign" if goal.total.assumed else ""
        yield _amount("budget", f"The budget of the whole is {money_text(goal.total)}{inferred}", goal.total, "budget")
    for place in goal.facts.places[:1]:
        name = place.name[:80]
        yield _claim("place", f"The main place is {place.name}", "fact", name, "place", place.source)


def _start(goal: Goal) -> Claim:
    if goal.start_source != "to verify":
        return _day("date", goal.start_text, "fact", goal.start, goal.start_source)
    check = "The client confirms the first working day"
    return _day("date", goal.start_text, "assumption", goal.start, "to verify", check)


def _deadline(goal: Goal) -> Iterator[Claim]:
    """The deadline where one was found; none is assumed."""
    day = goal.deadline
    if day is None:
        return
    dated = next((d for d in goal.facts.days if d.role == "deadline" and d.latest == day), None)
    if dated:
        yield _day("deadline", f"The goal must be reached by {day_text(day)}", "fact", day, dated.source)
        return
    total = next(d for d in goal.facts.durations if d.role == "total")
    text = f"The work ends by {day_text(day)}: {clip(total.text, 60)} after the start"
    yield _day("deadline", text, "computed", day, total.source)


def _stated(goal: Goal) -> Iterator[Claim]:
    facts = goal.facts
    # an amount without words, of which only that it is an amount is known, could not be used
    yield from (_of_money(m) for m in facts.money if m is not goal.total and (m.noun or m.role != "other"))
    durations = [d for d in facts.durations if d.role != "total"]
    if facts.read_by == "rules":
        yield from (_quoted(facts, quantity) for quantity in facts.quantities)
        yield from (_quoted(facts, duration) for duration in durations)
    else:
        yield from (_counted(quantity) for quantity in facts.quantities if quantity.noun)
        yield from (_measured(duration) for duration in durations if duration.label)
    yield from (_dated(day) for day in facts.days if day.role in ("milestone", "other") and day.label)


def _of_money(money: Money) -> Claim:
    about = money.noun or money.role
    per = f" per {money.per}" if money.per else ""
    text = f"{_first(about)}: {money_text(money)}{per}{', a limit' if money.role == 'cap' else ''}"
    return _amount(_slug(f"{about}-cap" if money.role == "cap" else about), text, money, money.noun)


def _dated(day: Day) -> Claim:
    by = "by" if day.role == "milestone" else "dated"
    text = f"{_first(clip(day.label, 90))}: {by} {day_text(day.latest)}"
    return _day(_slug(day.label), text, "fact", day.latest, day.source)


def _counted(found: Quantity) -> Claim:
    unit = found.unit or found.noun
    words = f"{_BOUNDS.get(found.bound, '')}{_value(found)}{f' {found.unit}' if found.unit else ''}"
    text = f"{_first(found.noun)}{_ROLES.get(found.role, '')}: {words}"
    claim = _claim(_slug(found.noun), text, "fact", _value(found), unit[:40], found.source)
    return claim.model_copy(update={"subject": found.noun, "role": found.role})


def _measured(found: Duration) -> Claim:
    text = f"{_first(clip(found.label, 90))}: {_value(found)} {found.unit}"
    claim = _claim(_slug(found.label), text, "fact", _value(found), found.unit, found.source)
    return claim.model_copy(update={"subject": found.label})


def _quoted(facts: Facts, found: Quantity | Duration) -> Claim:
    """Return the claim of a number that rules read: they know what it counts only as a quote."""
    unit = found.unit or (found.noun if isinstance(found, Quantity) else "")
    text = f"{_value(found)} {unit}".strip() + f", in the goal: {_words(facts, found)}"
    slug = _slug(found.noun or unit) if isinstance(found, Quantity) else _slug(unit)
    return _claim(slug, text, "fact", _value(found), unit[:40] or None, found.source)


def _words(facts: Facts, span: Spanned) -> str:
    """Quote the words around *span* in its sentence; only the span where the sentence may not be printed."""
    around = next((s for s in quotable(facts, facts.sentences) if s.start <= span.start < s.end), None)
    if around is None:
        return quote(span)
    left, right = max(0, span.start - around.start - 60), span.end - around.start + 50
    piece = around.text[left:right]
    piece = piece.partition(" ")[2] if left else piece
    piece = piece.rpartition(" ")[0] if right < len(around.text) else piece
    return f"“{' '.join(piece.split()).rstrip('.,; ')}”"


def _value(found: Quantity | Duration | Money) -> str:
    return f"{found.high:.12g}" if found.low == found.high else f"{found.low:.12g}-{found.high:.12g}"


def _amount(slug: str, text: str, money: Money, subject: str) -> Claim:
    kind: ClaimKind = "assumption" if money.assumed else "fact"
    test = "The client names the currency" if money.assumed else None
    claim = _claim(slug, text, kind, _value(money), money.currency, money.source, test)
    return claim.model_copy(update={"subject": subject, "base": money.per})


def _day(slug: str, text: str, kind: ClaimKind, day: date, source: str, test: str | None = None) -> Claim:
    return _claim(slug, text, kind, day.isoformat(), "date", source, test)


def _claim(
    slug: str, text: str, kind: ClaimKind, value: str, unit: str | None, source: str, test: str | None = None
) -> Claim:
    text = clip(text, 400)
    return Claim(id=f"start.{slug}", text=text, kind=kind, value=value, unit=unit, source=source, test=test)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40].strip("-") or "figure"


def _first(text: str) -> str:
    return text[:1].upper() + text[1:]
