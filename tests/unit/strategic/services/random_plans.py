"""Draft whole plans in memory with a language model that answers at random: the real facade."""

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

from bench.stub_random import RandomChat
from planloom.models.language_model import LanguageModel
from planloom.models.profiles import Models
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.run_errors import StageAborted
from planloom.planes.strategic.services.create_plan import create_plan
from planloom.planes.strategic.services.run_stage import run_stage
from planloom.planes.strategic.stages.pipeline import stage_named
from planloom.planes.strategic.steps import StepRecord
from tests.fake_ports import Fakes, make_fakes
from tests.unit.strategic.services.walk import in_order


class RandomModels(Models):
    """Every profile is answered by *chat*."""

    def __init__(self, chat: RandomChat) -> None:
        super().__init__()
        self.chat = chat

    def names(self, profile: Any) -> tuple[str, ...]:
        return (self.chat.name,)

    def outline_only(self, profile: Any) -> bool:
        return False

    def long_answers(self, profile: Any) -> bool:
        return True

    def model(self, profile: Any) -> LanguageModel:
        return LanguageModel([self.chat], concurrency=40)


@dataclass
class RandomPlan:
    """A plan of *prompt* and how far its stages came; ``failed`` is the stage that failed and why."""

    prompt: str
    chat: RandomChat
    fakes: Fakes = field(default_factory=make_fakes)
    failed: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        self.fakes = replace(self.fakes, ports=replace(self.fakes.ports, models=RandomModels(self.chat)))
        self.plan: Plan = create_plan(self.fakes.ports.run_control, self.fakes.ports.models, "acme", self.prompt)

    def run(self, upto: str = "report") -> "RandomPlan":
        """Run the stages in order up to *upto*, or to the first that fails."""

        async def walk() -> None:
            order = in_order()
            for name in order[: order.index(upto) + 1]:
                try:
                    await run_stage(self.fakes.ports.stage_ports, name, self.plan.plan_id, self.plan.run)
                except StageAborted as error:
                    self.failed = (name, repr(error.__cause__))
                    return

        asyncio.run(walk())
        return self

    def section(self, name: str) -> str:
        """Return the Markdown of the first section of the stage *name*."""
        path = next(iter(stage_named(name).section_paths.values()))
        return (self.fakes.files.read(self.plan.plan_id, path) or b"").decode()

    def record(self, name: str) -> StepRecord:
        """Return what is recorded of the stage *name*."""
        return StepRecord.model_validate_json(
            self.fakes.files.read(self.plan.plan_id, f"steps/{stage_named(name).key}.json") or b""
        )

    @property
    def finished(self) -> set[str]:
        """The stages that have a record."""
        paths = self.fakes.files.paths(self.plan.plan_id, "steps/")
        return {name for name in in_order() if f"steps/{stage_named(name).key}.json" in paths}

    @property
    def missing(self) -> dict[str, tuple[str, ...]]:
        """What the sections say that the model gave no usable answer for, by stage."""
        found = {name: stage_named(name) for name in in_order() if stage_named(name).standard_files}
        texts = {name: self.fakes.files.read(self.plan.plan_id, each.json_path) for name, each in found.items()}
        results = {name: found[name].result.model_validate_json(text) for name, text in texts.items() if text}
        return {name: result.missing for name, result in results.items() if result.missing}
