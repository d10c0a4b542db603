"""On which days the work of a brief can be done: by everyone, under the open sky, and by others."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from planloom.domain.calendars import NoWorkingDay, WorkCalendar
from planloom.domain.facts import Closure
from planloom.domain.wording import day_text
from planloom.facts.quoting import quotable, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import sentence_of

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_WEEKDAYS = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")
_EVERY_DAY = tuple(range(7))

#: Month and day; a start or an end on one of them would be read as a slip.
HOLIDAYS = ((12, 25), (1, 1))

#: A rule on construction does not say that nobody may measure.
_RULE_ON_BUILDING = re.compile(r"\b(?:construct|build|works?\b|pil(?:e|ing)|dig|excavat|drill)", re.IGNORECASE)


@dataclass(frozen=True)
class WorkCalendars:
    """``ours``: everyone in the plan; ``outdoor``: ours less the outdoor closures; ``others``: Monday to Friday.

    ``daily``: every day of the year, for what takes place on a day that the prompt sets.
    ``spares_surveys``: the outdoor closures speak of building, so that surveys are not bound by them.
    ``notes`` say which days are worked and which words of the prompt say so.
    """

    ours: WorkCalendar
    outdoor: WorkCalendar
    others: WorkCalendar
    daily: WorkCalendar
    closures: tuple[Closure, ...]
    spares_surveys: bool
    notes: tuple[str, ...]

    def of(self, kind: str, *, outdoor: bool, fixed: bool) -> WorkCalendar:
        """Return the calendar on which a package of that kind is worked."""
        if outdoor and not (self.spares_surveys and kind in ("research", "design")):
            return self.outdoor
        return self.others if fixed else self.ours

    def starts(self, kind: str, *, outdoor: bool, fixed: bool) -> WorkCalendar:
        """Return the calendar of its first day: others' work begins when we hand over the papers."""
        found = self.of(kind, outdoor=outdoor, fixed=fixed)
        return self.ours if found is self.others else found


def work_calendars(brief: Brief) -> WorkCalendars:
    """Return the calendars of *brief* from its start on; closures that leave no working day are set aside and noted."""
    closures = brief.facts.closures
    everyone = [c for c in closures if not c.outdoor]
    notes = [
        "Monday to Friday, without 25 December and 1 January (assumed); other public holidays are not taken out: "
        "enter those of the place (to verify)."
    ]
    ours, lost = _open_calendar(brief.start, everyone)
    notes += lost
    kept = everyone if not lost else []
    outdoor, lost = _open_calendar(brief.start, [*kept, *(c for c in closures if c.outdoor)])
    notes += lost
    outdoor_closures = [c for c in closures if c.outdoor] if not lost else []
    spared = bool(outdoor_closures) and all(
        _RULE_ON_BUILDING.search(sentence_of(brief.facts, c).text) for c in outdoor_closures
    )
    notes += [_note(brief, c) for c in (*kept, *outdoor_closures)]
    if spared:
        notes.append(
            "Surveys are not read as building, so they run outside that season too: to verify with whoever set it."
        )
    if kept:
        notes.append("Lead times that others set run on through our closed days, but start on a day of ours.")
    daily = WorkCalendar(brief.start, [Closure(text="every day", start=0, end=9, forbidden=False, weekdays=_EVERY_DAY)])
    return WorkCalendars(
        ours,
        outdoor,
        WorkCalendar(brief.start, holidays=HOLIDAYS),
        daily,
        (*kept, *outdoor_closures),
        spared,
        tuple(notes),
    )


def _open_calendar(start: date, closures: Iterable[Closure]) -> tuple[WorkCalendar, list[str]]:
    calendar = WorkCalendar(start, closures, HOLIDAYS)
    try:
        # a year's work must fit in somewhere, or no schedule can be computed at all
        calendar.add(start, 250)
    except NoWorkingDay as none:
        return WorkCalendar(start, holidays=HOLIDAYS), [
            f"{none.message}. The dates below ignore them: settle which of them holds."
        ]
    return calendar, []


def _note(brief: Brief, closure: Closure) -> str:
    who = "Outdoor work" if closure.outdoor else "Everyone"
    when = " and ".join(part for part in (_weekdays(closure), _months(closure), _period(closure)) if part)
    rule = f"{who}: no work {when}" if closure.forbidden else f"{who}: work only {when}"
    said = sentence_of(brief.facts, closure)
    return f"{rule}: {quote(said, 160)}." if quotable(brief.facts, [said]) else f"{rule}."


def _weekdays(closure: Closure) -> str:
    return f"on {', '.join(_WEEKDAYS[day] for day in closure.weekdays)}" if closure.weekdays else ""


def _months(closure: Closure) -> str:
    months = sorted(set(closure.months))
    if not months:
        return ""
    # a season may run over the turn of the year: November, December, January
    starts = [m for m in months if (m - 2) % 12 + 1 not in months]
    if len(months) > 2 and len(starts) == 1:
        last = (starts[0] + len(months) - 2) % 12 + 1
        return f"from {_MONTHS[starts[0] - 1]} to {_MONTHS[last - 1]}"
    return f"in {' and '.join(_MONTHS[month - 1] for month in months)}"


def _period(closure: Closure) -> str:
    ends = [
        f"from {day_text(closure.first)}" if closure.first else "",
        f"until {day_text(closure.last)}" if closure.last else "",
    ]
    return " ".join(end for end in ends if end)
