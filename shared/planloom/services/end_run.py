"""Bring a plan to its end when its execution has ended: even one whose worker crashed is never left processing."""

from typing import Literal

from planloom.domain.artifacts import REPORT
from planloom.domain.events import RunEnded
from planloom.domain.plans import Failure, Plan
from planloom.domain.progress import failed_step_key
from planloom.services.repair_plan import repair_view
from planloom.services.save_plan_record import save_plan_record
from planloom.services.world import World
from planloom.stages import PIPELINE


def end_run(world: World, plan_id: str, run: int, status: str) -> None:
    """Move the plan to completed or failed by the execution's *status*: SUCCEEDED, FAILED, TIMED_OUT or ABORTED.

    Changes nothing where the plan has another run by now or has come to an end: what was stopped stays stopped.
    """
    plan = world.plans.get(plan_id)
    if plan is None or plan.run != run:
        return
    # events may still be on their way; the step records are there
    repair_view(world, plan)
    plan = world.plans.get(plan_id) or plan
    done = status == "SUCCEEDED" and world.files.sha256(plan_id, REPORT) is not None
    failure = None if done else plan.failure or _lost_worker(plan, status)
    end_plan(world, plan, failure)


def end_plan(world: World, plan: Plan, failure: Failure | None) -> None:
    """Move *plan* to failed, or to completed where there is no *failure*, tell it and keep its record."""
    if plan.state == "pending":
        world.plans.move(plan.plan_id, plan.run, "processing", world.now())
    state: Literal["failed", "completed"] = "failed" if failure else "completed"
    if not world.plans.move(plan.plan_id, plan.run, state, world.now(), failure):
        return
    world.bus.put(RunEnded(plan_id=plan.plan_id, run=plan.run, at=world.now(), state=state, failure=failure))
    ended = world.plans.get(plan.plan_id)
    if ended:
        save_plan_record(world, ended)


def _lost_worker(plan: Plan, status: str) -> Failure:
    key = failed_step_key(plan)
    step = next((stage.step for stage in PIPELINE if stage.key == key), None)
    where = f" while it worked on {step}" if step else ""
    return Failure(
        failure_reason="worker_error",
        failed_step=step,
        message=f"The worker was lost{where} (the execution ended {status}). Finished stages are kept.",
        recoverable=True,
    )
