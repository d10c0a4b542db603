"""The day on which an event takes place: its deadline, unless the goal only wants it by then."""

import re
from datetime import date

from planloom.facts.goal import Goal

#: What is said to last longer is a season or a month in which the day is.
MOST_DAYS = 21
#: Words that say that something is due by the date behind them, in the languages of the rules.
BY = re.compile(
    r"\b(?:by|before|until|not? later than|bis|vor|avant|antes|até|hasta|entro|prima|voor|før|senest|innan|senast|przed"
    r"|do)\W+(?:[^\W\d]+\W+){0,2}$",
    re.IGNORECASE,
)


def fixed_day(goal: Goal) -> tuple[date, int] | None:
    """Return the first day of what takes place on the deadline and how many days it lasts; None where it may move."""
    held = next((day for day in goal.facts.days if day.role == "deadline" and day.latest == goal.deadline), None)
    if held is None or held.ambiguous or held.by != "goal":
        return None
    days = (held.latest - held.earliest).days + 1
    if days > MOST_DAYS or held.earliest <= goal.start or BY.search(goal.prompt[: held.start]):
        return None
    return held.earliest, days
