"""A program as a worker of a run executes it: each node of its plan is a step, each page or call a part of one."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack
from typing import Any

from pydantic import Field

from planloom.core.entities import Entity
from planloom.core.frozen import Frozen
from planloom.planes.programs.catalog import Catalog
from planloom.planes.programs.execute import Evaluation
from planloom.planes.programs.lines import Coalescer, OperationProgress
from planloom.planes.programs.node_values import Limits, NodeFailed, NodeProgress, NodeValue
from planloom.planes.programs.plan import ProgramPlan
from planloom.planes.programs.ports import OpenBackends, ProgramCaller, SessionStore
from planloom.planes.programs.sources import Sources
from planloom.runs.job import Job, OpenJob, ReadValue, StepCalls, StepEnd
from planloom.runs.records import Run, RunWork, StepRecord, Unit

logger = logging.getLogger(__name__)

#: The plane of runs of programs.
PLANE = "programs"


class ProgramWork(Frozen):
    """What a run of a program works from: its plan, the entities that it names as they were, and its operation.

    ``pages`` are what follows the pages that the program names, by handle.
    """

    plan: ProgramPlan
    entities: tuple[Entity, ...] = ()
    pages: dict[str, dict[str, Any]] = Field(default_factory=dict)
    session: str = ""
    number: int = 0
    base_url: str = ""


def used_entities(plan: ProgramPlan, catalog: Catalog, pages: Iterable[Mapping[str, Any]] = ()) -> tuple[Entity, ...]:
    """Return the entities that *plan* reads or calls, and those of *pages*."""
    names = [node.args.get("entity", "") for node in plan.nodes] + [each.get("entity", "") for each in pages]
    return tuple(entity for name in dict.fromkeys(names) if (entity := catalog.get(name)) is not None)


def backend_names(entities: Iterable[Entity]) -> tuple[str, ...]:
    """Return the names of the backends of *entities*, each once."""
    return tuple(dict.fromkeys(each.backend for each in entities))


def program_jobs(
    backends: OpenBackends,
    sessions: Callable[[], SessionStore],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> OpenJob:
    """Return what opens the job of a run of a program; *sessions* has the operation that its progress is kept with.

    *sleep* waits before a call is repeated.
    """

    async def open_job(run: Run, work: RunWork, records: Mapping[Unit, StepRecord], read: ReadValue) -> Job:
        document = ProgramWork.model_validate(work.document)
        values = {
            unit.step: NodeValue.model_validate(await read(record))
            for unit, record in records.items()
            if not unit.part and record.state == "completed"
        }
        job = ProgramJob(run, document, values, read, sessions())
        await job.open(backends, sleep)
        return job

    return open_job


class ProgramJob:
    """One worker's view of a run of a program. See planloom.runs.job.Job."""

    max_concurrency = Limits().nodes_at_once
    #: A mutation that may have been made is not made again unless the caller says so.
    on_unknown = "block"

    def __init__(
        self, run: Run, work: ProgramWork, values: dict[str, NodeValue], read: ReadValue, sessions: SessionStore
    ) -> None:
        self.graph = work.plan.graph
        self._run = run
        self._work = work
        self._values = values
        self._read = read
        self._reporter = _Reporter(sessions, run.account, work.session, work.number)
        self._stack = AsyncExitStack()
        self._evaluation: Evaluation

    async def open(self, backends: OpenBackends, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Connect to the backends that the program needs."""
        work = self._work
        caller = ProgramCaller(account=self._run.account, base_url=work.base_url)
        opened = await self._stack.enter_async_context(backends(caller, backend_names(work.entities)))

        async def handles(handle: str) -> dict[str, Any] | None:
            return work.pages.get(handle)

        sources = Sources(Catalog(work.entities), opened, handles=handles, sleep=sleep)
        self._evaluation = Evaluation(work.plan, sources, self._run.created_at, on_progress=self._reporter.take)

    def title(self, step: str) -> str:
        """Return what the log calls the step."""
        return self._work.plan.labels.get(step, step)

    def ended(self, record: StepRecord, value: Any) -> None:
        """Keep the value of a step for those that need it."""
        if record.state == "completed":
            self._values[record.step] = NodeValue.model_validate(value)

    async def execute(self, step: str, calls: StepCalls) -> StepEnd:
        """Execute one node."""
        try:
            value = await self._evaluation.execute(step, self._values, _Parts(calls, self._read))
        except NodeFailed as error:
            state = "unknown" if error.uncertain else "failed"
            return StepEnd(state, error=str(error), code=error.code)  # type: ignore[arg-type]
        return StepEnd("completed", value=value.model_dump(mode="json"))

    def to_undo(self) -> list[str]:
        """Return nothing: what a program changed stays."""
        return []

    async def undo(self, step: str, calls: StepCalls) -> StepEnd:
        """Never called."""
        raise NotImplementedError

    async def close(self) -> None:
        """Write the last progress and end connections."""
        await self._reporter.close()
        await self._stack.aclose()


class _Parts:
    """Keeps pages and calls of a step as its parts. See planloom.planes.programs.node_values.NodeCalls."""

    def __init__(self, calls: StepCalls, read: ReadValue) -> None:
        self._calls = calls
        self._read = read

    async def kept(self, part: str) -> Any | None:
        """Return what *part* came to before."""
        record = self._calls.kept(part)
        return await self._read(record) if record is not None and record.state == "completed" else None

    async def keep(self, part: str, value: Any) -> None:
        """Keep what *part* came to."""
        await self._calls.keep(part, StepEnd("completed", value=value, calls=1))

    async def intend(self, part: str) -> None:
        """Keep that a call that must not be made twice is about to be made."""
        await self._calls.intend(part)


class _Reporter:
    """Writes progress one at a time, always the newest, so that a slow table never slows the program."""

    def __init__(self, sessions: SessionStore, account: str, session: str, number: int) -> None:
        self._store = sessions
        self._operation = (account, session, number)
        known = sessions.operation(account, session, number) if session else None
        self._coalescer = Coalescer(time.monotonic, known.progress if known else OperationProgress())
        self._next: OperationProgress | None = None
        self._task: asyncio.Task[None] | None = None

    def take(self, seen: NodeProgress) -> None:
        """Take note of progress."""
        self._next = self._coalescer.offer(seen) or self._next
        if self._next and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._write())

    async def _write(self) -> None:
        while (progress := self._next) is not None:
            self._next = None
            try:
                await asyncio.to_thread(self._store.report, *self._operation, progress)
            except Exception:
                # lines are for people who wait; the program does not fail because one is lost
                logger.exception("progress not written")
                return

    async def close(self) -> None:
        """Write how far the program came, and wait for that."""
        if self._task is not None:
            await self._task
        self._next = self._coalescer.rest()
        await self._write()
