"""How events, records and moves change the view of a plan, whatever keeps the view and in whatever order they come."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from planloom.domain.events import AnswerKept, PlanEvent, StageFailed, StageFinished, StageInterrupted, StageStarted
from planloom.domain.plans import TERMINAL, TRANSITIONS, Failure, Plan, PlanState
from planloom.domain.steps import StepRecord
from planloom.domain.usage import Usage

#: Fields of a plan, by name, with the values that they get.
Changes = dict[str, Any]


def folded(plan: Plan, event: PlanEvent) -> Changes:
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
            return latest | recounted(plan, [event.record])
        # a failure that is told late must not undo what the finished stage said
        case StageFailed() | StageInterrupted() if event.key not in plan.steps_finished:
            return latest | {"steps_usage": {**plan.steps_usage, event.key: event.usage}}
        case _:
            return {}


def recounted(plan: Plan, records: Iterable[StepRecord]) -> Changes:
    """Return the progress of *plan* once what *records* say is added to it; it never falls."""
    counted = list(records)
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


def may_restart(found: Plan, plan: Plan) -> bool:
    """Return whether the run that *plan* is pending in may follow the one that is *found*."""
    resting = found.state in TERMINAL and "pending" in TRANSITIONS[found.state]
    return found.run == plan.run - 1 and resting and found.archived_at is None
