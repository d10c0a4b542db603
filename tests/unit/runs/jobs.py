"""A plane for tests: each step makes one call that is counted, repeatable or not."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from planloom.core.step_graph import StepGraph
from planloom.runs.control import Runs
from planloom.runs.job import OpenJob, ReadValue, StepCalls, StepEnd
from planloom.runs.records import Run, RunWork, StepRecord, Unit
from planloom.runs.turn import Pace, Turn
from planloom.runs.work import Worker
from tests.unit.runs.fakes import FakeEngine, FakeRunEvents, FakeRunFiles, FakeRunStore, Writes

#: All quick, but for what a busy machine may not keep: a lease ends only where a test moves the clock on by a minute.
QUICK = Pace(lease=30, renew=0.1, look=0.02, report=0.01, budget=60)


@dataclass
class Steps:
    """What the steps do; shared by all workers of a test, as the world outside is."""

    graph: StepGraph
    repeatable: frozenset[str] = frozenset()
    failing: set[str] = field(default_factory=set)
    uncertain: set[str] = field(default_factory=set)
    asking: frozenset[str] = frozenset()
    answers: dict[str, bool] = field(default_factory=dict)
    undone: frozenset[str] = frozenset()
    on_unknown: str = "block"
    seconds: float = 0.0
    calls: Counter[str] = field(default_factory=Counter)
    during: Callable[[str], None] = lambda _: None

    async def open(self, run: Run, work: RunWork, records: Mapping[Unit, StepRecord], read: ReadValue) -> "CountingJob":
        return CountingJob(self, records)


class CountingJob:
    def __init__(self, steps: Steps, records: Mapping[Unit, StepRecord]) -> None:
        self.graph, self.on_unknown = steps.graph, steps.on_unknown
        self.max_concurrency = 2
        self._steps = steps
        self._completed = [unit.step for unit, each in records.items() if each.state == "completed" and not unit.part]
        self.closed = False

    def title(self, step: str) -> str:
        return f"Step {step}"

    def ended(self, record: StepRecord, value: Any) -> None:
        if record.state == "completed":
            self._completed.append(record.step)

    async def execute(self, step: str, calls: StepCalls) -> StepEnd:
        steps = self._steps
        if step in steps.asking and step not in steps.answers:
            return StepEnd("waiting", error="It is destructive.")
        if step in steps.asking and not steps.answers[step]:
            return StepEnd("failed", error="rejected", code="REJECTED")
        if step not in steps.repeatable:
            await calls.intend()
        steps.calls[step] += 1
        steps.during(step)
        await asyncio.sleep(steps.seconds)
        if step in steps.failing:
            return StepEnd("failed", error="broken", calls=1)
        if step in steps.uncertain:
            steps.uncertain.discard(step)
            return StepEnd("unknown", error="No answer in time.", code="OUTCOME_UNKNOWN", calls=1)
        return StepEnd("completed", value={"step": step}, calls=1)

    def to_undo(self) -> list[str]:
        return [step for step in reversed(self._completed) if step in self._steps.undone]

    async def undo(self, step: str, calls: StepCalls) -> StepEnd:
        await calls.intend()
        self._steps.calls[f"undo {step}"] += 1
        return StepEnd("completed", calls=1)

    async def close(self) -> None:
        self.closed = True


@dataclass
class Clock:
    """The time, which a test can move on."""

    ahead: timedelta = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


class Bench:
    """One run with its ports in memory, and workers for it."""

    def __init__(self, steps: Steps, *, pace: Pace = QUICK, deadline: float | None = None, **ports: Any) -> None:
        self.steps, self.pace = steps, pace
        self.writes = Writes()
        self.clock = Clock()
        self.store = ports.get("store") or FakeRunStore(self.writes)
        self.files = ports.get("files") or FakeRunFiles(self.writes)
        self.events = ports.get("events") or FakeRunEvents(self.writes)
        self.engine = FakeEngine()
        self.runs = Runs(
            store=self.store,
            files=self.files,
            events=self.events,
            engine=self.engine,
            now=self.clock,
            new_id=iter(f"w{n}" for n in range(1000)).__next__,
            sleep=lambda seconds: None,
            monotonic=iter(range(10_000)).__next__,
        )
        ends = self.clock() + timedelta(seconds=deadline) if deadline is not None else None
        self.run = Run(
            run_id="r1",
            plane="test",
            account="ann",
            subject="g1",
            work="first",
            created_at=self.clock(),
            steps=len(steps.graph.needs),
            deadline=ends,
        )
        self.runs.start(self.run, RunWork(document={}))
        self.writes.count = 0

    def worker(self, **changes: Any) -> Worker:
        open_job: OpenJob = self.steps.open
        worker = Worker(
            store=self.store, files=self.files, events=self.events, now=self.clock, open_job=open_job, pace=self.pace
        )
        return replace(worker, **changes)

    def turn(self, **changes: Any) -> Turn:
        """Let one worker work at the run as it is now."""
        run = self.runs.get("ann", "r1")
        return asyncio.run(self.worker(**changes).work("r1", run.number, run.part))

    def now(self) -> Run:
        return self.runs.get("ann", "r1")

    def revive(self) -> None:
        """Start again after a kill, later than any lease lasts."""
        self.writes.revive()
        self.clock.ahead += timedelta(seconds=60)

    def names(self) -> list[str]:
        return [event.name for event in self.events.after("r1", 0, 1000)]


def chain(size: int) -> StepGraph:
    return StepGraph.of((str(n), [str(n - 1)] if n else []) for n in range(size))


DIAMOND = StepGraph.of([("1", []), ("2", ["1"]), ("3", ["1"]), ("4", ["2", "3"])])
