"""How far a plan is: percentage, cost so far, and the stage that people would say it is at."""

from collections.abc import Collection
from datetime import datetime, timedelta

from planloom.core.usage import Usage
from planloom.planes.strategic.pipeline_map import CURRENT, Step, step_with_key
from planloom.planes.strategic.plans import TERMINAL, Plan

#: The first version of the pipeline had more steps; its plans stay readable.
_STEPS_OF_VERSION_1 = 30


def progress_percentage(steps_finished: Collection[str]) -> float:
    """Return finished steps in percent, one decimal, within [0, 100]; 100 only when every step is finished."""
    total = steps_total(steps_finished)
    finished = min(len(steps_finished), total)
    return round(100 * finished / total, 1) if finished < total else 100.0


def steps_total(steps_finished: Collection[str]) -> int:
    """Return how many steps the pipeline has that finished *steps_finished*."""
    return len(CURRENT) if CURRENT.by_key.keys() >= set(steps_finished) else _STEPS_OF_VERSION_1


def files_count(plan: Plan) -> int:
    """Return how many files the finished steps made."""
    return sum(plan.steps_finished.values())


def usage(plan: Plan) -> Usage:
    """Return what the model calls of finished and failed steps cost, requests that failed on the way included."""
    return sum(plan.steps_usage.values(), Usage())


def current_step(plan: Plan) -> Step | None:
    """Return the step begun last among the active ones, or None where none is."""
    under_way = {key: at for key, at in plan.steps_started.items() if key not in plan.steps_finished}
    if plan.state != "processing" or not under_way:
        return None
    return step_with_key(max(under_way, key=lambda key: (under_way[key], key)))


def last_moved(plan: Plan) -> datetime:
    """Return when *plan* was last seen moving: when its worker said so, else when it was asked for."""
    return max(at for at in (plan.queued_at, plan.started_at, plan.last_progress_at) if at)


def silent(plan: Plan, now: datetime, after: timedelta) -> bool:
    """Say whether *plan* is active and has not moved for longer than *after*."""
    return plan.state not in TERMINAL and now - last_moved(plan) > after


def failed_step(plan: Plan) -> str | None:
    """Return the first step that began and did not finish (``016-expert_criticism``): where a lost worker was."""
    key = min((key for key in plan.steps_started if key not in plan.steps_finished), default="")
    step = step_with_key(key)
    return step.step if step else None
