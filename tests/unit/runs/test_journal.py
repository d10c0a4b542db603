"""What a worker keeps before calls: those that begin together share a write, and none is made without one."""

import asyncio
from datetime import timedelta

import pytest

from planloom.core.step_graph import StepGraph
from planloom.runs.journal import Journal, LeaseLost
from planloom.runs.records import Lease, Unit
from tests.unit.runs.jobs import Bench, Steps

UNITS = [Unit(name) for name in "abcd"]


def opened() -> tuple[Bench, Journal]:
    bench = Bench(Steps(StepGraph.of((unit.step, ()) for unit in UNITS)))
    until = bench.clock() + timedelta(minutes=1)
    control = bench.store.take_lease("r1", 1, bench.clock(), until)
    bench.writes.count = 0
    return bench, Journal(bench.worker(), bench.run, Lease("r1", 1, control.epoch), control, until)


def kept(bench: Bench) -> set[str]:
    return {intent.unit for intent in bench.store.control("r1").intents}


def test_intents_that_come_during_a_write_share_the_next_one() -> None:
    bench, journal = opened()

    async def begin() -> None:
        await asyncio.gather(*map(journal.intend, UNITS))

    asyncio.run(begin())

    assert kept(bench) == set(journal.intents) == {unit.text for unit in UNITS}
    assert bench.writes.count <= 2


def test_a_call_that_is_cancelled_before_its_intent_is_written_leaves_none() -> None:
    bench, journal = opened()

    async def begin() -> None:
        calls = [asyncio.create_task(journal.intend(unit)) for unit in UNITS]
        await asyncio.sleep(0)
        calls[-1].cancel()
        await asyncio.gather(*calls, return_exceptions=True)

    asyncio.run(begin())

    assert kept(bench) == {unit.text for unit in UNITS[:-1]}


def test_no_intent_is_taken_for_kept_when_the_lease_is_lost() -> None:
    bench, journal = opened()
    bench.store.release_lease(journal.lease)
    bench.store.take_lease("r1", 1, bench.clock(), bench.clock() + timedelta(minutes=1))

    async def begin() -> list[object]:
        return list(await asyncio.gather(*map(journal.intend, UNITS), return_exceptions=True))

    assert [type(found) for found in asyncio.run(begin())] == [LeaseLost] * len(UNITS)
    assert (kept(bench), journal.intents) == (set(), {})
    with pytest.raises(LeaseLost):
        asyncio.run(journal.intend(UNITS[0]))
