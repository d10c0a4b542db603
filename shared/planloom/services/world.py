"""The world as services see it: every port, the models and a clock, in one hand."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from planloom.domain.rules import Rules
from planloom.domain.watching import Watching
from planloom.models.profiles import Models
from planloom.ports.access import Seats, ShareStore
from planloom.ports.accounts import CreditStore, KeyStore
from planloom.ports.files import FileStore
from planloom.ports.implementation import PlanRegistry
from planloom.ports.log import EventLog
from planloom.ports.plans import PlanShelf, PlanStore
from planloom.ports.running import Bus, GoalReader, Pipeline, Turns


@dataclass(frozen=True)
class World:
    """Built once per process by planloom.wiring, from fakes in tests. ``now`` carries a time zone."""

    plans: PlanStore
    shelf: PlanShelf
    log: EventLog
    files: FileStore
    pipeline: Pipeline
    bus: Bus
    keys: KeyStore
    registry: PlanRegistry
    seats: Seats
    turns: Turns
    models: Models
    now: Callable[[], datetime]
    new_id: Callable[[], str]
    shares: ShareStore
    examples: FileStore
    readings: FileStore
    feedback: FileStore
    goal_reader: GoalReader
    credits: CreditStore
    monotonic: Callable[[], float]
    sleep: Callable[[float], None]
    rules: Rules = field(default_factory=Rules)
    watching: Watching = field(default_factory=Watching)
