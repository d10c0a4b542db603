"""Schedules: they start one run for each time, and report those that were missed."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from planloom.core.errors import InvalidArgument
from planloom.planes.graphs.errors import GraphNotFound, ScheduleNotFound
from planloom.planes.graphs.options import RunOptions
from planloom.planes.graphs.schedules import GRACE, Schedule, Schedules
from planloom.runs.records import RunState
from tests.unit.graphs.services import FakeScheduleStore, FakeTimer, Services
from tests.unit.graphs.tools import graph, step

HOURLY = "cron(0 * * * ? *)"


class Started:
    """Runs whose start a test follows."""

    def __init__(self, runs: Any, start: Any) -> None:
        self._runs, self.start = runs, start

    def __getattr__(self, name: str) -> Any:
        return getattr(self._runs, name)


class Bench:
    """Schedules of graphs in memory, at a time that the test sets."""

    def __init__(self) -> None:
        self.services = Services()
        self.services.servers.add("ann", "web", self.services.URL)
        self.now = datetime(2026, 11, 23, 10, 30, tzinfo=UTC)
        self.timer = FakeTimer()
        self.schedules = Schedules(FakeScheduleStore(), self.timer, self.services.graphs, lambda: self.now)
        self.plan_id = self.services.graphs.create("ann", graph(step("1", args={"x": "${x}"})))[0].graph_id

    def set(self, when: str = HOURLY, **fields: Any) -> Schedule:
        given = {"account": "ann", "name": "nightly", "graph_id": self.plan_id, "when": when, "timezone": "UTC"}
        given |= {"variables": {"x": 1}, "options": RunOptions()}
        return self.schedules.set(**given | fields)

    def due(self, hour: int, minute: int = 0) -> str | None:
        self.now = self.now.replace(hour=hour, minute=minute)
        return self.schedules.run_due("ann", "nightly")


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_each_time_starts_one_run_with_its_variables_however_often_it_is_called(bench: Bench) -> None:
    bench.set()
    assert bench.timer.timers == {("ann", "nightly"): (HOURLY, "UTC")}
    assert bench.due(10, 45) is None

    first = bench.due(11)
    assert first
    assert bench.due(11, 1) is None
    second = bench.due(12)
    assert second not in (None, first)

    assert bench.services.work(first).state is RunState.COMPLETED
    assert bench.services.called.calls == [("tool1", {"x": 1})]
    assert [run.run_id for _, run in bench.services.runs.newest("ann", 10)].count(first) == 1
    found = bench.schedules.get("ann", "nightly")
    assert (found.last_run, found.last_due, found.missed) == (second, bench.now, ())


def test_two_calls_for_one_time_at_once_start_one_run(bench: Bench) -> None:
    bench.set()
    first = bench.due(11)
    # the other call read the schedule before the first one stored what it did
    bench.schedules.store.put(bench.schedules.get("ann", "nightly").model_copy(update={"last_due": None}))
    assert bench.due(11) == first
    assert len(bench.services.runs.newest("ann", 10)) == 1


def test_a_schedule_that_is_replaced_or_deleted_while_its_run_starts_stays_so(bench: Bench) -> None:
    bench.set()
    start, changes = (
        bench.services.graphs.runs.start,
        [
            lambda: bench.set("cron(5 * * * ? *)"),
            lambda: bench.schedules.delete("ann", "nightly"),
        ],
    )

    def started(*given: Any, **more: Any) -> Any:
        found = start(*given, **more)
        changes.pop(0)()
        return found

    graphs = replace(bench.services.graphs, runs=Started(bench.services.graphs.runs, started))
    bench.schedules = replace(bench.schedules, graphs=graphs)
    assert bench.due(11)
    assert bench.schedules.get("ann", "nightly").when == "cron(5 * * * ? *)"
    assert bench.due(12, 5)
    assert bench.schedules.all("ann") == []


def test_a_run_whose_start_was_not_stored_because_of_a_crash_is_not_reported_as_missed(bench: Bench) -> None:
    before = bench.set()
    first = bench.due(11)
    bench.schedules.store.put(before)
    assert bench.due(11) == first
    bench.now = bench.now.replace(hour=11, minute=59)
    found = bench.schedules.get("ann", "nightly")
    assert (found.last_run, found.missed) == (first, ())


def test_runs_that_did_not_start_are_reported(bench: Bench) -> None:
    bench.set()
    assert bench.due(11)
    bench.now = bench.now.replace(hour=14) + GRACE
    missed = bench.schedules.get("ann", "nightly").missed
    assert [each.due.hour for each in missed] == [12, 13, 14]

    assert bench.due(15)
    bench.services.graphs.delete("ann", bench.plan_id)
    assert bench.due(16) is None

    found = bench.schedules.get("ann", "nightly").missed
    assert [(each.due.hour, each.reason.partition(":")[0]) for each in found] == [
        (12, "The service did not run at that time."),
        (13, "The service did not run at that time."),
        (14, "The service did not run at that time."),
        (16, "GRAPH_NOT_FOUND"),
    ]


def test_a_time_that_comes_once_starts_one_run(bench: Bench) -> None:
    bench.set("at(2026-11-23T11:00:00)")
    assert bench.due(11)
    assert bench.due(12) is None
    assert bench.schedules.get("ann", "nightly").times.after(bench.now) is None


def test_a_schedule_is_replaced_and_deleted_with_its_timer(bench: Bench) -> None:
    bench.set()
    bench.set("cron(5 * * * ? *)")
    assert bench.timer.timers == {("ann", "nightly"): ("cron(5 * * * ? *)", "UTC")}
    bench.schedules.delete("ann", "nightly")
    assert (bench.timer.timers, bench.schedules.all("ann"), bench.due(11)) == ({}, [], None)
    with pytest.raises(ScheduleNotFound):
        bench.schedules.get("ann", "nightly")


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"when": "cron(0 * * * * *)"}, InvalidArgument),
        ({"when": "at(2020-01-01T00:00:00)"}, InvalidArgument),
        ({"timezone": "Nowhere"}, InvalidArgument),
        ({"name": "a/b"}, InvalidArgument),
        ({"graph_id": "none"}, GraphNotFound),
        ({"account": "bob"}, GraphNotFound),
    ],
)
def test_what_cannot_be_scheduled_is_refused(bench: Bench, fields: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        bench.set(**fields)
    assert bench.timer.timers == {}


def test_missed_runs_are_bounded(bench: Bench) -> None:
    bench.set("cron(* * * * ? *)")
    bench.now += timedelta(days=2)
    assert len(bench.schedules.get("ann", "nightly").missed) == 20
