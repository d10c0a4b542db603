"""How many model calls of a plan wait for each other: counted in a time of its own, in which only calls take any."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from planloom.domain.frozen import Answer
from planloom.facts.answer import Reading
from planloom.models.model import Question
from planloom.stages import PIPELINE, stage_named
from tests.infra import asl
from tests.unit.facts.readings import reading_of
from tests.unit.stages.drafting import desk_for
from tests.unit.stages.finished import finished
from tests.unit.three_goals import CAFE

#: A round is what every call takes.
ROUND = 1.0


class ModelTime(asyncio.SelectorEventLoop):
    """A loop whose clock stands still while anything can be done, and then jumps to what is waited for next."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:
            self.now = self._scheduled[0].when()
        super()._run_once()


async def answer(question: Question[Answer]) -> Answer:
    await asyncio.sleep(ROUND)
    return reading_of(CAFE) if question.answer is Reading else question.outline()


def rounds_in(name: str) -> float:
    """Return how many calls of the stage *name* wait for each other."""
    stage = stage_named(name)
    desk = replace(desk_for(CAFE, stage, finished(CAFE)), answer=answer)
    if name == "start":
        desk = replace(desk, about=replace(desk.about, outline_only=False))
    with asyncio.Runner(loop_factory=ModelTime) as runner:
        runner.run(stage.draft(desk))
        return runner.get_loop().time()


def longest_wait(rounds: Mapping[str, float]) -> float:
    """Return how many calls wait for each other in the state machine, where a stage takes *rounds*."""
    ends: dict[str, float] = {}
    for visit in asl.visits("build_plan"):
        ends[visit.stage] = max((ends[name] for name in visit.ended), default=0.0) + rounds[visit.stage]
    return max(ends.values())


def test_fifteen_rounds_of_calls_make_a_plan_two_of_them_for_its_facts() -> None:
    rounds = {stage.name: rounds_in(stage.name) for stage in PIPELINE}

    assert (rounds["start"], rounds["report"]) == (2, 0)
    assert longest_wait(rounds) == 15
