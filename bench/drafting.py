"""How a draft with language models goes: rounds, wall time, calls and prompt characters, on the embedded AWS.

    python -m bench.drafting [--latency 1.0] [--fault rate_limit=0.02 ...]

A stub server (bench.stub_models) replaces the provider: every answer takes the same time, fits its schema and means
nothing. The first draft warms the workers and is not counted. Rounds are the most calls of which each began after the
one before had ended: as many as wait for each other, or more. The ideal is rounds times latency. A character is in a
common prefix where an earlier call began with the same text up to it: providers' caches can serve it.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.overhead import Http, ended, longest_chain, seconds_of
from bench.prefixes import in_common_prefix
from bench.stub_models import Call, StubModels
from planloom.accounts.make_key import make_key
from planloom.core.usage import Usage
from planloom.planes.strategic.example_prompts import example_prompts
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.read_records import step_records
from planloom.planes.strategic.stages.pipeline import PIPELINE
from planloom.planes.strategic.steps import StepRecord
from planloom.wiring.plans import Ports
from planloom_cli.embedded import EmbeddedAws, deploy
from planloom_cli.local_service import ports_of


@dataclass(frozen=True)
class Drafted:
    """One draft: seconds from create to its end, the plan, its steps, and what the stub saw of it."""

    wall: float
    plan: Plan
    records: Sequence[StepRecord]
    calls: Sequence[Call]

    @property
    def usage(self) -> Usage:
        """What the plan says that it cost."""
        return sum((record.usage for record in self.records), Usage())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--latency", type=float, default=1.0, help="seconds that each answer takes")
    parser.add_argument("--fault", action="append", default=[], metavar="KIND=SHARE", help="see bench.stub_faults")
    arguments = parser.parse_args()
    faults = {kind: float(share) for kind, _, share in (each.partition("=") for each in arguments.fault)}
    with (
        StubModels(latency=arguments.latency) as stub,
        tempfile.TemporaryDirectory(prefix="planloom-bench-") as folder,
        EmbeddedAws(Path(folder), environment={"OPENAI_BASE_URL": stub.url, "PLANLOOM_MODEL": "stub"}) as aws,
    ):
        ports = ports_of(aws, deployment := deploy(aws))
        http = Http(deployment.api_url, make_key(ports.keys, ports.clock, "bench"))
        cold = asyncio.run(draft(http, ports, stub))
        stub.faults = faults
        warm = asyncio.run(draft(http, ports, stub))
    print(f"first draft, cold workers              {cold.wall:10.2f} s")
    show(warm, arguments.latency)


async def draft(http: Http, ports: Ports, stub: StubModels) -> Drafted:
    """Draft the first example with profile custom."""
    stub.calls.clear()
    body = {"prompt": example_prompts()[0]["prompt"], "model_profile": "custom"}
    async with http.client() as client:
        begun = time.monotonic()
        plan_id = (await client.post("/v1/plans", json=body)).json()["plan_id"]
        plan = await asyncio.to_thread(ended, ports, plan_id)
        wall = time.monotonic() - begun
    return Drafted(wall, plan, list(step_records(ports.files, plan_id)), list(stub.calls))


def rounds(calls: Sequence[Call]) -> int:
    """Return the most calls of which each began after the one before had ended."""
    count, until = 0, 0.0
    for call in sorted(calls, key=lambda call: call.ended):
        if call.begun >= until:
            count, until = count + 1, call.ended
    return count


def text_of(call: Call) -> str:
    """Return all that was sent, as one text."""
    return "\n".join(str(message.get("content") or "") for message in call.asked.messages)


def show(done: Drafted, latency: float) -> None:
    """Print what issue 3 asks for, and where the time and the characters went."""
    chain = longest_chain({stage.name: 0.0 for stage in PIPELINE} | {r.name: seconds_of(r) for r in done.records})
    characters = sum(call.asked.characters for call in done.calls)
    repeated = in_common_prefix(text_of(call) for call in sorted(done.calls, key=lambda call: call.begun))
    ideal = rounds(done.calls) * latency
    ended_how = done.plan.state + (f": {done.plan.failure.message}" if done.plan.failure else "")
    print(f"warm draft, ended {ended_how}")
    print(f"  wall time, create to end             {done.wall:10.2f} s")
    print(f"  rounds of calls                      {rounds(done.calls):10}")
    print(f"  ideal, rounds x {latency:g} s               {ideal:10.2f} s  (ratio {done.wall / max(ideal, 1e-9):.2f})")
    print(f"  stage work, longest chain            {chain:10.2f} s  (of it {chain - ideal:.2f} s not the model's)")
    print(f"  everything else on the way           {done.wall - chain:10.2f} s  (state machine, events, start)")
    print(f"  calls                                {len(done.calls):10}  (struck by a fault: {_struck(done.calls)})")
    print(f"  prompt characters                    {characters:10,}")
    print(f"    in a common prefix                 {repeated / characters:10.0%}")
    print(f"    schemas beside them                {sum(call.asked.schema_characters for call in done.calls):10,}")
    counted = (sum(call.tokens.input for call in done.calls), sum(call.tokens.output for call in done.calls))
    used = (done.usage.input_tokens, done.usage.output_tokens)
    print(f"  tokens by the usage of the plan      {used}, calls {done.usage.calls}, retries {done.usage.retries}")
    print(f"  tokens as the stub counted them      {counted}, calls {len(done.calls)}")
    print("by stage: seconds, calls, input tokens")
    for record in sorted(done.records, key=lambda record: record.key):
        usage = record.usage
        step = f"{record.key}-{record.name}"
        print(f"  {step:<30}{seconds_of(record):8.2f}{usage.calls:6}{usage.input_tokens:10,}")


def _struck(calls: Sequence[Call]) -> int:
    return sum(call.fault is not None for call in calls)


if __name__ == "__main__":
    main()
