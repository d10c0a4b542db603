"""Paths into JSON values: ``users[0].name`` and ``users.0.name`` name the same value."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

_PART = re.compile(r"\.?([^.\[\]]+)|\[(-?\d+)\]|\[[\"']([^\"']+)[\"']\]")


class PathNotFound(LookupError):
    """Nothing is at the path; the message says which part of it is missing."""


@lru_cache(maxsize=4096)
def parts_of(path: str) -> tuple[str, ...]:
    """Return the parts of *path*; raise ValueError where it is not written as a path."""
    parts, at = [], 0
    for found in _PART.finditer(path):
        if found.start() != at:
            break
        parts.append(next(group for group in found.groups() if group is not None))
        at = found.end()
    if at != len(path) or not parts:
        raise ValueError(
            f"“{path}” is not a path. Write names and numbers joined by dots, or numbers in brackets: a.b[0]."
        )
    return tuple(parts)


def value_at(root: Any, path: str) -> Any:
    """Return the value at *path* in *root*, a mapping. Raises PathNotFound, ValueError."""
    value = root
    for number, part in enumerate(parts_of(path)):
        try:
            value = _step(value, part)
        except (LookupError, ValueError, TypeError) as error:
            here = ".".join(parts_of(path)[:number])
            raise PathNotFound(f"{here or 'The value'} has no “{part}”.") from error
    return value


def _step(value: Any, part: str) -> Any:
    if isinstance(value, Mapping):
        return value[part]
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return value[int(part)]
    raise TypeError(type(value).__name__)
