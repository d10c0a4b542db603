"""The outline of the scenarios: settings by stance, points by what the prompt makes hard, and where the choice tips."""

from collections.abc import Sequence

from planloom.domain.budget import apportion
from planloom.domain.wording import amount_text, day_text, money_text
from planloom.facts.quoting import clip, lower_first, quotable
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import Danger, dangers
from planloom.knowledge.figures import figure
from planloom.knowledge.funds import cap_text, caps, contingency
from planloom.knowledge.gates import gate_day
from planloom.knowledge.success import targets
from planloom.stages.levers import Levers
from planloom.stages.parts.fitted import fitted
from planloom.stages.parts.lever import Lever, Setting, Stance
from planloom.stages.parts.scenario import STANCES, Choice, Criterion, Scenario, leader, tipping_weight, weighted


def outline_scenarios(brief: Brief, levers: Levers) -> list[Scenario]:
    """Return careful, balanced and bold: every vital lever set by stance, told with the prompt's dates and money."""
    vital = [lever for lever in levers.levers if lever.id in levers.vital]
    return [_scenario(brief, vital, stance) for stance in STANCES]


def _scenario(brief: Brief, vital: Sequence[Lever], stance: Stance) -> Scenario:
    set_so = [(lever, lever.setting(stance)) for lever in vital]
    open_ones = [(lever, setting) for lever, setting in set_so if not lever.fixed] or set_so
    avoided = [lever.setting(_rival(stance, n)) for n, (lever, _) in enumerate(open_ones)]
    told = " ".join(f"{lever.title}: {_sentence(setting.text)}" for lever, setting in set_so)
    return fitted(
        Scenario,
        stance=stance,
        title=_title(open_ones),
        story=f"{_frame(brief, stance)} {told} {_end(brief, stance)}",
        choices=[
            Choice(lever=lever.id, title=lever.title, setting=setting.label, fixed=bool(lever.fixed))
            for lever, setting in set_so
        ],
        gains=_avoided(avoided),
        gives_up=_costs([setting for _, setting in open_ones]),
    )


def _rival(stance: Stance, n: int) -> Stance:
    """The other extreme; for balanced, each of the two in turn."""
    if stance == "balanced":
        return "careful" if n % 2 == 0 else "bold"
    return "bold" if stance == "careful" else "careful"


def _avoided(settings: Sequence[Setting]) -> str:
    return " ".join(f"Spared, against “{s.label}”: {lower_first(_sentence(s.cost))}" for s in settings[:3])


def _title(open_ones: Sequence[tuple[Lever, Setting]]) -> str:
    labels = [setting.label for _, setting in open_ones[:2]]
    return f"{labels[0]}, {lower_first(labels[1])}" if len(labels) > 1 else labels[0]


def _frame(brief: Brief, stance: Stance) -> str:
    start, first = day_text(brief.start), day_text(gate_day(brief, "prepare"))
    if stance == "careful":
        money = f" of {money_text(brief.total)}" if brief.total else ""
        return f"From {start} to {first} nothing{money} is tied that could not be taken back."
    if stance == "balanced":
        design = day_text(gate_day(brief, "design"))
        return (
            f"Work starts on {start}; commitments follow the gates of {first} and {design}, each for the next stretch."
        )
    return f"From {start} on, work that would wait for the gate of {first} runs beside what leads up to it."


def _end(brief: Brief, stance: Stance) -> str:
    end = day_text(brief.end_assumed)
    waits = next((d for d in dangers(brief.facts) if d.kind == "approval" and d.gate), None)
    if waits and stance != "balanced":
        then = "moves" if stance == "careful" else "holds, and a no costs what was ordered ahead"
        return f"If the {clip(waits.thing, 60)} is late, {end} {then}."
    reserve = brief.total
    if reserve:
        amount = amount_text(round(contingency(brief)[0] * reserve.high), reserve.currency)
        return f"The reserve of {amount} is released gate by gate up to {end}."
    return f"What does not fit before {end} is named at each gate and left out."


def _costs(settings: Sequence[Setting]) -> str:
    return " ".join(_sentence(setting.cost) for setting in settings[:3])


def _sentence(text: str) -> str:
    return text.rstrip(" .") + "."


def outline_choice(brief: Brief, scenarios: Sequence[Scenario]) -> tuple[list[Criterion], str, list[str]]:
    """Return the criteria with weights and points, why the leader leads, and what would change that."""
    rules = (_deadline(brief), _budget(brief), _limits(brief), _ways_back(brief), _upside(brief))
    weights = apportion(100, [rule[1] for rule in rules])
    criteria = [
        Criterion(name=name, weight=weight, careful=points[0], balanced=points[1], bold=points[2], why=clip(why, 500))
        for (name, _, points, why), weight in zip(rules, weights, strict=True)
    ]
    first = leader(criteria)
    return criteria, _because(criteria, scenarios, first), _changes(brief, criteria, first)


#: A criterion before its weight is worked out: name, raw weight, points by stance, why.
_Rule = tuple[str, int, tuple[int, int, int], str]


def _deadline(brief: Brief) -> _Rule:
    low, high = brief.archetype.months
    months, end = brief.months, day_text(brief.end_assumed)
    usual = f"work of this kind usually takes {low:g} to {high:g} months"
    if brief.deadline is None:
        return ("Time to the end", 4, (4, 4, 3), f"No deadline was found in the goal; {end} is assumed, since {usual}.")
    if months < low:
        why = f"{months:.1f} months to {end}, and {usual}: waiting costs days that are not there."
        return ("Fit to the deadline", 9, (2, 3, 4), why)
    if months < (low + high) / 2:
        why = f"{months:.1f} months to {end} lie in the lower half of what is usual: {usual}."
        return ("Fit to the deadline", 7, (3, 4, 3), why)
    why = f"{months:.1f} months to {end} leave room, since {usual}: what is rushed is done twice."
    return ("Fit to the deadline", 5, (4, 4, 3), why)


def _budget(brief: Brief) -> _Rule:
    if not brief.total:
        return ("Money at risk", 5, (4, 3, 1), "No budget found in the goal: what is tied early cannot be judged.")
    limits = caps(brief)
    why = f"{money_text(brief.total)} is fixed"
    if limits:
        named = ", ".join(f"{m.noun or 'a part'} {cap_text(brief, m)}" for m in limits[:3])
        why += f"; limits within it: {named}"
    why += ". Early commitments buy at list price, long waiting pays for idle time."
    return ("Fit to the budget", 5 + min(len(limits), 3), (3, 4, 2), why)


def _limits(brief: Brief) -> _Rule:
    found = [d for d in dangers(brief.facts) if d.kind in ("approval", "veto", "law", "window", "obligation", "ban")]
    waits = [d for d in found if d.kind == "approval"]
    why = f"The goal sets {len(found)} limit{'' if len(found) == 1 else 's'}"
    if waits:
        names = " and ".join(f"the {clip(d.thing, 50)}" for d in waits[:2])
        why += f", among them {names}, which others decide"
    why += ". Work ahead of an answer risks breaking one of them." if found else ", so little can be broken."
    return ("Keeping the goal's limits", 3 + min(len(found), 6), (5, 4, 2 if waits else 3), why)


def _ways_back(brief: Brief) -> _Rule:
    waits = [d for d in dangers(brief.facts) if d.kind in ("approval", "veto")]
    names = list(dict.fromkeys(d.party or d.thing for d in waits))
    if not names:
        return ("Ways back", 3, (4, 3, 2), "Nobody outside can stop it by a no, so ways back matter less here.")
    listed = ", ".join(clip(name, 50) for name in names[:3])
    return ("Ways back", 4, (4, 3, 1), f"A no may still come from: {listed}. What is tied before it is lost with it.")


def _upside(brief: Brief) -> _Rule:
    found, growth = targets(brief), figure(brief, "growth")
    if not found:
        return (
            "Upside",
            3,
            (2, 3, 4),
            f"More than {brief.words['capacity']} is not asked for; being early is worth little.",
        )
    weight = 4 + (2 if growth else 0)
    why = f"Success is counted: {lower_first(found[0].text)}."
    why += (
        f" {growth.text}: whoever starts early has longer to grow." if growth else " Early figures leave time to mend."
    )
    return ("Upside", weight, (2, 4, 5 if growth else 4), why)


def _because(criteria: Sequence[Criterion], scenarios: Sequence[Scenario], first: Stance) -> str:
    points = {stance: weighted(criteria, stance) for stance in STANCES}
    second = max((s for s in STANCES if s != first), key=lambda s: points[s])
    tips = max(criteria, key=lambda c: c.weight * (c.points(first) - c.points(second)))
    taken = next(s for s in scenarios if s.stance == first)
    return clip(
        f"“{taken.title}” has {points[first]:.2f} of 5 points, {points[second]:.2f} go to the {second} one. "
        f"What tips it is {lower_first(tips.name)} ({tips.weight}%): {tips.why} "
        f"The price: {lower_first(taken.gives_up)}",
        700,
    )


def _changes(brief: Brief, criteria: Sequence[Criterion], first: Stance) -> list[str]:
    lines = []
    waits = _first_shown(brief, "approval")
    gate = day_text(gate_day(brief, "prepare"))
    if waits and first != "careful":
        lines.append(f"No written decision on the {clip(waits.thing, 60)} by {gate}: careful, until it is there.")
    elif waits:
        lines.append(f"A written yes on the {clip(waits.thing, 60)} before {gate}: balanced, for what it releases.")
    for rival in (s for s in STANCES if s != first):
        if tip := _tipping(criteria, rival):
            lines.append(f"{tip[0].name} weighing {tip[1]}% instead of {tip[0].weight}%: {rival}.")
    if brief.total and first != "careful":
        part = amount_text(round(brief.total.high * 0.9), brief.total.currency)
        lines.append(f"First quotes that leave less than {part} of {money_text(brief.total)} usable: careful.")
    found = targets(brief)
    if found and first != "bold":
        lines.append(
            f"Proof before {gate} that this will be met early, “{clip(found[0].text, 90)}”: bold for that part."
        )
    if len(lines) < 2:
        lines.append(
            f"A fixed latest day before {day_text(brief.end_assumed)}: bold for what lies on the critical path."
        )
        lines.append(f"No answer by {gate} on who pays: careful.")
    return lines[:6]


def _tipping(criteria: Sequence[Criterion], rival: Stance) -> tuple[Criterion, int] | None:
    found = [(c, weight) for c in criteria if (weight := tipping_weight(criteria, c, rival)) is not None]
    return min(found, key=lambda pair: pair[1] - pair[0].weight, default=None)


def _first_shown(brief: Brief, kind: str) -> Danger | None:
    found = (d for d in dangers(brief.facts) if d.kind == kind and not d.repeated)
    return next((d for d in found if quotable(brief.facts, (d.said,))), None)
