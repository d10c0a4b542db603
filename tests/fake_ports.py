"""Ports to test with: all in memory, with a clock that a test moves."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from uuid import UUID

from planloom.accounts.access import ShareStore
from planloom.accounts.rules import Rules
from planloom.accounts.stores import Billing, CreditStore, KeyStore
from planloom.core.file_store import FileStore
from planloom.models.profiles import Models
from planloom.planes.implementation.ports import ImplementationPlans, PlanRegistry
from planloom.planes.strategic.ports.groups import GoalReadings, PlanRecords, RunControl, StagePorts
from planloom.planes.strategic.ports.log import EventLog
from planloom.planes.strategic.ports.plans import PlanArchive, PlanStore
from planloom.planes.strategic.ports.running import Bus, GoalReader, Pipeline, RunQueue
from planloom.planes.strategic.watch_settings import WatchSettings
from planloom.runs.long_poll import LongPoll, PollSlots
from tests.fakes import (
    FakeBus,
    FakeCreditStore,
    FakeFileStore,
    FakeGoalReader,
    FakeKeyStore,
    FakePipeline,
    FakePlanArchive,
    FakePlanRegistry,
    FakePlanStore,
    FakePollSlots,
    FakeRunQueue,
    FakeShareStore,
)

PROMPT = """\
We want to open a 48-seat bakery café in the Alfama quarter of Lisbon by 1 May 2027, run by two partners who have baked
professionally for nine years. The budget is €240,000, of which €90,000 comes from savings and €150,000 from a bank loan
that must be approved before the lease is signed. Rent must not exceed €3,200 a month. Success means 180 paying
customers a day by the end of the sixth month. August is closed for holidays."""


@dataclass
class Clock:
    """A clock that does not move until it is moved."""

    at: datetime = datetime(2026, 11, 2, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def pass_(self, **duration: float) -> None:
        self.at += timedelta(**duration)


@dataclass(frozen=True)
class Ports:
    """The ports of planloom.wiring.Ports in memory; ``dataclasses.replace`` changes one for all groups."""

    plans: PlanStore
    archive: PlanArchive
    log: EventLog
    files: FileStore
    pipeline: Pipeline
    bus: Bus
    keys: KeyStore
    shares: ShareStore
    examples: FileStore
    readings: FileStore
    feedback: FileStore
    goal_reader: GoalReader
    credits: CreditStore
    registry: PlanRegistry
    slots: PollSlots
    queue: RunQueue
    models: Models
    clock: Callable[[], datetime]
    new_id: Callable[[], str]
    monotonic: Callable[[], float]
    sleep: Callable[[float], None]
    rules: Rules = field(default_factory=Rules)
    watch_settings: WatchSettings = field(default_factory=WatchSettings)

    @property
    def plan_records(self) -> PlanRecords:
        return PlanRecords(self.plans, self.archive, self.files, self.clock, self.new_id)

    @property
    def run_control(self) -> RunControl:
        return RunControl(
            self.plan_records, self.pipeline, self.queue, self.bus, self.log, self.billing, self.watch_settings
        )

    @property
    def stage_ports(self) -> StagePorts:
        return StagePorts(self.plan_records, self.bus, self.models, self.monotonic, self.watch_settings)

    @property
    def goal_readings(self) -> GoalReadings:
        return GoalReadings(self.readings, self.goal_reader, self.long_poll, self.clock)

    @property
    def billing(self) -> Billing:
        return Billing(self.credits, self.rules, self.clock)

    @property
    def implementation_plans(self) -> ImplementationPlans:
        return ImplementationPlans(
            self.registry, lambda plan_id: self.plans.get(plan_id) is not None, self.clock, self.new_id
        )

    @property
    def long_poll(self) -> LongPoll:
        return LongPoll(self.slots, self.watch_settings.holds, self.clock, self.monotonic, self.sleep)


@dataclass
class Fakes:
    """Ports, and the fakes behind them."""

    ports: Ports
    plans: FakePlanStore
    files: FakeFileStore
    pipeline: FakePipeline
    bus: FakeBus
    keys: FakeKeyStore
    registry: FakePlanRegistry
    clock: Clock


def make_fakes() -> Fakes:
    """Return ports in memory; plan ids count up."""
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
    ports = Ports(
        plans=plans,
        archive=FakePlanArchive(plans),
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
        slots=FakePollSlots(),
        queue=FakeRunQueue(),
        models=Models(),
        clock=clock,
        new_id=lambda: next(ids),
        monotonic=lambda: clock.at.timestamp(),
        sleep=lambda seconds: clock.pass_(seconds=seconds),
    )
    return Fakes(ports, plans, files, pipeline, bus, keys, registry, clock)
