"""One turn of a worker at a run: its steps, until the run ends, waits, or must be passed to the next worker."""

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Any, Literal
from uuid import uuid4

from planloom.runs.job import Job, OpenJob, Revises, Revision, RevisionFailed, StepEnd
from planloom.runs.journal import MOST_NAMED, Journal, LeaseLost, Ports
from planloom.runs.records import Control, Run, RunEvent, RunFailure, RunState, StepRecord, Unit
from planloom.runs.scheduler import Outcome, run_steps

#: Seconds after which a run that waits for nothing by itself is looked at again: 300 days, of an execution's 365.
LONGEST_PARK = 25_920_000.0
#: A step whose outcome is unknown is made again at most so often, where the caller lets it be.
UNKNOWN_RETRIES = 3


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
class Turn:
    """What is next: ``more`` (another worker), ``wait`` (for at most *seconds*), ``ended`` or ``failed``.

    ``seen`` is the number of signals that the worker knew of.
    """

    next: Literal["more", "wait", "ended", "failed"]
    seconds: int = 0
    seen: int = 0


class RunTurn:
    """The state of one turn."""

    def __init__(self, journal: Journal, control: Control, open_job: OpenJob, pace: Pace) -> None:
        self.journal = journal
        self.ports = journal.ports
        self.io = journal.io
        self.run = journal.run
        self.lease = journal.lease
        self.control = control
        self.pace = pace
        self.job: Job
        self._open_job = open_job
        self._started = time.monotonic()
        self._why: str = ""  # why the turn was interrupted: stop, deadline, lost
        self._late = False
        self._failed: list[StepRecord] = []
        self._until: datetime | None = None  # when a step that waits is to be looked at again
        self._revision: Revision | None = None
        self._not_revised: RunFailure | None = None

    async def work(self) -> Turn:
        """Continue the run until it ends, waits, or is passed to the next worker."""
        work = await self.io(self.ports.files.work, self.run.run_id, self.run.work)
        await self.journal.load(work)
        self.job = await self._open_job(self.run, work, self.journal.records, self.journal.value)
        try:
            await self._settle_intents("The worker was lost during the call: it may have been made.")
            await self.journal.log_missing()
            if not self._unknown():
                await self._guarded(self._run_steps(), deadline=True)
            if self._may_revise():
                if self._cut_short():
                    return await self._hand_over()
                await self._guarded(self._revise(), deadline=True)
                if self._revision and not self._why:
                    return await self._continue_with(self._revision)
            if self._why in ("stop", "deadline"):
                await self._settle_intents("The run ended during the call: it may have been made.")
            if self._why != "stop" and self._failure() and not self._unknown():
                await self._guarded(self._compensate(), deadline=False)
            await self.journal.flush()
            return await self._end()
        finally:
            await self.job.close()

    # --- where the last worker ended

    async def _settle_intents(self, error: str) -> None:
        """Keep that calls are unknown which were begun and have no record; *error* says why."""
        for intent in list(self.journal.intents.values()):
            unit = Unit.of(intent.unit)
            known = self.journal.records.get(unit)
            if known is None or (known.number, known.attempt) < (self.run.number, intent.attempt):
                await self.journal.commit(
                    unit, StepEnd("unknown", error=error, code="OUTCOME_UNKNOWN", calls=1), self.ports.now()
                )
        if self.journal.intents:
            await self.journal.note([], list(self.journal.intents))
            self.journal.intents.clear()
        for record in self._unknown():
            await self._decide(record)

    async def _decide(self, record: StepRecord) -> bool:
        """Do with an unknown outcome as the run says; return whether the step is to be made again."""
        if self.job.on_unknown == "skip" and record.part != "undo":
            await self.journal.commit(record.unit, StepEnd("skipped", code="OUTCOME_UNKNOWN"), record.started_at)
        return self.job.on_unknown == "retry" and record.attempt < UNKNOWN_RETRIES

    def _unknown(self) -> list[StepRecord]:
        """Return the steps and items that block the run."""
        found = [each for each in self.journal.records.values() if each.state == "unknown" and each.part != "undo"]
        if hasattr(self, "job") and self.job.on_unknown == "retry":
            return [each for each in found if each.attempt >= UNKNOWN_RETRIES]
        return found

    async def _run_steps(self) -> None:
        done = {}
        for record in self.journal.records.values():
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
        late = time.monotonic() - self._started > self.pace.budget
        return not late and not (self.journal.signalled and self.journal.progress.waiting) and not self._why

    async def _execute(self, step: str) -> Outcome:
        self.journal.progress.running[step] = None
        self.journal.log("step_started", step, title=self.job.title(step))
        try:
            return await self._executed(step)
        finally:
            self.journal.progress.running.pop(step, None)

    async def _executed(self, step: str) -> Outcome:
        while True:
            started = self.ports.now()
            end = await self.job.execute(step, _Calls(self, step))
            if end.state == "waiting":
                self._until = min((at for at in (self._until, end.until) if at), default=None)
                self.journal.progress.waiting[step] = None
                self.journal.log("step_waiting", step, reason=end.error)
                return Outcome.WAITING
            record = self._unknown_part(step) if end.state == "unknown" else None
            record = record or await self.journal.commit(Unit(step), end, started)
            if record.state == "unknown" and await self._decide(record):
                continue
            record = self.journal.records[record.unit] if not record.part else record
            self.journal.log_step(record)
            if record.state == "unknown":
                # of a step whose item is unknown no record is kept
                self.journal.progress.ended(step, "unknown")
                return Outcome.FAILED
            self.job.ended(record, end.value if record.state == end.state else await self.journal.value(record))
            if record.state == "failed":
                self._failed.append(record)
                return Outcome.FAILED
            return Outcome.DONE

    # --- another graph

    def _may_revise(self) -> bool:
        """Return whether the steps have ended, and the job may have others."""
        if not isinstance(self.job, Revises) or self._why or self._unknown():
            return False
        return bool(self._failed) or self._all_ended()

    def _all_ended(self) -> bool:
        return len(self.journal.progress.states) == len(self.job.graph.needs)

    async def _revise(self) -> None:
        assert isinstance(self.job, Revises)
        failed = self._failed[0] if self._failed else None
        try:
            self._revision = await self.job.revise(failed, _Calls(self, failed.step) if failed else None)
        except RevisionFailed as error:
            self._not_revised = RunFailure(code=error.code, message=error.message)
            self.journal.log("revision_failed", code=error.code, error=error.message)

    async def _continue_with(self, revision: Revision) -> Turn:
        """Start the next number of the run with what *revision* says."""
        ports, run, engine = self.ports, self.run, self.ports.engine
        assert engine is not None, "a worker whose jobs revise their run has an engine"
        await self.journal.flush()
        key = f"{run.number + 1:06}-{uuid4()}"
        await self.io(ports.files.put_work, run.run_id, key, revision.work)
        revised = await self.io(
            ports.store.revise,
            self.lease,
            key,
            steps=revision.steps,
            revision=revision.revision,
            replanned=revision.replanned,
        )
        if not revised:
            # it was asked to stop meanwhile, or is another worker's: the next turn sees which
            return await self._hand_over()
        event = RunEvent(
            name="run_revised",
            at=ports.now(),
            number=run.number + 1,
            data={"revision": revision.revision, "steps": revision.steps, **revision.detail},
        )
        await self.io(ports.events.append, run.run_id, [event])
        # where the worker is lost before this, the watchdog starts it
        await self.io(engine.start, run.run_id, run.number + 1, 1)
        return Turn("ended")

    def _unknown_part(self, step: str) -> StepRecord | None:
        return next((each for each in self._unknown() if each.step == step and each.part), None)

    async def _compensate(self) -> None:
        for step in self.job.to_undo():
            unit = Unit(step, "undo")
            if unit not in self.journal.records:
                started = self.ports.now()
                end = await self.job.undo(step, _Calls(self, step, "undo"))
                record = await self.journal.commit(unit, end, started)
                self.journal.log("step_compensated", step, state=record.state, error=record.error)

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
                await asyncio.wait({main}, timeout=self.pace.cancel)
                if main.done() and not main.cancelled() and not self._lost():
                    main.result()
                for each in others:
                    if each.done():
                        each.result()
        finally:
            for each in (main, *others):
                each.cancel()
            await asyncio.wait({*others}, timeout=self.pace.cancel)
        if self._lost():
            raise LeaseLost

    def _lost(self) -> bool:
        return self._why == "lost"

    async def _watch(self, deadline: bool) -> None:
        renewed = time.monotonic()
        pace = self.pace
        while not self._why:
            await asyncio.sleep(pace.look)
            control: Control | None
            if time.monotonic() - renewed >= pace.renew:
                until = self.ports.now() + timedelta(seconds=pace.lease)
                control = await self.io(self.ports.store.renew_lease, self.lease, until)
                renewed = time.monotonic()
                self.journal.until = until if control else self.journal.until
            else:
                control = await self.io(self.ports.store.control, self.run.run_id)
            if control:
                self.journal.noticed(control)
            self._interrupt(control, deadline)

    def _interrupt(self, control: Control | None, deadline: bool) -> None:
        """Note why the turn must end, where it must."""
        self._why = ""
        if control is None or (control.number, control.epoch) != (self.lease.number, self.lease.epoch):
            self._why, self.journal.lost = "lost", True
        elif control.stop:
            self._why = "stop"
        elif deadline and self.run.deadline is not None and self.ports.now() >= self.run.deadline:
            self._why, self._late = "deadline", True

    async def _report(self) -> None:
        reported = None
        while True:
            await asyncio.sleep(self.pace.report)
            await self.journal.flush_events()
            progress = self.journal.progress.shown()
            if progress != reported:
                reported = progress
                await self.io(self.ports.store.report, self.lease, progress)

    def _failure(self) -> RunFailure | None:
        if self._late:
            return RunFailure(code="DEADLINE_EXCEEDED", message=f"The run did not end by {self.run.deadline}.")
        if not self._failed:
            return self._not_revised
        first = self._failed[0]
        steps = tuple(record.step for record in self._failed)[:MOST_NAMED]
        return RunFailure(code=first.code or "STEP_FAILED", message=f"Step {first.step}: {first.error}", steps=steps)

    async def _end(self) -> Turn:
        if self._why == "stop":
            return await self._ended(RunState.STOPPED, None)
        unknown = self._unknown()
        if unknown and not self._late:
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
        if self._all_ended():
            return await self._ended(RunState.COMPLETED, None)
        if self.journal.progress.waiting and not self.journal.signalled and not self._cut_short():
            return await self._wait()
        return await self._hand_over()

    async def _hand_over(self) -> Turn:
        await self.io(self.ports.store.release_lease, self.lease)
        return Turn("more")

    def _cut_short(self) -> bool:
        """Return whether steps are left that could run."""
        return time.monotonic() - self._started > self.pace.budget

    async def _wait(self) -> Turn:
        epoch = self.lease.epoch
        if not await self.io(self.ports.store.move, *self.lease[:2], RunState.WAITING, self.ports.now(), None, epoch):
            raise LeaseLost
        await self.io(self.ports.store.release_lease, self.lease)
        until = min((at for at in (self.run.deadline, self._until) if at), default=None)
        left = (until - self.ports.now()).total_seconds() if until else LONGEST_PARK
        return Turn("wait", seconds=max(1, ceil(left)), seen=self.control.signals)

    async def _ended(self, state: RunState, failure: RunFailure | None) -> Turn:
        now = self.ports.now()
        run = self.run.model_copy(
            update={"state": state, "failure": failure, "ended_at": now, "progress": self.journal.progress.shown()}
        )
        await self.io(self.ports.files.put_run, run)
        if not await self.io(self.ports.store.move, *self.lease[:2], state, now, failure, self.lease.epoch):
            if state is RunState.COMPLETED:
                self._interrupt(await self.io(self.ports.store.control, run.run_id), deadline=False)
                if self._why == "stop":
                    # who asked for it was answered that the run is stopped
                    return await self._ended(RunState.STOPPED, None)
            raise LeaseLost
        await log_end(self.ports, run)
        return Turn("failed" if state is RunState.FAILED else "ended")


async def log_end(ports: Ports, run: Run) -> None:
    """Log that *run* ended, unless that is the last event already: a worker may have died between the two."""
    name = f"run_{run.state}"
    last = await ports.io(ports.events.last, run.run_id)
    if last is None or (last.name, last.number) != (name, run.number):
        data = run.failure.model_dump(mode="json") if run.failure else {}
        event = RunEvent(name=name, at=ports.now(), number=run.number, data=data)
        await ports.io(ports.events.append, run.run_id, [event])


@dataclass(frozen=True)
class _Calls:
    """StepCalls of one step of a turn."""

    turn: RunTurn
    step: str
    always: str = ""

    async def intend(self, part: str = "") -> None:
        await self.turn.journal.intend(Unit(self.step, part or self.always))

    def kept(self, part: str) -> StepRecord | None:
        record = self.turn.journal.records.get(Unit(self.step, part))
        return record if record and record.state != "unknown" else None

    async def keep(self, part: str, end: StepEnd) -> StepRecord:
        return await self.turn.journal.commit(Unit(self.step, part), end, self.turn.ports.now())

    def log(self, name: str, **data: Any) -> None:
        self.turn.journal.log(name, self.step, **data)
