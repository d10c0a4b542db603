"""The demands of an outline: each demand and each dated milestone of the goal, in its words, and what meets it."""

from datetime import date, timedelta

from planloom.planes.strategic.compute.found import content_words
from planloom.planes.strategic.facts.fact import Day, Spanned
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.facts.polarity import denies, not_before
from planloom.planes.strategic.facts.quoting import clip
from planloom.planes.strategic.outline.event_day import BY
from planloom.planes.strategic.outline.from_kind import Usual
from planloom.planes.strategic.outline.numbered import numbered
from planloom.planes.strategic.spine import rows as r

#: The number of words that a demand and the title of a package that meets it must share.
_SHARED = 2
#: The number of characters before a date that are searched for "by" and "not before".
_NEAR = 60
#: A later day is not part of the work: a lease, an election after the next, the year of a forecast.
_WITHIN_REACH = timedelta(days=5 * 365)


def demands_of(goal: Goal, usual: Usual) -> tuple[r.Demand, ...]:
    """Return each demand and each dated milestone of the goal, in its words, with the packages that meet it.

    What is due with the whole is met by what delivers. An earlier date is met by a package only where their words
    agree: a wrong one would say that a date is missed, or reached.
    """
    due = _dues(goal)
    rows: list[r.Demand] = []
    for start, found in sorted(_bound_passages(goal, due).items()):
        day = due.get(start)
        # without a known deadline, a date may be that of a step or of the whole
        whole = day is not None and goal.deadline is not None and day >= goal.deadline
        met = _at_the_end(found.text, usual) if whole else _met_by(goal, found, usual, dated=day is not None)
        rows.append(r.Demand(id="", text=clip(found.text, 300), due=day, met_by=met))
    return numbered("N", rows, lambda row: row.text)


def last_named(goal: Goal) -> date | None:
    """Return the last day after the start that the goal names; None where it names none, or one out of reach."""
    days = [d.latest for d in goal.facts.days if d.role != "start" and not d.ambiguous and d.latest > goal.start]
    return max((day for day in days if day < goal.start + _WITHIN_REACH), default=None)


def _bound_passages(goal: Goal, due: dict[int, date]) -> dict[int, Spanned]:
    """Return by its place each demand, and each sentence with a date in *due* that no demand holds."""
    passages: dict[int, Spanned] = {d.start: d for d in goal.facts.demands if not _rules_out(goal, d)}
    for start in due:
        passages.setdefault(start, _sentence(goal, start))
    return passages


def _rules_out(goal: Goal, found: Spanned) -> bool:
    """Return whether rules read a ban in a demand: it is a constraint, which nothing that is done fulfils."""
    bans = (ban for ban in goal.facts.bans if ban.kind == "approach")
    return goal.facts.read_by == "rules" and any(found.start <= ban.start < found.end for ban in bans)


def _dues(goal: Goal) -> dict[int, date]:
    """Return the day that each passage is due, by the passage's start: the deadline first, then the milestones."""
    due: dict[int, date] = {}
    days = sorted(goal.facts.days, key=lambda day: day.role != "deadline")
    for day in days:
        if day.by == "goal" and _binds(goal, day):
            due.setdefault(_passage(goal, day.start), day.latest)
    if goal.deadline and goal.deadline not in due.values():
        frame = next((d for d in goal.facts.durations if d.role == "total"), None)
        place = _passage(goal, frame.start) if frame and frame.by == "goal" else goal.facts.objective.start
        due[place] = goal.deadline
    return due


def _binds(goal: Goal, day: Day) -> bool:
    """Return whether something is due on *day*: rules call a milestone whatever a preposition binds to a date."""
    if day.role == "deadline":
        return goal.deadline == day.latest
    if day.role != "milestone" or day.ambiguous or day.latest < goal.start:
        return False
    before = goal.prompt[max(0, day.start - _NEAR) : day.start]
    if goal.facts.read_by == "model":
        return not not_before(before)
    demanded = any(d.start <= day.start < d.end for d in goal.facts.demands)
    return demanded and bool(BY.search(before)) and not denies(before, goal.facts.language)


def _passage(goal: Goal, at: int) -> int:
    demand = next((d for d in goal.facts.demands if d.start <= at < d.end), None)
    return demand.start if demand else _sentence(goal, at).start


def _sentence(goal: Goal, at: int) -> Spanned:
    return next((s for s in goal.facts.sentences if s.start <= at < s.end), goal.facts.objective)


def _met_by(goal: Goal, found: Spanned, usual: Usual, *, dated: bool) -> list[str]:
    """Return the packages that meet what *found* says; none where it has a date and no package has its words."""
    spoken = content_words(found.text)
    shared = {p.key: len(spoken & content_words(p.title)) for p in usual.packages}
    best = max(shared.values())
    if best >= _SHARED and sum(n == best for n in shared.values()) == 1:
        return [usual.ids[f"P:{max(shared, key=lambda key: shared[key])}"]]
    days = [day for day in goal.facts.days if found.start <= day.start < found.end]
    if days and not dated and all(day.role == "start" for day in days):
        return [usual.ids[f"P:{usual.packages[0].key}"]]
    lengths = goal.facts.durations if goal.facts.read_by == "rules" else ()
    if days or dated or any(found.start <= length.start < found.end for length in lengths):
        # a demand with a day, or with a period after another day, is not met by the work at the end
        return []
    return _at_the_end(found.text, usual)


def _at_the_end(text: str, usual: Usual) -> list[str]:
    """Return what delivers, and the last package of the one deliverable that *text* names."""
    named = _named_deliverable(content_words(text), usual)
    last = next((p.key for p in reversed(usual.packages) if p.deliverable == named), usual.kind.delivers)
    return [*dict.fromkeys((usual.delivers, usual.ids[f"P:{last}"]))]


def _named_deliverable(spoken: frozenset[str], usual: Usual) -> str:
    """Return the key of the one deliverable that *spoken* names; empty where it is none or several."""
    made = {p.deliverable for p in usual.packages}
    named = [d.key for d in usual.kind.deliverables if d.key in made and content_words(d.title) & spoken]
    return named[0] if len(named) == 1 else ""
