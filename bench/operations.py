"""What it costs to read a program, to plan it, and to name what it means; and operations on the embedded AWS.

    python -m bench.operations [--url URL --key KEY] [--rounds 20]

The first part runs in this process. The second starts the embedded AWS, or asks the service at --url: how long it
takes to accept an asynchronous run and to answer a poll, through gateway, authorizer and Lambda, once these are warm,
and when the first line of progress or the end is there, looked for every 50 ms. Then it polls an operation that reads
10,000 rows of an API that is rate limited and fails one call in ten.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from planloom.accounts.make_key import make_key
from planloom.core.endpoint import Effect
from planloom.core.entities import Capability, Entity, EntityField, GetCall, ListCall, Paging, Relation
from planloom.planes.programs.catalog import Catalog
from planloom.planes.programs.commit import commit_id
from planloom.planes.programs.compile import compile_program
from planloom.planes.programs.parse import parse
from planloom.planes.programs.plan import ProgramPlan
from tests.integration.paged_api import ROW, paged_api

ROUNDS = 20

ITEM = Entity(
    name="Item",
    backend="http:items",
    fields=tuple(EntityField(name=name) for name in ("id", "title", "state", "owner_id", "created_at")),
    list=ListCall(
        operation="GET /items",
        paging=Paging(style="cursor", parameter="cursor", next="next"),
        filters={"state": "state", "owner_id": "owner"},
    ),
    get=GetCall(operation="GET /items/{id}", key="id"),
    relations=(Relation(name="owner", entity="Item", field="owner_id", many=False),),
    capabilities=(Capability(name="close", operation="POST /items/{id}/close", effect=Effect.CHANGES, key="id"),),
)
CATALOG = Catalog([ITEM])


def program(nodes: int) -> str:
    """Return a program with so many nodes: statements of four, each on the rows of the one before."""
    lines = ["x0 = Item.filter{state = open}"]
    made = 2
    while made + 4 < nodes:
        here = len(lines)
        lines.append(
            f'x{here} = x{here - 1}.filter{{title contains "a" and id in x0.id}}[id, title, state].sort(-id).limit(9)'
        )
        made += 4
    lines.append(f"x{len(lines) - 1}" + "".join(".limit(8)" for _ in range(nodes - made)))
    return "\n".join(lines)


#: Reads several lists, one after the other, so that there is progress to see.
ASYNCHRONOUS = "a = Run[id].limit(50)\nb = Plan[id].limit(50)\nc = Graph[id].limit(50)\na.count()\nb.count()\nc.count()"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", help="the API of a service that runs, with its stage")
    parser.add_argument("--key", default="")
    parser.add_argument("--rounds", type=int, default=20)
    arguments = parser.parse_args()
    in_process()
    with service(arguments.url, arguments.key) as http:
        over_http(http, arguments.rounds)
        if not arguments.url:
            long_operation(http)


@contextmanager
def service(url: str | None, key: str) -> Iterator[httpx2.Client]:
    """Yield a client of the service at *url*, or of one on an embedded AWS that ends with it."""
    if url:
        with httpx2.Client(base_url=url, headers={"X-API-Key": key}, timeout=30) as http:
            yield http
        return
    from planloom_cli.embedded import EmbeddedAws, deploy
    from planloom_cli.local_service import ports_of

    with tempfile.TemporaryDirectory(prefix="planloom-bench-") as folder, EmbeddedAws(Path(folder)) as aws:
        ports = ports_of(aws, deployment := deploy(aws))
        with service(deployment.api_url, make_key(ports.keys, ports.clock, "bench")) as http:
            yield http


def over_http(http: httpx2.Client, rounds: int) -> None:
    """Measure accepting, polling and the first line of progress, and print them."""
    path = http.post("execute").headers["location"]

    def run(program: str, **asked: Any) -> tuple[dict[str, Any], float]:
        started = time.perf_counter()
        answer = http.post(path, json={"program": program, **asked})
        took = time.perf_counter() - started
        answer.raise_for_status()
        return dict(answer.json()), took * 1e3

    accepts, polls, first = [], [], []
    for number in range(rounds + 2):
        accepted, took = run(ASYNCHRONOUS, wait=False, force=True)
        started = time.perf_counter()
        seen = polled = ""
        while not polled.startswith("!"):
            time.sleep(0.05)
            found, poll = run(f"wait({accepted['handle']})")
            polled = next(sign for sign in found["_meta"]["plasm"]["op"] if sign in "+~=!x?")
            if number > 1:
                polls.append(poll)
            if polled in "~!" and not seen:
                seen = polled
                first.append((time.perf_counter() - started) * 1e3)
        # the first rounds start the processes
        if number > 1:
            accepts.append(took)
    print(f"accept of an asynchronous run: median {statistics.median(accepts):.0f} ms, worst {max(accepts):.0f} ms")
    print(f"polls of runs of half a second: {_polls(polls)}")
    print(f"first line of progress: median {statistics.median(first[2:]):.0f} ms, worst {max(first[2:]):.0f} ms")


def long_operation(http: httpx2.Client) -> None:
    """Poll an operation every 100 ms while it reads 10,000 rows of a slow API, and print what the polls took."""
    path = http.post("execute").headers["location"]
    with paged_api(10_000) as api:
        http.post("v1/tool-servers", json={"name": "paged", "url": api.url}).raise_for_status()
        http.post("v1/entities", json={"entity": ROW.model_dump(mode="json")}).raise_for_status()
        accepted = http.post(path, json={"program": "Row.filter{id >= 0}[id]", "wait": False, "force": True}).json()
        polls: list[float] = []
        sign = "+"
        while sign in "+~=":
            time.sleep(0.1)
            started = time.perf_counter()
            found = http.post(path, json={"program": f"wait({accepted['handle']})"}).json()
            polls.append((time.perf_counter() - started) * 1e3)
            sign = next(sign for sign in found["_meta"]["plasm"]["op"] if sign in "+~=!x?")
        print(f"polls while a run makes {len(api.calls)} calls of an API: {_polls(polls[:-1])}")
        print(f"the poll that returns the first page of its 10,000 rows: {polls[-1]:.0f} ms")


def _polls(took: list[float]) -> str:
    worst = statistics.quantiles(took, n=100)[98]
    return f"median of {len(took)} {statistics.median(took):.0f} ms, p99 {worst:.0f} ms"


def in_process() -> None:
    """Measure what needs no service, and print medians."""
    text = program(200)
    parse(text)  # the grammar is built once per process
    plan = planned(text)
    assert len(plan.nodes) == 200
    assert not plan.problems
    both, reading = _median(lambda: planned(text)), _median(lambda: parse(text))
    print(f"parse and plan 200 nodes ({len(text):,} characters): {both:.1f} ms, of which reading {reading:.1f} ms")
    large = planned(program(2_000))
    assert len(large.nodes) == 2_000
    small = _median(lambda: commit_id(plan))
    print(f"commit id of 200 nodes: {small:.2f} ms, of 2,000: {_median(lambda: commit_id(large)):.1f} ms")
    print(f"parse and plan 2,000 nodes: {_median(lambda: planned(program(2_000)), 3):.0f} ms")


def planned(text: str) -> ProgramPlan:
    """Return the plan of *text*."""
    return compile_program(parse(text), CATALOG)


def _median(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1e3


if __name__ == "__main__":
    main()
