"""Plans on their way, over a model that keeps what it was asked."""

from functools import partial

import pytest

import bench.stub_answering
from planloom.planes.strategic.compute.compute import compute
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.stop_plan import stop_plan
from planloom.planes.strategic.stages import repair, schedule
from tests.fake_ports import Fakes
from tests.thorough import THOROUGH
from tests.unit.strategic.services.drafted import spied
from tests.unit.strategic.services.spy import Brief, Spy
from tests.unit.strategic.services.walk import begin, deliver, in_order, work


@pytest.fixture(autouse=True)
def brief_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the stub of the providers answer as briefly as the spy does."""
    monkeypatch.setattr(bench.stub_answering, "Answerer", Brief)


@pytest.fixture(autouse=True)
def short_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate the odds of a plan in 50 runs: these tests are about how plans are drafted, not about their odds."""
    if not THOROUGH:
        for module in (repair, schedule):
            monkeypatch.setattr(module, "compute", partial(compute, runs=50))


@pytest.fixture
def spy() -> Spy:
    return Spy()


@pytest.fixture
def stopped(spy: Spy) -> tuple[Fakes, Plan]:
    """A plan that was stopped after five stages."""
    fakes = spied(spy)
    plan = begin(fakes)
    work(fakes, plan, *in_order()[:5])
    deliver(fakes)
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    return fakes, fakes.plans.get(plan.plan_id)
