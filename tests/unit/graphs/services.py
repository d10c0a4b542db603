"""Graphs and tool servers in memory, with tools that are called in this process."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any

from planloom.approvals.service import Approvals
from planloom.planes.graphs.approve import ask, wakes
from planloom.planes.graphs.draft import Planner
from planloom.planes.graphs.draft_job import Drafts
from planloom.planes.graphs.job import graph_jobs
from planloom.planes.graphs.ports import GraphRevision, GraphView
from planloom.planes.graphs.schedules import Schedule, Schedules
from planloom.planes.graphs.service import Graphs
from planloom.runs.budgets import Budgets
from planloom.runs.control import Runs
from planloom.runs.records import Run, RunState
from planloom.runs.work import Worker
from planloom.tools.address_guard import AddressRefused
from planloom.tools.ports import ToolServer
from planloom.tools.servers import AccountServers
from planloom.tools.tool import Tool
from tests.unit.approvals.fakes import FakeApprovalStore
from tests.unit.graphs.tools import Tools
from tests.unit.runs.fakes import FakeBudgetStore, FakeEngine, FakeRunEvents, FakeRunFiles, FakeRunStore, Writes
from tests.unit.runs.jobs import QUICK, Clock


@dataclass
class FakeGraphStore:
    views: dict[str, GraphView] = field(default_factory=dict)
    revisions: dict[tuple[str, int], GraphRevision] = field(default_factory=dict)

    def reserve(self, view: GraphView) -> None:
        assert view.graph_id not in self.views
        self.views[view.graph_id] = view

    def save(self, view: GraphView, document: GraphRevision) -> bool:
        known = self.views.get(view.graph_id)
        if view.revision != (known.revision + 1 if known else 1):
            return False
        self.views[view.graph_id] = view
        self.revisions[view.graph_id, view.revision] = document
        return True

    def get(self, graph_id: str) -> GraphView | None:
        return self.views.get(graph_id)

    def revision(self, graph_id: str, number: int) -> GraphRevision | None:
        return self.revisions.get((graph_id, number))

    def newest_of(self, account: str, limit: int, before: str | None = None) -> list[tuple[str, GraphView]]:
        mine = [(f"{each.updated_at.isoformat()}#{each.graph_id}", each) for each in self.views.values()]
        mine = sorted((each for each in mine if each[1].account == account), reverse=True, key=lambda each: each[0])
        return [each for each in mine if before is None or each[0] < before][:limit]

    def delete(self, graph_id: str) -> None:
        self.views.pop(graph_id, None)


@dataclass
class FakeServerStore:
    servers: dict[tuple[str, str], ToolServer] = field(default_factory=dict)
    catalogs: dict[tuple[str, str], list[Tool]] = field(default_factory=dict)

    def put(self, server: ToolServer) -> None:
        self.servers[server.account, server.name] = server

    def get(self, account: str, name: str) -> ToolServer | None:
        return self.servers.get((account, name))

    def of_account(self, account: str) -> list[ToolServer]:
        return [server for key, server in sorted(self.servers.items()) if key[0] == account]

    def delete(self, account: str, name: str) -> None:
        self.servers.pop((account, name), None)

    def put_catalog(self, account: str, tools: Sequence[Tool]) -> str:
        key = str(hash(str(tools)))
        self.catalogs[account, key] = list(tools)
        return key

    def catalog(self, account: str, key: str) -> list[Tool]:
        return self.catalogs.get((account, key), [])


@dataclass
class FakeSecrets:
    kept: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)

    def put(self, account: str, name: str, headers: Mapping[str, str]) -> None:
        self.kept[account, name] = dict(headers)

    def get(self, account: str, name: str) -> dict[str, str]:
        return self.kept.get((account, name), {})

    def delete(self, account: str, name: str) -> None:
        self.kept.pop((account, name), None)


@dataclass
class FakeClient:
    """*tools* by URL; a URL that is missing cannot be reached, one with ``private`` is refused."""

    tools: dict[str, list[Tool]] = field(default_factory=dict)
    headers: list[dict[str, str]] = field(default_factory=list)

    def check(self, url: str) -> None:
        if "private" in url:
            raise AddressRefused("private leads to 10.0.0.1, which is no public address.")

    def list_tools(self, name: str, url: str, headers: Mapping[str, str], seconds: float) -> list[Tool]:
        self.headers.append(dict(headers))
        if url not in self.tools:
            raise ConnectionError("refused")
        return [tool.model_copy(update={"server": name}) for tool in self.tools[url]]


def numbered_tools(count: int = 12) -> list[Tool]:
    """tool1, tool2, ..., which take anything."""
    return [Tool(name=f"tool{number}", input_schema={"type": "object"}) for number in range(1, count)]


@dataclass
class FakeScheduleStore:
    schedules: dict[tuple[str, str], Schedule] = field(default_factory=dict)

    def put(self, schedule: Schedule) -> None:
        self.schedules[schedule.account, schedule.name] = schedule

    def replace(self, before: Schedule, after: Schedule) -> bool:
        same = self.schedules.get((after.account, after.name)) == before
        if same:
            self.put(after)
        return same

    def get(self, account: str, name: str) -> Schedule | None:
        return self.schedules.get((account, name))

    def of_account(self, account: str) -> list[Schedule]:
        return [each for (owner, _), each in sorted(self.schedules.items()) if owner == account]

    def delete(self, account: str, name: str) -> None:
        self.schedules.pop((account, name), None)


@dataclass
class FakeTimer:
    timers: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)

    def set(self, account: str, name: str, when: str, timezone: str) -> None:
        self.timers[account, name] = (when, timezone)

    def clear(self, account: str, name: str) -> None:
        self.timers.pop((account, name), None)


class Services:
    """All that a caller of the graphs plane reaches, in memory."""

    URL = "https://tools.example/mcp"

    def __init__(self, tools: Tools | None = None, planner: Planner | None = None) -> None:
        self.clock = Clock()
        self.planner = planner
        self.called = tools or Tools()
        self.client = FakeClient({self.URL: numbered_tools()})
        self.engine = FakeEngine()
        ids = iter(f"id{number}" for number in range(10_000))
        self.writes = Writes()
        self.runs = Runs(
            store=FakeRunStore(self.writes),
            files=FakeRunFiles(self.writes),
            events=FakeRunEvents(self.writes),
            engine=self.engine,
            now=self.clock,
            new_id=ids.__next__,
            sleep=lambda seconds: None,
            monotonic=iter(range(100_000)).__next__,
        )
        self.servers = AccountServers(FakeServerStore(), FakeSecrets(), self.client, self.clock)
        self.budgets = Budgets(FakeBudgetStore())
        self.approvals = Approvals(FakeApprovalStore(), (wakes(self.runs),), self.clock, "pex_{}".format)
        self.schedule_store, self.timer = FakeScheduleStore(), FakeTimer()
        self.graphs = Graphs(FakeGraphStore(), self.runs, self.servers, self.budgets, self.clock, ids.__next__)
        self.graphs = replace(self.graphs, lacks_model=lambda: "" if self.planner else "OPENAI_API_KEY is not set")

    @property
    def schedules(self) -> Schedules:
        """The schedules of all accounts."""
        return Schedules(self.schedule_store, self.timer, self.graphs, self.clock)

    def use_own(self, tools: Sequence[Tool]) -> None:
        """Let every account have planloom's own *tools*."""
        self.servers = replace(self.servers, own=lambda: tools)
        self.graphs = replace(self.graphs, servers=self.servers)

    def _made_planner(self) -> Planner:
        assert self.planner
        return self.planner

    def work(self, run_id: str) -> Run:
        """Let one worker work at a run."""

        @asynccontextmanager
        async def connect(account: str) -> AsyncIterator[Any]:
            yield self.called

        run = self.runs.store.get(run_id)
        assert run
        runs = self.runs
        worker = Worker(
            store=runs.store,
            files=runs.files,
            events=runs.events,
            now=self.clock,
            open_job=graph_jobs(
                connect,
                partial(ask, self.approvals),
                Drafts(self._made_planner, self.graphs.store, self.clock),
                self.budgets.store.take,
            ),
            pace=QUICK,
            engine=self.engine,
        )
        asyncio.run(worker.work(run_id, run.number, run.part))
        found = self.runs.store.get(run_id)
        assert found
        return found

    def until_ended(self, run_id: str, most: int = 20) -> Run:
        """Let workers work at a run, one after the other, until it has ended."""
        for _ in range(most):
            run = self.work(run_id)
            if run.state is not RunState.RUNNING:
                return run
        raise AssertionError(f"not ended after {most} workers")

    def revive(self) -> None:
        """Start again after a kill, later than any lease lasts."""
        self.writes.revive()
        self.clock.ahead += timedelta(seconds=60)
