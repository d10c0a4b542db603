"""The ports in memory, with the same promises as the adapters: contract tests run on both."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from planloom.accounts.credits import LedgerEntry, Reservation
from planloom.accounts.keys import ApiKey
from planloom.accounts.shares import Share
from planloom.core.artifacts import Artifact, FileVersion, sha256_of
from planloom.planes.implementation.records import Comment, ImplementationPlan, Revision, RevisionDocument
from planloom.planes.strategic.event_log import Entry, Shown, entries, shown, state_changed
from planloom.planes.strategic.events import ArtifactEdited, PlanEvent, StageFinished
from planloom.planes.strategic.plans import TERMINAL, Failure, ListedPlan, Plan, PlanState, lost_writes
from planloom.planes.strategic.steps import StepRecord
from planloom.planes.strategic.view_changes import applied, may_restart, moved, restarted, rewritten


@dataclass
class FakePlanStore:
    plans: dict[str, Plan] = field(default_factory=dict)
    files: dict[str, dict[str, Artifact]] = field(default_factory=dict)
    log: dict[str, list[PlanEvent]] = field(default_factory=dict)
    tombstones: dict[str, tuple[str, datetime]] = field(default_factory=dict)
    erasing: dict[str, datetime] = field(default_factory=dict)
    entries: dict[str, list[Entry]] = field(default_factory=dict)
    records: dict[str, dict[str, StepRecord]] = field(default_factory=dict)

    def add(self, plan: Plan, reason: str | None = None) -> bool:
        if plan.plan_id in self.plans or plan.plan_id in self.tombstones:
            return False
        self.plans[plan.plan_id] = plan
        self.erasing.pop(plan.plan_id, None)
        self._tell(plan.plan_id, plan.created_at, [state_changed(None, plan.state, plan.run, plan.failure, reason)])
        return True

    def get(self, plan_id: str) -> Plan | None:
        return self.plans.get(plan_id)

    def newest_of(self, account: str, limit: int, before: Plan | None, *, archived: bool = False) -> list[ListedPlan]:
        def age(plan: Plan) -> tuple[datetime, str]:
            return plan.created_at, plan.plan_id

        mine = [
            plan
            for plan in self.plans.values()
            if account in (plan.account, plan.user_account)
            and (plan.archived_at is not None) == archived
            and (before is None or account not in (before.account, before.user_account) or age(plan) < age(before))
        ]
        newest = sorted(mine, key=age, reverse=True)[:limit]
        return [ListedPlan(**{name: getattr(plan, name) for name in ListedPlan.model_fields}) for plan in newest]

    def active(self) -> list[str]:
        return [plan_id for plan_id, plan in self.plans.items() if plan.state not in TERMINAL]

    def move(
        self,
        plan_id: str,
        run: int,
        to: PlanState,
        now: datetime,
        failure: Failure | None = None,
        reason: str | None = None,
    ) -> bool:
        plan = self.plans.get(plan_id)
        changes = moved(plan, run, to, now, failure) if plan else None
        if plan is None or changes is None:
            return False
        self.plans[plan_id] = plan.model_copy(update=changes)
        self._tell(plan_id, now, [state_changed(plan.state, to, run, failure, reason)])
        return True

    def record_failure(self, plan_id: str, run: int, failure: Failure) -> bool:
        plan = self.plans.get(plan_id)
        if plan is None or plan.run != run or plan.failure or plan.state in TERMINAL:
            return False
        self.plans[plan_id] = plan.model_copy(update={"failure": failure})
        return True

    def apply(self, event: PlanEvent) -> bool:
        log = self.log.setdefault(event.plan_id, [])
        plan = self.plans.get(event.plan_id)
        if plan is None or any(told.event_id == event.event_id for told in log):
            return False
        log.append(event)
        finished = None
        if event.run == plan.run:
            self.plans[event.plan_id] = plan = plan.model_copy(update=applied(plan, event))
            finished = plan.steps_finished
            self._keep_rows(event)
        self._tell(event.plan_id, event.at, shown(event, finished))
        return True

    def events_after(self, plan_id: str, cursor: int, limit: int) -> list[Entry]:
        return [entry for entry in self.entries.get(plan_id, []) if entry.cursor > cursor][:limit]

    def last_events(self, plan_id: str, limit: int) -> list[Entry]:
        return self.entries.get(plan_id, [])[-limit:]

    def steps(self, plan_id: str) -> list[StepRecord]:
        return [record for _, record in sorted(self.records.get(plan_id, {}).items())]

    def restart(self, plan: Plan) -> bool:
        found = self.plans.get(plan.plan_id)
        if found is None or not may_restart(found, plan):
            return False
        self.plans[plan.plan_id] = found.model_copy(update=restarted(found, plan))
        told = state_changed(found.state, plan.state, plan.run, reason=plan.run_reason)
        self._tell(plan.plan_id, plan.queued_at, [told])
        if plan.first_run == plan.run:
            self._drop_files(plan.plan_id, lambda path: False)
        return True

    def restore(self, plan: Plan) -> bool:
        found = self.plans.get(plan.plan_id)
        if found is not None and not lost_writes(found, plan):
            return False
        self.plans[plan.plan_id] = plan
        return True

    def rewrite(self, plan: Plan, records: Iterable[StepRecord], done: Collection[str] | None = None) -> None:
        current = self.plans.get(plan.plan_id)
        if current is None or current.run != plan.run:
            return
        kept = list(records)
        self.plans[plan.plan_id] = current.model_copy(update=rewritten(current, kept, done))
        for record in kept:
            self._keep_files(plan.plan_id, record)
        named = {file.path for record in kept for file in record.artifacts}
        self._drop_files(plan.plan_id, lambda path: path in named)

    def file(self, plan_id: str, path: str) -> Artifact | None:
        return self.files.get(plan_id, {}).get(path)

    def all_files(self, plan_id: str) -> list[Artifact]:
        return [file for _, file in sorted(self.files.get(plan_id, {}).items())]

    def _keep_rows(self, event: PlanEvent) -> None:
        if isinstance(event, StageFinished):
            self._keep_files(event.plan_id, event.record)
        if isinstance(event, ArtifactEdited):
            self.files.setdefault(event.plan_id, {}).update({file.path: file for file in event.files})

    def _drop_files(self, plan_id: str, kept: Callable[[str], bool]) -> None:
        found = self.files.get(plan_id, {})
        self.files[plan_id] = {path: file for path, file in found.items() if kept(path) or not path[:3].isdigit()}
        told = self.records.get(plan_id, {})
        made = {path[:3] for path in self.files[plan_id]}
        self.records[plan_id] = {key: record for key, record in told.items() if key in made}

    def _keep_files(self, plan_id: str, record: StepRecord) -> None:
        self.files.setdefault(plan_id, {}).update({file.path: file for file in record.artifacts})
        bare = record.model_copy(update={"artifacts": (), "claims": ()})
        self.records.setdefault(plan_id, {})[record.key] = bare

    def _tell(self, plan_id: str, at: datetime, told: list[Shown]) -> None:
        log = self.entries.setdefault(plan_id, [])
        log += entries(at, (log[-1].cursor if log else 0) + len(told), told)


@dataclass
class FakePlanArchive:
    """Shares what it knows with the plan store, as table items do."""

    store: FakePlanStore

    def expect(self, plan_id: str, at: datetime) -> None:
        if plan_id not in self.store.plans and plan_id not in self.store.tombstones:
            self.store.erasing[plan_id] = at

    def archive(self, plan_id: str, run: int, at: datetime | None) -> bool:
        plan = self._ended(plan_id, run)
        if plan:
            self.store.plans[plan_id] = plan.model_copy(update={"archived_at": at})
        return plan is not None

    def delete(self, plan_id: str, run: int, at: datetime) -> bool:
        plan = self._ended(plan_id, run)
        if plan:
            del self.store.plans[plan_id]
            self.store.tombstones[plan_id] = plan.account, at
            self.store.erasing[plan_id] = at
        return plan is not None

    def owner_of_deleted(self, plan_id: str) -> str | None:
        return self.store.tombstones[plan_id][0] if plan_id in self.store.tombstones else None

    def deleted(self, before: datetime) -> list[str]:
        return [plan_id for plan_id, at in self.store.erasing.items() if at < before]

    def erase(self, plan_id: str, *, for_good: bool) -> None:
        if plan_id in self.store.plans:
            return
        for kept in (self.store.files, self.store.log, self.store.entries, self.store.records):
            kept.pop(plan_id, None)
        if for_good:
            self.store.erasing.pop(plan_id, None)

    def _ended(self, plan_id: str, run: int) -> Plan | None:
        plan = self.store.plans.get(plan_id)
        return plan if plan and plan.run == run and plan.state in TERMINAL else None


@dataclass
class FakeGoalReader:
    """Notes which readings were started; ``error`` is raised instead, where it is set."""

    started: list[str] = field(default_factory=list)
    error: Exception | None = None

    def start(self, facts_id: str) -> None:
        if self.error:
            raise self.error
        self.started.append(facts_id)


@dataclass
class FakeFileStore:
    contents: dict[tuple[str, str], bytes] = field(default_factory=dict)
    writes: list[str] = field(default_factory=list)
    types: dict[tuple[str, str], str] = field(default_factory=dict)
    kept: dict[tuple[str, str], list[bytes]] = field(default_factory=dict)
    at: datetime = datetime(2026, 11, 2, 9, tzinfo=UTC)

    def write(self, plan_id: str, path: str, content: bytes, content_type: str) -> None:
        self.contents[plan_id, path] = content
        self.types[plan_id, path] = content_type
        self.kept.setdefault((plan_id, path), []).append(content)
        self.writes.append(path)

    def read_tagged(self, plan_id: str, path: str) -> tuple[bytes, str] | None:
        content = self.contents.get((plan_id, path))
        return None if content is None else (content, sha256_of(content))

    def replace(self, plan_id: str, path: str, content: bytes, content_type: str, tag: str | None) -> bool:
        if self.sha256(plan_id, path) != tag:
            return False
        self.write(plan_id, path, content, content_type)
        return True

    def copy(self, plan_id: str, path: str, to_plan_id: str) -> bool:
        content = self.contents.get((plan_id, path))
        if content is None:
            return False
        self.write(to_plan_id, path, content, self.types[plan_id, path])
        return True

    def delete(self, plan_id: str, paths: Iterable[str]) -> None:
        for path in paths:
            self.contents.pop((plan_id, path), None)

    def plans(self) -> list[str]:
        return list({owner for owner, _ in self.contents})

    def versions(self, plan_id: str, path: str, limit: int) -> list[FileVersion]:
        kept = self.kept.get((plan_id, path), [])
        there = (plan_id, path) in self.contents
        found = [
            FileVersion(
                version=f"v{number}",
                size=len(content),
                sha256=sha256_of(content),
                updated_at=datetime(2026, 11, 2, tzinfo=UTC),
                current=there and number == len(kept),
            )
            for number, content in enumerate(kept, 1)
        ]
        return found[::-1][:limit]

    def read_version(self, plan_id: str, path: str, version: str) -> bytes | None:
        kept = {f"v{number}": content for number, content in enumerate(self.kept.get((plan_id, path), []), 1)}
        return kept.get(version)

    def read(self, plan_id: str, path: str) -> bytes | None:
        return self.contents.get((plan_id, path))

    def read_part(self, plan_id: str, path: str, start: int, length: int) -> bytes | None:
        content = self.read(plan_id, path)
        return None if content is None else content[start : start + length]

    def describe(self, plan_id: str, path: str) -> Artifact | None:
        content = self.read(plan_id, path)
        if content is None:
            return None
        kind = self.types.get((plan_id, path), "application/octet-stream")
        return Artifact(path=path, size=len(content), sha256=sha256_of(content), content_type=kind, updated_at=self.at)

    def remove_all(self, plan_id: str) -> None:
        for owner, path in list(self.contents):
            if owner == plan_id:
                del self.contents[owner, path]
        for owner, path in list(self.kept):
            if owner == plan_id:
                del self.kept[owner, path]

    def paths(self, plan_id: str, prefix: str = "") -> list[str]:
        return sorted(path for owner, path in self.contents if owner == plan_id and path.startswith(prefix))

    def sha256(self, plan_id: str, path: str) -> str | None:
        content = self.read(plan_id, path)
        return None if content is None else sha256_of(content)

    def link(self, plan_id: str, path: str, filename: str, seconds: int) -> str:
        return f"https://files.test/{plan_id}/{path}?as={filename}&for={seconds}"


@dataclass
class FakePipeline:
    runs: dict[tuple[str, int], str] = field(default_factory=dict)
    started: list[tuple[str, int, str]] = field(default_factory=list)
    broken: bool = False

    def start(self, plan_id: str, run: int, target: str) -> None:
        if self.broken:
            raise ConnectionError("the state machine cannot be reached")
        if (plan_id, run) not in self.runs:
            self.runs[plan_id, run] = "RUNNING"
            self.started.append((plan_id, run, target))

    def stop(self, plan_id: str, run: int) -> None:
        if self.runs.get((plan_id, run)) == "RUNNING":
            self.runs[plan_id, run] = "ABORTED"

    def status(self, plan_id: str, run: int) -> str | None:
        return self.runs.get((plan_id, run))


@dataclass
class FakeBus:
    published: list[PlanEvent] = field(default_factory=list)

    def put(self, event: PlanEvent) -> None:
        self.published.append(event)


@dataclass
class FakeKeyStore:
    keys: dict[str, ApiKey] = field(default_factory=dict)

    def add(self, key: ApiKey) -> bool:
        if key.digest in self.keys:
            return False
        self.keys[key.digest] = key
        return True

    def get(self, digest: str) -> ApiKey | None:
        return self.keys.get(digest)

    def of_account(self, account: str) -> list[ApiKey]:
        mine = [key for key in self.keys.values() if key.account == account]
        return sorted(mine, key=lambda key: (key.created_at, key.digest))

    def revoke(self, digest: str, at: datetime) -> bool:
        key = self.keys.get(digest)
        if key and key.revoked_at is None:
            self.keys[digest] = key.model_copy(update={"revoked_at": at})
        return key is not None

    def use(self, digest: str, day: date) -> None:
        key = self.keys.get(digest)
        if key and (key.last_used_on is None or key.last_used_on < day):
            self.keys[digest] = key.model_copy(update={"last_used_on": day})


@dataclass
class FakePlanRegistry:
    views: dict[str, ImplementationPlan] = field(default_factory=dict)
    documents: dict[tuple[str, int], RevisionDocument] = field(default_factory=dict)
    remarks: dict[str, list[Comment]] = field(default_factory=dict)

    def save(self, view: ImplementationPlan, document: RevisionDocument) -> bool:
        current = self.views.get(view.plan_id)
        if view.revision != (current.revision if current else 0) + 1:
            return False
        self.views[view.plan_id] = view
        self.documents[view.plan_id, view.revision] = document
        return True

    def get(self, plan_id: str) -> ImplementationPlan | None:
        return self.views.get(plan_id)

    def document(self, plan_id: str, number: int) -> RevisionDocument | None:
        return self.documents.get((plan_id, number))

    def revisions(self, plan_id: str) -> list[Revision]:
        return [each.revision for (owner, _), each in sorted(self.documents.items()) if owner == plan_id][::-1]

    def newest_of(self, account: str, limit: int, before: str | None) -> list[tuple[str, ImplementationPlan]]:
        mine = [(self._place(view), view) for view in self.views.values() if view.account == account]
        return sorted((each for each in mine if not before or each[0] < before), key=lambda each: each[0])[::-1][:limit]

    def made_from(self, plan_id: str) -> list[str]:
        return sorted(view.plan_id for view in self.views.values() if view.made_from == plan_id)

    def add_comment(self, plan_id: str, comment: Comment) -> None:
        self.remarks.setdefault(plan_id, []).append(comment)

    def comments(self, plan_id: str) -> list[Comment]:
        return list(self.remarks.get(plan_id, []))

    def _place(self, view: ImplementationPlan) -> str:
        return f"{view.updated_at.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}#{view.plan_id}"


@dataclass
class FakePollSlots:
    taken: dict[int, datetime] = field(default_factory=dict)

    def take(self, slots: int, now: datetime, until: datetime) -> int | None:
        free = [slot for slot in range(slots) if slot not in self.taken or self.taken[slot] < now]
        if not free:
            return None
        self.taken[free[0]] = until
        return free[0]

    def release(self, slot: int, until: datetime) -> None:
        if self.taken.get(slot) == until:
            del self.taken[slot]


@dataclass
class FakeRunQueue:
    runs: set[str] = field(default_factory=set)
    waiting: dict[str, datetime] = field(default_factory=dict)

    def take_slot(self, run: str, most: int, since: datetime) -> bool:
        free = run in self.runs or len(self.runs) < most
        if free:
            self.waiting.pop(run, None)
            self.runs.add(run)
        else:
            self.waiting[run] = since
        return free

    def release(self, run: str) -> None:
        self.runs.discard(run)
        self.waiting.pop(run, None)

    def read(self) -> tuple[frozenset[str], tuple[str, ...]]:
        return frozenset(self.runs), tuple(sorted(self.waiting, key=lambda run: (self.waiting[run], run)))


@dataclass
class FakeShareStore:
    shares: dict[str, Share] = field(default_factory=dict)

    def add(self, share: Share) -> None:
        self.shares[share.digest] = share

    def get(self, digest: str) -> Share | None:
        return self.shares.get(digest)

    def revoke_all(self, plan_id: str) -> int:
        of_plan = [digest for digest, share in self.shares.items() if share.plan_id == plan_id]
        for digest in of_plan:
            del self.shares[digest]
        return len(of_plan)


@dataclass
class FakeCreditStore:
    ledger: dict[str, LedgerEntry] = field(default_factory=dict)
    held: dict[str, Reservation] = field(default_factory=dict)

    def balance(self, account: str) -> int:
        return sum(entry.amount for entry in self.ledger.values() if entry.account == account)

    def entries(self, account: str) -> list[LedgerEntry]:
        mine = [entry for entry in self.ledger.values() if entry.account == account]
        return sorted(mine, key=lambda entry: (entry.at, entry.entry_id))

    def add(self, entry: LedgerEntry) -> bool:
        return self.ledger.setdefault(entry.entry_id, entry) is entry

    def reserve(self, reservation: Reservation) -> bool:
        name, held = reservation.name, self.held.get(reservation.name)
        more = max(0, reservation.amount - (held.amount if held else 0))
        if f"{name}#settled" in self.ledger:
            return True
        if self.balance(reservation.account) < more:
            return False
        amount = held.amount + more if held else reservation.amount
        self.held[name] = reservation.model_copy(update={"amount": amount})
        if more:
            entry_id = f"{name}#reserved#{reservation.at.isoformat()}#{amount}"
            self._log(entry_id, reservation.account, "reserved", -more, reservation.at)
        return True

    def settle(self, plan_id: str, run: int, paid: int, at: datetime) -> bool:
        held = self.held.pop(f"{plan_id}-{run}", None)
        if held:
            rest = held.amount - max(0, min(paid, held.amount))
            self._log(f"{held.name}#settled", held.account, "settled", rest, at)
        return held is not None

    def release(self, held: Reservation, at: datetime) -> bool:
        if self.held.get(held.name) != held:
            return False
        del self.held[held.name]
        self._log(f"{held.name}#released#{held.at.isoformat()}", held.account, "released", held.amount, at)
        return True

    def reserved(self) -> list[Reservation]:
        return [self.held[name] for name in sorted(self.held)]

    def _log(self, entry_id: str, account: str, kind: str, amount: int, at: datetime) -> None:
        entry = LedgerEntry(entry_id=entry_id, account=account, kind=kind, amount=amount, at=at)  # type: ignore[arg-type]
        self.ledger[entry_id] = entry
