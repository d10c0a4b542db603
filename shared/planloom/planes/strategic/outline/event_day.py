"""The day on which an event takes place: in a festival's or a wedding's goal it is the deadline."""

import re
from datetime import date

from planloom.planes.strategic.facts.fact import Day, Facts
from planloom.planes.strategic.facts.goal import Goal

#: A longer period is a season or a month that contains the day.
MOST_DAYS = 21
#: Words that say that something is due by the date behind them, in the languages of the rules.
BY = re.compile(
    r"\b(?:by|before|until|not? later than|bis|vor|avant|antes|até|hasta|entro|prima|voor|før|senest|innan|senast|przed"
    r"|do)\W+(?:[^\W\d]+\W+){0,2}$",
    re.IGNORECASE,
)


def dated_by_event(prompt: str, facts: Facts) -> Facts:
    """Return *facts* of an event with its day as the deadline, where rules found none: the one day of the objective.

    Facts with a deadline, or without such a day, are returned unchanged.
    """
    aim = facts.objective
    fitting = [d for d in facts.days if aim.start <= d.start < aim.end and d.role != "start" and _is_day(prompt, d)]
    if len(fitting) != 1 or any(day.role == "deadline" for day in facts.days):
        return facts
    held = fitting[0].model_copy(update={"role": "deadline"})
    days = tuple(held if day == fitting[0] else day for day in facts.days)
    still_open = tuple(point for point in facts.open if point.field != "deadline")
    return facts.model_copy(update={"days": days, "open": still_open})


def fixed_day(goal: Goal) -> tuple[date, int] | None:
    """Return the first day of what takes place on the deadline and how many days it lasts; None where it may move."""
    held = next((day for day in goal.facts.days if day.role == "deadline" and day.latest == goal.deadline), None)
    if held is None or held.by != "goal" or held.earliest <= goal.start or not _is_day(goal.prompt, held):
        return None
    return held.earliest, (held.latest - held.earliest).days + 1


def _is_day(prompt: str, day: Day) -> bool:
    short = (day.latest - day.earliest).days < MOST_DAYS
    return short and not day.ambiguous and not BY.search(prompt[: day.start])
