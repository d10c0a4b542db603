"""The name that somebody may have meant."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from planloom.core.endpoint import Effect
from planloom.core.entities import Entity
from planloom.planes.programs.grammar import AGGREGATES, METHODS

#: The choice of fields, which has no name of its own.
PROJECTION = "[fields]"
#: Words of other languages, by the names that may be meant here.
SYNONYMS = {
    PROJECTION: ("select", "project", "pick", "columns", "map"),
    "filter": ("where", "find", "search"),
    "sort": ("order_by", "orderby", "sort_by", "order"),
    "limit": ("take", "head", "first", "top"),
    "group_by": ("groupby", "group"),
    "aggregate": ("agg", "reduce"),
    "distinct": ("unique", "dedupe"),
    "for_each": ("foreach", "map"),
    "avg": ("average", "mean"),
    "count": ("len", "length", "size"),
    "intersect": ("intersection",),
    "minus": ("except", "difference"),
    "create": ("add", "new", "make", "start"),
    "run": ("start", "execute", "launch", "trigger"),
    "start": ("run", "execute", "launch", "trigger"),
    "stop": ("abort", "cancel", "kill", "terminate", "halt"),
    "resume": ("continue",),
    "delete": ("remove", "destroy", "drop", "erase", "rm"),
    "remove": ("delete", "destroy", "drop", "erase", "rm"),
    "respond": ("approve", "reject", "answer"),
}
#: How alike two names are at least, from 0 to 1; more for calls, since one may be meant that destroys something.
ALIKE, CALLS_ALIKE = 0.6, 0.75


def nearest(name: str, known: Iterable[str], alike: float = ALIKE) -> str:
    """Return the one of *known* that is most like *name*, whatever its case; empty where none is like it."""
    return next(iter(_meant(name, known, alike)), "")


def suggestion(
    name: str, known: Iterable[str], most: int = 12, alike: float = ALIKE, written: Mapping[str, str] = {}
) -> str:
    """Return a sentence with the name that was meant, or else with all that there are.

    *written* are names that are not written as they are: ``for_each(...)``.
    """
    listed = list(known)
    meant = [written.get(each, each) for each in _meant(name, listed, alike)]
    if meant:
        return f"Did you mean {' or '.join(meant)}?"
    shown = ", ".join(listed[:most]) + (", …" if len(listed) > most else "")
    return f"Use one of: {shown}." if listed else ""


def unknown_member(entity: Entity, kind: str, name: str) -> tuple[str, str]:
    """Return that *entity* has no relation or capability *name*, by its *kind*, and the name that may be meant."""
    relations, calls = [each.name for each in entity.relations], [each.name for each in entity.capabilities]
    bare = "{}" if kind == "relation" else "{} without brackets"
    written = {each: bare.format(each) for each in relations} | {each: f"{each}(…)" for each in calls}
    written[PROJECTION] = f"[{', '.join(each.name for each in entity.fields[:2])}]"
    if harmless := [each.name for each in entity.capabilities if each.key and each.effect is not Effect.DESTROYS]:
        written["for_each"] = f"for_each({entity.name}.{harmless[0]}(each.id))"
    first = (*relations, *calls) if kind == "relation" else (*calls, *relations)
    known = (*first, *METHODS, *AGGREGATES, PROJECTION)
    said = f"{entity.name} has no {kind} {name}. {suggestion(name, known, 12, CALLS_ALIKE, written)}"
    return said, nearest(name, known, CALLS_ALIKE)


def _meant(name: str, known: Iterable[str], alike: float) -> list[str]:
    """Return those of *known* that *name* is a synonym of, else the one that is written most alike, if any."""
    by_lower = {each.lower(): each for each in known}
    lower = name.lower()
    synonyms = [each for each, words in SYNONYMS.items() if lower in words and each in by_lower]
    if synonyms and lower not in by_lower:
        return [by_lower[each] for each in synonyms]
    found = get_close_matches(lower, by_lower, n=1, cutoff=alike)
    if not found and len(lower) >= 3:
        found = sorted((each for each in by_lower if each.startswith(lower) or lower.startswith(each)), key=len)
    return [by_lower[each] for each in found[:1]]
