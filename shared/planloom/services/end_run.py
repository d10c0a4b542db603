"""Bring a plan to its end when its execution has ended: even one whose worker crashed is never left processing."""

import logging
from collections.abc import Callable
from datetime import datetime

from planloom.domain.artifacts import REPORT
from planloom.domain.event_log import Entry, state_changed
from planloom.domain.events import PlanEvent, RunEnded
from planloom.domain.plans import End, Failure, Plan
from planloom.domain.progress import failed_step
from planloom.services.credits import settle_credits
from planloom.services.repair_plan import repair_view
from planloom.services.save_plan_record import save_plan_record
from planloom.services.save_run_error import save_failure
from planloom.services.save_run_log import save_run_log
from planloom.services.start_run import end_turn
from planloom.services.tell import tell
from planloom.services.world import World

logger = logging.getLogger(__name__)


def end_run(world: World, plan_id: str, run: int, status: str) -> None:
    """Move the plan to completed or failed by the execution's *status*: SUCCEEDED, FAILED, TIMED_OUT or ABORTED.

    Changes nothing where the plan has another run by now or has come to an end: what was stopped stays stopped.
    Raises what reading the step records raised, once the plan has come to its end.
    """
    plan = world.plans.get(plan_id)
    if plan is None or plan.run != run:
        return
    try:
        # events may still be on their way; the step records are there
        repair_view(world, plan, complete=status == "SUCCEEDED")
    finally:
        # a record that cannot be read must not keep the plan processing for ever
        now = world.plans.get(plan_id)
        if now and now.run == run:
            _end(world, now, status)
        else:
            end_turn(world, plan)


def end_plan(
    world: World,
    plan: Plan,
    to: End,
    failure: Failure | None = None,
    told: Callable[[World, PlanEvent], object] = tell,
) -> None:
    """Move *plan* to its end; keep its record, and have it *told*.

    Where it has come to an end already, that one stands; it is told and kept again, in case a crash came between.
    """
    try:
        if ended := _end_plan(world, plan, to, failure):
            told(world, ended)
    finally:
        # whatever could not be told: the run is over, and others may wait for it
        end_turn(world, plan)


def _end_plan(world: World, plan: Plan, to: End, failure: Failure | None) -> RunEnded | None:
    if plan.state == "pending" and to == "completed":
        world.plans.move(plan.plan_id, plan.run, "processing", world.now())
    now = world.now()
    _log_end(world, plan, to, now, failure)
    moved = world.plans.move(plan.plan_id, plan.run, to, now, failure)
    ended = world.plans.get(plan.plan_id)
    if ended is None or ended.run != plan.run or ended.state == "pending" or ended.state == "processing":
        return None
    save_plan_record(world, ended)
    settle_credits(world, ended)
    if ended.state == "failed" and ended.failure:
        save_failure(world, ended, ended.failure)
    if not moved:
        save_run_log(world, ended)
    return RunEnded(
        plan_id=ended.plan_id,
        run=ended.run,
        at=ended.ended_at or world.now(),
        state=ended.state,
        failure=ended.failure if ended.state == "failed" else None,
    )


def _log_end(world: World, plan: Plan, to: End, now: datetime, failure: Failure | None) -> None:
    """Write the log before the state changes, so that whoever sees the plan ended finds it."""
    told = state_changed(plan.state, to, plan.run, failure)
    try:
        save_run_log(world, plan, Entry(cursor=0, ts=now, type=told.type, data=told.data))
    except Exception:
        # a log that cannot be written must not keep the plan processing for ever
        logger.warning("run log not written", exc_info=True)


def _end(world: World, plan: Plan, status: str) -> None:
    if status == "SUCCEEDED" and world.files.sha256(plan.plan_id, REPORT) is not None:
        end_plan(world, plan, "completed", told=_put)
    else:
        end_plan(world, plan, "failed", plan.failure or _lost_worker(plan, status), told=_put)


def _put(world: World, event: PlanEvent) -> None:
    # where the bus does not take it, the message that the execution has ended comes again
    world.bus.put(event)


def _lost_worker(plan: Plan, status: str) -> Failure:
    step = failed_step(plan)
    where = f" while it worked on {step}" if step else ""
    return Failure(
        failure_reason="worker_error",
        failed_step=step,
        message=f"The worker was lost{where} (the execution ended {status}). Finished stages are kept.",
        recoverable=True,
    )
