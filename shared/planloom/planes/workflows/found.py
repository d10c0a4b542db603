"""Findings about a draft."""

import difflib
from collections.abc import Iterable

from planloom.core.problems import Problem


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint that names the member of *known* nearest to *name*; empty where none is near."""
    near = difflib.get_close_matches(name, list(known)[:500], n=1)
    return f"Did you mean “{near[0]}”?" if near else ""


def one_of(name: str, known: Iterable[str]) -> str:
    """Return a hint that names the member of *known* nearest to *name*, else the first of them."""
    names = list(known)
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    return nearest(name, names) or (f"Use one of: {', '.join(names[:10])}{more}." if names else "")


def error(path: str, code: str, message: str, hint: str = "") -> Problem:
    """Return what prevents a run."""
    return Problem(path=path, code=code, message=message, hint=hint)


def warning(path: str, code: str, message: str, hint: str = "") -> Problem:
    """Return what to consider."""
    return Problem(path=path, code=code, message=message, hint=hint, severity="warning")
