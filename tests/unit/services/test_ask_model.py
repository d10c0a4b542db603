"""Asking for a stage: what is kept of answers, of failures and of what was under way when the stage ended."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from planloom.domain.errors import AnswerRefused, RunInterrupted, StageAborted
from planloom.domain.steps import StepRecord
from planloom.domain.usage import Usage
from planloom.models.model import OutlineModel, Question
from planloom.models.profiles import Models
from planloom.services.run_stage import run_stage
from tests.unit.services.walk import begin, work
from tests.worlds import Fakes, make_fakes

#: Its calls are asked side by side.
STAGE = "premise_attack"


class Slow(OutlineModel):
    """Answers after the others have begun; fails the calls that *fails* names, once each."""

    def __init__(self) -> None:
        self.fails: dict[str, Exception] = {}
        self.asked: list[str] = []
        self.answered: list[str] = []

    async def ask(self, question: Question[Any]) -> tuple[Any, Usage]:
        self.asked.append(question.name)
        if error := self.fails.pop(question.name, None):
            raise error
        for _ in range(20):
            await asyncio.sleep(0)
        self.answered.append(question.name)
        answer, _ = await super().ask(question)
        return answer, Usage(calls=1, input_tokens=10)


class SlowModels(Models):
    def __init__(self, slow: Slow) -> None:
        super().__init__()
        self.slow = slow

    def names(self, profile: Any) -> tuple[str, ...]:
        return ("outline",)

    def model(self, profile: Any) -> Slow:
        return self.slow


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
def fakes(slow: Slow) -> Fakes:
    made = make_fakes()
    return replace(made, world=replace(made.world, models=SlowModels(slow)))


def resume(fakes: Fakes, plan_id: str) -> StepRecord:
    """Let the plan go on as a resume does: without the failure that was noted."""
    fakes.plans.plans[plan_id] = fakes.plans.plans[plan_id].model_copy(update={"failure": None})
    return asyncio.run(run_stage(fakes.world, STAGE, plan_id, 1))


def refused(cost: int) -> AnswerRefused:
    error = AnswerRefused("It refused.")
    error.usage = Usage(calls=1, input_tokens=cost)
    return error


def calls_of(fakes: Fakes, plan_id: str) -> list[str]:
    return [path for path in fakes.files.paths(plan_id) if path.startswith("003-0-")]


def test_calls_beside_one_that_failed_are_finished_and_never_asked_again(fakes: Fakes, slow: Slow) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    first = sorted(_names(fakes, slow))[0]
    slow.fails, slow.asked, slow.answered = {first: refused(7)}, [], []
    with pytest.raises(StageAborted):
        work(fakes, plan, STAGE)
    asked = list(slow.asked)
    assert sorted([*slow.answered, first]) == sorted(asked)

    record = resume(fakes, plan.plan_id)

    assert slow.asked == [*asked, first]
    assert record.usage.calls == len(asked) + 1, "the failed request counts as well"
    assert record.usage.input_tokens == 10 * len(asked) + 7


def test_a_run_that_is_no_longer_wanted_ends_its_calls_under_way(fakes: Fakes, slow: Slow) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    first = sorted(_names(fakes, slow))[0]
    slow.fails, slow.asked, slow.answered = {first: RunInterrupted("stopped")}, [], []
    with asyncio.Runner() as lambda_:
        with pytest.raises(RunInterrupted):
            lambda_.run(run_stage(fakes.world, STAGE, plan.plan_id, 1))
        # the next invocation runs on the same loop, and would go on with what was left there
        lambda_.run(asyncio.sleep(0.05))
    assert len(slow.asked) > 1
    assert slow.answered == []
    assert calls_of(fakes, plan.plan_id) == []


def _names(fakes: Fakes, slow: Slow) -> list[str]:
    """Return the calls of the stage, by drafting it for another plan."""
    other = begin(fakes)
    work(fakes, other, "start", STAGE)
    return list(slow.asked)
