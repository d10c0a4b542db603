"""A goal with the facts that were read from it and the day of drafting, and the values derived from them."""

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from planloom.core.wording import day_text
from planloom.planes.strategic.facts.fact import Day, Facts, Money


@dataclass(frozen=True, eq=False)
class Goal:
    """The input of every stage. *today* is the day that the plan is drafted for."""

    prompt: str
    facts: Facts
    today: date

    @cached_property
    def start(self) -> date:
        """The first day of the work: that of the goal, not before *today*; *today* where the goal names none."""
        return max(self._start.earliest, self.today) if self._start else self.today

    @cached_property
    def start_source(self) -> str:
        """Where the start comes from, as a claim's source names it."""
        return self._start.source if self._start else "to verify"

    @cached_property
    def start_text(self) -> str:
        """The start as a sentence without its point, with why it is assumed where it is."""
        if self._start:
            return f"Work starts on {day_text(self.start)}"
        if later := self.later_start:
            said = f"Preparation starts on {day_text(self.start)}, the day of drafting: something is due before"
            return f"{said} {day_text(later.earliest)}, on which the goal lets the work start"
        return f"Work starts on {day_text(self.start)}, the day of drafting: no start was found in the goal"

    @cached_property
    def later_start(self) -> Day | None:
        """The start that the goal names for a part of the work if something else is due before it, else None."""
        return None if self._start else self._named_start

    @cached_property
    def _named_start(self) -> Day | None:
        return next((day for day in self.facts.days if day.role == "start"), None)

    @cached_property
    def _start(self) -> Day | None:
        start = self._named_start
        milestones = [day.latest for day in self.facts.days if day.role in ("milestone", "deadline")]
        due = [day for day in milestones if day > self.today]
        # a day before which something must be done is the start of a part (the builders'), not of the undertaking
        return None if start and any(day < start.earliest for day in due) else start

    @cached_property
    def deadline(self) -> date | None:
        """The day by which the goal requires everything to be done, or None where none was found."""
        deadlines = [day.latest for day in self.facts.days if day.role == "deadline" and day.latest > self.start]
        if deadlines:
            return max(deadlines)
        totals = [duration for duration in self.facts.durations if duration.role == "total"]
        if not totals:
            return None
        # a span of centuries is a misreading; a date ends with the year 9999
        return self.start + timedelta(days=min(round(totals[0].calendar_days), 40_000))

    @cached_property
    def total(self) -> Money | None:
        """The budget of the whole, or None where none was found."""
        return next((money for money in self.facts.money if money.role == "total"), None)

    @cached_property
    def currency(self) -> str:
        """ISO 4217 code of the budget, or of the first amount; empty where no amount was found."""
        return (self.total or next(iter(self.facts.money), None) or _NO_MONEY).currency

    @cached_property
    def place(self) -> str:
        """The most specific place; empty where none was found."""
        return self.facts.places[0].name if self.facts.places else ""


@dataclass(frozen=True)
class _NoMoney:
    currency: str = ""


_NO_MONEY = _NoMoney()
