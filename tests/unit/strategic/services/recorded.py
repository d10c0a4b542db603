"""Whole plans walked through in memory by a model that writes down what it is asked."""

import asyncio
from dataclasses import dataclass, field, replace
from functools import cache

from bench.stub_answers import Answerer
from planloom.core.frozen import Answer
from planloom.core.usage import Usage
from planloom.models.model import Question
from planloom.models.profile import ModelProfile
from planloom.models.prompt import Prompt, prompt_of
from planloom.planes.strategic.services.run_stage import run_stage
from tests.fake_ports import make_fakes
from tests.unit.strategic.services.spy import Brief, answered
from tests.unit.strategic.services.walk import begin, in_order


@dataclass(frozen=True)
class Call:
    """One call: of which stage, under which name, and all that was sent."""

    stage: str
    name: str
    prompt: Prompt

    @property
    def characters(self) -> int:
        """Prompt characters, without the schema, as bench.drafting counts them."""
        return len(self.prompt.system) + len(self.prompt.user)


@dataclass
class Recorder:
    """Replaces the models."""

    answerer: type[Answerer] = Answerer
    stage: str = ""
    calls: list[Call] = field(default_factory=list)

    def model(self, profile: ModelProfile) -> "Recorder":
        return self

    def names(self, profile: ModelProfile) -> tuple[str, ...]:
        return ("recorded",)

    def outline_only(self, profile: ModelProfile) -> bool:
        return False

    def long_answers(self, profile: ModelProfile) -> bool:
        return True

    async def ask(self, question: Question[Answer]) -> tuple[Answer, Usage]:
        prompt = prompt_of(question)
        self.calls.append(Call(self.stage, question.name, prompt))
        return answered(question, self.answerer), Usage(calls=1)


@cache
def recorded(goal: str, answerer: type[Answerer] = Brief) -> tuple[Call, ...]:
    """Return every call that a whole plan for *goal* makes, stage by stage, with answers as long as *answerer*'s."""
    recorder = Recorder(answerer)
    fakes = make_fakes()
    fakes = replace(fakes, ports=replace(fakes.ports, models=recorder))
    plan = begin(fakes, goal)
    for stage in in_order():
        recorder.stage = stage
        asyncio.run(run_stage(fakes.ports.stage_ports, stage, plan.plan_id, plan.run))
    return tuple(recorder.calls)
