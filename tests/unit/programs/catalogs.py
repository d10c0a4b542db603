"""A small catalog for tests: plans with runs, over a backend of lists in memory."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from planloom.core.endpoint import Effect
from planloom.core.entities import (
    Capability,
    CapabilityArgument,
    Entity,
    EntityField,
    EntityOperation,
    GetCall,
    ListCall,
    Paging,
    Relation,
)
from planloom.planes.programs.catalog import Catalog
from planloom.planes.programs.sources import SourceFailed, Sources

#: When programs are run.
NOW = datetime(2026, 3, 10, 12, 30, tzinfo=UTC)
STATES = ("pending", "processing", "completed", "failed", "stopped")


def fields(**types: str) -> tuple[EntityField, ...]:
    """Return fields of these types."""
    return tuple(EntityField(name=name, type=kind) for name, kind in types.items())  # type: ignore[arg-type]


PLAN = Entity(
    name="Plan",
    description="A plan",
    backend="memory",
    fields=(
        *fields(id="text", title="text", created_at="time", steps="number", archived="boolean", tags="list"),
        EntityField(name="state", values=STATES),
    ),
    list=ListCall(
        operation="plan_list",
        rows="plans",
        paging=Paging(style="cursor", parameter="before", next="next", size="limit", most=50),
        filters={"archived": "archived", "created_at >=": "since"},
    ),
    get=GetCall(operation="plan_get", key="plan_id"),
    relations=(Relation(name="runs", entity="Run", by="plan_id"),),
    capabilities=(
        Capability(name="stop", operation="plan_stop", effect=Effect.DESTROYS, key="plan_id"),
        Capability(
            name="create",
            operation="plan_create",
            effect=Effect.CHANGES,
            arguments=(
                CapabilityArgument(name="goal", required=True),
                CapabilityArgument(name="detail", values=("brief", "full")),
                CapabilityArgument(name="count", type="number"),
            ),
        ),
        Capability(
            name="start",
            operation="plan_start",
            effect=Effect.CHANGES,
            key="plan_id",
            starts="Run",
            started="run.id",
        ),
        Capability(name="export", operation="plan_export", effect=Effect.READS, key="plan_id"),
    ),
)
RUN = Entity(
    name="Run",
    backend="memory",
    fields=(
        *fields(id="text", plan_id="text", steps="number", created_at="time", note="object"),
        EntityField(name="state", values=STATES),
    ),
    list=ListCall(
        operation="run_list",
        rows="runs",
        paging=Paging(style="offset", parameter="offset", size="limit", most=10),
        filters={"plan_id": "plan", "state": "state"},
    ),
    get=GetCall(operation="run_get", key="run_id"),
    relations=(
        Relation(name="plan", entity="Plan", field="plan_id", many=False),
        Relation(name="events", entity="Event", by="run_id"),
    ),
    capabilities=(
        Capability(
            name="stop",
            operation="run_stop",
            effect=Effect.DESTROYS,
            key="run_id",
            arguments=(CapabilityArgument(name="why"),),
            repeatable=True,
        ),
        Capability(name="log", operation="run_log", effect=Effect.READS, key="run_id"),
    ),
    operation=EntityOperation(
        state="state",
        succeeded=("completed",),
        failed=("failed",),
        cancelled=("stopped",),
        progress="steps",
        stop="stop",
    ),
)
EVENT = Entity(
    name="Event",
    backend="memory",
    fields=fields(id="number", run_id="text", name="text"),
    list=ListCall(operation="events", rows=".", filters={"run_id": "run"}, needs=("run_id",)),
)
CATALOG = Catalog([PLAN, RUN, EVENT])


@dataclass
class Memory:
    """Lists in memory; every ``fails_every``-th call fails once in a passing way."""

    plans: list[dict[str, Any]] = field(default_factory=list)
    runs: list[dict[str, Any]] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    fails_every: int = 0
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    failing: dict[str, SourceFailed] = field(default_factory=dict)

    async def call(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        """Return what the operation of that name does."""
        self.asked.append((operation, dict(arguments)))
        if self.fails_every and len(self.asked) % self.fails_every == 0:
            raise SourceFailed("Too many requests.", passing=True, retry_after=0)
        if error := self.failing.pop(f"{operation} {arguments.get('run_id', '')}".strip(), None):
            raise error
        return getattr(self, f"_{operation}")(**arguments)

    def _plan_list(self, limit: int, before: str = "", archived: bool | None = None, since: str = "") -> Any:
        start = int(before or 0)
        found = [each for each in self.plans if archived is None or each["archived"] is archived]
        found = [each for each in found if each["created_at"] >= since]
        more = start + limit < len(found)
        return {"plans": found[start : start + limit], "next": str(start + limit) if more else None}

    def _plan_get(self, plan_id: str) -> Any:
        return _one(self.plans, plan_id)

    def _run_list(self, limit: int, offset: int, plan: str = "", state: str = "") -> Any:
        found = [each for each in self.runs if plan in ("", each["plan_id"]) and state in ("", each["state"])]
        return {"runs": found[offset : offset + limit]}

    def _run_get(self, run_id: str) -> Any:
        return _one(self.runs, run_id)

    def _events(self, run: str) -> Any:
        return [each for each in self.events if each["run_id"] == run]

    def _run_stop(self, run_id: str, why: str = "") -> Any:
        row = _one(self.runs, run_id)
        row["state"] = "stopped"
        return {"id": run_id, "why": why}

    def _plan_stop(self, plan_id: str) -> Any:
        _one(self.plans, plan_id)["state"] = "stopped"
        return {"stopped": True}

    def _plan_create(self, goal: str, detail: str = "brief", count: int = 1) -> Any:
        self.plans.append(plan(f"p{len(self.plans)}", title=goal))
        return {"id": self.plans[-1]["id"], "goal": goal}

    def _run_log(self, run_id: str) -> Any:
        return f"log of {run_id}"

    def _plan_start(self, plan_id: str) -> Any:
        self.runs.append(run(f"run-{len(self.runs)}", plan_id=plan_id, steps=0, state="processing"))
        return {"run": self.runs[-1]}

    def _plan_export(self, plan_id: str) -> Any:
        return {"url": plan_id}


def _one(rows: list[dict[str, Any]], key: str) -> dict[str, Any]:
    found = next((each for each in rows if each["id"] == key), None)
    if found is None:
        raise SourceFailed(f"Nothing has the id {key}.", code="not_found")
    return found


def plan(key: str, **more: Any) -> dict[str, Any]:
    """Return a plan."""
    known = {"title": key.upper(), "state": "completed", "created_at": "2026-01-01", "steps": 1, "archived": False}
    return {"id": key, **known, "tags": [], **more}


def run(key: str, **more: Any) -> dict[str, Any]:
    """Return a run."""
    return {"id": key, "plan_id": "p0", "steps": 1, "created_at": "2026-01-01", "state": "failed", "note": {}, **more}


async def no_sleep(_: float) -> None:
    """Wait for nothing."""


def sources(memory: Memory, handles: Any = None) -> Sources:
    """Return the sources of CATALOG over *memory*."""
    return Sources(CATALOG, {"memory": memory}, handles=handles, sleep=no_sleep)
