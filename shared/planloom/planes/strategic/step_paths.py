"""Paths within a plan, by the step that they belong to: the only place that knows how they are written.

``016-1-name.json`` and ``016-2-name.md`` are artifacts of step 016, ``016-0-name-call.json`` is one of its model calls
with the answer, ``steps/016.json`` is its record. Edits are stored by their hash, since nothing could make them again.
"""

import re

RECORDS = "steps/"
EDITS = "edits/"
_OF_STEP = re.compile(r"(\d{3})-.*")
_OF_RECORD = re.compile(r"steps/(.*)\.json")
_CALL = re.compile(r"(\d{3})-0-(.+)\.json")


def record_path(key: str) -> str:
    """Return where the record of the step *key* is."""
    return f"{RECORDS}{key}.json"


def calls_prefix(key: str) -> str:
    """Return how the paths of the model calls of step *key* begin."""
    return f"{key}-0-"


def step_of(path: str) -> str:
    """Return the key of the step that an artifact, a model call or a record belongs to; an empty text where none."""
    found = _OF_STEP.fullmatch(path) or _OF_RECORD.fullmatch(path)
    return found[1] if found else ""


def is_call(path: str) -> bool:
    """Say whether *path* is that of a stored model call."""
    return _CALL.fullmatch(path) is not None


def is_made(path: str) -> bool:
    """Say whether *path* is an artifact, a model call, a record or an edit: what a plan is derived from."""
    return bool(step_of(path)) or path.startswith(EDITS)
