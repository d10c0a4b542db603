"""Read a plan's log for its owner: events after a cursor, and log lines, without what the deployment keeps out."""

from planloom.core.artifacts import PROMPT
from planloom.core.file_store import FileStore
from planloom.core.redaction import data_without_prompt
from planloom.planes.strategic.event_log import Entry
from planloom.planes.strategic.log_lines import Line, line_of
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.ports.log import EventLog
from planloom.planes.strategic.services.own_plan import own_plan
from planloom.planes.strategic.watch_settings import WatchSettings

MOST_EVENTS = 500
MOST_LINES = 500


def plan_events(
    plan_records: PlanRecords,
    log: EventLog,
    watch_settings: WatchSettings,
    account: str,
    plan_id: str,
    after: int = 0,
    limit: int = 100,
) -> list[Entry]:
    """Return the events after the cursor *after*, oldest first, at most *limit* (1 to 500).

    Raises InvalidArgument, PlanNotFound, PermissionDenied.
    """
    plan = own_plan(plan_records, account, plan_id)
    return events_of(plan_records.files, log, watch_settings, plan.plan_id, after, limit)


def events_of(
    files: FileStore, log: EventLog, watch_settings: WatchSettings, plan_id: str, after: int, limit: int
) -> list[Entry]:
    """Return what plan_events does, of a plan whose owner has been checked."""
    found = log.events_after(plan_id, max(after, 0), max(1, min(limit, MOST_EVENTS)))
    return without_words(files, plan_id, found) if watch_settings.redact == "all" else found


def plan_logs_tail(
    plan_records: PlanRecords,
    log: EventLog,
    watch_settings: WatchSettings,
    account: str,
    plan_id: str,
    max_lines: int = 50,
    since_cursor: int | None = None,
) -> list[Line]:
    """Return the newest lines of the plan's log, oldest first, at most *max_lines* (1 to 500); with *since_cursor* the
    first ones after it.

    Raises InvalidArgument, PlanNotFound, PermissionDenied.
    """
    plan = own_plan(plan_records, account, plan_id)
    size = max(1, min(max_lines, MOST_LINES))
    if since_cursor is None:
        found = log.last_events(plan.plan_id, size)
    else:
        found = log.events_after(plan.plan_id, max(since_cursor, 0), size)
    return lines_of(plan_records.files, watch_settings, plan.plan_id, found)


def lines_of(files: FileStore, watch_settings: WatchSettings, plan_id: str, found: list[Entry]) -> list[Line]:
    """Return *found* as lines that may be shown."""
    shown = found if watch_settings.redact == "off" else without_words(files, plan_id, found)
    return [line_of(entry) for entry in shown]


def without_words(files: FileStore, plan_id: str, found: list[Entry]) -> list[Entry]:
    """Return *found* without the words of the plan's prompt."""
    # only what failed, stopped or was logged carries text: most pages need no look at the prompt
    if not any("error" in entry.data or "reason" in entry.data or entry.type == "log" for entry in found):
        return found
    prompt = (files.read(plan_id, PROMPT) or b"").decode()
    return [entry.model_copy(update={"data": data_without_prompt(entry.data, prompt)}) for entry in found]
