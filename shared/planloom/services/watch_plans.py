"""Find plans that stopped moving: heal a start that was lost, notice an execution that died, end a silence."""

from datetime import timedelta

from planloom.domain.events import PlanStalled
from planloom.domain.plans import Failure, Plan
from planloom.domain.progress import failed_step, last_moved, silent
from planloom.services.end_run import end_plan, end_run
from planloom.services.repair_plan import repair_view
from planloom.services.save_plan_record import save_plan_record
from planloom.services.start_run import plan_in, start_run, start_waiting
from planloom.services.tell import tell
from planloom.services.world import World

#: A start that has not happened by then was lost between storing the plan and starting its run.
START_WITHIN = timedelta(seconds=30)


def watch_plans(world: World, start_within: timedelta = START_WITHIN) -> dict[str, str]:
    """Look at every plan that is pending or processing; return what was done, by plan id.

    *start_within*: 0 where nobody else can be between storing a plan and starting it.

    Raises ExceptionGroup of what went wrong with single plans, once all others have been looked at.
    """
    done: dict[str, str] = {}
    wrong: list[Exception] = []
    try:
        done |= dict.fromkeys(_mend_turns(world), "started")
    except Exception as error:
        error.add_note("while the plans that wait were looked at")
        wrong.append(error)
    for plan_id in world.plans.active():
        try:
            plan = world.plans.get(plan_id)
            if plan and (action := _watch(world, plan, start_within)):
                done[plan_id] = action
        except Exception as error:
            error.add_note(f"while plan {plan_id} was looked at")
            wrong.append(error)
    if wrong:
        raise ExceptionGroup("some plans could not be looked at", wrong)
    return done


def _mend_turns(world: World) -> list[str]:
    """End the turns of runs that are over, as a crash leaves them; return the ids of the plans that start for it."""
    if not world.watching.runs_at_once:
        return []
    for name in frozenset().union(*world.turns.look()):
        plan = plan_in(world, name)
        if plan is None:
            world.turns.leave(name)
        elif plan.state != "pending" and plan.state != "processing":
            # nor was its record kept: a table rebuilt from it would start the plan again
            end_plan(world, plan, plan.state)
    return start_waiting(world)


def _watch(world: World, plan: Plan, start_within: timedelta) -> str | None:
    status = world.pipeline.status(plan.plan_id, plan.run)
    if status is None:
        if world.now() - plan.queued_at < start_within:
            return None
        # the crash may have come before the record: a view rebuilt from it must not give this run's number again
        save_plan_record(world, plan)
        return "started" if start_run(world, plan) else None
    if status != "RUNNING":
        end_run(world, plan.plan_id, plan.run, status)
        return "ended"
    if world.watching.may_wait(plan):
        # however long it waited, it has only begun: its first stage moves it, or the state machine gives it up
        return None
    return _silence(world, plan)


def _silence(world: World, plan: Plan) -> str | None:
    watching = world.watching
    if silent(plan, world.now(), watching.inactive_after):
        return _end_silent(world, plan)
    if watching.stalled(plan, world.now()):
        # plan_status says so by itself; this puts it into the log, once for each silence
        tell(world, PlanStalled(plan_id=plan.plan_id, run=plan.run, at=world.now(), since=last_moved(plan)))
        return "stalled"
    return None


def _end_silent(world: World, plan: Plan) -> str | None:
    try:
        # perhaps only its events are silent; the step records are there
        repair_view(world, plan)
    finally:
        # a record that cannot be read must not keep the plan processing for ever
        now = world.plans.get(plan.plan_id)
        ended = now is not None and now.run == plan.run and silent(now, world.now(), world.watching.inactive_after)
        if now and ended:
            try:
                end_plan(world, now, "failed", _inactivity(now, world.watching.inactive_after))
            finally:
                # nobody looks at it again
                world.pipeline.stop(now.plan_id, now.run)
    return "inactive" if ended else None


def _inactivity(plan: Plan, limit: timedelta) -> Failure:
    minutes = limit // timedelta(minutes=1)
    return Failure(
        failure_reason="inactivity_timeout",
        failed_step=failed_step(plan),
        message=f"No progress for {minutes} minutes. Finished stages are kept: plan_resume goes on.",
        recoverable=True,
    )
