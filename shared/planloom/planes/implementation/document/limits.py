"""Bounds on a document before anything looks into it: size, depth, number of values and of steps; text and numbers."""

import json
from typing import Any

from planloom.core.errors import InvalidArgument
from planloom.planes.implementation.errors import PlanTooLarge

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
    _check_depth(document)
    steps = document.get("steps")
    if isinstance(steps, list) and len(steps) > MOST_STEPS:
        raise _too_large("steps", len(steps), f"{len(steps):,} steps; at most {MOST_STEPS:,} are taken")
    try:
        size = len(json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode())
    except UnicodeEncodeError:
        raise InvalidArgument("The plan holds half a surrogate pair, which is no text.", field="plan") from None
    except ValueError:
        message = "The plan holds a number that JSON does not know (NaN or infinite), or one too long to write down."
        raise InvalidArgument(message, field="plan") from None
    check_size(size)
    return size


def _check_depth(document: dict[str, Any]) -> None:
    level: list[Any] = [document]
    for _ in range(MOST_DEPTH):
        inner = (value for each in level for value in (each.values() if isinstance(each, dict) else each))
        level = [value for value in inner if isinstance(value, dict | list)]
        if not level:
            return
    raise too_deep()


def _too_large(limit: str, found: int | None, what: str) -> PlanTooLarge:
    return PlanTooLarge(
        f"The plan has {what}. Split it into several plans.",
        limit=limit,
        most=LIMITS[limit],
        **({} if found is None else {"found": found}),
    )
