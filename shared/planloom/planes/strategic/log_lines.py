"""The event log as lines for people: one line for each entry, whatever text it carries."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Literal

from planloom.core.frozen import Frozen
from planloom.planes.strategic.event_log import Entry, EntryType

Level = Literal["info", "warning", "error"]
Data = dict[str, Any]

#: A message may hold what a model said: no line of it may pass for a line of ours.
_BREAKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")
LONGEST = 500


class Line(Frozen):
    """One line of a plan's log, with the cursor of its entry."""

    cursor: int
    ts: datetime
    level: Level
    text: str


def line_of(entry: Entry) -> Line:
    """Return *entry* as a line of at most 500 characters."""
    text = _BREAKS.sub(" ", _TEXT[entry.type](entry.data))
    return Line(cursor=entry.cursor, ts=entry.ts, level=_level(entry), text=text[:LONGEST])


def written(line: Line) -> str:
    """Return *line* as run.log holds it: time in UTC, level, text."""
    at = line.ts.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return f"{at} {line.level.upper():<7} {line.text}"


def _level(entry: Entry) -> Level:
    if entry.type == "log":
        level: Level = entry.data["level"]
        return level
    return "error" if "error" in entry.data else "info"


def _state(data: Data) -> str:
    return f"{data.get('previous', 'new')} -> {data['state']}{_why(data)}"


def _progress(data: Data) -> str:
    kept = f", {data['step']} kept answer {data['answers']}" if "answers" in data else ""
    return f"{data['progress_percentage']} % ({data['steps_completed']} of {data['steps_total']} steps){kept}"


def _finished(data: Data) -> str:
    return f"{data['step']} finished in {data['seconds']} s: {data['files']} files, {data['calls']} model calls"


def _written(data: Data) -> str:
    return f"wrote {data['path']} ({data['size']} bytes, sha256 {data['sha256'][:12]}){_why(data)}"


def _why(data: Data) -> str:
    error = data.get("error")
    reason = f" ({data['reason']})" if "reason" in data else ""
    return f"{reason}: {error['failure_reason']}: {error['message']}" if error else reason


_TEXT: dict[EntryType, Callable[[Data], str]] = {
    "state_changed": _state,
    "progress_updated": _progress,
    "stage_started": lambda data: f"{data['step']} started",
    "stage_finished": _finished,
    "stage_skipped": lambda data: f"{data['step']} skipped: what it was made from has not changed",
    "stage_failed": lambda data: f"{data['step']} failed{_why(data)}",
    "stage_invalidated": lambda data: f"{data['step']} is to be made again{_why(data)}",
    "artifact_written": _written,
    "log": lambda data: str(data["message"]),
}
