"""Follow a plan's log: what came after a cursor, at once where there is something, else as soon as there is."""

from datetime import timedelta

from planloom.core.frozen import Frozen
from planloom.planes.strategic.event_log import Entry
from planloom.planes.strategic.plans import TERMINAL
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.ports.log import EventLog
from planloom.planes.strategic.services.own_plan import own_plan
from planloom.planes.strategic.services.read_log import events_of
from planloom.planes.strategic.watch_settings import WatchSettings
from planloom.runs.long_poll import LONGEST_SECONDS, LongPoll

LOOK_EVERY_SECONDS = 0.5
#: Events that were still in the queue when a plan ended have come by then.
SETTLED = timedelta(seconds=10)
#: When to call again: almost at once after a long poll; later if there was no free slot for one.
SOON_MS, LATER_MS = 250, 3000


class Followed(Frozen):
    """``over``: the plan has ended and all its events were returned: there is no reason to call again."""

    events: tuple[Entry, ...] = ()
    over: bool = False
    retry_ms: int = SOON_MS


def follow_events(
    plan_records: PlanRecords,
    log: EventLog,
    long_poll: LongPoll,
    watch_settings: WatchSettings,
    account: str,
    plan_id: str,
    after: int,
    seconds: float = LONGEST_SECONDS,
    limit: int = 200,
) -> Followed:
    """Return the events after *after*; holds for at most *seconds* while there are none.

    Raises InvalidArgument, PlanNotFound, PermissionDenied.
    """
    plan = own_plan(plan_records, account, plan_id)
    left = seconds
    if plan.state in TERMINAL and plan.ended_at:
        left = min(seconds, (plan.ended_at + SETTLED - plan_records.now()).total_seconds())

    def look() -> list[Entry] | None:
        return events_of(plan_records.files, log, watch_settings, plan.plan_id, after, limit) or None

    found, held = long_poll.wait(left, LOOK_EVERY_SECONDS, look)
    return Followed(
        events=tuple(found or ()), over=not found and left <= 0, retry_ms=SOON_MS if found or held else LATER_MS
    )
