"""Whole plans walked through in memory by a model that writes down what it is asked."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

from bench.stub_answers import Answerer
from planloom.domain.frozen import Answer
from planloom.domain.plans import ModelProfile
from planloom.domain.usage import Usage
from planloom.facts.answer import Reading
from planloom.models.model import Question
from planloom.models.prompt import Prompt, prompt_of
from planloom.services.run_stage import run_stage
from tests.unit.facts.readings import reading_of
from tests.unit.services.walk import begin, in_order
from tests.worlds import make_fakes

Answering = Callable[[Question[Answer], Prompt], Answer]


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
    """Stands for the models of a world; *answering* makes each answer."""

    answering: Answering
    stage: str = ""
    calls: list[Call] = field(default_factory=list)

    def model(self, profile: ModelProfile) -> "Recorder":
        return self

    def names(self, profile: ModelProfile) -> tuple[str, ...]:
        return ("recorded",)

    def outline_only(self, profile: ModelProfile) -> bool:
        return False

    async def ask(self, question: Question[Answer]) -> tuple[Answer, Usage]:
        prompt = prompt_of(question)
        self.calls.append(Call(self.stage, question.name, prompt))
        return self.answering(question, prompt), Usage(calls=1)


def outlined(question: Question[Answer], prompt: Prompt) -> Answer:
    """Answer with the stage's own outline: answers of the length and kind that a good model gives."""
    if question.answer is Reading:
        return reading_of(question.shared.partition("<goal>\n")[2].removesuffix("\n</goal>"))
    return question.outline()


def filled_in(question: Question[Answer], prompt: Prompt) -> Answer:
    """Answer as the stub server of bench.drafting does."""
    return question.answer.model_validate_json(json.dumps(Answerer(prompt.schema, prompt.user).answer()))


@cache
def recorded(goal: str, answering: Answering = outlined) -> tuple[Call, ...]:
    """Return every call that a whole plan for *goal* makes, stage by stage."""
    recorder = Recorder(answering)
    fakes = make_fakes()
    fakes = replace(fakes, world=replace(fakes.world, models=recorder))
    plan = begin(fakes, goal)
    for stage in in_order():
        recorder.stage = stage
        asyncio.run(run_stage(fakes.world, stage, plan.plan_id, plan.run))
    return tuple(recorder.calls)
