"""The day of an event: in a festival's or a wedding's goal the date in the objective is when it takes place."""

import re

from planloom.domain.facts import Day, Facts

#: Kinds of project whose deadline is the day itself and not the last day before it.
ON_A_DAY = ("event", "private_celebration")
#: What is said to last longer is a season or a month in which the day lies.
MOST_DAYS = 21

_TAKES_PLACE = re.compile(
    r"\b(?:takes? place|(?:is|are|will be) (?:held|on)|get(?:ting)? married|wedding|ceremony|(?:gates?|doors?) open)\b",
    re.IGNORECASE,
)
_TO = re.compile(r"\s*(?:to|until|till|through|and|[-–])\s*(?:the\s)?", re.IGNORECASE)
_BY = re.compile(r"\b(?:by|before|until|from)(?:\s+the)?\s*$", re.IGNORECASE)


def dated_by_event(facts: Facts) -> Facts:
    """Return *facts* of an event with its day as the only deadline, whatever role the words before it gave it.

    Days to be done before stay milestones; a later deadline (accounts by autumn) becomes one. Facts without such a
    day come back as they are.
    """
    held = _event_day(facts)
    if held is None:
        return facts
    first = _first_of_two(facts, held)
    days = []
    for day in facts.days:
        if day == held:
            earliest = first.earliest if first else day.earliest
            days.append(day.model_copy(update={"role": "deadline", "earliest": earliest}))
        elif day == first:
            days.append(day.model_copy(update={"role": "other"}))
        else:
            days.append(day.model_copy(update={"role": "milestone"}) if day.role == "deadline" else day)
    return facts.model_copy(update={"days": tuple(days)})


def _event_day(facts: Facts) -> Day | None:
    """The deadline or else the last day in the objective, else the day of the sentence that says it takes place."""
    fitting = [day for day in facts.days if (day.latest - day.earliest).days <= MOST_DAYS]
    aimed = [day for day in fitting if facts.objective.start <= day.start < facts.objective.end]
    stated = [day for day in (*aimed, *fitting) if day.role == "deadline"]
    if stated:
        return stated[0]
    # "from 9 to 11 July" is the event; "from March" alone is when the work begins
    lasting = [day for day in aimed if day.role != "start" or day.latest > day.earliest]
    told = [
        day
        for sentence in facts.sentences
        if _TAKES_PLACE.search(sentence.text)
        for day in fitting
        if sentence.start <= day.start < sentence.end and not _limits(facts, day)
    ]
    return next(iter([*lasting[-1:], *told]), None)


def _limits(facts: Facts, day: Day) -> bool:
    sentence = next(s for s in facts.sentences if s.start <= day.start < s.end)
    return bool(_BY.search(sentence.text[: day.start - sentence.start])) and day.earliest == day.latest


def _first_of_two(facts: Facts, held: Day) -> Day | None:
    """The day on which it begins, where its ends are named as two days: from 9 July to 11 July."""
    said = next(s for s in facts.sentences if s.start <= held.start < s.end)

    def leads(day: Day) -> bool:
        between = said.text[max(day.end - said.start, 0) : held.start - said.start]
        lasts = (held.latest - day.earliest).days
        return said.start <= day.start < held.start and bool(_TO.fullmatch(between)) and 0 < lasts <= MOST_DAYS

    return next((day for day in facts.days if leads(day)), None)
