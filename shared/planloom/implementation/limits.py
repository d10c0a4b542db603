"""Bounds on a document before anything looks into it: size, depth, number of values and of steps; text and numbers."""

import json
import math
import unicodedata
from typing import Any

from planloom.domain.errors import InvalidArgument, PlanTooLarge

#: A plan of 500 well described steps has about 400 KB.
MOST_BYTES = 1_000_000
MOST_DEPTH = 32
MOST_STEPS = 2_000

LIMITS = {"bytes": MOST_BYTES, "depth": MOST_DEPTH, "steps": MOST_STEPS}


def check_size(size: int) -> None:
    """Raise PlanTooLarge where a document of *size* bytes is over the bound."""
    if size > MOST_BYTES:
        raise _too_large("bytes", size, f"{size:,} bytes; at most {MOST_BYTES:,} are taken")


def too_deep() -> PlanTooLarge:
    """Return the error for a document that nests deeper than could be read."""
    return _too_large("depth", None, f"more than {MOST_DEPTH} levels of nesting")


def check_limits(document: dict[str, Any]) -> int:
    """Return the size of *document* in bytes. Raises PlanTooLarge and, for what is no text or number, InvalidArgument.

    Walks without recursion: a document may be built to exhaust the stack.
    """
    todo: list[tuple[Any, int]] = [(document, 1)]
    while todo:
        value, depth = todo.pop()
        if isinstance(value, dict | list):
            if depth > MOST_DEPTH:
                raise too_deep()
            todo += [(inner, depth + 1) for inner in (value.values() if isinstance(value, dict) else value)]
            if isinstance(value, dict):
                todo += [(key, depth) for key in value]
        else:
            _check_scalar(value)
    steps = document.get("steps")
    if isinstance(steps, list) and len(steps) > MOST_STEPS:
        raise _too_large("steps", len(steps), f"{len(steps):,} steps; at most {MOST_STEPS:,} are taken")
    size = len(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode())
    check_size(size)
    return size


def _check_scalar(value: object) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidArgument("The plan holds a number that JSON does not know (NaN or infinite).", field="plan")
    if isinstance(value, str) and not value.isascii() and any(unicodedata.category(char) == "Cs" for char in value):
        raise InvalidArgument("The plan holds half a surrogate pair, which is no text.", field="plan")


def _too_large(limit: str, found: int | None, what: str) -> PlanTooLarge:
    return PlanTooLarge(
        f"The plan has {what}. Split it into several plans.",
        limit=limit,
        most=LIMITS[limit],
        **({} if found is None else {"found": found}),
    )
