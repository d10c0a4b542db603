"""Plans that were drafted to their end in memory, events delivered: drafted once, handed out as copies."""

from dataclasses import replace
from functools import cache

from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.end_run import end_run
from tests.fake_ports import Fakes, make_fakes
from tests.unit.strategic.services.spy import Spy, SpyModels
from tests.unit.strategic.services.walk import begin, deliver, in_order, work


def spied(spy: Spy) -> Fakes:
    """Return fakes whose every model is *spy*."""
    made = make_fakes()
    return replace(made, ports=replace(made.ports, models=SpyModels(spy)))


def completed(spy: Spy) -> tuple[Fakes, Plan]:
    """Return fakes that hold one completed plan."""
    kept = _drafted()
    fakes = spied(spy)
    fakes.ports.new_id()  # taken by the plan that is there
    fakes.plans.plans.update(kept.plans.plans)
    fakes.plans.files.update({plan_id: dict(files) for plan_id, files in kept.plans.files.items()})
    fakes.files.contents.update(kept.files.contents)
    fakes.files.types.update(kept.files.types)
    fakes.files.kept.update({path: list(versions) for path, versions in kept.files.kept.items()})
    (plan,) = fakes.plans.plans.values()
    return fakes, plan


def run(fakes: Fakes, plan: Plan, *names: str) -> tuple[list[str], list[str]]:
    """Run the plan's stages, by default all, to its end; return the keys of those skipped and of those made."""
    told = len(fakes.bus.published)
    work(fakes, plan, *(names or in_order()))
    deliver(fakes)
    end_run(fakes.ports.run_control, plan.plan_id, plan.run, "SUCCEEDED")
    finished = [event for event in fakes.bus.published[told:] if hasattr(event, "skipped")]
    return [e.record.key for e in finished if e.skipped], [e.record.key for e in finished if not e.skipped]


@cache
def _drafted() -> Fakes:
    fakes = spied(Spy())
    plan = begin(fakes)
    run(fakes, plan)
    return fakes
