"""Worlds whose models read goals: a model that answers one reading, and the reader that the service starts."""

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

from planloom.core.usage import Usage
from planloom.models.model import Question
from planloom.models.profiles import Models
from planloom.planes.strategic.facts.answer import MoneyItem, Reading
from planloom.planes.strategic.goal_readings import GoalReading
from planloom.planes.strategic.services.read_goal import run_reading
from tests.fake_ports import Fakes, Ports, make_fakes
from tests.fakes import FakeGoalReader

GOAL = "We open a bakery in Lisbon by 1 May 2027. Our savings of €90,000 and a loan of €150,000 pay for it."
COST = Usage(calls=1, input_tokens=900, output_tokens=400)


def reading() -> Reading:
    """What a model reads in GOAL: a total that no rule can read."""
    amounts = (("funding", "€90,000", 90_000), ("funding", "€150,000", 150_000))
    parts = [MoneyItem(quote=q, role=role, low=a, high=a, currency="EUR") for role, q, a in amounts]  # type: ignore[arg-type]
    whole = "savings of €90,000 and a loan of €150,000"
    total = MoneyItem(quote=whole, role="total", low=240_000, high=240_000, currency="EUR")
    return Reading(
        title="Bakery in Lisbon",
        subject="a bakery in Lisbon",
        objective="We open a bakery in Lisbon by 1 May 2027.",
        kind="opening of a bakery",
        table="business_opening",
        money=[total, *parts],
    )


@dataclass
class ReaderModel:
    """Answers every question with the reading, or raises ``error``."""

    error: Exception | None = None
    asked: list[Question[Any]] = field(default_factory=list)

    async def ask(self, question: Question[Any]) -> tuple[Any, Usage]:
        question.look()
        self.asked.append(question)
        if self.error:
            raise self.error
        return reading(), COST


class ReaderModels(Models):
    """Every profile is the model."""

    def __init__(self, model: ReaderModel) -> None:
        super().__init__()
        self._model = model

    def names(self, profile: Any) -> tuple[str, ...]:
        return ("reader-1",)

    def outline_only(self, profile: Any) -> bool:
        return False

    def model(self, profile: Any) -> Any:
        return self._model


class ReadsAtOnce(FakeGoalReader):
    """Reads before it says that it has started."""

    ports: Ports

    def start(self, facts_id: str) -> None:
        super().start(facts_id)
        run(self.ports, facts_id)


def with_model(model: ReaderModel, reader: FakeGoalReader | None = None) -> Fakes:
    """Return fakes whose model reads goals, at once unless *reader* is another."""
    fakes, own = make_fakes(), reader or ReadsAtOnce()
    ports = replace(fakes.ports, models=ReaderModels(model), goal_reader=own)
    if isinstance(own, ReadsAtOnce):
        own.ports = ports
    return replace(fakes, ports=ports)


def run(ports: Ports, facts_id: str) -> GoalReading:
    """Do what the Lambda does."""
    return asyncio.run(run_reading(ports.readings, ports.models, ports.clock, facts_id))
