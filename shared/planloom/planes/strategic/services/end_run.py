"""End a run: repair the view, move the plan to its end, save and settle what follows, publish it, release the slot.

Each step may be repeated: after a crash the same message, or the watchdog, does all of them again.
"""

import logging
from collections.abc import Callable
from datetime import datetime

from planloom.core.artifacts import REPORT
from planloom.planes.strategic.event_log import Entry, state_changed
from planloom.planes.strategic.events import PlanEvent, RunEnded
from planloom.planes.strategic.plans import End, Failure, Plan
from planloom.planes.strategic.ports.groups import PlanRecords, RunControl
from planloom.planes.strategic.ports.running import Bus
from planloom.planes.strategic.progress import failed_step
from planloom.planes.strategic.services.credits import settle_credits
from planloom.planes.strategic.services.dispatch_run import release_slot
from planloom.planes.strategic.services.publish import publish
from planloom.planes.strategic.services.repair_plan import repair_view
from planloom.planes.strategic.services.save_run_error import save_failure
from planloom.planes.strategic.services.save_run_log import save_run_log

logger = logging.getLogger(__name__)


def end_run(run_control: RunControl, plan_id: str, run: int, status: str) -> None:
    """Move the plan to completed or failed by the execution's *status*: SUCCEEDED, FAILED, TIMED_OUT or ABORTED.

    Changes nothing where the plan has another run, or has ended: a stopped plan stays stopped. Raises what reading the
    step records raised, after the plan has ended.
    """
    records = run_control.plan_records
    plan = records.plans.get(plan_id)
    if plan is None or plan.run != run:
        return
    try:
        # events may still be on their way; the step records are there
        repair_view(records, plan, complete=status == "SUCCEEDED")
    finally:
        # a record that cannot be read must not keep the plan processing
        now = records.plans.get(plan_id)
        if now and now.run == run:
            to, failure = _result(records, now, status)
            # if the bus does not accept the event, the message about the end of the execution comes again
            end_plan(run_control, now, to, failure, publisher=lambda bus, event: bus.put(event))
        else:
            release_slot(run_control, plan)


def end_plan(
    run_control: RunControl,
    plan: Plan,
    to: End,
    failure: Failure | None = None,
    publisher: Callable[[Bus, PlanEvent], object] = publish,
) -> None:
    """Move *plan* to its end and do what follows from it. An end that it has already stays, and is saved again."""
    try:
        moved, ended = _move(run_control, plan, to, failure)
        if ended is not None:
            _save_end(run_control, ended)
            if not moved:
                # the log was written for another end than the plan has
                save_run_log(run_control.plan_records.files, run_control.log, run_control.watch_settings, ended)
            publisher(run_control.bus, _event(run_control.plan_records, ended))
    finally:
        # the run is over even if its end could not be published, and others may wait for its slot
        release_slot(run_control, plan)


def _move(run_control: RunControl, plan: Plan, to: End, failure: Failure | None) -> tuple[bool, Plan | None]:
    """Return whether the plan was moved, and the plan as it ended, None where this run has not ended."""
    records = run_control.plan_records
    if plan.state == "pending" and to == "completed":
        records.plans.move(plan.plan_id, plan.run, "processing", records.now())
    now = records.now()
    _log_end(run_control, plan, to, now, failure)
    moved = records.plans.move(plan.plan_id, plan.run, to, now, failure)
    ended = records.plans.get(plan.plan_id)
    if ended is None or ended.run != plan.run or ended.state == "pending" or ended.state == "processing":
        return moved, None
    return moved, ended


def _log_end(run_control: RunControl, plan: Plan, to: End, now: datetime, failure: Failure | None) -> None:
    """Write the log before the state changes: it is there for a caller who sees that the plan has ended."""
    entry = state_changed(plan.state, to, plan.run, failure)
    last = Entry(cursor=0, ts=now, type=entry.type, data=entry.data)
    try:
        save_run_log(run_control.plan_records.files, run_control.log, run_control.watch_settings, plan, last)
    except Exception:
        # a log that cannot be written must not keep the plan processing
        logger.warning("run log not written", exc_info=True)


def _save_end(run_control: RunControl, ended: Plan) -> None:
    records = run_control.plan_records
    records.save_record(ended)
    settle_credits(records.files, run_control.billing, ended)
    if ended.state == "failed" and ended.failure:
        save_failure(records.files, run_control.watch_settings, records.now, ended, ended.failure)


def _event(plan_records: PlanRecords, ended: Plan) -> RunEnded:
    assert ended.state in ("completed", "failed", "stopped"), "only an ended plan has an end to publish"
    return RunEnded(
        plan_id=ended.plan_id,
        run=ended.run,
        at=ended.ended_at or plan_records.now(),
        state=ended.state,
        failure=ended.failure if ended.state == "failed" else None,
    )


def _result(plan_records: PlanRecords, plan: Plan, status: str) -> tuple[End, Failure | None]:
    if status == "SUCCEEDED" and plan_records.files.sha256(plan.plan_id, REPORT) is not None:
        return "completed", None
    return "failed", plan.failure or _lost_worker(plan, status)


def _lost_worker(plan: Plan, status: str) -> Failure:
    step = failed_step(plan)
    where = f" while it worked on {step}" if step else ""
    return Failure(
        failure_reason="worker_error",
        failed_step=step,
        message=f"The worker was lost{where} (the execution ended {status}). Finished stages are kept.",
        recoverable=True,
    )
