"""One worker's turn at a run: take the lease, go on where the last worker ended, and hand over in time."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol, TypeVar

from planloom.core.step_graph import StepGraph
from planloom.runs.ports import RunEvents, RunFiles, RunStore
from planloom.runs.records import (
    ENDED,
    INLINE_BYTES,
    Control,
    Intent,
    Lease,
    Progress,
    Run,
    RunEvent,
    RunFailure,
    RunState,
    RunWork,
    StepRecord,
    Unit,
    as_json,
    from_json,
)
from planloom.runs.scheduler import Outcome, run_steps

logger = logging.getLogger(__name__)
T = TypeVar("T")

#: A step whose outcome is unknown is made again at most so often, where the caller lets it be.
UNKNOWN_RETRIES = 3
#: What the progress names of running and waiting steps at most.
MOST_NAMED = 50


@dataclass(frozen=True)
class Pace:
    """Seconds: how long a lease lasts, when it is renewed, how often signals are looked at and progress is reported.

    ``budget``: a worker starts no step after so long. ``cancel``: what a step has to end in after it was cancelled.
    """

    lease: float = 15
    renew: float = 5
    look: float = 1
    report: float = 0.5
    budget: float = 560
    cancel: float = 3


@dataclass(frozen=True)
class StepEnd:
    """How a plane's step ended, or that it ``waiting``: for an approval. ``calls`` were made for it."""

    state: Literal["completed", "failed", "skipped", "unknown", "waiting"]
    value: Any = None
    error: str = ""
    code: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)
    calls: int = 0


class StepCalls(Protocol):
    """What a step uses so that a crash does not repeat what it did."""

    async def intend(self, part: str = "") -> None:
        """Keep that a call that is not repeatable is about to be made; call it before each such call."""

    def kept(self, part: str) -> StepRecord | None:
        """Return what *part* of this step came to before; None where it has not ended, or that is unknown."""

    async def keep(self, part: str, end: StepEnd) -> StepRecord:
        """Keep what *part* came to, and return the record that counts: another worker may have been first."""

    def answer(self) -> bool | None:
        """Return whether this step was approved; None while nobody has answered."""


class Job(Protocol):
    """A run of a plane as its worker sees it: the order of its steps, and how one is executed."""

    graph: StepGraph
    max_concurrency: int
    #: What happens to a step whose outcome is unknown: block, retry, skip.
    on_unknown: str

    def title(self, step: str) -> str:
        """Return what the log calls the step."""

    def ended(self, record: StepRecord, value: Any) -> None:
        """Take note of how a step ended in this turn."""

    async def execute(self, step: str, calls: StepCalls) -> StepEnd:
        """Execute one step; errors of the step are in its end."""

    def to_undo(self) -> list[str]:
        """Return the steps that are to be compensated after the run failed, in order."""

    async def undo(self, step: str, calls: StepCalls) -> StepEnd:
        """Make the compensating call of *step*."""

    async def close(self) -> None:
        """End connections."""


#: Reads the value of a record.
ReadValue = Callable[[StepRecord], Awaitable[Any]]
#: Opens the job of a run, with the records that count, by unit.
OpenJob = Callable[[Run, RunWork, Mapping[Unit, StepRecord], ReadValue], Awaitable[Job]]


@dataclass(frozen=True)
class Turn:
    """What is next: ``more`` (another worker), ``wait`` (for at most *seconds*), ``ended`` or ``failed``.

    ``seen`` is the number of signals that the worker knew of.
    """

    next: Literal["more", "wait", "ended", "failed"]
    seconds: int = 0
    seen: int = 0


class LeaseLost(Exception):
    """Another worker has the run: nothing more may be written."""


@dataclass(frozen=True)
class Worker:
    """What works on runs. *executor* runs the calls of the ports, which block."""

    store: RunStore
    files: RunFiles
    events: RunEvents
    open_job: OpenJob
    now: Callable[[], datetime]
    pace: Pace = Pace()
    executor: Executor | None = None

    async def work(self, run_id: str, number: int, part: int = 1) -> Turn:
        """Work on run *number* until it ends, waits, or this worker's time is up."""
        run = await self.io(self.store.get, run_id)
        if run is None or (run.number, run.part) != (number, part):
            return Turn("ended")
        if run.state in ENDED:
            await self.log_end(run)
            return Turn("failed" if run.state is RunState.FAILED else "ended")
        control = await self._lease(run)
        if control is None:
            return Turn("more")
        lease = Lease(run_id, number, control.epoch)
        turn = _Turn(self, run, lease, control)
        try:
            return await turn.work()
        except LeaseLost:
            logger.warning("lease lost", extra={"run_id": run_id})
            return Turn("more")

    async def _lease(self, run: Run) -> Control | None:
        """Take the lease; wait as long as that of a lost worker may last."""
        patience = time.monotonic() + self.pace.lease * 1.3
        while True:
            now = self.now()
            until = now + timedelta(seconds=self.pace.lease)
            control = await self.io(self.store.take_lease, run.run_id, run.number, now, until)
            if control or time.monotonic() > patience:
                return control
            current = await self.io(self.store.control, run.run_id)
            if current is None or current.number != run.number or current.state in ENDED:
                return None
            await asyncio.sleep(min(self.pace.look, 1))

    async def log_end(self, run: Run) -> None:
        """Log that *run* ended, unless that is the last event already: a worker may have died between the two."""
        name = f"run_{run.state}"
        last = await self.io(self.events.last, run.run_id)
        if last is None or (last.name, last.number) != (name, run.number):
            data = run.failure.model_dump(mode="json") if run.failure else {}
            event = RunEvent(name=name, at=self.now(), number=run.number, data=data)
            await self.io(self.events.append, run.run_id, [event])

    async def io(self, function: Callable[..., T], *args: Any, **named: Any) -> T:
        """Call a port without blocking the event loop."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.executor, lambda: function(*args, **named))


class _Turn:
    """The state of one turn."""

    def __init__(self, worker: Worker, run: Run, lease: Lease, control: Control) -> None:
        self.worker = worker
        self.io = worker.io
        self.run = run
        self.lease = lease
        self.control = control
        self.records: dict[Unit, StepRecord] = {}
        self.job: Job
        self.progress = _Counts()
        self._until = worker.now() + timedelta(seconds=worker.pace.lease)
        self._started = time.monotonic()
        self._intents: dict[str, Intent] = {intent.unit: intent for intent in control.intents}
        self._forget: list[str] = []
        self._events: list[RunEvent] = []
        self._why: str = ""  # why the turn was interrupted: stop, deadline, lost
        self._late = False
        self._failed: list[StepRecord] = []
        self._signalled = False

    async def work(self) -> Turn:
        """Go on with the run until it ends, waits, or is handed over."""
        work = await self.io(self.worker.files.work, self.run.run_id, self.run.work)
        await self._load(work)
        self.job = await self.worker.open_job(self.run, work, self.records, self._value)
        try:
            await self._settle_intents()
            await self._log_missing()
            if not self._unknown():
                await self._guarded(self._run_steps(), deadline=True)
            if self._why != "stop" and self._failure() and not self._unknown():
                await self._guarded(self._compensate(), deadline=False)
            await self._flush()
            return await self._end()
        finally:
            await self.job.close()

    # --- where the last worker ended

    async def _load(self, work: RunWork) -> None:
        found = await self.io(self.worker.files.records, self.run.run_id)
        for record in sorted([*found, *work.decided], key=lambda each: (each.number, each.attempt)):
            if record.number == self.run.number or work.kept.get(record.unit.text) == (record.number, record.attempt):
                self.records[record.unit] = record
        for record in self.records.values():
            self._count(record)

    async def _value(self, record: StepRecord) -> Any:
        if record.value_key:
            return from_json(await self.io(self.worker.files.value, self.run.run_id, record.value_key))
        return None if record.value is None else from_json(record.value)

    async def _settle_intents(self) -> None:
        """Keep that calls are unknown which were begun by a worker that is gone and have no record."""
        for intent in list(self._intents.values()):
            unit = Unit.of(intent.unit)
            known = self.records.get(unit)
            if known is None or (known.number, known.attempt) < (self.run.number, intent.attempt):
                error = "The worker was lost while the call was under way: it may have been made."
                await self.commit(
                    unit, StepEnd("unknown", error=error, code="OUTCOME_UNKNOWN", calls=1), self.worker.now()
                )
        if self._intents:
            await self._note([], list(self._intents))
            self._intents.clear()
        for record in self._unknown():
            await self._decide(record)

    async def _decide(self, record: StepRecord) -> bool:
        """Do with an unknown outcome as the run says; return whether the step is to be made again."""
        if self.job.on_unknown == "skip" and record.part != "undo":
            await self.commit(record.unit, StepEnd("skipped", code="OUTCOME_UNKNOWN"), record.started_at)
        return self.job.on_unknown == "retry" and record.attempt < UNKNOWN_RETRIES

    def _unknown(self) -> list[StepRecord]:
        """Return the steps and items that block the run."""
        found = [each for each in self.records.values() if each.state == "unknown" and each.part != "undo"]
        if hasattr(self, "job") and self.job.on_unknown == "retry":
            return [each for each in found if each.attempt >= UNKNOWN_RETRIES]
        return found

    async def _log_missing(self) -> None:
        """Log the ends of steps whose worker died before it logged them."""
        if not self.records:
            return
        logged, cursor = set(), 0
        while page := await self.io(self.worker.events.after, self.run.run_id, cursor, 1000):
            cursor = page[-1].cursor
            logged |= {(each.step, each.number, each.data.get("attempt")) for each in page if "attempt" in each.data}
        for record in self.records.values():
            if not record.part and (record.step, record.number, record.attempt) not in logged:
                self._log_step(record)

    # --- steps

    async def _run_steps(self) -> None:
        done = {}
        for record in self.records.values():
            if not record.part and record.state != "unknown":
                done[record.step] = Outcome.FAILED if record.state == "failed" else Outcome.DONE
                if record.state == "failed":
                    self._failed.append(record)
        await run_steps(
            self.job.graph,
            self._execute,
            max_concurrency=self.job.max_concurrency,
            done=done,
            start_more=self._may_start,
        )

    def _may_start(self) -> bool:
        late = time.monotonic() - self._started > self.worker.pace.budget
        return not late and not (self._signalled and self.progress.waiting) and not self._why

    async def _execute(self, step: str) -> Outcome:
        self.progress.running[step] = None
        self._log("step_started", step, title=self.job.title(step))
        try:
            return await self._executed(step)
        finally:
            self.progress.running.pop(step, None)

    async def _executed(self, step: str) -> Outcome:
        while True:
            started = self.worker.now()
            end = await self.job.execute(step, _Calls(self, step))
            if end.state == "waiting":
                self.progress.waiting[step] = None
                self._log("step_waiting", step, reason=end.error)
                return Outcome.WAITING
            record = self._unknown_part(step) if end.state == "unknown" else None
            record = record or await self.commit(Unit(step), end, started)
            if record.state == "unknown" and await self._decide(record):
                continue
            record = self.records[record.unit] if not record.part else record
            self._log_step(record)
            if record.state == "unknown":
                return Outcome.FAILED
            self.job.ended(record, end.value if record.state == end.state else await self._value(record))
            if record.state == "failed":
                self._failed.append(record)
                return Outcome.FAILED
            return Outcome.DONE

    def _unknown_part(self, step: str) -> StepRecord | None:
        return next((each for each in self._unknown() if each.step == step and each.part), None)

    async def _compensate(self) -> None:
        for step in self.job.to_undo():
            unit = Unit(step, "undo")
            if unit not in self.records:
                started = self.worker.now()
                end = await self.job.undo(step, _Calls(self, step, "undo"))
                record = await self.commit(unit, end, started)
                self._log("step_compensated", step, state=record.state, error=record.error)

    # --- what is kept

    async def intend(self, unit: Unit) -> None:
        """Keep that a call is about to be made. Raises LeaseLost."""
        if unit.text not in self._intents:
            intent = Intent(unit=unit.text, attempt=self._attempt(unit))
            self._intents[unit.text] = intent
            forget, self._forget = self._forget, []
            await self._note([intent], forget)

    async def _note(self, begun: list[Intent], ended: list[str]) -> None:
        control = await self.io(self.worker.store.note_intents, self.lease, begun, ended)
        if control is None:
            raise LeaseLost
        self._take_note(control)

    async def commit(self, unit: Unit, end: StepEnd, started: datetime) -> StepRecord:
        """Keep how *unit* ended, and return the record that counts. Raises LeaseLost."""
        assert end.state != "waiting"
        if self._lost() or self.worker.now() >= self._until:
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
            ended_at=self.worker.now(),
            **await self._stored(end.value),
        )
        if not await self.io(self.worker.files.commit, self.run.run_id, record):
            first = await self.io(self.worker.files.record, self.run.run_id, unit, record.number, record.attempt)
            assert first is not None, "a record that is in the way can be read"
            record = first
        self.records[unit] = record
        self._count(record)
        if self._intents.pop(unit.text, None):
            self._forget.append(unit.text)
        return record

    async def _stored(self, value: Any) -> dict[str, Any]:
        if value is None:
            return {}
        text = as_json(value)
        size = len(text.encode())
        if size <= INLINE_BYTES:
            return {"value": text, "value_bytes": size}
        key = await self.io(self.worker.files.put_value, self.run.run_id, text)
        return {"value_key": key, "value_bytes": size}

    def _attempt(self, unit: Unit) -> int:
        known = self.records.get(unit)
        return known.attempt + 1 if known and known.number == self.run.number else 1

    def _count(self, record: StepRecord) -> None:
        self.progress.calls += record.calls
        if not record.part:
            self.progress.states[record.step] = record.state

    def _log(self, name: str, step: str | None = None, **data: Any) -> None:
        self._events.append(RunEvent(name=name, at=self.worker.now(), number=self.run.number, step=step, data=data))

    def _log_step(self, record: StepRecord) -> None:
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

    # --- while it runs

    async def _guarded(self, doing: Coroutine[Any, Any, None], *, deadline: bool) -> None:
        """Do it while the lease is renewed and signals are looked at; a stop, the deadline or a lost lease end it."""
        self._interrupt(self.control, deadline)
        if self._why:
            doing.close()
            return
        main = asyncio.create_task(doing)
        others = [asyncio.create_task(self._watch(deadline)), asyncio.create_task(self._report())]
        try:
            await asyncio.wait({main, *others}, return_when=asyncio.FIRST_COMPLETED)
            if main.done():
                await main
            else:
                main.cancel()
                await asyncio.wait({main}, timeout=self.worker.pace.cancel)
                if main.done() and not main.cancelled() and not self._lost():
                    main.result()
                for each in others:
                    if each.done():
                        each.result()
        finally:
            for each in (main, *others):
                each.cancel()
            await asyncio.wait({*others}, timeout=self.worker.pace.cancel)
        if self._lost():
            raise LeaseLost

    def _lost(self) -> bool:
        return self._why == "lost"

    async def _watch(self, deadline: bool) -> None:
        renewed = time.monotonic()
        pace = self.worker.pace
        while not self._why:
            await asyncio.sleep(pace.look)
            control: Control | None
            if time.monotonic() - renewed >= pace.renew:
                until = self.worker.now() + timedelta(seconds=pace.lease)
                control = await self.io(self.worker.store.renew_lease, self.lease, until)
                renewed = time.monotonic()
                self._until = until if control else self._until
            else:
                control = await self.io(self.worker.store.control, self.run.run_id)
            if control:
                self._take_note(control)
            self._interrupt(control, deadline)

    def _interrupt(self, control: Control | None, deadline: bool) -> None:
        """Note why the turn must end, where it must."""
        self._why = ""
        if control is None or (control.number, control.epoch) != (self.lease.number, self.lease.epoch):
            self._why = "lost"
        elif control.stop:
            self._why = "stop"
        elif deadline and self.run.deadline is not None and self.worker.now() >= self.run.deadline:
            self._why, self._late = "deadline", True

    def _take_note(self, control: Control) -> None:
        self._signalled = self._signalled or control.signals != self.control.signals

    async def _report(self) -> None:
        reported = None
        while True:
            await asyncio.sleep(self.worker.pace.report)
            await self._flush_events()
            progress = self.progress.shown()
            if progress != reported:
                reported = progress
                await self.io(self.worker.store.report, self.lease, progress)

    async def _flush_events(self) -> None:
        if self._events:
            events, self._events = self._events, []
            await self.io(self.worker.events.append, self.run.run_id, events)

    async def _flush(self) -> None:
        await self._flush_events()
        if not await self.io(self.worker.store.report, self.lease, self.progress.shown()):
            raise LeaseLost

    # --- how it ends

    def _failure(self) -> RunFailure | None:
        if self._late:
            return RunFailure(code="DEADLINE_EXCEEDED", message=f"The run did not end by {self.run.deadline}.")
        if not self._failed:
            return None
        first = self._failed[0]
        steps = tuple(record.step for record in self._failed)[:MOST_NAMED]
        return RunFailure(code=first.code or "STEP_FAILED", message=f"Step {first.step}: {first.error}", steps=steps)

    async def _end(self) -> Turn:
        if self._why == "stop":
            return await self._ended(RunState.STOPPED, None)
        unknown = self._unknown()
        if unknown:
            steps = tuple(dict.fromkeys(record.step for record in unknown))
            message = (
                f"Whether the call of step {', '.join(steps[:8])} was made is not known. "
                "Look, then resume the run with on_unknown: retry, skip or a value."
            )
            return await self._ended(
                RunState.BLOCKED, RunFailure(code="OUTCOME_UNKNOWN", message=message, steps=steps[:MOST_NAMED])
            )
        if failure := self._failure():
            return await self._ended(RunState.FAILED, failure)
        if len(self.progress.states) == len(self.job.graph.needs):
            return await self._ended(RunState.COMPLETED, None)
        if self.progress.waiting and not self._signalled and not self._cut_short():
            return await self._wait()
        await self.io(self.worker.store.release_lease, self.lease)
        return Turn("more")

    def _cut_short(self) -> bool:
        """Return whether steps are left that could run."""
        return time.monotonic() - self._started > self.worker.pace.budget

    async def _wait(self) -> Turn:
        epoch = self.lease.epoch
        if not await self.io(self.worker.store.move, *self.lease[:2], RunState.WAITING, self.worker.now(), None, epoch):
            raise LeaseLost
        await self.io(self.worker.store.release_lease, self.lease)
        left = (self.run.deadline - self.worker.now()).total_seconds() if self.run.deadline else 86_400.0
        return Turn("wait", seconds=max(1, int(left)), seen=self.control.signals)

    async def _ended(self, state: RunState, failure: RunFailure | None) -> Turn:
        now = self.worker.now()
        run = self.run.model_copy(
            update={"state": state, "failure": failure, "ended_at": now, "progress": self.progress.shown()}
        )
        await self.io(self.worker.files.put_run, run)
        if not await self.io(self.worker.store.move, *self.lease[:2], state, now, failure, self.lease.epoch):
            raise LeaseLost
        await self.worker.log_end(run)
        return Turn("failed" if state is RunState.FAILED else "ended")


@dataclass
class _Counts:
    """Where the steps are, as the worker knows it."""

    states: dict[str, str] = field(default_factory=dict)
    running: dict[str, None] = field(default_factory=dict)
    waiting: dict[str, None] = field(default_factory=dict)
    calls: int = 0

    def shown(self) -> Progress:
        counts = dict.fromkeys(("completed", "failed", "skipped", "unknown"), 0)
        for state in self.states.values():
            counts[state] += 1
        return Progress(
            **counts,
            running=tuple(self.running)[:MOST_NAMED],
            waiting=tuple(self.waiting)[:MOST_NAMED],
            calls=self.calls,
        )


@dataclass(frozen=True)
class _Calls:
    """StepCalls of one step of a turn."""

    turn: _Turn
    step: str
    always: str = ""

    async def intend(self, part: str = "") -> None:
        await self.turn.intend(Unit(self.step, part or self.always))

    def kept(self, part: str) -> StepRecord | None:
        record = self.turn.records.get(Unit(self.step, part))
        return record if record and record.state != "unknown" else None

    async def keep(self, part: str, end: StepEnd) -> StepRecord:
        return await self.turn.commit(Unit(self.step, part), end, self.turn.worker.now())

    def answer(self) -> bool | None:
        return self.turn.control.answers.get(self.step)
