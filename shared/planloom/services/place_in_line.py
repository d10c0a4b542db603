"""Say where a plan stands among those that wait their turn."""

from planloom.domain.plans import Plan, execution_name
from planloom.services.world import World


def place_in_line(world: World, plan: Plan) -> int | None:
    """Return how many starts it takes until *plan* has started, 1 where it is next; None where it does not wait."""
    if not world.watching.may_wait(plan):
        return None
    _, waiting = world.turns.look()
    name = execution_name(plan.plan_id, plan.run)
    return waiting.index(name) + 1 if name in waiting else None
