"""Follow a plan's log: what came after a cursor, at once where there is something, else as soon as there is."""

from datetime import timedelta

from planloom.domain.event_log import Entry
from planloom.domain.frozen import Frozen
from planloom.domain.plans import TERMINAL
from planloom.services.hold import LONGEST_SECONDS, hold
from planloom.services.own_plan import own_plan
from planloom.services.read_log import events_of
from planloom.services.world import World

LOOK_EVERY_SECONDS = 0.5
#: Events that were still in the queue when a plan ended have come by then.
SETTLED = timedelta(seconds=10)
#: When to come back: almost at once after a hold; later where there was no seat to be held on.
SOON_MS, LATER_MS = 250, 3000


class Followed(Frozen):
    """``over``: the plan has ended and everything has been told, so that there is nothing to come back for."""

    events: tuple[Entry, ...] = ()
    over: bool = False
    retry_ms: int = SOON_MS


def follow_events(
    world: World, account: str, plan_id: str, after: int, seconds: float = LONGEST_SECONDS, limit: int = 200
) -> Followed:
    """Return the events after *after*; holds for at most *seconds* while there are none.

    Raises InvalidArgument, PlanNotFound, PermissionDenied.
    """
    plan = own_plan(world, account, plan_id)
    left = seconds
    if plan.state in TERMINAL and plan.ended_at:
        left = min(seconds, (plan.ended_at + SETTLED - world.now()).total_seconds())

    def look() -> list[Entry] | None:
        return events_of(world, plan.plan_id, after, limit) or None

    found, held = hold(world, left, LOOK_EVERY_SECONDS, look)
    return Followed(
        events=tuple(found or ()), over=not found and left <= 0, retry_ms=SOON_MS if found or held else LATER_MS
    )
