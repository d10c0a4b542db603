"""Run the steps of a graph as data flow: a step starts when its needs have ended, never at a barrier."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from planloom.core.step_graph import StepGraph


class Outcome(Enum):
    """How a step ended, as far as the order of the others depends on it."""

    DONE = "done"  # completed or skipped: what needs it may start
    FAILED = "failed"  # nothing new starts; running steps end
    WAITING = "waiting"  # not ended: what needs it does not start, the others continue


@dataclass
class Schedule:
    """Which steps ended how; ``started`` were handed to the host, in this order."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    started: list[str] = field(default_factory=list)


async def run_steps(
    graph: StepGraph,
    execute: Callable[[str], Awaitable[Outcome]],
    *,
    max_concurrency: int = 4,
    done: Mapping[str, Outcome] | None = None,
    start_more: Callable[[], bool] = lambda: True,
) -> Schedule:
    """Run every step of *graph* that can run, at most *max_concurrency* at once, and return how they ended.

    *done* ended before and are not run. *execute* runs one step and returns its outcome; it handles the errors of the
    step itself: what it raises ends all running steps and is raised here. While *start_more* returns False no further
    step starts. A cancellation of this call cancels the running steps and waits until they have ended.
    """
    if max_concurrency < 1:
        raise ValueError(f"max_concurrency is {max_concurrency}. At least one step at a time must run.")
    run = _Run(graph, execute, start_more, Schedule(dict(done or {})))
    # one task per place, not one per step: a step of no length costs microseconds
    places = [asyncio.create_task(run.work()) for _ in range(min(max_concurrency, len(graph.needs)))]
    try:
        await asyncio.gather(*places)
    except BaseException:
        for place in places:
            place.cancel()
        await asyncio.gather(*places, return_exceptions=True)
        raise
    return run.schedule


class _Run:
    def __init__(
        self,
        graph: StepGraph,
        execute: Callable[[str], Awaitable[Outcome]],
        start_more: Callable[[], bool],
        schedule: Schedule,
    ) -> None:
        self.schedule = schedule
        self._dependents = graph.dependents
        self._execute = execute
        self._start_more = start_more
        outcomes = schedule.outcomes
        self._waits = {
            step: sum(outcomes.get(needed) is not Outcome.DONE for needed in needs)
            for step, needs in graph.needs.items()
            if step not in outcomes
        }
        self._ready = deque(step for step, count in self._waits.items() if not count)
        self._idle: list[asyncio.Future[None]] = []
        self._busy = 0
        self._failed = Outcome.FAILED in outcomes.values()

    async def work(self) -> None:
        """Take ready steps one after the other until none is ready and none that runs can free one."""
        while True:
            if self._ready and self._may_start():
                step = self._ready.popleft()
                self._busy += 1
                self.schedule.started.append(step)
                try:
                    outcome = await self._execute(step)
                finally:
                    self._busy -= 1
                if self._ended(step, outcome) or not self._busy:
                    self._wake()
            elif self._busy:
                woken = asyncio.get_running_loop().create_future()
                self._idle.append(woken)
                await woken
            else:
                return

    def _wake(self) -> None:
        idle, self._idle = self._idle, []
        for woken in idle:
            if not woken.done():
                woken.set_result(None)

    def _may_start(self) -> bool:
        return not self._failed and self._start_more()

    def _ended(self, step: str, outcome: Outcome) -> bool:
        """Record the outcome; return whether the other places must look again."""
        self.schedule.outcomes[step] = outcome
        if outcome is Outcome.FAILED:
            self._failed = True
        if outcome is not Outcome.DONE:
            return False
        freed = 0
        for other in self._dependents[step]:
            if other in self._waits:
                self._waits[other] -= 1
                if not self._waits[other]:
                    self._ready.append(other)
                    freed += 1
        # this place takes one of them itself
        return freed > 1
