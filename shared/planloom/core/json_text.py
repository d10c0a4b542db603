"""Whether parsed JSON can be kept: its strings are text, and it is not nested too deep."""

import json
from typing import Any

from planloom.core.errors import InvalidArgument


def is_text(value: Any) -> bool:
    """Return whether the strings in *value* can be written as UTF-8: none holds half a surrogate pair.

    *value* is no deeper than JSON writers can follow; see :func:`deeper_than`.
    """
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return False
    return True


def check_text(body: bytes) -> None:
    """Raise InvalidArgument where *body* is JSON with half a surrogate pair; what is no JSON others refuse."""
    if b"\\ud" not in body.lower():
        return
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return
    if not is_text(found):
        raise InvalidArgument("The body holds half a surrogate pair, which is no text.")


def deeper_than(value: Any, limit: int) -> bool:
    """Return whether lists and objects in *value* are nested more than *limit* deep."""
    level, depth = [value], 0
    while level and depth <= limit:
        depth += 1
        level = [
            each
            for value in level
            for each in (value.values() if isinstance(value, dict) else value if isinstance(value, list) else ())
        ]
    return depth > limit
