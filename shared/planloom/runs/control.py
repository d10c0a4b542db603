"""What callers do with runs: start, look, wait, stop, resume, delete; and the repair of lost ones."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from planloom.runs.errors import OutcomeUnknown, RunActive, RunNotFound, RunNotResumable
from planloom.runs.ports import Engine, RunEvents, RunFiles, RunStore
from planloom.runs.records import (
    ACTIVE,
    ENDED,
    RESUMABLE,
    LoggedEvent,
    Run,
    RunEvent,
    RunFailure,
    RunState,
    RunWork,
    StepRecord,
    Unit,
    as_json,
)

#: Seconds that a call waits for a run at most: the gateway gives up after 29.
LONGEST_WAIT = 15.0
_ENDED_WELL = ("completed", "skipped")
#: Runs of one account that are running or waiting at once, of all planes.
MOST_ACTIVE = 50
#: A run whose worker has been silent for longer is looked after.
SILENT = timedelta(seconds=60)


@dataclass(frozen=True)
class Value:
    """The result to record for a call whose outcome is unknown."""

    value: Any


#: What to do about calls whose outcome is unknown.
OnUnknown = Literal["retry", "skip"] | Value


@dataclass(frozen=True)
class Runs:
    """The runs of all accounts; every method checks the account."""

    store: RunStore
    files: RunFiles
    events: RunEvents
    engine: Engine
    now: Callable[[], datetime]
    new_id: Callable[[], str]
    sleep: Callable[[float], None]
    monotonic: Callable[[], float]
    #: Runs of one account that are running or waiting at once; None: any number.
    most_active: int | None = None

    def start(self, run: Run, work: RunWork) -> Run:
        """Store *run* and start it; *run* carries the key of *work*. Raises TooManyRuns."""
        self.files.put_work(run.run_id, run.work, work)
        self.files.put_run(run)
        if not self.store.add(run, self.most_active):
            raise RunActive("This run was started before.")
        self._log(run, "run_started", steps=run.steps)
        self.engine.start(run.run_id, run.number, run.part)
        return run

    def get(self, account: str, run_id: str) -> Run:
        """Return a run. Raises RunNotFound, also where it is another account's."""
        run = self.store.get(run_id)
        if run is None or run.account != account:
            raise RunNotFound(f"No run has the id {run_id[:80]}. run_list names your runs.")
        return run

    def newest(self, account: str, limit: int, before: str | None = None) -> list[tuple[str, Run]]:
        """Return the account's runs, newest first, with the position for *before*."""
        return self.store.newest_of(account, limit, before)

    def wait(self, account: str, run_id: str, seconds: float) -> Run:
        """Return the run when it has ended or waits for an approval, or as it is after *seconds*."""
        until = self.monotonic() + min(seconds, LONGEST_WAIT)
        pause = 0.05
        while True:
            run = self.get(account, run_id)
            left = until - self.monotonic()
            if run.state is not RunState.RUNNING or left <= 0:
                return run
            self.sleep(min(pause, left))
            pause = min(pause * 1.5, 1.0)

    def events_after(self, account: str, run_id: str, cursor: int, limit: int, seconds: float = 0) -> list[LoggedEvent]:
        """Return the first events after *cursor*; where there are none yet, wait for them at most *seconds*."""
        until = self.monotonic() + min(seconds, LONGEST_WAIT)
        while True:
            run = self.get(account, run_id)
            found = self.events.after(run_id, cursor, limit)
            left = until - self.monotonic()
            if found or run.state in ENDED or left <= 0:
                return found
            self.sleep(min(0.3, left))

    def records(
        self, account: str, run_id: str, step: str | None = None, *, parts: bool = True
    ) -> dict[Unit, StepRecord]:
        """Return what steps came to, the record that counts of each unit; of *step* alone where one is named.

        Parts of steps, of which there may be thousands, are left out without *parts*.
        """
        run = self.get(account, run_id)
        return self._records(run, step, parts=parts)[0]

    def value(self, account: str, run_id: str, record: StepRecord) -> str | None:
        """Return the value of *record* as JSON, however large it is."""
        self.get(account, run_id)
        return self.files.value(run_id, record.value_key) if record.value_key else record.value

    def stop(self, account: str, run_id: str) -> Run:
        """Stop a run; one that has ended stays as it is."""
        run = self.get(account, run_id)
        if run.state in ENDED:
            return run
        control = self.store.signal(run_id, stop=True)
        now = self.now()
        working = control is not None and control.lease_until is not None and control.lease_until > now
        if not working and self.store.move(run_id, run.number, RunState.STOPPED, now):
            # nobody works on it: its worker was lost, or it waits
            run = self.get(account, run_id)
            self.files.put_run(run)
            self._log(run, "run_stopped")
            self.engine.stop(run_id, run.number, run.part)
            self.wake_waiting(run)
        return run

    def resume(
        self,
        account: str,
        run_id: str,
        on_unknown: OnUnknown | None = None,
        deadline: datetime | None = None,
    ) -> Run:
        """Continue a run that failed, was stopped or is blocked: what completed is not run again.

        Raises OutcomeUnknown where calls may have been made and *on_unknown* does not say what to do about them, and
        TooManyRuns.
        """
        run = self.get(account, run_id)
        if run.state in ACTIVE:
            raise RunActive("The run is active. Stop it first, or wait for its end.")
        if run.state not in RESUMABLE:
            raise RunNotResumable("The run has completed. Run its graph again for a new run.")
        records, work = self._records(run)
        unknown = self._unknown(run, records)
        if unknown and on_unknown is None:
            steps = sorted({unit.step for unit in unknown})
            raise OutcomeUnknown(
                f"Whether the calls of step {', '.join(steps[:8])} were made is not known. "
                "Look, then pass on_unknown: retry, skip or a value.",
                steps=steps,
            )
        number = run.number + 1
        undone = {unit.step for unit, record in records.items() if unit.part == "undo" and record.state == "completed"}
        ended = {unit.step for unit, record in records.items() if not unit.part and record.state in _ENDED_WELL}
        kept = {
            unit: record
            for unit, record in records.items()
            # of a step that completed its failed items as well
            if unit.step not in undone and unit.part != "undo" and (record.state in _ENDED_WELL or unit.step in ended)
        }
        calls = Counter(work.calls_before)
        for unit, record in records.items():
            if unit not in kept:
                calls[record.detail.get("tool", "")] += record.calls
        decided = [] if on_unknown in (None, "retry") else [self._decided(unit, number, on_unknown) for unit in unknown]
        key = f"{number:06}-{self.new_id()}"
        update = {
            "kept": {unit.text: (record.number, record.attempt) for unit, record in kept.items()},
            # those that are recorded as unknown are among the calls before
            "decided": tuple(each.model_copy(update={"calls": int(each.unit not in records)}) for each in decided),
            "calls_before": dict(calls),
        }
        self.files.put_work(run_id, key, work.model_copy(update=update))
        if not self.store.renumber(run_id, run.number, key, deadline, self.most_active):
            raise RunNotResumable("Another call has resumed this run. Look at its status.")
        run = self.get(account, run_id)
        self.files.put_run(run)
        self._log(run, "run_resumed")
        self.engine.start(run_id, run.number, run.part)
        return run

    def resume_as(
        self, account: str, run_id: str, on_unknown: str | None, value: Any, deadline_seconds: float | None
    ) -> Run:
        """Resume with *on_unknown* as callers write it: retry, skip, or value with *value*."""
        known: dict[str | None, OnUnknown] = {"retry": "retry", "skip": "skip", "value": Value(value)}
        decided = known.get(on_unknown)
        deadline = self.now() + timedelta(seconds=deadline_seconds) if deadline_seconds else None
        return self.resume(account, run_id, decided, deadline)

    def wake(self, run_id: str) -> None:
        """Let a run look again at what it waits for; no error where it does not wait."""
        control = self.store.signal(run_id)
        # the worker that is started takes the token away: an equal call wakes the run again where this one is lost
        if control and control.token:
            self.engine.wake(control.token)

    def wake_waiting(self, ended: Run) -> None:
        """Let the run look again that waits for the end of this one; no error where none does."""
        if ended.wakes:
            self.wake(ended.wakes)

    def park(self, run_id: str, number: int, token: str, seen: int) -> bool:
        """Keep the token of an execution that waits; wake it at once where something was signalled meanwhile."""
        if self.store.park(run_id, number, token, seen):
            return True
        self.engine.wake(token)
        return False

    def delete(self, account: str, run_id: str) -> None:
        """Delete a run that has ended, with all that it made. Raises RunActive."""
        if self.get(account, run_id).state in ACTIVE:
            raise RunActive("The run is active. Stop it first.")
        self.files.delete(run_id)
        self.store.delete(run_id)

    def continue_in_new_part(self, run_id: str, number: int, part: int) -> None:
        """Continue a run in a further execution: this one has a long history, or is lost."""
        if self.store.next_part(run_id, number, part):
            self.engine.start(run_id, number, part + 1)

    def give_up(self, run_id: str, number: int) -> None:
        """Fail a run whose workers failed again and again; a resume may continue it."""
        failure = RunFailure(
            code="WORKER_FAILED", message="Workers of this run failed again and again. Resume it later."
        )
        if self.store.move(run_id, number, RunState.FAILED, self.now(), failure):
            run = self.store.get(run_id)
            assert run is not None
            self.files.put_run(run)
            self._log(run, "run_failed", **failure.model_dump(mode="json"))

    def repair(self) -> dict[str, str]:
        """Start runs again whose execution is lost; return what was done, by run."""
        done = {}
        now = self.now()
        for run_id in self.store.active():
            run, control = self.store.get(run_id), self.store.control(run_id)
            if run is None or control is None or run.state not in ACTIVE:
                continue
            silent_since = control.lease_until or run.created_at
            if silent_since + SILENT < now and not self.engine.running(run_id, run.number, run.part):
                self.continue_in_new_part(run_id, run.number, run.part)
                done[run_id] = "restarted"
        return done

    def _records(
        self, run: Run, step: str | None = None, *, parts: bool = True
    ) -> tuple[dict[Unit, StepRecord], RunWork]:
        work = self.files.work(run.run_id, run.work)
        found = self.files.records(run.run_id, step, parts=parts)
        found += [each for each in work.decided if step in (None, each.step) and (parts or not each.part)]
        latest = {}
        for record in sorted(found, key=lambda each: (each.number, each.attempt)):
            if record.number == run.number or work.kept.get(record.unit.text) == (record.number, record.attempt):
                latest[record.unit] = record
        return latest, work

    def _unknown(self, run: Run, records: Mapping[Unit, StepRecord]) -> list[Unit]:
        """Return the units whose calls may have been made: recorded so, or begun by a worker that was stopped."""
        found = [unit for unit, record in records.items() if record.state == "unknown" and unit.part != "undo"]
        control = self.store.control(run.run_id)
        for intent in control.intents if control else ():
            unit = Unit.of(intent.unit)
            known = records.get(unit)
            if unit.part != "undo" and (known is None or (known.number, known.attempt) < (run.number, intent.attempt)):
                found.append(unit)
        return found

    def _decided(self, unit: Unit, number: int, on_unknown: OnUnknown | None) -> StepRecord:
        now = self.now()
        value = as_json(on_unknown.value) if isinstance(on_unknown, Value) else None
        return StepRecord(
            step=unit.step,
            part=unit.part,
            number=number,
            attempt=1,
            state="skipped" if value is None else "completed",
            value=value,
            code="DECIDED_BY_CALLER",
            calls=1,
            started_at=now,
            ended_at=now,
        )

    def _log(self, run: Run, name: str, step: str | None = None, **data: Any) -> None:
        event = RunEvent(name=name, at=self.now(), number=run.number, step=step, data=data)
        self.events.append(run.run_id, [event])
