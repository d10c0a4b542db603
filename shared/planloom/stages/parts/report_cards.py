"""The figures of the report's first page, each from a claim, the schedule, the scenarios or the risk register."""

from collections.abc import Iterator

from planloom.domain.wording import day_text, money_text
from planloom.report.card import Card
from planloom.stages.desk import Desk
from planloom.stages.parts.schedule_result import Schedule
from planloom.stages.risks import RiskRegister
from planloom.stages.scenarios import Scenarios

TONES = {"holds": "good", "tight": "warn", "late": "bad", "open": ""}


def cards(desk: Desk, schedule: Schedule) -> tuple[Card, ...]:
    """Return the cards in the order in which a reader asks: when, on time or not, for how much, how, at what risk."""
    return tuple(_cards(desk, schedule))


def _cards(desk: Desk, schedule: Schedule) -> Iterator[Card]:
    yield Card("Starts", day_text(schedule.start))
    if schedule.deadline:
        yield Card("Deadline", day_text(schedule.deadline), "as the goal sets it")
    yield Card("Computed end", day_text(schedule.end), _spare(schedule), TONES[schedule.verdict])
    yield Card("80% sure by", day_text(schedule.p80), "four of five simulated runs end by then")
    total = desk.brief.total
    yield Card("Budget", money_text(total) if total else "not stated", "" if total else "shares only, until it is set")
    scenarios = desk.read("scenarios", Scenarios)
    yield Card("Scenario chosen", scenarios.chosen, scenarios.choice.title)
    risks = desk.read("risks", RiskRegister).risks
    if risks:
        worst = max(risks, key=lambda risk: risk.score)
        yield Card("Highest risk", f"{worst.id}, score {worst.score} of 25", worst.title)
    yield Card("Work packages", str(len(schedule.tasks)), f"{len(schedule.critical_path)} on the critical path")


def _spare(schedule: Schedule) -> str:
    if schedule.spare is None:
        return "no deadline found in the goal"
    return f"{abs(schedule.spare)} working days {'to spare' if schedule.spare >= 0 else 'late'}"
