"""Find plans without progress: repeat a lost start, notice an execution that ended, end plans that stay silent."""

from datetime import timedelta

from planloom.planes.strategic.events import PlanStalled
from planloom.planes.strategic.plans import Failure, Plan
from planloom.planes.strategic.ports.groups import RunControl
from planloom.planes.strategic.progress import failed_step, last_moved, silent
from planloom.planes.strategic.services.dispatch_run import dispatch_run, dispatch_waiting, plan_in
from planloom.planes.strategic.services.end_run import end_plan, end_run
from planloom.planes.strategic.services.publish import publish
from planloom.planes.strategic.services.repair_plan import repair_view

#: A start that has not happened by then was lost between storing the plan and starting its run.
START_WITHIN = timedelta(seconds=30)


def watch_plans(run_control: RunControl, start_within: timedelta = START_WITHIN) -> dict[str, str]:
    """Look at every plan that is pending or processing; return what was done, by plan id.

    *start_within*: 0 where nobody else can be between storing a plan and starting it.

    Raises ExceptionGroup of what went wrong with single plans, once all others have been looked at.
    """
    done: dict[str, str] = {}
    wrong: list[Exception] = []
    try:
        done |= dict.fromkeys(_repair_queue(run_control), "started")
    except Exception as error:
        error.add_note("while the plans that wait were looked at")
        wrong.append(error)
    for plan_id in run_control.plan_records.plans.active():
        try:
            plan = run_control.plan_records.plans.get(plan_id)
            if plan and (action := _watch(run_control, plan, start_within)):
                done[plan_id] = action
        except Exception as error:
            error.add_note(f"while plan {plan_id} was looked at")
            wrong.append(error)
    if wrong:
        raise ExceptionGroup("some plans could not be looked at", wrong)
    return done


def _repair_queue(run_control: RunControl) -> list[str]:
    """End the turns of runs that are over, as a crash leaves them; return the ids of the plans that start for it."""
    if not run_control.watch_settings.runs_at_once:
        return []
    for name in frozenset().union(*run_control.queue.read()):
        plan = plan_in(run_control.plan_records.plans, name)
        if plan is None:
            run_control.queue.release(name)
        elif plan.state != "pending" and plan.state != "processing":
            # nor was its record kept: a table rebuilt from it would start the plan again
            end_plan(run_control, plan, plan.state)
    return dispatch_waiting(run_control)


def _watch(run_control: RunControl, plan: Plan, start_within: timedelta) -> str | None:
    status = run_control.pipeline.status(plan.plan_id, plan.run)
    if status is None:
        if run_control.plan_records.now() - plan.queued_at < start_within:
            return None
        # the crash may have come before the record: a view rebuilt from it must not give this run's number again
        run_control.plan_records.save_record(plan)
        return "started" if dispatch_run(run_control, plan) else None
    if status != "RUNNING":
        end_run(run_control, plan.plan_id, plan.run, status)
        return "ended"
    if run_control.watch_settings.may_wait(plan):
        # however long it waited, it has only begun: its first stage moves it, or the state machine gives it up
        return None
    return _silence(run_control, plan)


def _silence(run_control: RunControl, plan: Plan) -> str | None:
    watching = run_control.watch_settings
    if silent(plan, run_control.plan_records.now(), watching.inactive_after):
        return _end_silent(run_control, plan)
    if watching.stalled(plan, run_control.plan_records.now()):
        # plan_status says so by itself; this puts it into the log, once for each silence
        publish(
            run_control.bus,
            PlanStalled(plan_id=plan.plan_id, run=plan.run, at=run_control.plan_records.now(), since=last_moved(plan)),
        )
        return "stalled"
    return None


def _end_silent(run_control: RunControl, plan: Plan) -> str | None:
    try:
        # perhaps only its events are silent; the step records are there
        repair_view(run_control.plan_records, plan)
    finally:
        # a record that cannot be read must not keep the plan processing for ever
        now = run_control.plan_records.plans.get(plan.plan_id)
        ended = (
            now is not None
            and now.run == plan.run
            and silent(now, run_control.plan_records.now(), run_control.watch_settings.inactive_after)
        )
        if now and ended:
            try:
                end_plan(run_control, now, "failed", _inactivity(now, run_control.watch_settings.inactive_after))
            finally:
                # nobody looks at it again
                run_control.pipeline.stop(now.plan_id, now.run)
    return "inactive" if ended else None


def _inactivity(plan: Plan, limit: timedelta) -> Failure:
    minutes = limit // timedelta(minutes=1)
    return Failure(
        failure_reason="inactivity_timeout",
        failed_step=failed_step(plan),
        message=f"No progress for {minutes} minutes. Finished stages are kept: plan_resume continues.",
        recoverable=True,
    )
