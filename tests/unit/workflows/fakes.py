"""The ports of workflows in memory, with the promises of the adapters, and a service on them."""

import hashlib
import itertools
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from planloom.approvals.service import Approvals
from planloom.planes.workflows.effects import NOTHING, Effects
from planloom.planes.workflows.executor import Executor
from planloom.planes.workflows.ports import Change, ExecutionView, RecordKind, StoredSpec, Workstream
from planloom.planes.workflows.records import (
    ExecutionEvent,
    NodeAttempt,
    PlanArtifact,
    PlanCheckpoint,
    Record,
    ValidationIssue,
)
from planloom.planes.workflows.service import Workflows
from planloom.planes.workflows.states import Execution
from tests.unit.approvals.fakes import FakeApprovalStore
from tests.unit.runs.fakes import Writes
from tests.unit.workflows.bench import START

KINDS: dict[str, Any] = {
    "planNodeAttempt": NodeAttempt,
    "planArtifact": PlanArtifact,
    "planCheckpoint": PlanCheckpoint,
    "planValidationIssue": ValidationIssue,
    "planEvent": ExecutionEvent,
}


@dataclass
class FakeWorkflowStore:
    """*writes* counts the changes, so that a test can kill the process at each of them."""

    writes: Writes = field(default_factory=Writes)
    specs: dict[str, StoredSpec] = field(default_factory=dict)
    runs: dict[str, Execution] = field(default_factory=dict)
    streams: dict[tuple[str, str], Workstream] = field(default_factory=dict)
    kept: dict[str, list[Record]] = field(default_factory=dict)
    left: dict[tuple[str, int], tuple[Execution, Effects]] = field(default_factory=dict)

    def put_spec(self, spec: StoredSpec, run_id: str) -> None:
        self.writes.next(lambda: self.specs.__setitem__(spec.spec_id, spec))

    def delete_orphans(self, before: datetime, limit: int) -> list[str]:
        used = {run.spec_id for run in self.runs.values()}
        found = [key for key, spec in self.specs.items() if key not in used and spec.created_at < before][:limit]
        for key in found:
            self.writes.next(lambda key=key: self.specs.pop(key, None))  # type: ignore[misc]
        return found

    def spec(self, spec_id: str) -> StoredSpec:
        if spec_id not in self.specs:
            raise FileNotFoundError(spec_id)
        return self.specs[spec_id]

    def create(self, created: Change, replaced: Change | None = None) -> bool:
        return bool(self.writes.next(lambda: self._create(created, replaced)))

    def _create(self, created: Change, replaced: Change | None) -> bool:
        run = created.run
        known = self.streams.get((run.account, run.workstream_id))
        active = known.active_run_id if known else None
        if active != (replaced.run.run_id if replaced else None) or run.run_id in self.runs:
            return False
        if replaced and not self._save(replaced):
            return False
        self.runs[run.run_id] = run
        self.kept[run.run_id] = list(created.records)
        self._leave(created)
        if run.ended and run.parent_run_id:
            return True
        self.streams[run.account, run.workstream_id] = Workstream(
            workstream_id=run.workstream_id,
            account=run.account,
            active_run_id=None if run.ended else run.run_id,
            last_run_id=run.run_id,
            spec_version=run.spec_version,
            title=run.title,
            parent_run_id=run.parent_run_id,
            updated_at=run.updated_at,
        )
        return True

    def save(self, change: Change) -> bool:
        return bool(self.writes.next(lambda: self._save(change)))

    def _save(self, change: Change) -> bool:
        run = change.run
        if self.runs[run.run_id].version != change.before:
            return False
        # as the bucket keeps it
        self.runs[run.run_id] = Execution.model_validate_json(run.model_dump_json(exclude_defaults=True))
        self.kept[run.run_id] += change.records
        self._leave(change)
        if run.ended:
            stream = self.streams.pop((run.account, run.workstream_id))
            if not run.parent_run_id:
                self.streams[run.account, run.workstream_id] = stream.model_copy(update={"active_run_id": None})
        return True

    def _leave(self, change: Change) -> None:
        if change.effects != NOTHING:
            self.left[change.run.run_id, change.run.version] = (change.run, change.effects)

    def carried_out(self, run_id: str, version: int) -> None:
        self.writes.next(lambda: self.left.pop((run_id, version), None))

    def left_over(self, before: datetime, limit: int, run_id: str | None = None) -> list[tuple[Execution, Effects]]:
        found = [each for key, each in sorted(self.left.items()) if run_id in (None, key[0])]
        return [each for each in found if each[0].updated_at < before][:limit]

    def get(self, run_id: str) -> Execution | None:
        return self.runs.get(run_id)

    def workstream(self, account: str, workstream_id: str) -> Workstream | None:
        return self.streams.get((account, workstream_id))

    def workstreams(self, account: str) -> list[Workstream]:
        return [stream for key, stream in sorted(self.streams.items()) if key[0] == account]

    def forget_workstream(self, account: str, workstream_id: str) -> bool:
        known = self.streams.get((account, workstream_id))
        if known and known.active_run_id:
            return False
        self.streams.pop((account, workstream_id), None)
        return True

    def newest_of(self, account: str, limit: int, before: str | None = None) -> list[tuple[str, ExecutionView]]:
        mine = [(f"{run.created_at.isoformat()}#{run.run_id}", run) for run in self.runs.values()]
        mine = sorted((each for each in mine if each[1].account == account), reverse=True, key=lambda each: each[0])
        return [(at, ExecutionView.of(run)) for at, run in mine if before is None or at < before][:limit]

    def records(self, run_id: str, kind: RecordKind, after: int, limit: int) -> list[tuple[int, Record]]:
        found = [each for each in self.kept[run_id] if isinstance(each, KINDS[kind])]
        return [(number, each) for number, each in enumerate(found, 1) if number > after][:limit]

    def newest_records(self, run_id: str, kind: RecordKind, limit: int) -> list[tuple[int, Record]]:
        return self.records(run_id, kind, 0, 1_000_000)[-limit:]

    def delete(self, run: Execution) -> None:
        del self.runs[run.run_id]
        self.specs.pop(run.spec_id, None)


@dataclass
class FakeHost:
    started: list[str] = field(default_factory=list)
    woken: list[str] = field(default_factory=list)

    def start(self, run: Execution) -> None:
        if run.run_id not in self.started:
            self.started.append(run.run_id)

    def wake(self, run_id: str) -> None:
        self.woken.append(run_id)

    def forget(self, run_id: str) -> None:
        self.started = [each for each in self.started if each != run_id]


@dataclass
class FakeUploads:
    writes: Writes = field(default_factory=Writes)
    content: dict[str, bytes] = field(default_factory=dict)
    kept: dict[tuple[str, str], bytes] = field(default_factory=dict)

    def link(self, run_id: str, upload_id: str, kind: str, size: int) -> str:
        return f"https://bucket.example/{run_id}/{upload_id}?{kind}&{size}"

    def keep(self, run_id: str, upload_id: str) -> tuple[str, int] | None:
        found = self.content.get(upload_id)
        if found is None:
            return None
        sha256 = hashlib.sha256(found).hexdigest()
        self.writes.next(lambda: self.kept.__setitem__((run_id, sha256), found))
        return sha256, len(found)

    def export(self, run_id: str, content: bytes) -> str:
        self.content["export"] = content
        return f"https://bucket.example/{run_id}/export"

    def read_link(self, run_id: str, sha256: str, name: str) -> str:
        assert (run_id, sha256) in self.kept
        return f"https://bucket.example/{run_id}/{sha256}"


@dataclass
class Clock:
    time: datetime = START

    def __call__(self) -> datetime:
        return self.time

    def pass_(self, **delta: float) -> None:
        self.time += timedelta(**delta)


class Services:
    """Workflows and approvals of all accounts in memory."""

    executor: Executor

    def __init__(self, judges: bool = False, writes: Writes | None = None) -> None:
        self.clock = Clock()
        self.store = FakeWorkflowStore(writes or Writes())
        self.host = FakeHost()
        self.uploads = FakeUploads(writes or Writes())
        self.approval_store = FakeApprovalStore(writes=writes or Writes())
        ids = (f"id{number}" for number in itertools.count(1))
        approvals = Approvals(
            self.approval_store, (lambda each, change: self.executor.on_approval(each, change),), self.clock, str
        )
        self.executor = Executor(self.store, approvals, self.host, self.clock, lambda seconds: None)
        self.workflows = Workflows(
            executor=self.executor,
            uploads=self.uploads,
            now=self.clock,
            new_id=ids.__next__,
            sleep=lambda seconds: self.clock.pass_(seconds=seconds),
            monotonic=lambda: self.clock.time.timestamp(),
            judges=lambda: judges,
        )
