"""How many model calls of a plan wait for each other: counted in a time of its own, in which only calls take any."""

import asyncio
from collections.abc import Mapping
from typing import Any

from planloom.models.model import Question
from planloom.planes.strategic.stages.pipeline import PIPELINE
from planloom.planes.strategic.stages.stage import StageResult
from tests.infra import asl
from tests.unit.strategic.services.spy import answered
from tests.unit.strategic.stages.whole import context_for
from tests.unit.three_goals import CAFE

#: A round is what every call takes.
ROUND = 1.0


class ModelTime(asyncio.SelectorEventLoop):
    """An event loop whose clock stops while anything is ready, and then jumps to the next timer."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:
            self.now = self._scheduled[0].when()
        super()._run_once()


def rounds_and_calls() -> tuple[dict[str, float], int]:
    """Return by stage how many of its calls wait for each other, and the calls of all."""
    results: dict[str, StageResult] = {}
    rounds: dict[str, float] = {}
    asked: list[str] = []

    async def answer(question: Question[Any]) -> Any:
        asked.append(question.name)
        await asyncio.sleep(ROUND)
        return answered(question)

    for stage in PIPELINE:
        context = context_for(CAFE, stage, results, answer)
        with asyncio.Runner(loop_factory=ModelTime) as runner:
            results[stage.name] = runner.run(stage.draft(context))
            rounds[stage.name] = runner.get_loop().time()
    return rounds, len(asked)


def longest_wait(rounds: Mapping[str, float]) -> float:
    """Return how many calls wait for each other in the state machine, where a stage takes *rounds*."""
    ends: dict[str, float] = {}
    for visit in asl.visits("build_plan"):
        ends[visit.stage] = max((ends[name] for name in visit.ended), default=0.0) + rounds[visit.stage]
    return max(ends.values())


def test_at_most_sixteen_rounds_and_eighty_calls_make_a_plan() -> None:
    rounds, calls = rounds_and_calls()

    assert (rounds["schedule"], rounds["report"]) == (0, 0)
    assert longest_wait(rounds) <= 16
    assert calls <= 80
