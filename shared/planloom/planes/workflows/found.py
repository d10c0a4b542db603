"""Findings about a draft."""

import difflib
from collections.abc import Iterable

from planloom.core.problems import Problem


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint that names the member of *known* nearest to *name*; empty where none is near."""
    near = difflib.get_close_matches(name, list(known)[:500], n=1)
    return f"Did you mean “{near[0]}”?" if near else ""


def error(path: str, code: str, message: str, hint: str = "") -> Problem:
    """Return what prevents a run."""
    return Problem(path=path, code=code, message=message, hint=hint)


def warning(path: str, code: str, message: str, hint: str = "") -> Problem:
    """Return what to consider."""
    return Problem(path=path, code=code, message=message, hint=hint, severity="warning")
