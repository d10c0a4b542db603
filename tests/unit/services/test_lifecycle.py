"""The life of plans in memory: see lifecycle.py. tests/integration/test_view.py holds the view on DynamoDB to it."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import HealthCheck, settings

from tests.unit.services.lifecycle import Between, Lifecycle
from tests.worlds import Fakes, make_fakes


class InMemory(Lifecycle):
    """On the fakes."""

    def make(self, before: Callable[[], None]) -> Fakes:
        fakes = make_fakes()
        world = replace(
            fakes.world,
            plans=Between(fakes.plans, before),
            files=Between(fakes.files, before),
            shelf=Between(fakes.world.shelf, before),
            credits=Between(fakes.world.credits, before),
            turns=Between(fakes.world.turns, before),
        )
        return replace(fakes, world=world)


class OneAtATime(InMemory):
    """On the fakes, where every plan but one has to wait."""

    runs_at_once = 1


LIMITS = settings(max_examples=40, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck))

TestLifecycle = InMemory.TestCase
TestLifecycle.settings = LIMITS
TestLifecycleOneAtATime = OneAtATime.TestCase
TestLifecycleOneAtATime.settings = LIMITS
