"""How far a plan is: percentage, cost so far, and the stage that people would say it is at."""

from planloom.domain.plans import Plan
from planloom.domain.usage import Usage


def progress_percentage(plan: Plan, steps_total: int) -> float:
    """Return finished steps in percent, one decimal, within [0, 100]; 100 only when every step is finished."""
    finished = min(len(plan.steps_finished), steps_total)
    return round(100 * finished / steps_total, 1) if finished < steps_total else 100.0


def files_count(plan: Plan) -> int:
    """Return how many files the finished steps made."""
    return sum(plan.steps_finished.values())


def usage(plan: Plan) -> Usage:
    """Return what the model calls of the finished steps cost, those that failed on the way included."""
    return sum(plan.steps_usage.values(), Usage())


def current_step(plan: Plan) -> str | None:
    """Return the key (``016``) of the stage begun last among those under way, or None where none is."""
    under_way = {key: at for key, at in plan.steps_started.items() if key not in plan.steps_finished}
    if plan.state != "processing" or not under_way:
        return None
    return max(under_way, key=lambda key: (under_way[key], key))


def failed_step_key(plan: Plan) -> str | None:
    """Return the key of the first stage that began and did not finish: where a lost worker was."""
    return min((key for key in plan.steps_started if key not in plan.steps_finished), default=None)
