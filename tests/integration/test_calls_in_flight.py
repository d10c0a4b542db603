"""Stages whose calls are in flight at a stub of the providers: what a stop, a timeout and a fault leave."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from bench.stub_models import StubModels
from planloom.models import profiles
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.run_errors import RunInterrupted
from planloom.planes.strategic.services import ask_model
from planloom.planes.strategic.services.run_stage import run_stage
from planloom.planes.strategic.stages.pipeline import stage_named
from tests.integration.modelled import Modelled
from tests.unit.models.asking import question
from tests.unit.strategic.services.walk import deliver, in_order

#: Its calls are asked side by side.
STAGE = "draft"
#: What it needs: each asks once.
EARLIER = in_order()[:3]


@dataclass
class InFlight:
    """A stage whose calls are in flight at a stub; ``stop`` ends the plan's run under it."""

    modelled: Modelled
    plan: Plan

    def stopped(self, *, when: Callable[[StubModels], bool]) -> None:
        """Run the stage, stop the plan once *when* holds, and wait for the stage to notice."""
        ports = self.modelled.fakes.ports

        async def run() -> None:
            stage = asyncio.create_task(run_stage(ports.stage_ports, STAGE, self.plan.plan_id, 1))
            while not when(self.modelled.stub):  # noqa: ASYNC110 - the stub counts in another thread
                await asyncio.sleep(0.01)
            ports.plans.move(self.plan.plan_id, 1, "stopped", ports.clock())
            async with asyncio.timeout(20):
                with pytest.raises(RunInterrupted):
                    await stage
            assert len(asyncio.all_tasks()) == 1, "no call is left behind"
            async with asyncio.timeout(5):
                while self.modelled.stub.hung_up < self.modelled.stub.busy:  # noqa: ASYNC110 - as above
                    await asyncio.sleep(0.01)
            await ports.models.close()

        asyncio.run(run())


@pytest.fixture(params=["custom", "baseline"], ids=["OpenAI's wire", "Bedrock's"])
def in_flight(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[InFlight]:
    monkeypatch.setattr(ask_model, "WATCH_SECONDS", 0.05)
    with StubModels(silence=60.0) as stub:
        modelled = Modelled.at(stub)
        plan = modelled.create(request.param)
        modelled.work(plan, EARLIER)
        stub.calls.clear()
        yield InFlight(modelled, plan)


def test_a_stop_closes_calls_in_flight(in_flight: InFlight) -> None:
    stub = in_flight.modelled.stub
    stub.faults = {"silence": 1.0}

    in_flight.stopped(when=lambda stub: stub.busy == 2)

    assert stub.calls == [], "none was answered"
    assert in_flight.modelled.fakes.files.paths(in_flight.plan.plan_id, "004-0-") == []


def test_a_stage_whose_models_take_too_long_fails_before_its_worker_is_lost(
    in_flight: InFlight, monkeypatch: Any
) -> None:
    monkeypatch.setattr(ask_model, "SHARE_OF_TIMEOUT", 0.3 / stage_named(STAGE).timeout_seconds)
    stub, plan = in_flight.modelled.stub, in_flight.plan
    stub.faults = {"silence": 1.0}

    found = in_flight.modelled.work(plan, [STAGE])

    assert found.failure
    assert (found.failure.failed_step, found.failure.recoverable) == ("004-draft", True)
    assert found.failure.message.startswith("Its models took longer than the ")
    assert stub.calls == []
    stub.faults = {}
    monkeypatch.setattr(ask_model, "SHARE_OF_TIMEOUT", 0.9)
    assert in_flight.modelled.resume(plan, [STAGE]).failure is None


def test_a_stop_is_noticed_while_calls_wait_for_their_turn(in_flight: InFlight, monkeypatch: Any) -> None:
    whole = profiles.all_profiles()
    narrow = {name: profile.model_copy(update={"concurrency": 1}) for name, profile in whole.items()}
    monkeypatch.setattr(profiles, "all_profiles", lambda: narrow)
    in_flight.modelled.stub.faults = {"silence": 1.0}

    in_flight.stopped(when=lambda stub: stub.busy == 1)

    assert in_flight.modelled.stub.most_at_once == 1


def test_a_stop_is_noticed_while_calls_back_off(in_flight: InFlight) -> None:
    stub = in_flight.modelled.stub
    stub.faults, stub.retry_after = {"rate_limit": 1.0}, "50"

    in_flight.stopped(when=lambda stub: len(stub.calls) == 2)

    assert len(stub.calls) == 2, "none was asked again"


def test_what_a_call_was_billed_before_a_stop_cut_it_off_is_told_and_kept(
    in_flight: InFlight, monkeypatch: pytest.MonkeyPatch
) -> None:
    modelled, plan, stub = in_flight.modelled, in_flight.plan, in_flight.modelled.stub
    monkeypatch.setattr(stub, "fault", lambda _, attempt: "invalid_json" if attempt == 1 else "silence")

    in_flight.stopped(when=lambda stub: (stub.busy, len(stub.calls)) == (2, 2))
    deliver(modelled.fakes)

    earlier = sum(modelled.record(plan, key).usage.input_tokens for key in ("001", "002", "003"))
    spent = modelled.usage(modelled.plan(plan)).input_tokens - earlier
    assert spent == sum(call.tokens.input for call in stub.calls) > 0
    assert len(modelled.fakes.files.paths(plan.plan_id, "004-0-")) == 2


def test_every_request_looks_before_it_is_sent(in_flight: InFlight) -> None:
    looks: list[int] = []

    async def ask() -> None:
        model = in_flight.modelled.fakes.ports.models.model("custom")
        await model.ask(replace(question(), look=lambda: looks.append(1)))
        await in_flight.modelled.fakes.ports.models.close()

    in_flight.modelled.stub.faults, in_flight.modelled.stub.once = {"invalid_json": 1.0}, True
    asyncio.run(ask())
    assert len(looks) == len(in_flight.modelled.stub.calls) == 2
