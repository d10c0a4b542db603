"""The ports of runs in memory, with the promises of the adapters: contract tests run on both."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from planloom.runs.budgets import Budget
from planloom.runs.errors import TooManyRuns
from planloom.runs.records import (
    ACTIVE,
    ENDED,
    RESUMABLE,
    TRANSITIONS,
    Control,
    Intent,
    Lease,
    LoggedEvent,
    Progress,
    Run,
    RunEvent,
    RunFailure,
    RunState,
    RunWork,
    StepRecord,
    Unit,
)


class Killed(BaseException):
    """The process was killed in the middle of a write."""


@dataclass
class Writes:
    """Counts writes of all fakes; the process dies before or after write *die_at*, and every later write dies too."""

    die_at: int | None = None
    after: bool = False
    count: int = 0
    dead: bool = False

    def next(self, write: Any) -> Any:
        self.count += 1
        if self.dead:
            raise Killed
        if self.count == self.die_at:
            self.dead = True
            if self.after:
                write()
            raise Killed
        return write()

    def revive(self) -> None:
        self.die_at, self.dead = None, False


@dataclass
class FakeRunStore:
    writes: Writes = field(default_factory=Writes)
    runs: dict[str, Run] = field(default_factory=dict)
    controls: dict[str, Control] = field(default_factory=dict)

    def add(self, run: Run, most: int | None = None) -> bool:
        return self.writes.next(lambda: self._add(run, most))

    def _add(self, run: Run, most: int | None) -> bool:
        if run.run_id in self.runs:
            return False
        self._check_room(run.account, most)
        self.runs[run.run_id] = run
        self.controls[run.run_id] = Control(number=run.number, state=run.state)
        return True

    def get(self, run_id: str) -> Run | None:
        return self.runs.get(run_id)

    def newest_of(self, account: str, limit: int, before: str | None = None) -> list[tuple[str, Run]]:
        mine = [(f"{run.created_at.isoformat()}#{run.run_id}", run) for run in self.runs.values()]
        mine = sorted(((place, run) for place, run in mine if run.account == account), reverse=True, key=lambda x: x[0])
        return [(place, run) for place, run in mine if before is None or place < before][:limit]

    def active(self, account: str | None = None) -> list[str]:
        return [key for key, run in self.runs.items() if run.state in ACTIVE and account in (None, run.account)]

    def control(self, run_id: str) -> Control | None:
        return self.controls.get(run_id)

    def _change(self, run_id: str, run: dict[str, Any], control: dict[str, Any]) -> Control:
        state = {"state": run["state"]} if "state" in run else {}
        self.runs[run_id] = self.runs[run_id].model_copy(update=run)
        self.controls[run_id] = self.controls[run_id].model_copy(update=control | state)
        return self.controls[run_id]

    def move(
        self,
        run_id: str,
        number: int,
        to: RunState,
        now: datetime,
        failure: RunFailure | None = None,
        epoch: int | None = None,
    ) -> bool:
        def move() -> bool:
            run, control = self.runs.get(run_id), self.controls.get(run_id)
            if run is None or control is None or run.number != number or run.state not in TRANSITIONS[to]:
                return False
            if (epoch is not None and control.epoch != epoch) or (to is RunState.COMPLETED and control.stop):
                return False
            ended = {"ended_at": now, "failure": failure} if to in ENDED else {}
            self._change(run_id, {"state": to} | ended, {})
            return True

        return self.writes.next(move)

    def _check_room(self, account: str, most: int | None) -> None:
        if most is not None and len(self.active(account)) >= most:
            raise TooManyRuns(f"{most} runs are active.")

    def renumber(self, run_id: str, number: int, work: str, deadline: datetime | None, most: int | None = None) -> bool:
        def renumber() -> bool:
            run = self.runs.get(run_id)
            if run is None or run.number != number or run.state not in RESUMABLE:
                return False
            self._check_room(run.account, most)
            fields = {"state": RunState.RUNNING, "number": number + 1, "part": 1, "work": work}
            fields |= {"deadline": deadline, "failure": None, "ended_at": None}
            control = {"number": number + 1, "stop": False, "intents": (), "token": None, "lease_until": None}
            self._change(run_id, fields, control)
            return True

        return self.writes.next(renumber)

    def revise(self, lease: Lease, work: str, *, steps: int, revision: int, replanned: bool) -> bool:
        def revise() -> bool:
            run = self.runs.get(lease.run_id)
            if run is None or not self._held(lease) or run.state not in ACTIVE or self.controls[lease.run_id].stop:
                return False
            fields = {"number": lease.number + 1, "part": 1, "work": work, "steps": steps, "revision": revision}
            control = {"number": lease.number + 1, "intents": (), "lease_until": None}
            self._change(lease.run_id, fields | ({"replanned": True} if replanned else {}), control)
            return True

        return self.writes.next(revise)

    def take_lease(self, run_id: str, number: int, now: datetime, until: datetime) -> Control | None:
        def take() -> Control | None:
            run, control = self.runs.get(run_id), self.controls.get(run_id)
            if run is None or control is None or run.number != number or run.state not in ACTIVE:
                return None
            if control.lease_until is not None and control.lease_until > now:
                return None
            change = {"lease_until": until, "epoch": control.epoch + 1, "token": None}
            return self._change(run_id, {"state": RunState.RUNNING}, change)

        return self.writes.next(take)

    def _held(self, lease: Lease) -> bool:
        control = self.controls.get(lease.run_id)
        return control is not None and (control.number, control.epoch) == (lease.number, lease.epoch)

    def renew_lease(self, lease: Lease, until: datetime) -> Control | None:
        return self.writes.next(
            lambda: self._change(lease.run_id, {}, {"lease_until": until}) if self._held(lease) else None
        )

    def release_lease(self, lease: Lease) -> None:
        self.writes.next(lambda: self._held(lease) and self._change(lease.run_id, {}, {"lease_until": None}))

    def note_intents(self, lease: Lease, begun: Sequence[Intent], ended: Sequence[str]) -> Control | None:
        def note() -> Control | None:
            if not self._held(lease):
                return None
            known = {each.unit: each for each in self.controls[lease.run_id].intents}
            for unit in ended:
                known.pop(unit, None)
            known |= {each.unit: each for each in begun}
            return self._change(lease.run_id, {}, {"intents": tuple(known.values())})

        return self.writes.next(note)

    def report(self, lease: Lease, progress: Progress) -> bool:
        return self.writes.next(
            lambda: self._held(lease) and bool(self._change(lease.run_id, {"progress": progress}, {}))
        )

    def signal(self, run_id: str, *, stop: bool = False) -> Control | None:
        def signal() -> Control | None:
            control = self.controls.get(run_id)
            if control is None:
                return None
            return self._change(run_id, {}, {"signals": control.signals + 1, "stop": control.stop or stop})

        return self.writes.next(signal)

    def park(self, run_id: str, number: int, token: str, seen: int) -> bool:
        def park() -> bool:
            control = self.controls.get(run_id)
            if control is None or control.number != number or control.signals != seen:
                return False
            if control.state is not RunState.WAITING:
                return False
            return bool(self._change(run_id, {}, {"token": token}))

        return self.writes.next(park)

    def next_part(self, run_id: str, number: int, part: int) -> bool:
        def change() -> bool:
            run = self.runs.get(run_id)
            if run is None or (run.number, run.part) != (number, part) or run.state not in ACTIVE:
                return False
            return bool(self._change(run_id, {"part": part + 1}, {}))

        return self.writes.next(change)

    def delete(self, run_id: str) -> None:
        self.runs.pop(run_id, None)
        self.controls.pop(run_id, None)


@dataclass
class FakeRunFiles:
    writes: Writes = field(default_factory=Writes)
    runs: dict[str, Run] = field(default_factory=dict)
    works: dict[tuple[str, str], RunWork] = field(default_factory=dict)
    kept: dict[tuple[str, str, int, int], StepRecord] = field(default_factory=dict)
    values: dict[tuple[str, str], str] = field(default_factory=dict)

    def put_run(self, run: Run) -> None:
        self.writes.next(lambda: self.runs.__setitem__(run.run_id, run))

    def put_work(self, run_id: str, key: str, work: RunWork) -> None:
        self.writes.next(lambda: self.works.__setitem__((run_id, key), work))

    def work(self, run_id: str, key: str) -> RunWork:
        if (run_id, key) not in self.works:
            raise FileNotFoundError(key)
        return self.works[run_id, key]

    def commit(self, run_id: str, record: StepRecord) -> bool:
        def commit() -> bool:
            key = (run_id, record.unit.text, record.number, record.attempt)
            if key in self.kept:
                return False
            self.kept[key] = record
            return True

        return self.writes.next(commit)

    def record(self, run_id: str, unit: Unit, number: int, attempt: int) -> StepRecord | None:
        return self.kept.get((run_id, unit.text, number, attempt))

    def records(self, run_id: str, step: str | None = None, *, parts: bool = True) -> list[StepRecord]:
        mine = [each for (run, *_), each in self.kept.items() if run == run_id and step in (None, each.step)]
        return [each for each in mine if parts or not each.part]

    def put_value(self, run_id: str, text: str) -> str:
        key = str(hash(text))
        self.writes.next(lambda: self.values.__setitem__((run_id, key), text))
        return key

    def value(self, run_id: str, key: str) -> str:
        if (run_id, key) not in self.values:
            raise FileNotFoundError(key)
        return self.values[run_id, key]

    def value_link(self, run_id: str, key: str) -> str:
        return f"https://files.example/{run_id}/{key}"

    def delete(self, run_id: str) -> None:
        self.runs.pop(run_id, None)
        for kind in (self.works, self.kept, self.values):
            for key in [key for key in kind if key[0] == run_id]:
                del kind[key]  # type: ignore[attr-defined]


@dataclass
class FakeRunEvents:
    writes: Writes = field(default_factory=Writes)
    log: dict[str, list[LoggedEvent]] = field(default_factory=dict)

    def append(self, run_id: str, events: Iterable[RunEvent]) -> None:
        def append() -> None:
            log = self.log.setdefault(run_id, [])
            for event in events:
                log.append(LoggedEvent(cursor=len(log) + 1, **event.model_dump()))

        self.writes.next(append)

    def after(self, run_id: str, cursor: int, limit: int) -> list[LoggedEvent]:
        return [each for each in self.log.get(run_id, []) if each.cursor > cursor][:limit]

    def last(self, run_id: str) -> LoggedEvent | None:
        return self.log.get(run_id, [None])[-1]


@dataclass
class FakeEngine:
    started: list[tuple[str, int, int]] = field(default_factory=list)
    woken: list[str] = field(default_factory=list)
    stopped: list[tuple[str, int, int]] = field(default_factory=list)
    lost: bool = False

    def start(self, run_id: str, number: int, part: int) -> None:
        if (run_id, number, part) not in self.started:
            self.started.append((run_id, number, part))

    def wake(self, token: str) -> None:
        self.woken.append(token)

    def stop(self, run_id: str, number: int, part: int) -> None:
        self.stopped.append((run_id, number, part))

    def running(self, run_id: str, number: int, part: int) -> bool:
        return not self.lost and (run_id, number, part) in self.started


@dataclass
class FakeBudgetStore:
    budgets: dict[tuple[str, str], Budget] = field(default_factory=dict)

    def set(self, account: str, name: str, calls: int) -> Budget:
        known = self.budgets.get((account, name))
        self.budgets[account, name] = Budget(name=name, calls=calls, taken=known.taken if known else 0)
        return self.budgets[account, name]

    def take(self, account: str, name: str) -> bool:
        known = self.budgets.get((account, name))
        if known is None or known.taken >= known.calls:
            return False
        self.budgets[account, name] = known.model_copy(update={"taken": known.taken + 1})
        return True

    def get(self, account: str, name: str) -> Budget | None:
        return self.budgets.get((account, name))

    def of_account(self, account: str) -> list[Budget]:
        return [budget for (owner, _), budget in sorted(self.budgets.items()) if owner == account]

    def delete(self, account: str, name: str) -> None:
        self.budgets.pop((account, name), None)
