"""The event log of a plan as callers read it: entries of public types, each under a cursor of its own.

What is published inside (events.py) and what is shown are two things: one StageFinished shows as the step that
finished, each file that it wrote, and the progress that this makes. Clients must ignore types that they do not know.
"""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any, Literal

from planloom.core.artifacts import Artifact
from planloom.core.frozen import Frozen
from planloom.planes.strategic.events import (
    AnswerKept,
    ArtifactEdited,
    PlanEvent,
    PlanStalled,
    RunEnded,
    RunStarted,
    StageFailed,
    StageFinished,
    StageInterrupted,
    StagesInvalidated,
    StageStarted,
)
from planloom.planes.strategic.pipeline_map import step_with_key
from planloom.planes.strategic.plans import Failure, PlanState
from planloom.planes.strategic.progress import progress_percentage, steps_total

EntryType = Literal[
    "state_changed",
    "progress_updated",
    "stage_started",
    "stage_finished",
    "stage_skipped",
    "stage_failed",
    "stage_invalidated",
    "artifact_written",
    "log",
]


#: Tables keep a cursor in twelve digits; no plan comes near.
LAST_CURSOR = 10**12 - 1


class Shown(Frozen):
    """What an entry says: its public type, and data that fits it."""

    type: EntryType
    data: dict[str, Any]


class Entry(Frozen):
    """One entry of a plan's log; cursors of a plan strictly increase, times need not."""

    cursor: int
    ts: datetime
    type: EntryType
    data: dict[str, Any]


def state_changed(
    previous: PlanState | None, state: PlanState, run: int, failure: Failure | None = None, reason: str | None = None
) -> Shown:
    """Show a transition; *reason* says why where it is no matter of course, *failure* where it failed."""
    data: dict[str, Any] = {"run": run, "state": state, "previous": previous, "reason": reason}
    if failure and state == "failed":
        data["error"] = failure.model_dump(mode="json")
    return Shown(type="state_changed", data={name: value for name, value in data.items() if value is not None})


def shown(event: PlanEvent, finished: Collection[str] | None) -> list[Shown]:
    """Return what *event* shows as; *finished* holds the steps finished with it, None where it is of an older run."""
    found = list(_shown(event))
    moves = finished is not None and isinstance(event, StageFinished | AnswerKept)
    return [*found, _progress(event, finished)] if moves and finished is not None else found


def entries(at: datetime, last: int, found: list[Shown]) -> list[Entry]:
    """Return *found* as the entries whose last cursor is *last*."""
    first = last - len(found) + 1
    return [Entry(cursor=first + n, ts=at, type=each.type, data=each.data) for n, each in enumerate(found)]


def _shown(event: PlanEvent) -> Iterator[Shown]:
    match event:
        case RunStarted():
            yield _line(event, "info", "handed to the state machine")
        case StageStarted():
            yield Shown(type="stage_started", data={"run": event.run, "step": _step(event.key), "title": event.title})
        case StageFinished():
            yield from _finished(event)
        case StageFailed() | StageInterrupted():
            yield _gave_up(event)
        case ArtifactEdited() | StagesInvalidated():
            yield from _changed(event)
        case PlanStalled():
            minutes = int((event.at - event.since).total_seconds() // 60)
            yield _line(event, "warning", f"no progress for {minutes} minutes")
        case RunEnded():
            level: Literal["info", "error"] = "error" if event.state == "failed" else "info"
            yield _line(event, level, f"ended {event.state}")


def _gave_up(event: StageFailed | StageInterrupted) -> Shown:
    if isinstance(event, StageInterrupted):
        return _line(event, "info", f"{_step(event.key)} ended with its run after {event.usage.calls} model calls")
    failure = event.failure.model_dump(mode="json")
    return Shown(type="stage_failed", data={"run": event.run, "step": _step(event.key), "error": failure})


def _changed(event: ArtifactEdited | StagesInvalidated) -> Iterator[Shown]:
    if isinstance(event, ArtifactEdited):
        for file in event.files:
            yield _written(event, event.key, file, {"edited": file.edited, "reason": event.reason})
        return
    for key in event.keys:
        yield Shown(type="stage_invalidated", data={"run": event.run, "step": _step(key), "reason": event.reason})


def _finished(event: StageFinished) -> Iterator[Shown]:
    record, step = event.record, _step(event.record.key)
    data = {
        "run": event.run,
        "step": step,
        "title": event.title,
        "files": len(record.artifacts),
        "calls": record.usage.calls,
        "seconds": round((record.ended_at - record.started_at).total_seconds(), 3),
    }
    yield Shown(type="stage_skipped" if event.skipped else "stage_finished", data=data)
    for file in () if event.skipped else record.artifacts:
        yield _written(event, record.key, file, {})


def _written(event: PlanEvent, key: str, file: Artifact, more: dict[str, Any]) -> Shown:
    about = file.model_dump(mode="json", include={"path", "size", "sha256", "content_type"})
    return Shown(type="artifact_written", data={"run": event.run, "step": _step(key), **about, **more})


def _progress(event: PlanEvent, finished: Collection[str]) -> Shown:
    data: dict[str, Any] = {
        "run": event.run,
        "progress_percentage": progress_percentage(finished),
        "steps_completed": len(finished),
        "steps_total": steps_total(finished),
    }
    if isinstance(event, AnswerKept):
        data |= {"step": _step(event.key), "answers": event.answers}
    return Shown(type="progress_updated", data=data)


def _line(event: PlanEvent, level: Literal["info", "warning", "error"], message: str) -> Shown:
    return Shown(type="log", data={"run": event.run, "level": level, "message": f"run {event.run} {message}"})


def _step(key: str) -> str:
    step = step_with_key(key)
    return step.step if step else key
