"""Keep why a run failed beside its plan's files: ``run_error.json``, listed and in the zip (specification, 12)."""

import json
import traceback
from typing import Any

from planloom.domain.artifacts import PROMPT
from planloom.domain.plans import Failure, Plan
from planloom.domain.redaction import without_prompt, without_secrets
from planloom.services.world import World

RUN_ERROR = "run_error.json"
#: The message of an error may quote what a model said; the end of a traceback says most.
MOST_CHARACTERS = 50_000


def save_run_error(world: World, plan: Plan, step: str, error: Exception) -> None:
    """Write what *step* ended with: ``{run, step, at, error, traceback}``, without keys and without the prompt."""
    text = "".join(traceback.format_exception(error))[-MOST_CHARACTERS:]
    _write(world, plan, {"step": step, "error": type(error).__name__, "traceback": _clean(world, plan, text)})


def save_failure(world: World, plan: Plan, failure: Failure) -> None:
    """Write why the plan's run failed where no stage has: a lost worker and a silence leave no traceback."""
    content = world.files.read(plan.plan_id, RUN_ERROR)
    if content is not None and json.loads(content).get("run") == plan.run:
        return
    message = _clean(world, plan, failure.message)
    error = {"step": failure.failed_step, "error": failure.failure_reason, "message": message, "traceback": None}
    _write(world, plan, error)


def _write(world: World, plan: Plan, found: dict[str, Any]) -> None:
    told = {"run": plan.run, "at": world.now().isoformat(), **found}
    world.files.write(
        plan.plan_id, RUN_ERROR, json.dumps(told, indent=2, ensure_ascii=False).encode(), "application/json"
    )


def _clean(world: World, plan: Plan, text: str) -> str:
    kept = without_secrets(text)
    if world.watching.redact == "off":
        return kept
    return without_prompt(kept, (world.files.read(plan.plan_id, PROMPT) or b"").decode())
