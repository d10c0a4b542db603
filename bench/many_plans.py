"""Many plans at once on the embedded AWS: whether each ends right, and what it takes.

    python -m bench.many_plans [--plans 20]

Each of two goals is drafted alone first; then all plans start together, and the first one is stopped on its way. A plan
is right if every artifact is, byte for byte, what the same goal gave alone (except those that contain times and ids).
Ends with code 1 where one is not, or where the stopped one did not stay stopped.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

import httpx2

from bench.memory import proportional_megabytes
from bench.overhead import Http, ended
from planloom.accounts.make_key import make_key
from planloom.planes.strategic.example_prompts import example_prompts
from planloom.planes.strategic.pipeline_map import CURRENT
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.read_records import step_records
from planloom.wiring.plans import Ports
from planloom_cli.embedded import EmbeddedAws, deploy
from planloom_cli.local_service import ports_of

#: 001 holds the start time, 030 the plan's id.
OF_ITS_OWN = ("001", "030")
STOPPED_AFTER_SECONDS = 3.0
LOOK_EVERY_SECONDS = 10.0
TRIES = 300

Hashes = dict[str, str]


def main() -> None:
    """Draft, compare and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plans", type=int, default=20)
    count = parser.parse_args().plans
    goals = [sample["prompt"] for sample in example_prompts()[:2]]
    with tempfile.TemporaryDirectory(prefix="planloom-bench-") as folder, EmbeddedAws(Path(folder)) as aws:
        ports = ports_of(aws, deployment := deploy(aws))
        http = Http(deployment.api_url, make_key(ports.keys, ports.clock, "bench"))
        alone = [_hashes(ports, ended(ports, asyncio.run(_create(http, [goal]))[0])) for goal in goals]
        print("each goal drafted alone; now all at once", flush=True)
        begun = time.monotonic()
        stopped, *others = asyncio.run(_together(http, ports, [goals[number % 2] for number in range(count)]))
        wall = time.monotonic() - begun
        wrong = [plan for number, plan in enumerate(others, 1) if _hashes(ports, plan) != alone[number % 2]]
        assert aws.pid
        memory = sum(proportional_megabytes(aws.pid).values())
    print(f"{count} plans at once: {wall:.1f} s, {wall / count:.1f} s a plan; {memory:.0f} MB afterwards")
    print(
        f"  {len(others) - len(wrong)} of {len(others)} ended as their goal did alone; the stopped one: {stopped.state}"
    )
    for plan in wrong:
        print(f"  wrong: {plan.plan_id} {plan.state} {plan.failure}")
    sys.exit(1 if wrong or stopped.state != "stopped" else 0)


async def _create(http: Http, goals: list[str]) -> list[str]:
    async with http.client() as client:
        answers = [_accepted(client, "/v1/plans", {"prompt": goal}) for goal in goals]
        return [answer["plan_id"] for answer in await asyncio.gather(*answers)]


async def _together(http: Http, ports: Ports, goals: list[str]) -> list[Plan]:
    plan_ids = await _create(http, goals)
    await asyncio.sleep(STOPPED_AFTER_SECONDS)
    async with http.client() as client:
        await _accepted(client, f"/v1/plans/{plan_ids[0]}/stop", {})
    return await _watched(ports, plan_ids)


async def _watched(ports: Ports, plan_ids: list[str]) -> list[Plan]:
    """Wait until all plans have ended, and print how far they are meanwhile."""
    begun = time.monotonic()
    while True:
        plans = [plan for plan in map(ports.plans.get, plan_ids) if plan]
        steps = sum(len(plan.steps_finished) for plan in plans)
        over = sum(plan.ended_at is not None for plan in plans)
        seconds = time.monotonic() - begun
        print(f"{seconds:6.0f} s: {steps} of {len(plan_ids) * len(CURRENT)} steps, {over} plans ended", flush=True)
        if over == len(plan_ids):
            return plans
        # seldom, so that the watching costs the plans nothing
        await asyncio.sleep(LOOK_EVERY_SECONDS)


async def _accepted(client: httpx2.AsyncClient, path: str, body: dict[str, str]) -> dict[str, str]:
    """Post *body* until the gateway takes it: beyond its concurrency it asks to come back."""
    for _ in range(TRIES):
        answer = await client.post(path, json=body)
        if answer.status_code != 429:
            return dict(answer.raise_for_status().json())
        await asyncio.sleep(1)
    raise TimeoutError(path)


def _hashes(ports: Ports, plan: Plan) -> Hashes:
    """Return the hash of every artifact of a completed plan, by path; none where it did not complete."""
    if plan.state != "completed":
        return {}
    records = [record for record in step_records(ports.files, plan.plan_id) if record.key not in OF_ITS_OWN]
    return {file.path: file.sha256 for record in records for file in record.artifacts}


if __name__ == "__main__":
    main()
