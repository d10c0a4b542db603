"""How quick plan_status and plan_list are with many plans in the table, on the embedded AWS.

    python -m bench.status [--plans 1000] [--files 60] [--rate 50] [--seconds 20]

Seeds the table through the store's own port, so that every row is as a run leaves it. plan_status is asked of plans at
random at a fixed rate, whether or not earlier calls have come back, after the API's processes have been warmed; what
the gateway answers by 429 is counted apart. plan_list is timed alone: its first page, its second, which is the first to
look up where it continues, and its last.
"""

import argparse
import asyncio
import math
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import httpx2

from bench.overhead import Http
from planloom.accounts.make_key import make_key
from planloom.core.artifacts import artifact
from planloom.planes.strategic.pipeline_map import CURRENT
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.steps import StepRecord
from planloom.wiring.plans import Ports
from planloom_cli.embedded import EmbeddedAws, deploy
from planloom_cli.local_service import ports_of

ACCOUNT = "bench"
BEGUN = datetime(2026, 1, 1, tzinfo=UTC)
PAGE, REPEATS = 10, 20
#: As many at once as the API has processes on a laptop, so that each of them is warm.
PROCESSES = 5


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plans", type=int, default=1000)
    parser.add_argument("--files", type=int, default=60, help="of each plan")
    parser.add_argument("--rate", type=float, default=50.0, help="plan_status calls per second")
    parser.add_argument("--seconds", type=float, default=20.0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="planloom-bench-") as folder, EmbeddedAws(Path(folder)) as aws:
        ports = ports_of(aws, deployment := deploy(aws))
        http = Http(deployment.api_url, make_key(ports.keys, ports.clock, ACCOUNT))
        ids = [seed(ports, number, arguments.files) for number in range(arguments.plans)]
        print(f"{arguments.plans} plans of {arguments.files} files each")
        latencies = asyncio.run(ask_status(http, ids, arguments.rate, arguments.seconds))
        print_status(latencies, arguments.rate)
        for page, seconds in asyncio.run(ask_pages(http)):
            middle = statistics.median(seconds) * 1000
            print(f"plan_list, {PAGE} plans, page {page:>3}: median of {REPEATS} {middle:.1f} ms")


def seed(ports: Ports, number: int, files: int) -> str:
    """Store a plan that has been drafted, with *files* files; return its id."""
    plan = Plan(
        plan_id=str(UUID(int=number + 1, version=4)),
        account=ACCOUNT,
        prompt_excerpt="A plan to measure by. " * 8,
        model_profile="baseline",
        state="completed",
        created_at=BEGUN + timedelta(minutes=number),
        started_at=BEGUN + timedelta(minutes=number),
        ended_at=BEGUN + timedelta(minutes=number + 1),
        steps_started={step.key: BEGUN + timedelta(minutes=number) for step in CURRENT},
    )
    ports.plans.add(plan)
    ports.plans.rewrite(plan, list(_records(files)))
    return plan.plan_id


def _records(files: int) -> Iterator[StepRecord]:
    for place, step in enumerate(CURRENT.steps):
        share = files * (place + 1) // len(CURRENT) - files * place // len(CURRENT)
        made = (artifact(f"{step.key}-{n}-{step.name}.md", b"text", BEGUN) for n in range(1, share + 1))
        yield StepRecord(
            key=step.key,
            name=step.name,
            run=1,
            fingerprint="f" * 64,
            artifacts=tuple(made),
            started_at=BEGUN,
            ended_at=BEGUN,
        )


async def ask_status(http: Http, ids: list[str], rate: float, seconds: float) -> list[float]:
    """Return the seconds of each call, infinite where it was turned away."""
    choose = random.Random(1)
    latencies: list[float] = []
    async with http.client() as client:

        async def once(kept: bool) -> None:
            begun = time.monotonic()
            # a process that starts cold on a busy machine may take long: what counts begins after it
            answer = await client.get(f"/v1/plans/{choose.choice(ids)}", timeout=30.0 if kept else 300.0)
            assert answer.status_code in (200, 429), answer.text
            if kept:
                latencies.append(time.monotonic() - begun if answer.status_code == 200 else math.inf)

        for _ in range(10):
            await asyncio.gather(*(once(kept=False) for _ in range(PROCESSES)))
        async with asyncio.TaskGroup() as calls:
            begun = time.monotonic()
            for number in range(int(rate * seconds)):
                # by the clock, so that a late start of one call is not the next one's
                await asyncio.sleep(max(0.0, begun + number / rate - time.monotonic()))
                calls.create_task(once(kept=True))
    return latencies


async def ask_pages(http: Http) -> list[tuple[int, list[float]]]:
    """Return the seconds that the first, the second and the last page of the list took, each asked for many times."""
    cursors: list[str | None] = [None]
    async with http.client() as client:
        while following := (await _page(client, cursors[-1]))["next_before"]:
            cursors.append(following)
        return [(number, await _timed(client, cursors[number - 1])) for number in sorted({1, 2, len(cursors)})]


async def _timed(client: httpx2.AsyncClient, before: str | None) -> list[float]:
    seconds = []
    for _ in range(REPEATS):
        begun = time.monotonic()
        await _page(client, before)
        seconds.append(time.monotonic() - begun)
    return seconds


async def _page(client: httpx2.AsyncClient, before: str | None) -> dict[str, str | None]:
    query = {"limit": str(PAGE)} | ({"before": before} if before else {})
    answer = await client.get("/v1/plans", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, str | None] = answer.json()
    return found


def print_status(latencies: list[float], rate: float) -> None:
    """Print percentiles of the calls that were answered, and how many were not."""
    answered = [seconds for seconds in latencies if seconds < math.inf]
    centiles = statistics.quantiles(answered, n=100)
    print(f"plan_status at {rate:g} calls/s, warm, {len(latencies)} calls")
    print(f"  p50 {centiles[49] * 1000:.1f} ms, p99 {centiles[98] * 1000:.1f} ms, max {max(answered) * 1000:.1f} ms")
    print(f"  answered 429: {len(latencies) - len(answered)}")


if __name__ == "__main__":
    main()
