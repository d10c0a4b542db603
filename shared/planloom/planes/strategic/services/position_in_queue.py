"""Return the position of a plan in the queue of runs."""

from planloom.planes.strategic.plans import Plan, execution_name
from planloom.planes.strategic.ports.running import RunQueue
from planloom.planes.strategic.watch_settings import WatchSettings


def position_in_queue(queue: RunQueue, watch_settings: WatchSettings, plan: Plan) -> int | None:
    """Return the position of *plan*, 1 where it starts next; None where it does not wait."""
    if not watch_settings.may_wait(plan):
        return None
    _, waiting = queue.read()
    name = execution_name(plan.plan_id, plan.run)
    return waiting.index(name) + 1 if name in waiting else None
