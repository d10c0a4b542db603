"""The levers that the prompt itself holds: what waits for whom, which target leads, what gives when limits meet."""

import re
from collections.abc import Iterator
from typing import Literal

from planloom.knowledge.brief import Brief, amount_text, day_text
from planloom.knowledge.dangers import Danger, dangers
from planloom.knowledge.figures import figure
from planloom.knowledge.funds import contingency
from planloom.knowledge.gates import gate_day
from planloom.knowledge.quoting import clip, lower_first, quotable, quote
from planloom.knowledge.success import targets
from planloom.stages.lever import Lever, Setting

View = Literal["value", "means", "exposure"]


def prompt_levers(brief: Brief, view: View) -> tuple[Lever, ...]:
    """Return the levers that the prompt holds, as one of three drafters sees them."""
    found = {"value": _value, "means": _means, "exposure": _exposure}[view](brief)
    return tuple(found)


def _value(brief: Brief) -> Iterator[Lever]:
    yield from _leading_target(brief)
    yield from _roll_out(brief)


def _means(brief: Brief) -> Iterator[Lever]:
    yield from _short_of_time(brief)
    yield from _cap(brief)
    yield from _season(brief)


def _exposure(brief: Brief) -> Iterator[Lever]:
    yield from _work_ahead(brief)
    yield from _say(brief)


def _first(brief: Brief, kind: str, *, party: bool = False) -> Danger | None:
    found = (d for d in dangers(brief.facts) if d.kind == kind and (d.party or not party))
    return next((d for d in found if quotable(brief.facts, (d.said,))), None)


def _work_ahead(brief: Brief) -> Iterator[Lever]:
    danger = _first(brief, "approval")
    # an approval of each release is a rule of the work, no choice of its start
    if not danger or danger.repeated:
        return
    thing = clip(danger.thing, 50)
    after = f"; “{clip(danger.gate, 60)}” comes after it in any case" if danger.gate else ""
    weeks = (brief.end_assumed - brief.start).days // 7
    yield Lever(
        id="work_ahead",
        title=f"Work ahead of the {thing}",
        question=f"What is done while the decision on the {thing} is open?",
        anchor=quote(danger.said, 220),
        settings=[
            Setting(
                label="Wait for the decision",
                text=f"Only the papers for the {thing} are prepared; nothing else is ordered or signed.",
                cost=f"Each week of waiting is one of the {weeks} weeks up to {day_text(brief.end_assumed)}.",
                stance="careful",
            ),
            Setting(
                label="Prepare what serves any answer",
                text=f"Design, quotes and talks go on as far as they keep their value after a no{after}.",
                cost=f"Fees for design and quotes are lost if the {thing} is refused.",
                stance="balanced",
            ),
            Setting(
                label="Commit with a way out",
                text=f"Orders are placed with a right to withdraw until the {thing} is decided{after}.",
                cost="A price for the right to withdraw, and suppliers who prefer a firm customer.",
                stance="bold",
            ),
        ],
        impact=5,
        irreversibility=4,
        pulls_against="short_of_time",
        tension=f"Waiting for the {thing} spends the very weeks that a late plan would need.",
    )


def _leading_target(brief: Brief) -> Iterator[Lever]:
    # what must hold from the first day cannot wait for another target
    found = [t for t in targets(brief) if t.figured and not re.search(r"\bmust\b", t.said.text)]
    if len(found) < 2:
        return
    one, other = found[0], found[1]
    first, second = clip(lower_first(one.text), 62), clip(lower_first(other.text), 62)
    yield Lever(
        id="leading_target",
        title="Which target leads",
        question=f"If both cannot be had at once, which leads: {first}, or {second}?",
        anchor=quote(one.said, 220),
        settings=[
            Setting(
                label=f"Hold: {second}",
                text=f"Held from the first month; “{first}” may come after {day_text(one.when)}.",
                cost=f"“{first}” is reached late, and whoever counts on it must be told now.",
                stance="careful",
            ),
            Setting(
                label="A date and a floor for each",
                text=f"“{first}” by {day_text(one.when)}, “{second}” by {day_text(other.when)}; where half of either "
                "is missed at half time, it is mended before anything new starts.",
                cost="Two figures to watch every month, and neither is reached as early as it could be.",
                stance="balanced",
            ),
            Setting(
                label=f"Reach: {first}",
                text=f"Everything serves it until {day_text(one.when)}; “{second}” is mended afterwards.",
                cost=f"Habits that break “{second}” settle in and are hard to undo.",
                stance="bold",
            ),
        ],
        impact=4,
        irreversibility=3,
    )


def _roll_out(brief: Brief) -> Iterator[Lever]:
    growth = figure(brief, "growth")
    if not growth:
        return
    small, _, large = growth.working.partition(" / ")[2], "", growth.working.partition(" / ")[0]
    gate = day_text(gate_day(brief, "launch"))
    anchor = next((q for q in brief.facts.quantities if f"{q.high:,.0f}" == large), brief.facts.objective)
    sentence = next((s for s in brief.facts.sentences if s.start <= anchor.start < s.end), brief.facts.objective)
    yield Lever(
        id="roll_out",
        title=f"Pace from {small} to {large}",
        question=f"How does the plan go from {small} to {large}?",
        anchor=quote(sentence, 220),
        settings=[
            Setting(
                label="Prove, stop, decide",
                text=f"The first {small} run to their end and are judged; the other places start on a new decision.",
                cost=f"Months without growth; {large} may not be reached by {gate}.",
                stance="careful",
            ),
            Setting(
                label="Waves with a gate each",
                text=f"Each wave is at most three times the one before and starts when the last one met its figures; "
                f"{large} by {gate}.",
                cost="Support and training run for two versions side by side.",
                stance="balanced",
            ),
            Setting(
                label="All at once after the first",
                text=f"Preparation for {large} runs while the first {small} are still being observed.",
                cost=f"A fault found late is in {large} hands, and goes back by hand.",
                stance="bold",
            ),
        ],
        impact=5,
        irreversibility=3,
    )


def _short_of_time(brief: Brief) -> Iterator[Lever]:
    day = next((d for d in brief.facts.days if d.role == "deadline" and d.latest == brief.deadline), None)
    if not day:
        return
    sentence = next((s for s in brief.facts.sentences if s.start <= day.start < s.end), brief.facts.objective)
    end, share = day_text(brief.end_assumed), contingency(brief)[0]
    total = brief.total
    reserve = f"the reserve of {amount_text(round(share * total.high), total.currency)}" if total else "the reserve"
    anchor = quote(sentence, 220) if quotable(brief.facts, (sentence,)) else f"“{day.text}”"
    yield Lever(
        id="short_of_time",
        title="What gives when time runs short",
        question=f"If {end} comes closer than the work allows, what gives first?",
        anchor=anchor,
        settings=[
            Setting(
                label="Give up extent",
                text=f"A list of what may be left out of {brief.words['capacity']} is agreed at the start, in order.",
                cost="Less is ready on the day, and going back for it costs more than doing it now.",
                stance="careful",
            ),
            Setting(
                label="Spend the reserve",
                text=f"Extra hands and express deliveries are paid from {reserve}, half of it at most.",
                cost="What is spent on time is missing when something breaks.",
                stance="balanced",
            ),
            Setting(
                label="Overlap the phases",
                text=f"The next phase starts before the last has passed its gate, so that {end} holds with everything.",
                cost="Work is done twice where an earlier answer changes.",
                stance="bold",
            ),
        ],
        impact=4,
        irreversibility=3,
        pulls_against="leading_target",
        tension="Giving up extent to keep the date lowers the figures by which success is counted.",
    )


def _cap(brief: Brief) -> Iterator[Lever]:
    danger = _first(brief, "cap")
    if not danger or not danger.money:
        return
    limit = amount_text(danger.money.high, danger.money.currency)
    what = clip(danger.thing or "that cost", 40)
    where = f" in {brief.place}" if brief.place else ""
    yield Lever(
        id="over_the_cap",
        title=f"When offers exceed the limit on {what}",
        question=f"If nothing{where} keeps {what} within {limit}, what gives way?",
        anchor=quote(danger.said, 220),
        settings=[
            Setting(
                label="Walk away",
                text=f"An offer above {limit} is not discussed; the search goes on until the next gate.",
                cost=f"Weeks of search, with {day_text(gate_day(brief, 'prepare'))} as the last day for it.",
                stance="careful",
            ),
            Setting(
                label="Pay in other coin",
                text=f"A longer term, own work or an earlier start is offered for {limit} or less.",
                cost="A tie that outlasts the first success or failure.",
                stance="balanced",
            ),
            Setting(
                label="Take less of it",
                text=f"Smaller, shared or fewer hours, so that {limit} holds and opening comes sooner.",
                cost=f"There is no longer room for {brief.words['capacity']} in full.",
                stance="bold",
            ),
        ],
        impact=4,
        irreversibility=4,
    )


def _season(brief: Brief) -> Iterator[Lever]:
    open_days, danger = figure(brief, "open-days"), _first(brief, "window")
    if not open_days or not danger:
        return
    yield Lever(
        id="open_season",
        title="Use of the open days",
        question=f"How is the work laid into the days that are open? {open_days.text}."[:240],
        anchor=quote(danger.said, 220),
        settings=[
            Setting(
                label="Keep the last open period free",
                text=f"All bound work is planned to end one open period before {day_text(brief.end_assumed)}.",
                cost=f"Fewer than {open_days.value} open days to plan with, so more hands at once.",
                stance="careful",
            ),
            Setting(
                label="Bound work inside, all else outside",
                text="Design, permits, orders and workshop work fill the closed time; open days go to nothing else.",
                cost="A late permit or delivery leaves crews without work when days are open.",
                stance="balanced",
            ),
            Setting(
                label="One push",
                text="All bound work is drawn into a single open period with double crews.",
                cost="If that period is missed there is no second one in the plan.",
                stance="bold",
            ),
        ],
        impact=5,
        irreversibility=4,
        pulls_against="work_ahead",
        tension="Every week of waiting for a decision may be a week of open days lost.",
    )


def _say(brief: Brief) -> Iterator[Lever]:
    danger = _first(brief, "veto", party=True)
    if not danger:
        return
    party = clip(danger.party, 50)
    yield Lever(
        id="say_of_others",
        title=f"When the {party} is asked",
        question=f"How early does the {party} see what touches it, and what may it change?",
        anchor=quote(danger.said, 220),
        settings=[
            Setting(
                label="Before each step",
                text=f"The {party} sees each step beforehand; what was asked for stands as a rule in every contract.",
                cost="Every step waits for an answer; a slow one moves the dates behind it.",
                stance="careful",
            ),
            Setting(
                label="At each gate",
                text=f"The {party} gets one page before each gate, and its points are answered in writing before it.",
                cost="Between gates somebody must notice what would touch it.",
                stance="balanced",
            ),
            Setting(
                label="Told, and heard on complaint",
                text=f"The {party} is told of dates; objections are dealt with as they come.",
                cost="One objection at the wrong time stops work that is already paid.",
                stance="bold",
            ),
        ],
        impact=4,
        irreversibility=3,
    )
