"""Walk a plan through its stages in memory, as the state machine would, and deliver its events."""

import asyncio

from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.create_plan import create_plan
from planloom.planes.strategic.services.run_stage import run_stage
from planloom.planes.strategic.stages.pipeline import PIPELINE
from tests.fake_ports import PROMPT, Fakes


def in_order() -> list[str]:
    """Return the names of all stages so that each comes after what it needs."""
    done: list[str] = []
    todo = list(PIPELINE)
    while todo:
        ready = [stage for stage in todo if set(stage.needs) <= set(done)]
        assert ready, "the pipeline holds a cycle"
        done += [stage.name for stage in ready]
        todo = [stage for stage in todo if stage not in ready]
    return done


def begin(fakes: Fakes, prompt: str = PROMPT) -> Plan:
    """Create a plan for account acme."""
    return create_plan(fakes.ports.run_control, fakes.ports.models, "acme", prompt)


def work(fakes: Fakes, plan: Plan, *names: str) -> None:
    """Run the stages *names*, one after the other."""
    for name in names:
        asyncio.run(run_stage(fakes.ports.stage_ports, name, plan.plan_id, plan.run))


def deliver(fakes: Fakes) -> None:
    """Apply every event published so far to the view."""
    for event in fakes.bus.published:
        fakes.plans.apply(event)
