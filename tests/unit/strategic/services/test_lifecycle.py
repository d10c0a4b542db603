"""The life of plans in memory: see lifecycle.py. tests/integration/test_view.py holds the view on DynamoDB to it."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import HealthCheck, settings

from tests.fake_ports import Fakes, make_fakes
from tests.thorough import THOROUGH
from tests.unit.strategic.services.lifecycle import Between, Lifecycle


class InMemory(Lifecycle):
    """On the fakes."""

    def make(self, before: Callable[[], None]) -> Fakes:
        fakes = make_fakes()
        ports = replace(
            fakes.ports,
            plans=Between(fakes.plans, before),
            files=Between(fakes.files, before),
            archive=Between(fakes.ports.archive, before),
            credits=Between(fakes.ports.credits, before),
            queue=Between(fakes.ports.queue, before),
        )
        return replace(fakes, ports=ports)


class OneAtATime(InMemory):
    """On the fakes, where every plan but one has to wait."""

    runs_at_once = 1


LIMITS = settings(
    max_examples=40 if THOROUGH else 12, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)

TestLifecycle = InMemory.TestCase
TestLifecycle.settings = LIMITS
TestLifecycleOneAtATime = OneAtATime.TestCase
TestLifecycleOneAtATime.settings = LIMITS
