"""Worlds to test in: all in memory, with a clock that moves only when told."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from uuid import UUID

from planloom.models.profiles import Models
from planloom.services.world import World
from tests.fakes import (
    FakeBus,
    FakeCreditStore,
    FakeFileStore,
    FakeGoalReader,
    FakeKeyStore,
    FakePipeline,
    FakePlanRegistry,
    FakePlanShelf,
    FakePlanStore,
    FakeSeats,
    FakeShareStore,
    FakeTurns,
)

PROMPT = """\
We want to open a 48-seat bakery café in the Alfama quarter of Lisbon by 1 May 2027, run by two partners who have baked
professionally for nine years. The budget is €240,000, of which €90,000 comes from savings and €150,000 from a bank loan
that must be approved before the lease is signed. Rent must not exceed €3,200 a month. Success means 180 paying
customers a day by the end of the sixth month. August is closed for holidays."""


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    at: datetime = datetime(2026, 11, 2, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def pass_(self, **duration: float) -> None:
        self.at += timedelta(**duration)


@dataclass
class Fakes:
    """A world and the fakes behind it."""

    world: World
    plans: FakePlanStore
    files: FakeFileStore
    pipeline: FakePipeline
    bus: FakeBus
    keys: FakeKeyStore
    registry: FakePlanRegistry
    clock: Clock


def make_fakes() -> Fakes:
    """Build a world in memory; plan ids count up."""
    plans, files, pipeline, bus, keys, registry, clock = (
        FakePlanStore(),
        FakeFileStore(),
        FakePipeline(),
        FakeBus(),
        FakeKeyStore(),
        FakePlanRegistry(),
        Clock(),
    )
    ids = (str(UUID(int=number, version=4)) for number in count(1))
    world = World(
        plans=plans,
        shelf=FakePlanShelf(plans),
        log=plans,
        files=files,
        pipeline=pipeline,
        bus=bus,
        keys=keys,
        shares=FakeShareStore(),
        examples=FakeFileStore(),
        readings=FakeFileStore(),
        feedback=FakeFileStore(),
        goal_reader=FakeGoalReader(),
        credits=FakeCreditStore(),
        registry=registry,
        seats=FakeSeats(),
        turns=FakeTurns(),
        models=Models(),
        now=clock,
        new_id=lambda: next(ids),
        monotonic=lambda: clock.at.timestamp(),
        sleep=lambda seconds: clock.pass_(seconds=seconds),
    )
    return Fakes(world, plans, files, pipeline, bus, keys, registry, clock)
