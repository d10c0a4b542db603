"""Start runs: no more at once than the deployment lets be under way; the others wait, pending, and start in order.

On a laptop every stage of every run is a process of its own: twenty runs at once would take all its memory, where one
after the other they end sooner. In AWS a limit keeps a burst of plans within the quota of the models or of Lambda.
"""

import logging

from planloom.domain.events import RunStarted
from planloom.domain.plans import Plan, execution_name, run_of
from planloom.services.hold_records import hold_records
from planloom.services.tell import tell
from planloom.services.world import World

logger = logging.getLogger(__name__)


def start_run(world: World, plan: Plan) -> bool:
    """Hand the plan's current run to the state machine; doing it twice is doing it once.

    Returns False where it has to wait its turn: ``end_turn`` of another run starts it.
    """
    if plan.resumed_at:
        hold_records(world, plan)
    most = world.watching.runs_at_once
    if most and not world.turns.take(execution_name(plan.plan_id, plan.run), most, plan.queued_at):
        return False
    world.pipeline.start(plan.plan_id, plan.run, plan.target)
    tell(world, RunStarted(plan_id=plan.plan_id, run=plan.run, at=world.now()))
    return True


def end_turn(world: World, plan: Plan) -> None:
    """Let the run of *plan*, which is over, make way for those that wait."""
    if not world.watching.runs_at_once:
        return
    world.turns.leave(execution_name(plan.plan_id, plan.run))
    try:
        start_waiting(world)
    except Exception:
        # whoever stops or ends a plan must not be told of another's trouble: the watchdog starts what waits
        logger.warning("a plan that waits could not be started", exc_info=True)


def start_waiting(world: World) -> list[str]:
    """Start the runs that wait, first come first, until one more has to wait; return the ids of their plans."""
    started = []
    for name in world.turns.look()[1]:
        plan = plan_in(world, name)
        if plan is None or plan.state != "pending":
            # started meanwhile, or about to leave: its turn is not ours to take
            continue
        if not start_run(world, plan):
            break
        started.append(plan.plan_id)
    return started


def plan_in(world: World, name: str) -> Plan | None:
    """Return the plan whose current run is named *name*; None where that run is over."""
    plan_id, run = run_of(name)
    plan = world.plans.get(plan_id)
    return plan if plan and plan.run == run else None
