"""The signals of a prompt: each danger, target and gap of it by name, with the words and days to speak of it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache

from planloom.domain.facts import Spanned
from planloom.domain.wording import amount_text, day_text, money_text
from planloom.facts.quoting import clip, lower_first, quotable, quote
from planloom.knowledge.brief import BRIEFS, Brief
from planloom.knowledge.dangers import Danger, DangerKind, dangers, sentence_of
from planloom.knowledge.figures import figure
from planloom.knowledge.funds import cap_text, contingency
from planloom.knowledge.gates import closed_days, due_day, gate_day, open_day
from planloom.knowledge.parties import agreed
from planloom.knowledge.success import Target, targets

#: More than these of a kind would leave no room for what the author of the prompt could not see.
_MOST: dict[DangerKind, int] = {"approval": 3, "veto": 2, "law": 1, "window": 2, "cap": 2, "obligation": 3}
_MONEY = re.compile(r"\b(?:loan|grant|fund|credit|subsid|budget|money|invest)", re.IGNORECASE)
_EARNS = re.compile(r"\b(?:margin|revenue|sales|break-?even|cost|price|premium|profit|customers?)", re.IGNORECASE)
_WANTED = re.compile(
    r"\b(?:customers?|visitors?|guests?|users?|members?|participants?|readers?|subscribers?|orders?|tickets?|sales"
    r"|bookings?|pupils|students)\b",
    re.IGNORECASE,
)
_FELT = re.compile(r"\b(?:residents?|people|rate|satisf|members?|volunteers?)", re.IGNORECASE)


@dataclass(frozen=True)
class Signal:
    """One signal: ``words`` fill the templates of ``from_prompt.toml``, ``days`` are the due days by name.

    ``source`` quotes the prompt, or says "assumed" where it is silent; ``weight`` orders signals, highest first.
    """

    name: str
    source: str
    weight: int
    words: Mapping[str, str] = field(default_factory=dict)
    days: Mapping[str, date] = field(default_factory=dict)

    def fill(self, template: str) -> str:
        """Return *template* with this signal's words in place, its first letter raised."""
        text = agreed(template.format_map(self.words), self.words.get("party", ""))
        return text[:1].upper() + text[1:]


@lru_cache(maxsize=BRIEFS)
def signals(brief: Brief) -> tuple[Signal, ...]:
    """Return the signals of *brief*: what others decide, what binds, what is promised, what is not said."""
    words, days = _frame(brief), _days(brief)
    found = [*_from_dangers(brief), *_date(brief), *_targets(brief), *_bans(brief), *_gaps(brief)]
    return tuple(
        Signal(s.name, s.source, s.weight, {**words, "source": s.source, **s.words}, {**days, **s.days}) for s in found
    )


def _frame(brief: Brief) -> dict[str, str]:
    days = {name: day_text(day) for name, day in _days(brief).items()}
    low, high = brief.archetype.months
    return {
        **days,
        "start": day_text(brief.start),
        "weeks": str((brief.end_assumed - brief.start).days // 7),
        "months": f"{brief.months:.1f}",
        "usual": f"{low:g} to {high:g} months",
        "lead": lower_first(brief.role_title("lead")),
        "where": f" in {brief.place}" if brief.place else "",
        "subject": clip(brief.facts.subject, 110),
        "capacity": brief.words["capacity"],
        "total": money_text(brief.total) if brief.total else "the money",
        "reserve": _reserve(brief) if brief.total else "the reserve",
        "of_reserve": f" of {_reserve(brief)}" if brief.total else "",
        "kind": brief.archetype.label,
    }


def _reserve(brief: Brief) -> str:
    assert brief.total is not None
    return amount_text(round(contingency(brief)[0] * brief.total.high), brief.total.currency)


def _days(brief: Brief) -> dict[str, date]:
    """Due days by name: gates by phase, then days after the start."""
    third = brief.start + timedelta(days=round((brief.end_assumed - brief.start).days / 3))
    return {
        **{name: gate_day(brief, name) for name in ("prepare", "design", "build", "launch")},
        "end": brief.end_assumed,
        "week1": due_day(brief, 4),
        "week2": due_day(brief, 9),
        "week3": due_day(brief, 14),
        "week5": due_day(brief, 24),
        "third": open_day(brief, third),
    }


def _from_dangers(brief: Brief) -> Iterator[Signal]:
    make: dict[DangerKind, Callable[[Brief, Danger], Signal]] = {
        "approval": _approval,
        "veto": _veto,
        "law": _law,
        "window": _window,
        "cap": _cap,
        "obligation": _obligation,
    }
    left = dict(_MOST)
    for danger in dangers(brief.facts):
        if danger.kind in make and left[danger.kind] and quotable(brief.facts, (danger.said,)):
            left[danger.kind] -= 1
            yield make[danger.kind](brief, danger)


def _approval(brief: Brief, danger: Danger) -> Signal:
    money = bool(_MONEY.search(danger.thing))
    gate = f"“{clip(danger.gate, 60)}” waits for it" if danger.gate else "the work that needs it waits"
    words = {
        "thing": clip(danger.thing, 60),
        "who": clip(danger.who, 64),
        "waits": gate,
        "no_costs": _loss(brief, danger) if money else "",
        "category": "financial" if money else "regulatory",
        "owner": "finance" if money else "legal",
    }
    name = "approval_each" if danger.repeated else "approval"
    return Signal(name, quote(danger.said, 200), 10 if danger.gate else 8, words)


def _loss(brief: Brief, danger: Danger) -> str:
    """What a no takes away, where the sentence names the amount."""
    inside = (m for m in brief.facts.money if danger.said.start <= m.start < danger.said.end)
    amounts = [m for m in inside if brief.total and m.currency == brief.total.currency and m.high < brief.total.high]
    near = next((m for m in amounts if m.noun and m.noun.lower() in danger.thing.lower()), None)
    near = near or (amounts[-1] if amounts else None)
    if near is None or brief.total is None:
        return ""
    return (
        f" A no takes {amount_text(near.high, near.currency)}, {100 * near.high / brief.total.high:.0f}% of the budget."
    )


def _veto(brief: Brief, danger: Danger) -> Signal:  # noqa: ARG001 - all makers are called alike
    asked = re.search(r"\basked\b|\bwants?\b|\bobjects?\b", danger.said.text, re.IGNORECASE) is not None
    words = {"party": clip(danger.party, 60), "thing": clip(danger.thing, 90) or "the next gate"}
    return Signal("veto_asked" if asked else "veto_stop", quote(danger.said, 200), 7, words)


def _law(brief: Brief, danger: Danger) -> Signal:  # noqa: ARG001
    return Signal("law", quote(danger.said, 200), 9, {"law": clip(danger.thing, 80)})


def _window(brief: Brief, danger: Danger) -> Signal:
    closure = next((c for c in brief.facts.closures if c.text == danger.thing), None)
    season = closure is not None and (closure.outdoor or not closure.forbidden)
    shut = closed_days(brief, brief.start, brief.end_assumed, outdoor=True)
    open_days = figure(brief, "open-days")
    words = {
        "said": quote(danger.said, 160),
        "open": open_days.text if open_days else "",
        "open_days": open_days.value if open_days else "",
        "all_days": str((brief.end_assumed - brief.start).days + 1),
    }
    if not shut:
        return Signal("window_after", quote(danger.said, 200), 4, words)
    return Signal("window_season" if season else "window_break", quote(danger.said, 200), 9 if season else 5, words)


def _cap(brief: Brief, danger: Danger) -> Signal:
    assert danger.money is not None
    what = danger.thing or "one cost"
    if re.search(rf"\bper\s+{re.escape(what)}", danger.said.text, re.IGNORECASE):
        what = f"the cost per {what}"
    words = {"what": clip(what, 60), "limit": cap_text(brief, danger.money), "said": quote(danger.said, 120)}
    return Signal("cap", quote(danger.said, 200), 6, words)


def _obligation(brief: Brief, danger: Danger) -> Signal:  # noqa: ARG001
    text = re.sub(r"^(?:and|but|so|that|which)\s+", "", danger.said.text.strip(), flags=re.IGNORECASE)
    words = {
        "about": lower_first(clip(text, 100).rstrip(" .")),
        "whom": f"the {clip(danger.party, 60)}" if danger.party else "whoever it protects",
    }
    return Signal("obligation", quote(danger.said, 200), 5, words)


def _date(brief: Brief) -> Iterator[Signal]:
    if brief.deadline is None:
        return
    low, high = brief.archetype.months
    tight = "tight" if brief.months < low else "usual" if brief.months < (low + high) / 2 else "loose"
    days = [d for d in brief.facts.days if d.role == "deadline" and d.latest == brief.deadline]
    said = next(iter([*days, *(d for d in brief.facts.durations if d.role == "total")]), None)
    said_in = quotable(brief.facts, (sentence_of(brief.facts, said),) if said else ())
    source = quote(said_in[0], 140) if said_in else "the time frame of the goal"
    yield Signal(f"deadline_{tight}", source, {"tight": 9, "usual": 6, "loose": 4}[tight])


def _targets(brief: Brief) -> Iterator[Signal]:
    launch = gate_day(brief, "launch")
    for target in targets(brief)[:3]:
        if quotable(brief.facts, (target.said,)):
            half = open_day(brief, launch + max((target.when - launch) / 2, timedelta(0)))
            words, days = _target_words(target, half), {"half": half, "due": target.when}
            yield Signal("target", quote(target.said, 200), 6, words, days)
            if _WANTED.search(target.text):
                yield Signal("target_demand", quote(target.said, 200), 6, words, days)
    yield from _two_targets(brief)


def _two_targets(brief: Brief) -> Iterator[Signal]:
    """Two figures by which success is counted; what must hold from the first day cannot wait for another."""
    found = [t for t in targets(brief) if t.figured and re.search(r"\bsuccess", t.said.text, re.IGNORECASE)]
    found = [t for t in found if not re.search(r"\bmust\b", t.said.text)]
    found = [t for t in found if quotable(brief.facts, (t.said,))]
    if len(found) > 1:
        one, other = found[:2]
        words = {
            "first": clip(lower_first(one.text), 62),
            "second": clip(lower_first(other.text), 62),
            "first_day": day_text(one.when),
            "second_day": day_text(other.when),
        }
        yield Signal("two_targets", quote(one.said, 200), 6, words)


def _target_words(target: Target, half: date) -> dict[str, str]:
    earns, felt = _EARNS.search(target.text), _FELT.search(target.text)
    return {
        "target": lower_first(clip(target.text, 100)),
        "threshold": target.threshold,
        "method": target.method,
        "half": day_text(half),
        "due": day_text(target.when),
        "category": "financial" if earns else "social" if felt else "technical",
    }


def _bans(brief: Brief) -> Iterator[Signal]:
    said = [ban for ban in quotable(brief.facts, brief.facts.bans) if ban.kind == "approach"]
    if said:
        named = "; ".join(clip(ban.what, 60) for ban in said[:4])
        yield Signal("ban", quote(said[0], 200), 3, {"named": named})


def _gaps(brief: Brief) -> Iterator[Signal]:
    """What the prompt leaves open or says in two ways, so that it has to be assumed."""
    gaps = {
        "no_start": (7, "start", brief.start_source == "to verify"),
        "no_deadline": (7, "latest day", brief.deadline is None),
        "no_budget": (9, "budget", brief.total is None),
        "no_place": (5, "place", not brief.facts.places and brief.archetype.medium != "digital"),
        "no_measure": (7, "measure of success", not targets(brief)),
    }
    for name, (weight, what, is_open) in gaps.items():
        if is_open:
            yield Signal(name, f"assumed: no {what} found in the goal", weight)
    yield from _two_readings(brief)
    yield from _one_source(brief)
    if growth := figure(brief, "growth"):
        large, _, small = growth.working.partition(" / ")
        words = {"growth": lower_first(growth.text), "small": small, "large": large}
        yield Signal("growth", _said_of(brief, large), 6, words)


def _two_readings(brief: Brief) -> Iterator[Signal]:
    total = brief.total
    if total and total.assumed:
        yield Signal("currency_assumed", quote(total), 8, {"sign": clip(total.text, 40), "code": total.currency})
    if total and total.low < total.high:
        yield Signal("budget_range", quote(total), 6)
    for day in brief.facts.days:
        if day.ambiguous:
            words = {"said": quote(day), "one": day_text(day.earliest), "other": day_text(day.latest)}
            yield Signal("date_ambiguous", quote(day), 8, words)


def _one_source(brief: Brief) -> Iterator[Signal]:
    giver = re.search(r"\b(?:grant|one investor|sponsor|donor|fellowship|crowdfunding)\b", brief.prompt, re.IGNORECASE)
    if giver and brief.total:
        span = Spanned(text=giver[0], start=giver.start(), end=giver.end())
        said = quotable(brief.facts, (sentence_of(brief.facts, span),))
        if said:
            yield Signal("one_source", quote(said[0], 200), 6, {"giver": giver[0].lower()})


def _said_of(brief: Brief, large: str) -> str:
    quantity = next((q for q in brief.facts.quantities if f"{q.high:,.0f}" == large), None)
    said = quotable(brief.facts, (sentence_of(brief.facts, quantity),) if quantity else ())
    return quote(said[0], 200) if said else "computed from the goal"
