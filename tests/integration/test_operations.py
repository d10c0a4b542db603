"""Operations over a large HTTP API on real connections, stored on AWS (moto): every row once, whatever fails."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import unquote, urlsplit

import boto3
import pytest

from functions.api.handler import handler
from planloom.adapters.dynamodb_runs import DynamoRunEvents, DynamoRunStore
from planloom.adapters.dynamodb_sessions import DynamoSessionStore
from planloom.adapters.run_files import S3RunFiles
from planloom.planes.programs.catalog import Catalog
from planloom.planes.programs.declared_backends import HttpBackend
from planloom.planes.programs.job import program_jobs
from planloom.planes.programs.operations import LARGEST_RESPONSE
from planloom.planes.programs.ports import ProgramCaller
from planloom.planes.programs.sources import Backend
from planloom.runs.records import RunState
from planloom.runs.work import Worker
from planloom.tools.http_api import HttpApi
from planloom.wiring import programs as wiring_programs
from tests.integration.conftest import BUCKET, TABLE
from tests.integration.paged_api import ROW, PagedApi, paged_api
from tests.unit.api.calling import Context, gateway_event, http, rpc
from tests.unit.operations.fakes import Bench
from tests.unit.programs.catalogs import no_sleep
from tests.unit.runs.jobs import QUICK

ROWS = 10_000
PACE = replace(QUICK, renew=1)
EVERY = "Row.filter{id >= 0}[id]"


class OverHttp(Bench):
    """Programs over *api*; the stores are those of the service."""

    def __init__(self, api: PagedApi) -> None:
        self.api = api
        table, bucket = boto3.client("dynamodb"), boto3.client("s3")
        super().__init__(
            catalog=Catalog([ROW]),
            sessions=DynamoSessionStore(table, TABLE),
            store=DynamoRunStore(table, TABLE),
            files=S3RunFiles(bucket, BUCKET),
            events=DynamoRunEvents(table, TABLE),
        )

    @asynccontextmanager
    async def backends(self, caller: ProgramCaller, names: Iterable[str]) -> AsyncIterator[Mapping[str, Backend]]:
        http = HttpApi(self.api.url, loopback=True)
        try:
            yield dict.fromkeys(names, HttpBackend(http))
        finally:
            await http.close()

    def worker(self) -> Worker:
        return Worker(
            store=self.runs.store,
            files=self.runs.files,
            events=self.runs.events,
            now=self.clock,
            open_job=program_jobs(self.backends, lambda: self.store, no_sleep),
            pace=PACE,
        )

    async def begun(self, handle: str, calls: int, *, hold: bool = False) -> "asyncio.Task[Any]":
        """Return a worker at an operation after so many calls of the API, with *hold* the last not answered."""
        run = self.run_of(handle)
        working = asyncio.create_task(self.worker().work(run.run_id, run.number, run.part))
        reached = asyncio.Event()
        loop = asyncio.get_running_loop()

        def when_reached() -> None:
            if hold:
                self.api.answering.clear()
            loop.call_soon_threadsafe(reached.set)

        self.api.when(calls, when_reached)
        await asyncio.wait_for(reached.wait(), 30)
        return working


@pytest.fixture
def api() -> Iterator[PagedApi]:
    with paged_api(ROWS) as serving:
        yield serving


def accept(bench: Bench) -> str:
    handle = bench.run(EVERY, force=True).handle
    assert handle == "s0_o1"
    return handle


def ids(bench: Bench, handle: str) -> list[int]:
    nodes = bench.programs.operations.snapshot(bench.session(), handle)["nodes"]
    return [row["id"] for row in next(node for node in nodes if node["label"] == "read Row")["rows"]]


def test_ten_thousand_rows_come_once_each_and_progress_is_shown(aws: None, api: PagedApi) -> None:
    bench = OverHttp(api)
    handle = accept(bench)
    bench.work(handle)
    ended = bench.run(f"wait({handle})")
    assert "`s0_o1` ! 10000r" in ended.markdown
    assert (ids(bench, handle), ended.results[0].total) == (list(range(ROWS)), ROWS)
    known = bench.store.operation("ann", "s0", 1)
    assert known
    assert known.changes >= 1


def test_cancelled_at_a_random_call_it_ends_without_its_answer_and_says_how_far_it_came(
    aws: None, api: PagedApi
) -> None:
    bench = OverHttp(api)
    handle = accept(bench)

    async def cancelled() -> int:
        working = await bench.begun(handle, last, hold=True)
        await asyncio.to_thread(bench.run, f"cancel({handle})")
        await asyncio.wait_for(working, 5)
        return len(api.calls)

    last = random.randint(5, 90)
    assert asyncio.run(cancelled()) == last
    assert not api.answering.is_set()
    api.answering.set()
    outcome = bench.run(f"wait({handle})")
    assert (bench.run_of(handle).state, "`s0_o1` x" in outcome.markdown) == (RunState.STOPPED, True)
    rows = ids(bench, handle)
    assert f"It came to step 1 of 3 (read Row, {len(rows):,} rows of it)" in outcome.markdown
    assert 0 < len(rows) < ROWS
    assert rows == list(range(len(rows)))


def test_the_worker_is_killed_and_the_operation_goes_on_where_it_was(aws: None, api: PagedApi) -> None:
    bench = OverHttp(api)
    handle = accept(bench)

    async def killed() -> None:
        working = await bench.begun(handle, 50)
        working.cancel()
        await asyncio.wait({working})

    asyncio.run(killed())
    bench.revive()
    bench.work(handle)
    assert ids(bench, handle) == list(range(ROWS))
    answered = [path for path, status in api.calls if status == 200]
    # at most the page that was being read when it was killed is read twice
    assert len(answered) - len(set(answered)) <= 1


def test_what_is_more_than_a_lambda_returns_is_read_by_a_link(
    aws: None, api: PagedApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = OverHttp(api)
    monkeypatch.setattr(wiring_programs, "programs", lambda: bench.programs)
    text = "Row.filter{id >= 0}[id, name]"
    api.rows = [{**row, "name": '"é' * 2_500} for row in api.rows[:1_500]]
    handle = bench.run(text, force=True).handle
    bench.work(handle)
    operation = bench.run(f"wait({handle})").resource
    # fewer, so that they are read while the caller waits
    api.rows = [{**row, "name": '"é' * 5_000} for row in api.rows[:500]]
    result = bench.run(text, force=True, wait=True).resource
    path = http("POST", "/execute", account="ann").headers["location"].rpartition("/")[0]

    for resource, key, rows in ((operation, "nodes", 1_500), (result, "returns", 500)):
        over_http = http("GET", f"/{path}/s0/{resource.removeprefix('plasm://s0/')}", account="ann")
        over_mcp = rpc("resources/read", {"uri": resource}, "ann", "/mcp/operations")["contents"][0]["text"]
        for found in (over_http.body, json.loads(over_mcp)):
            assert found[key] is None
            link = urlsplit(found["url"])
            assert "Signature=" in link.query
            stored = unquote(link.path.partition(f"{BUCKET}/")[2] or link.path.lstrip("/"))
            content = json.loads(boto3.client("s3").get_object(Bucket=BUCKET, Key=stored)["Body"].read())
            assert [row["id"] for row in content[key][0]["rows"]] == list(range(rows))


def test_as_much_as_a_response_holds_is_less_than_a_lambda_returns(
    aws: None, api: PagedApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = OverHttp(api)
    monkeypatch.setattr(wiring_programs, "programs", lambda: bench.programs)
    # two bytes of JSON each, of the characters of which an answer makes most
    api.rows = [{"id": n, "kind": "odd", "name": '"' * 4_950} for n in range(99)]
    resource = bench.run("Row.filter{id >= 0}[id, name]", force=True, wait=True).resource
    call = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": resource}}
    answer = handler(gateway_event("POST", "/mcp/operations", call, "ann", None), Context())
    found = json.loads(json.loads(answer["body"])["result"]["contents"][0]["text"])
    assert (len(found["returns"][0]["rows"]), found["url"]) == (99, None)
    assert LARGEST_RESPONSE * 0.95 < len(json.dumps(found, separators=(",", ":"))) <= LARGEST_RESPONSE
    assert len(json.dumps(answer)) < 6_000_000


def test_rows_that_are_too_large_for_a_response_are_left_to_the_resource(
    aws: None, api: PagedApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = OverHttp(api)
    monkeypatch.setattr(wiring_programs, "programs", lambda: bench.programs)
    api.rows = [{"id": n, "kind": "odd", "name": '"' * 100_000} for n in range(20)]
    text = "few = Row.filter{id >= 0}[id]\nmany = Row.filter{id >= 0}[id, name]\nfew\nmany"
    arguments = {"program": text, "force": True, "wait": True}
    call = {"method": "tools/call", "params": {"name": "plasm_run", "arguments": arguments}}
    event = gateway_event("POST", "/mcp/operations", {"jsonrpc": "2.0", "id": 1, **call}, "ann", None)
    answer = handler(event, Context())
    assert len(json.dumps(answer)) < 1_000_000
    found = json.loads(answer["body"])["result"]["structuredContent"]
    assert [(each["name"], len(each["rows"]), each["total"]) for each in found["results"]] == [
        ("few", 20, 20),
        ("many", 0, 20),
    ]
    assert "Shortened: name." in found["run_markdown"]
    whole = bench.programs.operations.whole(bench.session(), found["resource"].rpartition("/")[2])
    assert (whole["returns"], whole["url"][:8]) == (None, "https://")
