"""What one worker keeps of a run: records of steps, intents before calls, events and progress."""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, TypeVar

from planloom.runs.job import StepEnd
from planloom.runs.ports import Engine, RunEvents, RunFiles, RunStore
from planloom.runs.records import (
    INLINE_BYTES,
    Control,
    Intent,
    Lease,
    Progress,
    Run,
    RunEvent,
    RunWork,
    StepRecord,
    Unit,
    as_json,
    from_json,
)

T = TypeVar("T")

#: What the progress names of running and waiting steps at most.
MOST_NAMED = 50


class LeaseLost(Exception):
    """Another worker has the run: nothing more may be written."""


@dataclass(frozen=True, kw_only=True)
class Ports:
    """What is outside of a worker. *executor* runs the calls of the ports, which block.

    *engine* is needed where jobs revise their run.
    """

    store: RunStore
    files: RunFiles
    events: RunEvents
    now: Callable[[], datetime]
    executor: Executor | None = None
    engine: Engine | None = None

    async def io(self, function: Callable[..., T], *args: Any, **named: Any) -> T:
        """Call a port without blocking the event loop.

        A caller that is cancelled still waits for its call: no write is lost, or comes after those that follow.
        """
        loop = asyncio.get_running_loop()
        call = loop.run_in_executor(self.executor, lambda: function(*args, **named))
        try:
            return await asyncio.shield(call)
        except asyncio.CancelledError:
            await asyncio.wait({call})
            if not call.cancelled():
                call.exception()  # retrieved, or asyncio logs it: nobody waits for the result any more
            raise


class Journal:
    """The records of a run as one worker knows them; *until* is when its lease ends.

    ``signalled`` says whether callers asked for something since the worker began, ``lost`` that it lost the lease.
    """

    def __init__(self, ports: Ports, run: Run, lease: Lease, control: Control, until: datetime) -> None:
        self.ports = ports
        self.io = ports.io
        self.run = run
        self.lease = lease
        self.until = until
        self.records: dict[Unit, StepRecord] = {}
        self.intents: dict[str, Intent] = {intent.unit: intent for intent in control.intents}
        self.progress = Counts()
        self.lost = False
        self.signalled = False
        self._signals = control.signals
        self._begun: dict[str, Intent] = {}
        self._noting = asyncio.Lock()
        self._forget: list[str] = []
        self._events: list[RunEvent] = []

    async def load(self, work: RunWork) -> None:
        """Read the records that count: those of this number, and those of earlier ones that *work* keeps."""
        found = await self.io(self.ports.files.records, self.run.run_id)
        for record in sorted([*found, *work.decided], key=lambda each: (each.number, each.attempt)):
            if record.number == self.run.number or work.kept.get(record.unit.text) == (record.number, record.attempt):
                self.records[record.unit] = record
        self.progress.calls = sum(work.calls_before.values())
        for record in self.records.values():
            self._count(record)

    async def value(self, record: StepRecord) -> Any:
        """Return the value of *record*."""
        if record.value_key:
            return from_json(await self.io(self.ports.files.value, self.run.run_id, record.value_key))
        return None if record.value is None else from_json(record.value)

    async def log_missing(self) -> None:
        """Log the ends of steps whose worker died before it logged them."""
        if not self.records:
            return
        logged, cursor = set(), 0
        while page := await self.io(self.ports.events.after, self.run.run_id, cursor, 1000):
            cursor = page[-1].cursor
            logged |= {(each.step, each.number, each.data.get("attempt")) for each in page if "attempt" in each.data}
        for record in self.records.values():
            if not record.part and (record.step, record.number, record.attempt) not in logged:
                self.log_step(record)

    async def intend(self, unit: Unit) -> None:
        """Keep that a call is about to be made; calls that begin meanwhile share the next write. Raises LeaseLost."""
        name = unit.text
        if name in self.intents:
            return
        self._begun[name] = Intent(unit=name, attempt=self._attempt(unit))
        try:
            async with self._noting:
                if name in self._begun:
                    # in the order of the lock: this one is the first
                    begun = dict(islice(self._begun.items(), MOST_NAMED))
                    forget, self._forget = self._forget[:MOST_NAMED], self._forget[MOST_NAMED:]
                    await self.note(list(begun.values()), forget)
                    self.intents |= begun
                    self._begun = {each: intent for each, intent in self._begun.items() if each not in begun}
        finally:
            self._begun.pop(name, None)

    async def note(self, begun: list[Intent], ended: list[str]) -> None:
        """Keep that calls are about to be made, and forget those of units that ended. Raises LeaseLost."""
        control = await self.io(self.ports.store.note_intents, self.lease, begun, ended)
        if control is None:
            raise LeaseLost
        self.noticed(control)

    async def commit(self, unit: Unit, end: StepEnd, started: datetime) -> StepRecord:
        """Keep how *unit* ended, and return the record that counts. Raises LeaseLost."""
        assert end.state != "waiting"
        if self.lost or self.ports.now() >= self.until:
            raise LeaseLost
        record = StepRecord(
            step=unit.step,
            part=unit.part,
            number=self.run.number,
            attempt=self._attempt(unit),
            state=end.state,
            error=end.error,
            code=end.code,
            detail=dict(end.detail),
            calls=end.calls,
            started_at=started,
            ended_at=self.ports.now(),
            **await self._stored(end.value),
        )
        if not await self.io(self.ports.files.commit, self.run.run_id, record):
            first = await self.io(self.ports.files.record, self.run.run_id, unit, record.number, record.attempt)
            assert first is not None, "a record that is in the way can be read"
            record = first
        self.records[unit] = record
        self._count(record)
        if self.intents.pop(unit.text, None):
            self._forget.append(unit.text)
        return record

    async def _stored(self, value: Any) -> dict[str, Any]:
        if value is None:
            return {}
        text = as_json(value)
        size = len(text.encode())
        if size <= INLINE_BYTES:
            return {"value": text, "value_bytes": size}
        key = await self.io(self.ports.files.put_value, self.run.run_id, text)
        return {"value_key": key, "value_bytes": size}

    def _attempt(self, unit: Unit) -> int:
        known = self.records.get(unit)
        return known.attempt + 1 if known and known.number == self.run.number else 1

    def _count(self, record: StepRecord) -> None:
        self.progress.calls += record.calls
        if not record.part:
            self.progress.ended(record.step, record.state)

    def log(self, name: str, step: str | None = None, **data: Any) -> None:
        """Put an event into the log with the next flush."""
        self._events.append(RunEvent(name=name, at=self.ports.now(), number=self.run.number, step=step, data=data))

    def log_step(self, record: StepRecord) -> None:
        """Put how a step ended into the log with the next flush."""
        seconds = round((record.ended_at - record.started_at).total_seconds(), 3)
        data: dict[str, Any] = {
            "attempt": record.attempt,
            "seconds": seconds,
            "calls": record.calls,
            "bytes": record.value_bytes,
        }
        if record.error:
            data |= {"error": record.error[:500], "code": record.code}
        self._events.append(
            RunEvent(name=f"step_{record.state}", at=record.ended_at, number=record.number, step=record.step, data=data)
        )

    async def flush_events(self) -> None:
        """Write the events that wait."""
        if self._events:
            events, self._events = self._events, []
            await self.io(self.ports.events.append, self.run.run_id, events)

    async def flush(self) -> None:
        """Write events and progress. Raises LeaseLost."""
        await self.flush_events()
        if not await self.io(self.ports.store.report, self.lease, self.progress.shown()):
            raise LeaseLost

    def noticed(self, control: Control) -> None:
        """Take note of signals in *control*."""
        self.signalled = self.signalled or control.signals != self._signals


@dataclass
class Counts:
    """Where the steps are, as the worker knows it."""

    states: dict[str, str] = field(default_factory=dict)
    running: dict[str, None] = field(default_factory=dict)
    waiting: dict[str, None] = field(default_factory=dict)
    calls: int = 0
    # kept beside the states: a report every half second must not look at each step of a long run
    _counts: Counter[str] = field(default_factory=Counter)

    def ended(self, step: str, state: str) -> None:
        """Take note that *step* is in *state*, in place of the one before."""
        before = self.states.get(step)
        if before is not None:
            self._counts[before] -= 1
        self.states[step] = state
        self._counts[state] += 1

    def shown(self) -> Progress:
        """Return the progress as callers see it."""
        return Progress(
            **{state: self._counts[state] for state in ("completed", "failed", "skipped", "unknown")},
            running=tuple(islice(self.running, MOST_NAMED)),
            waiting=tuple(islice(self.waiting, MOST_NAMED)),
            calls=self.calls,
        )
