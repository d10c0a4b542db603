"""Read a plan's log for its owner: events after a cursor, and log lines, without what the deployment keeps out."""

from planloom.domain.artifacts import PROMPT
from planloom.domain.event_log import Entry
from planloom.domain.log_lines import Line, line_of
from planloom.domain.redaction import data_without_prompt
from planloom.services.own_plan import own_plan
from planloom.services.world import World

MOST_EVENTS = 500
MOST_LINES = 500


def plan_events(world: World, account: str, plan_id: str, after: int = 0, limit: int = 100) -> list[Entry]:
    """Return the events after the cursor *after*, oldest first, at most *limit* (1 to 500).

    Raises InvalidArgument, PlanNotFound, PermissionDenied.
    """
    plan = own_plan(world, account, plan_id)
    return events_of(world, plan.plan_id, after, limit)


def events_of(world: World, plan_id: str, after: int, limit: int) -> list[Entry]:
    """Return what plan_events does, of a plan whose owner has been checked."""
    found = world.log.events_after(plan_id, max(after, 0), max(1, min(limit, MOST_EVENTS)))
    return without_words(world, plan_id, found) if world.watching.redact == "all" else found


def plan_logs_tail(
    world: World, account: str, plan_id: str, max_lines: int = 50, since_cursor: int | None = None
) -> list[Line]:
    """Return the newest lines of the plan's log, oldest first, at most *max_lines* (1 to 500); with *since_cursor* the
    first ones after it.

    Raises InvalidArgument, PlanNotFound, PermissionDenied.
    """
    plan = own_plan(world, account, plan_id)
    size = max(1, min(max_lines, MOST_LINES))
    if since_cursor is None:
        found = world.log.last_events(plan.plan_id, size)
    else:
        found = world.log.events_after(plan.plan_id, max(since_cursor, 0), size)
    return lines_of(world, plan.plan_id, found)


def lines_of(world: World, plan_id: str, found: list[Entry]) -> list[Line]:
    """Return *found* as lines that may be shown."""
    shown = found if world.watching.redact == "off" else without_words(world, plan_id, found)
    return [line_of(entry) for entry in shown]


def without_words(world: World, plan_id: str, found: list[Entry]) -> list[Entry]:
    """Return *found* without the words of the plan's prompt."""
    # only what failed, stopped or was logged carries text: most pages need no look at the prompt
    if not any("error" in entry.data or "reason" in entry.data or entry.type == "log" for entry in found):
        return found
    prompt = (world.files.read(plan_id, PROMPT) or b"").decode()
    return [entry.model_copy(update={"data": data_without_prompt(entry.data, prompt)}) for entry in found]
