"""The name that somebody may have meant."""

from collections.abc import Iterable
from difflib import get_close_matches

#: What other languages call the methods of this one.
SYNONYMS = {
    "where": "filter",
    "find": "filter",
    "order_by": "sort",
    "orderby": "sort",
    "sort_by": "sort",
    "take": "limit",
    "head": "limit",
    "first": "limit",
    "top": "limit",
    "groupby": "group_by",
    "agg": "aggregate",
    "unique": "distinct",
    "foreach": "for_each",
    "map": "for_each",
    "average": "avg",
    "mean": "avg",
    "intersection": "intersect",
    "except": "minus",
    "difference": "minus",
}


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the one of *known* that is most like *name*, whatever its case; empty where none is like it."""
    by_lower = {each.lower(): each for each in known}
    lower = name.lower()
    if SYNONYMS.get(lower) in by_lower:
        return SYNONYMS[lower]
    found = get_close_matches(lower, by_lower, n=1, cutoff=0.6)
    if not found and len(lower) >= 3:
        found = sorted((each for each in by_lower if each.startswith(lower) or lower.startswith(each)), key=len)
    return by_lower[found[0]] if found else ""


def suggestion(name: str, known: Iterable[str], most: int = 12) -> str:
    """Return a sentence with the name that was meant, or else with all that there are."""
    listed = list(known)
    meant = nearest(name, listed)
    if meant:
        return f"Did you mean {meant}?"
    shown = ", ".join(listed[:most]) + (", …" if len(listed) > most else "")
    return f"Use one of: {shown}." if listed else ""
