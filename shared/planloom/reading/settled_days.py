"""Judge the dates of a prompt by each other: a start after a milestone is none, what is aimed at last is the end."""

import re
from collections.abc import Sequence
from itertools import pairwise

from planloom.domain.facts import Day

#: A range of days no longer than this is a thing that takes place, not a time of work.
EVENT_DAYS = 21
#: A range of months at least this long, aimed at, is the time frame of the whole.
FRAME_DAYS = 60
#: A period no longer than this is named as a day to hold; "2030" is not.
HELD_DAYS = 93

_YEAR = re.compile(r"\d{4}")
_RANGE = re.compile(r"\s*(?:to|until|till|through|–|-|—)\s*", re.IGNORECASE)
_TWO_DAYS = re.compile(r"\d\s*(?:to|until|till|through|and|–|-|—)\s*\d", re.IGNORECASE)


def settled(days: Sequence[Day], text: str, aim: tuple[int, int]) -> tuple[Day, ...]:
    """Return *days* with roles that agree: one start at most, before every milestone; a deadline if one is aimed at.

    *aim* is the span of the sentence of the objective in *text*.
    """
    found = [_event(day, aim) for day in days]
    found = _framed(found, text, aim)
    found = _started(found, aim)
    return tuple(_ended(found, aim))


def _event(day: Day, aim: tuple[int, int]) -> Day:
    """The days on which the thing itself takes place are its deadline: "from 10 to 12 September"."""
    short = (day.latest - day.earliest).days <= EVENT_DAYS
    aimed = aim[0] <= day.start < aim[1]
    if day.role == "start" and aimed and short and _TWO_DAYS.search(day.text):
        return _as(day, "deadline")
    return day


def _framed(days: list[Day], text: str, aim: tuple[int, int]) -> list[Day]:
    """A range from one date to another that the objective names is start and deadline, where no date is either yet."""
    if any(day.role in ("start", "deadline") for day in days):
        return days
    for at, (first, last) in enumerate(pairwise(days)):
        aimed = aim[0] <= first.start and last.end <= aim[1]
        joined = _RANGE.fullmatch(text[first.end : last.start])
        if aimed and joined and (last.latest - first.earliest).days >= FRAME_DAYS:
            return [*days[:at], _as(first, "start"), _as(last, "deadline"), *days[at + 2 :]]
    return days


def _started(days: list[Day], aim: tuple[int, int]) -> list[Day]:
    """What must be done before it begins shows that a start is the start of use: the end of the work."""
    start = next((day for day in days if day.role == "start"), None)
    if start is None or not any(_due(day) and day.latest < start.earliest for day in days):
        return days
    ended = any(day.role == "deadline" for day in days)
    role = "deadline" if not ended and aim[0] <= start.start < aim[1] else "milestone"
    return [_as(day, role) if day is start else day for day in days]


def _ended(days: list[Day], aim: tuple[int, int]) -> list[Day]:
    """Without a deadline, the last day to hold that the objective itself names is one."""
    if any(day.role == "deadline" for day in days):
        return days
    aimed = [d for d in days if d.role == "milestone" and aim[0] <= d.start < aim[1]]
    held = [day for day in aimed if (day.latest - day.earliest).days <= HELD_DAYS]
    last = max(held, key=lambda day: day.latest, default=None)
    return [_as(day, "deadline") if day is last else day for day in days]


def _due(day: Day) -> bool:
    # a day without a year may be meant for every year
    return (
        bool(_YEAR.search(day.text))
        and day.role in ("milestone", "deadline")
        and (day.latest - day.earliest).days <= HELD_DAYS
    )


def _as(day: Day, role: str) -> Day:
    return day.model_copy(update={"role": role})
