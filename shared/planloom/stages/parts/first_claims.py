"""The first claims of a plan: when, for how much and where; what the prompt states; what follows by arithmetic."""

import re
from collections.abc import Iterator
from datetime import date

from planloom.domain.claims import Claim, ClaimKind
from planloom.domain.facts import Duration, Facts, Money, Quantity, Spanned
from planloom.knowledge.brief import Brief, day_text, money_text
from planloom.knowledge.figures import figures, plural
from planloom.knowledge.quoting import clip, quotable, quote

#: A prompt with hundreds of numbers would fill every later question with claims.
MOST_CLAIMS = 40


def first_claims(brief: Brief) -> tuple[Claim, ...]:
    """Return the claims ``start.<slug>`` of *brief*, the frame first; a slug that is taken gets ``-2``, ``-3``..."""
    made: list[Claim] = []
    taken: set[str] = set()
    for claim in (*_frame(brief), *_stated(brief), *_computed(brief)):
        free = next(s for n in range(1, 1000) if (s := claim.id if n == 1 else f"{claim.id}-{n}") not in taken)
        taken.add(free)
        made.append(claim.model_copy(update={"id": free}))
    return tuple(made[:MOST_CLAIMS])


def _frame(brief: Brief) -> Iterator[Claim]:
    yield _start(brief)
    yield _deadline(brief)
    if brief.total:
        inferred = ", the currency inferred from its sign" if brief.total.assumed else ""
        yield _amount("budget", f"The budget of the whole is {money_text(brief.total)}{inferred}", brief.total)
    for place in brief.facts.places[:1]:
        yield _claim("place", f"The main place is {place.name}", "fact", place.name[:80], "place", place.source)


def _start(brief: Brief) -> Claim:
    text = f"Work starts on {day_text(brief.start)}"
    if brief.start_source != "to verify":
        return _day("date", text, "fact", brief.start, brief.start_source)
    text += ", the day of drafting: the goal sets no start"
    return _day("date", text, "assumption", brief.start, "to verify", "The client confirms the first working day")


def _deadline(brief: Brief) -> Claim:
    end = day_text(brief.end_assumed)
    dated = next((d for d in brief.facts.days if d.role == "deadline" and d.latest == brief.deadline), None)
    if dated:
        return _day("deadline", f"The goal must be reached by {end}", "fact", brief.end_assumed, dated.source)
    total = next((d for d in brief.facts.durations if d.role == "total"), None)
    if total and brief.deadline:
        text = f"The work ends by {end}: {clip(total.text, 60)} after the start"
        return _day("deadline", text, "computed", brief.end_assumed, total.source)
    low, high = brief.archetype.months
    text = (
        f"The goal sets no deadline: {end} is assumed, from the {low:g} to {high:g} months that this kind of work takes"
    )
    return _day("deadline", text, "assumption", brief.end_assumed, "to verify", "The client names the latest day")


def _stated(brief: Brief) -> Iterator[Claim]:
    facts = brief.facts
    for money in facts.money:
        if money is not brief.total:
            about = money.noun or money.role
            text = f"{_first(about)}: {money_text(money)}, in the goal: {_words(facts, money)}"
            yield _amount(_slug(f"{about}-cap" if money.role == "cap" else about), text, money)
    for quantity in facts.quantities:
        # "a 48-seat café" counts seats
        noun = plural(quantity.noun) if re.match(r"\d+-", quantity.text) else quantity.noun
        yield _measure(facts, quantity, noun or quantity.unit or "count", quantity.unit or noun)
    for duration in facts.durations:
        if duration.role != "total" and duration.label:
            yield _measure(facts, duration, duration.label, duration.unit)
    for day in facts.days:
        if day.role in ("milestone", "other") and day.label:
            text = f"{_first(clip(day.label, 90))}: by {day_text(day.latest)}, in the goal: {_words(facts, day)}"
            yield _day(_slug(day.label), text, "fact", day.latest, day.source)


def _computed(brief: Brief) -> Iterator[Claim]:
    for found in figures(brief):
        text = f"{found.text} ({found.working})"
        yield _claim(found.id, text, "computed", found.value, found.unit[:40], "stage:start")


def _measure(facts: Facts, found: Quantity | Duration, about: str, unit: str) -> Claim:
    bound = {"at_least": "at least ", "at_most": "at most ", "about": "about "}.get(getattr(found, "bound", ""), "")
    value = f"{found.low:.12g}" if found.low == found.high else f"{found.low:.12g}-{found.high:.12g}"
    # a measure without a noun, as in "no more than 1.1 m", is named by its value alone
    bare = isinstance(found, Quantity) and not found.noun
    named = "" if bare else f"{_first(clip(about, 90))}: "
    text = f"{named}{_first(bound) if bare else bound}{value} {unit}, in the goal: {_words(facts, found)}"
    slug = f"limit-{_slug(unit)}" if bare else _slug(about)
    return _claim(slug, text, "fact", value, unit[:40] or None, found.source)


def _amount(slug: str, text: str, money: Money) -> Claim:
    value = f"{money.high:.12g}" if money.low == money.high else f"{money.low:.12g}-{money.high:.12g}"
    if money.assumed:
        test = "The client names the currency"
        return _claim(slug, text, "assumption", value, money.currency, money.source, test)
    return _claim(slug, text, "fact", value, money.currency, money.source)


def _day(slug: str, text: str, kind: ClaimKind, day: date, source: str, test: str | None = None) -> Claim:
    return _claim(slug, text, kind, day.isoformat(), "date", source, test)


def _claim(
    slug: str, text: str, kind: ClaimKind, value: str, unit: str | None, source: str, test: str | None = None
) -> Claim:
    text = clip(text, 400)
    return Claim(id=f"start.{slug}", text=text, kind=kind, value=value, unit=unit, source=source, test=test)


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


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40].strip("-") or "figure"


def _first(text: str) -> str:
    return text[:1].upper() + text[1:]
