"""Log steps whose events were lost, or are still on their way, before the end of the run is logged."""

from collections.abc import Iterable

from planloom.planes.strategic.events import StageFinished, StageStarted
from planloom.planes.strategic.pipeline_map import step_with_key
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.plans import PlanStore
from planloom.planes.strategic.steps import StepRecord


def backfill_events(plans: PlanStore, plan: Plan, records: Iterable[StepRecord]) -> None:
    """Apply what *records* say of the plan's current run; an event that comes later is recognised by its id."""
    # not by the plan's progress: a step that a run went on from may have been made again by it
    known = {step.key for step in plans.steps(plan.plan_id) if step.run == plan.run}
    for record in records:
        if record.run == plan.run and record.key not in known:
            for event in _events(plan, record):
                plans.apply(event)


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
