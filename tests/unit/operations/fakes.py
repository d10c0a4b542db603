"""Sessions and operations in memory, over lists that fail or pause where a test wants them to."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Any
from uuid import uuid4

from planloom.planes.programs.catalog import Catalog
from planloom.planes.programs.entity_operations import EntityOperations
from planloom.planes.programs.job import program_jobs
from planloom.planes.programs.lines import OperationProgress
from planloom.planes.programs.operations import Operations
from planloom.planes.programs.ports import Commit, Counter, Operation, ProgramCaller, Session, SessionStore
from planloom.planes.programs.service import Outcome, Programs, RunRequest
from planloom.planes.programs.sessions import Sessions
from planloom.planes.programs.sources import Backend
from planloom.planes.programs.verdict import Policy
from planloom.runs.control import Runs
from planloom.runs.records import Run, RunState
from planloom.runs.work import Worker
from tests.unit.programs.catalogs import CATALOG, Memory, plan, run
from tests.unit.runs.fakes import FakeEngine, FakeRunEvents, FakeRunFiles, FakeRunStore, Writes
from tests.unit.runs.jobs import QUICK, Clock

KEPT = timedelta(days=30)


@dataclass
class FakeSessionStore:
    """Implements planloom.planes.programs.ports.SessionStore in memory."""

    sessions: dict[tuple[str, str], Session] = field(default_factory=dict)
    counters: dict[tuple[str, str, str], int] = field(default_factory=dict)
    commits: dict[tuple[str, str, str], Commit] = field(default_factory=dict)
    pages: dict[tuple[str, str, str], str] = field(default_factory=dict)
    running: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    known: dict[tuple[str, str, int], Operation] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def create(self, session: Session) -> None:
        self.sessions.setdefault((session.account, session.name), session)

    def get(self, account: str, name: str, now: datetime) -> Session | None:
        found = self.sessions.get((account, name))
        return found if found and (name == "s0" or found.used_at + KEPT > now) else None

    def use(self, account: str, name: str, now: datetime, prompt_hash: str = "") -> None:
        found = self.sessions[account, name]
        changed = {"used_at": now, "prompt_hash": prompt_hash or found.prompt_hash}
        self.sessions[account, name] = found.model_copy(update=changed)

    def next(self, account: str, session: str, counter: Counter) -> int:
        with self.lock:
            key = (account, session, counter)
            self.counters[key] = self.counters.get(key, 0) + 1
            return self.counters[key]

    def last(self, account: str, session: str, counter: Counter) -> int:
        return self.counters.get((account, session, counter), 0)

    def put_commit(self, account: str, session: str, commit: Commit) -> None:
        self.commits[account, session, commit.ref] = commit

    def commit(self, account: str, session: str, ref: str) -> Commit | None:
        return self.commits.get((account, session, ref))

    def put_page(self, account: str, session: str, handle: str, key: str, now: datetime) -> None:
        self.pages[account, session, handle] = key

    def page(self, account: str, session: str, handle: str) -> str | None:
        return self.pages.get((account, session, handle))

    def add_live(self, account: str, session: str, number: int, most: int) -> bool:
        with self.lock:
            live = self.running.setdefault((account, session), set())
            if len(live) >= most:
                return False
            live.add(number)
            return True

    def end_live(self, account: str, session: str, numbers: Iterable[int]) -> None:
        self.running.setdefault((account, session), set()).difference_update(set(numbers))

    def live(self, account: str, session: str) -> frozenset[int]:
        return frozenset(self.running.get((account, session), set()))

    def put_operation(self, account: str, operation: Operation) -> None:
        self.known[account, operation.session, operation.number] = operation

    def operation(self, account: str, session: str, number: int) -> Operation | None:
        return self.known.get((account, session, number))

    def operations(self, account: str, session: str) -> list[Operation]:
        mine = [each for key, each in self.known.items() if key[:2] == (account, session)]
        return sorted(mine, key=lambda each: each.number)

    def delete_operation(self, account: str, session: str, number: int) -> None:
        self.known.pop((account, session, number), None)

    def next_line(self, account: str, session: str, number: int) -> Operation | None:
        with self.lock:
            found = self.known.get((account, session, number))
            if found is None:
                return None
            counted = found.model_copy(update={"n": found.n + 1})
            self.known[account, session, number] = counted.model_copy(update={"polled": found.changes})
            return counted

    def report(self, account: str, session: str, number: int, progress: OperationProgress) -> None:
        with self.lock:
            found = self.known.get((account, session, number))
            if found:
                changed = {"progress": progress, "n": found.n + 1, "changes": found.changes + 1}
                self.known[account, session, number] = found.model_copy(update=changed)

    def keep_result(self, account: str, session: str, number: int, key: str) -> str:
        found = self.known[account, session, number]
        self.known[account, session, number] = found.model_copy(update={"result": found.result or key})
        return found.result or key


class Lists(Memory):
    """The lists of tests, whose calls may pause: ``pauses`` holds seconds by operation."""

    def __init__(self, plans: int = 60, runs: int = 45) -> None:
        super().__init__(
            plans=[plan(f"p{number:03}") for number in range(plans)],
            runs=[run(f"r{number:03}", plan_id="p000") for number in range(runs)],
        )
        self.pauses: dict[str, float] = {}
        self.events: dict[int, asyncio.Event] = {}

    def after(self, calls: int) -> asyncio.Event:
        """Return what is set when so many calls were answered, and a further one begins."""
        return self.events.setdefault(calls, asyncio.Event())

    async def call(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        """Return what the operation of that name does, after its pause."""
        if event := self.events.pop(len(self.asked), None):
            event.set()
        await asyncio.sleep(self.pauses.get(operation, 0))
        return await super().call(operation, arguments)


class Bench:
    """All that a caller of programs reaches, in memory, with workers that are started by hand."""

    def __init__(self, lists: Lists | None = None, *, catalog: Catalog = CATALOG, **ports: Any) -> None:
        self.lists = lists or Lists()
        self.clock = Clock()
        self.writes = Writes()
        self.engine = FakeEngine()
        self.store: SessionStore = ports.get("sessions") or FakeSessionStore()
        self.policy = Policy()
        self.base_urls: list[str] = []
        self.ticks = iter(range(1_000_000))
        self.runs = Runs(
            store=ports.get("store") or FakeRunStore(self.writes),
            files=ports.get("files") or FakeRunFiles(self.writes),
            events=ports.get("events") or FakeRunEvents(self.writes),
            engine=self.engine,
            now=self.clock,
            new_id=lambda: str(uuid4()),
            sleep=lambda seconds: None,
            monotonic=self.ticks.__next__,
        )
        self.programs = self._programs(catalog)

    def _programs(self, catalog: Catalog) -> Programs:
        sessions = Sessions(self.store, lambda _: catalog, self.clock, lambda: str(uuid4()))
        self.rows = EntityOperations(sessions.catalog, self.backends)
        return Programs(sessions, Operations(self.store, self.runs, self.rows), self.backends, lambda _: self.policy)

    @asynccontextmanager
    async def backends(self, caller: ProgramCaller, names: Iterable[str]) -> AsyncIterator[Mapping[str, Backend]]:
        """Return the lists under every name."""
        yield dict.fromkeys(names, self.lists)

    def replica(self) -> "Bench":
        """Return another process over the same stores."""
        other = object.__new__(Bench)
        other.__dict__.update(self.__dict__)
        other.programs = replace(self.programs, operations=Operations(self.store, replace(self.runs), self.rows))
        return other

    def session(self, account: str = "ann", name: str = "") -> Session:
        return self.programs.sessions.get(account, name)

    def dry(self, text: str, account: str = "ann") -> str:
        """Dry-run a program and return its reference."""
        return self.programs.dry_run(self.session(account), text).ref

    def run(self, text: str, account: str = "ann", name: str = "", **asked: Any) -> Outcome:
        """Run a program in a session."""
        caller = ProgramCaller(account=account)
        return self.programs.run(caller, self.session(account, name), RunRequest(text, **asked))

    def worker(self) -> Worker:
        return Worker(
            store=self.runs.store,
            files=self.runs.files,
            events=self.runs.events,
            now=self.clock,
            open_job=program_jobs(self.backends, lambda: self.store),
            pace=QUICK,
        )

    def run_of(self, handle: str, account: str = "ann", name: str = "") -> Run:
        return self.programs.operations.get(self.session(account, name), handle)[1]

    def work(self, handle: str, account: str = "ann", name: str = "") -> Run:
        """Let workers work at an operation until it has ended."""
        for _ in range(20):
            run = self.run_of(handle, account, name)
            if run.state is not RunState.RUNNING:
                return run
            asyncio.run(self.worker().work(run.run_id, run.number, run.part))
        raise AssertionError("not ended after 20 workers")

    def work_at_once(self) -> None:
        """Let every run be worked at when it is started, as by a worker that is always there."""
        start = self.engine.start

        def started(run_id: str, number: int, part: int) -> None:
            start(run_id, number, part)
            asyncio.run(self.worker().work(run_id, number, part))

        self.engine.start = started  # type: ignore[method-assign]

    def revive(self) -> None:
        """Start again after a kill, later than any lease lasts."""
        self.writes.revive()
        self.clock.ahead += timedelta(seconds=60)
