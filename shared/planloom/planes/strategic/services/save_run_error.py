"""Keep why a run failed beside its plan's files: ``run_error.json``, listed and in the zip (specification, 12)."""

import json
import traceback
from typing import Any

from planloom.core.artifacts import PROMPT
from planloom.core.clock import Clock
from planloom.core.file_store import FileStore
from planloom.core.redaction import without_prompt, without_secrets
from planloom.planes.strategic.plans import Failure, Plan
from planloom.planes.strategic.watch_settings import WatchSettings

RUN_ERROR = "run_error.json"
#: The message of an error may quote what a model said; the end of a traceback says most.
MOST_CHARACTERS = 50_000


def save_run_error(
    files: FileStore, watch_settings: WatchSettings, clock: Clock, plan: Plan, step: str, error: Exception
) -> None:
    """Write what *step* ended with: ``{run, step, at, error, traceback}``, without keys and without the prompt."""
    text = "".join(traceback.format_exception(error))[-MOST_CHARACTERS:]
    _write(
        files,
        clock,
        plan,
        {"step": step, "error": type(error).__name__, "traceback": _clean(files, watch_settings, plan, text)},
    )


def save_failure(files: FileStore, watch_settings: WatchSettings, clock: Clock, plan: Plan, failure: Failure) -> None:
    """Write why the plan's run failed where no stage has: a lost worker and a silence leave no traceback."""
    content = files.read(plan.plan_id, RUN_ERROR)
    if content is not None and json.loads(content).get("run") == plan.run:
        return
    message = _clean(files, watch_settings, plan, failure.message)
    error = {"step": failure.failed_step, "error": failure.failure_reason, "message": message, "traceback": None}
    _write(files, clock, plan, error)


def _write(files: FileStore, clock: Clock, plan: Plan, found: dict[str, Any]) -> None:
    error = {"run": plan.run, "at": clock().isoformat(), **found}
    files.write(plan.plan_id, RUN_ERROR, json.dumps(error, indent=2, ensure_ascii=False).encode(), "application/json")


def _clean(files: FileStore, watch_settings: WatchSettings, plan: Plan, text: str) -> str:
    kept = without_secrets(text)
    if watch_settings.redact == "off":
        return kept
    return without_prompt(kept, (files.read(plan.plan_id, PROMPT) or b"").decode())
