"""Operations that are rows of entities: drafts of plans, workflows, and jobs of declared APIs."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from planloom.core.entities import Entity, EntityOperation
from planloom.planes.programs.catalog import Catalog
from planloom.planes.programs.ports import OpenBackends, ProgramCaller
from planloom.planes.programs.sources import Row, SourceFailed, Sources
from planloom.runs.records import Progress, Run, RunFailure, RunState


@dataclass(frozen=True)
class EntityOperations:
    """The rows of entities that are operations, each as a run; every method names the account."""

    catalog: Callable[[str], Catalog]
    backends: OpenBackends

    def get(self, account: str, entity: str, key: str) -> Run | None:
        """Return the row with the id *key* as a run; None where there is none, or no such entity."""
        found = self.catalog(account).get(entity)
        return self._row(account, found, key) if found and found.operation else None

    def find(self, account: str, key: str) -> tuple[str, Run] | None:
        """Return the first row of any entity that has the id *key*, with the entity's name."""
        for entity in self.catalog(account):
            if entity.operation and (run := self._row(account, entity, key)):
                return entity.name, run
        return None

    def stop(self, account: str, entity: str, key: str) -> None:
        """Ask an operation to end. Raises SourceFailed."""
        found = self.catalog(account).get(entity)
        capability = found.capability(found.operation.stop) if found and found.operation else None
        if found is None or capability is None:
            raise SourceFailed(f"{entity} cannot be stopped.", code="not_stoppable")
        arguments = {capability.key: key}
        asyncio.run(self._with_sources(account, found, lambda each: each.call(entity, capability.name, arguments)))

    def _row(self, account: str, entity: Entity, key: str) -> Run | None:
        try:
            row = asyncio.run(self._with_sources(account, entity, lambda each: each.get(entity.name, key)))
        except SourceFailed as error:
            if error.passing:
                raise
            return None
        return as_run(account, entity, key, row)

    async def _with_sources(self, account: str, entity: Entity, work: Callable[[Sources], Any]) -> Any:
        async with self.backends(ProgramCaller(account=account), (entity.backend,)) as backends:
            return await work(Sources(Catalog([entity]), backends))


def as_run(account: str, entity: Entity, key: str, row: Row) -> Run:
    """Return a row of *entity* as a run with its state and progress."""
    operation = entity.operation
    assert operation
    state = _state(operation, row)
    done, steps = _progress(operation, row)
    failure = None
    if state is RunState.FAILED:
        message = row.get(operation.message) or f"{entity.name} {key} is {row.get(operation.state)}."
        failure = RunFailure(code="operation_failed", message=str(message))
    return Run(
        run_id=key,
        plane=entity.name,
        account=account,
        subject=key,
        title=str(row.get("title") or entity.name)[:120],
        work="",
        state=state,
        created_at=_time(row.get("created_at")),
        steps=steps,
        progress=Progress(completed=done),
        failure=failure,
    )


def _state(operation: EntityOperation, row: Row) -> RunState:
    value = row.get(operation.state)
    for state, values in (
        (RunState.COMPLETED, operation.succeeded),
        (RunState.STOPPED, operation.cancelled),
        (RunState.FAILED, operation.failed),
    ):
        if value in values:
            return state
    return RunState.RUNNING


def _progress(operation: EntityOperation, row: Row) -> tuple[int, int]:
    """Return how many of how many steps are done."""
    if operation.done:
        return int(row.get(operation.done) or 0), int(row.get(operation.of) or 0)
    value = row.get(operation.progress)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return int(value), 100
    if isinstance(value, Mapping):
        counts = {name: count for name, count in value.items() if isinstance(count, int)}
        return sum(counts.get(name, 0) for name in ("completed", "skipped")), sum(counts.values())
    return 0, 0


def _time(value: Any) -> datetime:
    try:
        return datetime.fromisoformat(str(value))
    except ValueError:
        return datetime(1970, 1, 1, tzinfo=UTC)
