"""The figures of the report's first page, each from the final spine or what is computed of it."""

from collections.abc import Iterator
from datetime import date

from planloom.core.wording import day_text
from planloom.planes.strategic.compute.computed import Odds
from planloom.planes.strategic.compute.found import chance_text
from planloom.planes.strategic.compute.found import verdict as chance_verdict
from planloom.planes.strategic.report.card import Card
from planloom.planes.strategic.stages.computed_plan import ComputedPlan, month
from planloom.planes.strategic.stages.schedule import Verdict, verdict

TONES: dict[Verdict, str] = {"holds": "good", "tight": "warn", "late": "bad", "open": ""}
#: The largest number of characters in the note of a card; the schedule has all of it.
MOST_NOTE = 90


def tone(plan: ComputedPlan) -> str:
    """Return the tone of the verdict: no better than a warning where a dated demand is missed, whatever the end is."""
    found = TONES[verdict(plan.computed)]
    return "warn" if found == "good" and _missed(_demands(plan)) else found


def cards(plan: ComputedPlan) -> tuple[Card, ...]:
    """Return the cards in the order in which a reader asks: when, on time or not, for how much, at what risk."""
    return (*_dates(plan), *_money(plan), *_work(plan))


def _dates(plan: ComputedPlan) -> Iterator[Card]:
    yield Card("Starts", day_text(plan.computed.start))
    due = plan.spine.frame.end
    if due:
        yield Card("Deadline", day_text(due), "as the goal sets it")
    end = plan.end.computed if plan.end else plan.computed.end
    yield Card("Computed end", day_text(end), _spare(plan, end), TONES[verdict(plan.computed)])
    if plan.end:
        yield Card("80% sure by", day_text(plan.end.p80), f"half of the simulated runs end by {day_text(plan.end.p50)}")
    demands = _demands(plan)
    if demands:
        kept, late = len(demands) - len(_missed(demands)), ", ".join(odds.what for odds in _missed(demands))
        note = _cut(f"computed too late: {late}") if late else "as computed, each against the packages that fulfil it"
        yield Card("Dated demands", f"{kept} of {len(demands)} kept", note, "bad" if late else "good")
    dated = [odds for odds in plan.computed.odds if odds.chance is not None and odds.due]
    if dated:
        yield _odds(plan, next((odds for odds in dated if odds.what == "end"), min(dated, key=lambda o: o.chance or 0)))


def _odds(plan: ComputedPlan, odds: Odds) -> Card:
    what = "of the deadline" if odds.what == "end" else f"of {plan.named(odds.what)}, the least likely date"
    note = _cut(f"{what}; {odds.rests_on}" if odds.rests_on else what)
    tone = {"holds": "good", "likely": "warn"}.get(chance_verdict(odds.chance or 0), "bad")
    return Card("Odds", chance_text(odds.chance or 0), note, tone)


def _demands(plan: ComputedPlan) -> list[Odds]:
    return [odds for odds in plan.computed.odds if odds.due and odds.what.startswith("N")]


def _missed(demands: list[Odds]) -> list[Odds]:
    return [odds for odds in demands if odds.due and odds.computed > odds.due]


def _cut(note: str) -> str:
    return note if len(note) <= MOST_NOTE else note[:MOST_NOTE].rsplit(" ", 1)[0].rstrip(",;") + " …"


def _spare(plan: ComputedPlan, end: date) -> str:
    due = plan.spine.frame.end
    if due is None:
        return "no date for the whole was found in the goal"
    days = (due - end).days
    rest = f"; all other work ends on {day_text(plan.computed.end)}" if plan.computed.end > end else ""
    return f"{abs(days)} calendar days {'to spare' if days >= 0 else 'late'}{rest}"


def _money(plan: ComputedPlan) -> Iterator[Card]:
    total, budget = plan.sums.get("total", 0), plan.spine.frame.budget
    if not total:
        yield Card("Budget", plan.some(budget) or "not stated", "no costs are stated yet")
        return
    over = total - budget
    distance = f"{plan.money(abs(over))} {'above' if over > 0 else 'below'}" if over else "exactly"
    limit = f"{distance} the budget of {plan.money(budget)}" if budget else "none found in the goal"
    yield Card("Cost", plan.money(total), limit, ("bad" if over > 0 else "good") if budget else "")
    if plan.computed.gap:
        when = f"lowest in {month(plan.computed.gap_month)}" if plan.computed.gap_month else "balance below zero"
        yield Card("Funding gap", plan.money(plan.computed.gap), when, "bad")
    elif plan.spine.sources:
        yield Card("Funding gap", "none", "if money comes as its sources say", "good")


def _work(plan: ComputedPlan) -> Iterator[Card]:
    if plan.spine.risks:
        worst = max(plan.spine.risks, key=lambda risk: (risk.odds * risk.cost, risk.odds * risk.days))
        loss = plan.some(worst.cost) or f"{worst.days} calendar days"
        yield Card("Highest risk", f"{worst.id}: {loss} at {worst.odds:.0%}", worst.event)
    yield Card("Work packages", str(len(plan.spine.packages)), f"{len(plan.computed.path)} on the critical path")
