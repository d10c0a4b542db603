"""Where the time of a draft goes, how quick plan_status is while it runs, and how much memory all of it takes.

    python -m bench.overhead [--drafts 3] [--rate 20]

The draft uses `outline`, so that no model's time is in it: what is left is planloom and the embedded AWS. The first
draft warms the workers and is not counted. Stage work is what stages say of themselves (their step records); the ideal
is the longest chain of stage work, as if nothing lay between the stages. Percentiles are of single calls, sent at a
fixed rate whether or not earlier ones have come back.
"""

import argparse
import asyncio
import math
import statistics
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx2

from bench.memory import proportional_megabytes
from planloom.accounts.make_key import make_key
from planloom.planes.strategic.example_prompts import example_prompts
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.read_records import step_records
from planloom.planes.strategic.stages.pipeline import PIPELINE
from planloom.planes.strategic.steps import StepRecord
from planloom.wiring.plans import Ports
from planloom_cli.embedded import EmbeddedAws, deploy
from planloom_cli.local_service import ports_of


@dataclass(frozen=True)
class Draft:
    """One measured draft; times in seconds."""

    wall: float
    work: dict[str, float]
    chain: float


@dataclass(frozen=True)
class Http:
    """The service over HTTP."""

    url: str
    key: str

    def client(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(base_url=self.url, headers={"X-API-Key": self.key}, timeout=30)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--drafts", type=int, default=3)
    parser.add_argument("--rate", type=float, default=20.0, help="plan_status calls per second")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="planloom-bench-") as folder, EmbeddedAws(Path(folder)) as aws:
        ports = ports_of(aws, deployment := deploy(aws))
        http = Http(deployment.api_url, make_key(ports.keys, ports.clock, "bench"))
        cold = asyncio.run(_draft(http, ports, 0.0))[0]
        drafts = [asyncio.run(_draft(http, ports, 0.0))[0] for _ in range(arguments.drafts)]
        loaded, latencies = asyncio.run(_draft(http, ports, arguments.rate))
        assert aws.pid
        _print(cold, drafts, loaded, latencies, arguments.rate, proportional_megabytes(aws.pid))


async def _draft(http: Http, ports: Ports, rate: float) -> tuple[Draft, list[float]]:
    prompt = example_prompts()[0]["prompt"]
    latencies: list[float] = []
    async with http.client() as client:
        begun = time.monotonic()
        plan_id = (await client.post("/v1/plans", json={"prompt": prompt})).json()["plan_id"]
        load = asyncio.create_task(_load(client, plan_id, rate, latencies)) if rate else None
        plan = await asyncio.to_thread(ended, ports, plan_id)
        wall = time.monotonic() - begun
        if load:
            load.cancel()
            with suppress(asyncio.CancelledError):
                await load
    assert plan.state == "completed", plan
    records = {record.name: record for record in step_records(ports.files, plan_id)}
    work = {name: seconds_of(record) for name, record in records.items()}
    return Draft(wall, work, longest_chain(work)), latencies


def ended(ports: Ports, plan_id: str) -> Plan:
    """Wait until the plan has ended, however it does, and return it."""
    while True:
        plan = ports.plans.get(plan_id)
        if plan and plan.ended_at:
            return plan
        time.sleep(0.05)


async def _load(client: httpx2.AsyncClient, plan_id: str, rate: float, latencies: list[float]) -> None:
    async def once() -> None:
        begun = time.monotonic()
        answer = await client.get(f"/v1/plans/{plan_id}")
        # beyond its concurrency the embedded AWS answers 429: counted apart
        assert answer.status_code in (200, 429), answer.text
        latencies.append(time.monotonic() - begun if answer.status_code == 200 else math.inf)

    async with asyncio.TaskGroup() as calls:
        while True:
            calls.create_task(once())
            await asyncio.sleep(1 / rate)


def seconds_of(record: StepRecord) -> float:
    """Return how long a stage worked."""
    return (record.ended_at - record.started_at).total_seconds()


def longest_chain(work: dict[str, float]) -> float:
    """Return the seconds of the longest chain of stages that wait for each other, of *work* by name."""
    until: dict[str, float] = {}
    todo = list(PIPELINE)
    while todo:
        ready = [stage for stage in todo if all(need in until for need in stage.needs)]
        for stage in ready:
            until[stage.name] = work[stage.name] + max((until[need] for need in stage.needs), default=0.0)
        todo = [stage for stage in todo if stage.name not in until]
    return max(until.values())


def _print(
    cold: Draft, drafts: list[Draft], loaded: Draft, latencies: list[float], rate: float, megabytes: dict[str, float]
) -> None:
    wall = statistics.median(draft.wall for draft in drafts)
    chain = statistics.median(draft.chain for draft in drafts)
    total = statistics.median(sum(draft.work.values()) for draft in drafts)
    print(f"first draft, cold workers           {cold.wall:6.2f} s")
    print(f"draft, warm, median of {len(drafts)}            {wall:6.2f} s")
    print(f"  stage work, longest chain         {chain:6.2f} s  (the ideal; ratio {wall / chain:.2f})")
    print(f"  everything else on the way        {wall - chain:6.2f} s  (state machine, events, waiting for a core)")
    print(f"  stage work, all stages together   {total:6.2f} s")
    print("stage work by stage, median, seconds:")
    for stage in PIPELINE:
        print(f"  {stage.step:<30} {statistics.median(draft.work[stage.name] for draft in drafts):6.2f}")
    answered = [seconds for seconds in latencies if seconds < math.inf]
    centiles = statistics.quantiles(answered, n=100)
    print(f"plan_status at {rate:g} calls/s while a plan runs ({len(latencies)} calls; draft {loaded.wall:.2f} s)")
    print(f"  p50 {centiles[49] * 1000:.0f} ms, p99 {centiles[98] * 1000:.0f} ms, max {max(answered) * 1000:.0f} ms")
    print(f"  answered 429: {len(latencies) - len(answered)}")
    print(f"memory after the drafts, idle: {sum(megabytes.values()):.0f} MB (proportional set size); the largest:")
    for name, size in list(megabytes.items())[:8]:
        print(f"  {name:<30} {size:6.0f} MB")


if __name__ == "__main__":
    main()
