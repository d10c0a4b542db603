"""Keep why a run failed beside its plan's files, in full, for whoever runs the service (specification, 12)."""

import json
import traceback

from planloom.domain.plans import Plan
from planloom.services.world import World

RUN_ERROR = "run_error.json"
#: The message of an error may quote what a model said; the end of a traceback says most.
MOST_CHARACTERS = 50_000


def save_run_error(world: World, plan: Plan, step: str, error: Exception) -> None:
    """Write what *step* ended with: ``{run, step, at, error, traceback}``. No caller is shown it."""
    found = {
        "run": plan.run,
        "step": step,
        "at": world.now().isoformat(),
        "error": type(error).__name__,
        "traceback": "".join(traceback.format_exception(error))[-MOST_CHARACTERS:],
    }
    world.files.write(plan.plan_id, RUN_ERROR, json.dumps(found, indent=2).encode(), "application/json")
