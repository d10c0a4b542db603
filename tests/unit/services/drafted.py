"""Plans that were drafted to their end in memory, events delivered: drafted once, handed out as copies."""

from dataclasses import replace
from functools import cache

from planloom.domain.plans import Plan
from planloom.services.end_run import end_run
from tests.unit.services.spy import Spy, SpyModels
from tests.unit.services.walk import begin, deliver, in_order, work
from tests.worlds import Fakes, make_fakes


def spied(spy: Spy) -> Fakes:
    """Return a world in memory whose every model is *spy*."""
    made = make_fakes()
    return replace(made, world=replace(made.world, models=SpyModels(spy)))


def completed(spy: Spy) -> tuple[Fakes, Plan]:
    """Return a world that holds one completed plan."""
    kept = _drafted()
    fakes = spied(spy)
    fakes.world.new_id()  # taken by the plan that is there
    fakes.plans.plans.update(kept.plans.plans)
    fakes.plans.files.update({plan_id: dict(files) for plan_id, files in kept.plans.files.items()})
    fakes.files.contents.update(kept.files.contents)
    fakes.files.types.update(kept.files.types)
    fakes.files.kept.update({path: list(versions) for path, versions in kept.files.kept.items()})
    (plan,) = fakes.plans.plans.values()
    return fakes, plan


def run(fakes: Fakes, plan: Plan, *names: str) -> tuple[list[str], list[str]]:
    """Run the plan's stages, by default all, to its end; return the keys of those skipped and of those made."""
    told = len(fakes.bus.told)
    work(fakes, plan, *(names or in_order()))
    deliver(fakes)
    end_run(fakes.world, plan.plan_id, plan.run, "SUCCEEDED")
    finished = [event for event in fakes.bus.told[told:] if hasattr(event, "skipped")]
    return [e.record.key for e in finished if e.skipped], [e.record.key for e in finished if not e.skipped]


@cache
def _drafted() -> Fakes:
    fakes = spied(Spy())
    plan = begin(fakes)
    run(fakes, plan)
    return fakes
