"""Dispatch runs: no more at once than the deployment has slots; the others wait, pending, in the order of the queue.

On a laptop every stage of every run is a process of its own: twenty runs at once would take all its memory, where one
after the other they end sooner. In AWS a limit keeps a burst of plans within the quota of the models or of Lambda.
"""

import logging

from planloom.planes.strategic.events import RunStarted
from planloom.planes.strategic.plans import Plan, execution_name, run_of
from planloom.planes.strategic.ports.groups import RunControl
from planloom.planes.strategic.ports.plans import PlanStore
from planloom.planes.strategic.services.claim_records import claim_records
from planloom.planes.strategic.services.publish import publish

logger = logging.getLogger(__name__)


def dispatch_run(run_control: RunControl, plan: Plan) -> bool:
    """Start the execution of the plan's current run, once however often it is called.

    Returns False where it waits in the queue: ``release_slot`` of another run starts it.
    """
    if plan.resumed_at:
        claim_records(run_control.plan_records.files, plan)
    most = run_control.watch_settings.runs_at_once
    if most and not run_control.queue.take_slot(execution_name(plan.plan_id, plan.run), most, plan.queued_at):
        return False
    run_control.pipeline.start(plan.plan_id, plan.run, plan.target)
    publish(run_control.bus, RunStarted(plan_id=plan.plan_id, run=plan.run, at=run_control.plan_records.now()))
    return True


def release_slot(run_control: RunControl, plan: Plan) -> None:
    """Let the run of *plan*, which is over, make way for those that wait."""
    if not run_control.watch_settings.runs_at_once:
        return
    run_control.queue.release(execution_name(plan.plan_id, plan.run))
    try:
        dispatch_waiting(run_control)
    except Exception:
        # the caller stops or ends another plan, and this is no error of that: the watchdog starts what waits
        logger.warning("a plan that waits could not be started", exc_info=True)


def dispatch_waiting(run_control: RunControl) -> list[str]:
    """Start the waiting runs in the order of the queue until one has no slot; return the ids of their plans."""
    started = []
    for name in run_control.queue.read()[1]:
        plan = plan_in(run_control.plan_records.plans, name)
        if plan is None or plan.state != "pending":
            # started meanwhile, or about to leave the queue
            continue
        if not dispatch_run(run_control, plan):
            break
        started.append(plan.plan_id)
    return started


def plan_in(plans: PlanStore, name: str) -> Plan | None:
    """Return the plan whose current run is named *name*; None where that run is over."""
    plan_id, run = run_of(name)
    plan = plans.get(plan_id)
    return plan if plan and plan.run == run else None
