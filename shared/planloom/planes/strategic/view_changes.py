"""How events, records and moves change the view of a plan, whatever keeps the view and in whatever order they come."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from planloom.core.artifacts import Artifact
from planloom.core.usage import Usage
from planloom.planes.strategic.events import (
    AnswerKept,
    ArtifactEdited,
    PlanEvent,
    StageFailed,
    StageFinished,
    StageInterrupted,
    StageStarted,
)
from planloom.planes.strategic.plans import LATEST_FILES, RUN_FIELDS, TERMINAL, TRANSITIONS, Failure, Plan, PlanState
from planloom.planes.strategic.steps import StepRecord

#: Fields of a plan, by name, with the values that they get.
Changes = dict[str, Any]


def applied(plan: Plan, event: PlanEvent) -> Changes:
    """Return what *event* changes: nothing where it is of another run. Progress of a run never falls."""
    if event.run != plan.run:
        return {}
    latest = {"last_progress_at": max(event.at, plan.last_progress_at or event.at)}
    match event:
        case AnswerKept():
            return latest
        case StageStarted():
            return latest | {"steps_started": {event.key: event.at, **plan.steps_started}}
        case StageFinished():
            files = latest_files(plan.latest_files, event.record.artifacts)
            return latest | _recounted(plan, [event.record]) | {"latest_files": files}
        # of a step that is to be made again, files count once it is finished, as its files_count does
        case ArtifactEdited() if event.key in plan.steps_finished:
            return {"latest_files": latest_files(plan.latest_files, event.files)}
        # a failure that is published late must not undo what the finished stage said
        case StageFailed() | StageInterrupted() if event.key not in plan.steps_finished:
            return latest | {"steps_usage": {**plan.steps_usage, event.key: event.usage}}
        case _:
            return {}


def rewritten(plan: Plan, records: Iterable[StepRecord], done: Collection[str] | None) -> Changes:
    """Return what changes where *records* are all that *plan* has; those that *done* names, or all, are progress."""
    kept = list(records)
    counted = [record for record in kept if done is None or record.key in done]
    files = latest_files({}, [file for record in counted for file in record.artifacts])
    return _recounted(plan, counted) | {"latest_files": files}


def _recounted(plan: Plan, counted: list[StepRecord]) -> Changes:
    """Return the progress of *plan* once what *counted* says is added to it; it never falls."""
    finished = {record.key: len(record.artifacts) for record in counted}
    spent: dict[str, Usage] = {record.key: record.usage for record in counted}
    found = [record.quality for record in counted if record.quality]
    return {
        "steps_finished": {**plan.steps_finished, **finished},
        "steps_usage": {**plan.steps_usage, **spent},
        **({"quality": found[-1]} if found else {}),
    }


def moved(plan: Plan, run: int, to: PlanState, now: datetime, failure: Failure | None) -> Changes | None:
    """Return what changes where run *run* of *plan* goes over to state *to*; None where it must not.

    It never becomes pending again: that is another run, see ``may_restart``.
    """
    if plan.run != run or to == "pending" or to not in TRANSITIONS[plan.state]:
        return None
    changes: Changes = {"state": to}
    if to == "processing":
        changes |= {"started_at": now, "last_progress_at": now}
    if to in TERMINAL:
        changes["ended_at"] = now
    return changes | ({"failure": failure} if failure else {})


def latest_files(known: Mapping[str, datetime], written: Iterable[Artifact]) -> dict[str, datetime]:
    """Return when each of the last LATEST_FILES in order of path was written: of those *known*, and of *written*."""
    files = {**known} | {file.path: file.updated_at for file in written}
    return dict(sorted(files.items(), reverse=True)[:LATEST_FILES])


def restarted(found: Plan, plan: Plan) -> Changes:
    """Return what changes in *found* where the run begins that *plan* is pending in."""
    # it may follow an edit that its caller has not seen: that keeps its time
    files = {path: max(at, found.latest_files.get(path, at)) for path, at in plan.latest_files.items()}
    return {name: getattr(plan, name) for name in RUN_FIELDS} | {"latest_files": files}


def may_restart(found: Plan, plan: Plan) -> bool:
    """Return whether the run that *plan* is pending in may follow the one that is *found*."""
    resting = found.state in TERMINAL and "pending" in TRANSITIONS[found.state]
    return found.run == plan.run - 1 and resting and found.archived_at is None
