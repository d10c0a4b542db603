"""Tell the log of steps whose events were lost, or are still on their way, before it is told how the run ended."""

from collections.abc import Iterable

from planloom.domain.events import StageFinished, StageStarted
from planloom.domain.pipeline_map import step_with_key
from planloom.domain.plans import Plan
from planloom.domain.steps import StepRecord
from planloom.services.world import World


def catch_up(world: World, plan: Plan, records: Iterable[StepRecord]) -> None:
    """Fold what *records* say of the plan's current run; an event that comes later still is known by its id."""
    # not by the plan's progress: a step that a run went on from may have been made again by it
    told = {step.key for step in world.plans.steps(plan.plan_id) if step.run == plan.run}
    for record in records:
        if record.run == plan.run and record.key not in told:
            for event in _events(plan, record):
                world.plans.fold(event)


def _events(plan: Plan, record: StepRecord) -> tuple[StageStarted, StageFinished]:
    step = step_with_key(record.key)
    title = step.title if step else record.name
    return (
        StageStarted(
            plan_id=plan.plan_id, run=plan.run, at=record.started_at, key=record.key, name=record.name, title=title
        ),
        StageFinished(
            plan_id=plan.plan_id,
            run=plan.run,
            at=record.ended_at,
            title=title,
            record=record.model_copy(update={"claims": ()}),
        ),
    )
