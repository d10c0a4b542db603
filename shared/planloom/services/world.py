"""The world as services see it: every port, the models and a clock, in one hand."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from planloom.domain.rules import Rules
from planloom.models.profiles import Models
from planloom.ports import Bus, FileStore, KeyStore, Pipeline, PlanRegistry, PlanShelf, PlanStore


@dataclass(frozen=True)
class World:
    """Built once per process by planloom.wiring, from fakes in tests. ``now`` carries a time zone."""

    plans: PlanStore
    shelf: PlanShelf
    files: FileStore
    pipeline: Pipeline
    bus: Bus
    keys: KeyStore
    registry: PlanRegistry
    models: Models
    now: Callable[[], datetime]
    new_id: Callable[[], str]
    monotonic: Callable[[], float]
    rules: Rules = field(default_factory=Rules)
