"""Repairs parts of an answer that do not match its schema, where a program can tell what was meant.

A repair keeps the model's answer: a text that is too long is cut, an unknown choice becomes the nearest one. Nothing
is invented: errors without an obvious repair remain.
"""

import calendar
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from pydantic_core import ErrorDetails

#: The least similarity of a value and the choice that replaces it, 0 to 1.
ALIKE = 0.75
#: A number is set to its bound if it exceeds the bound by at most this part of it, or by 1.
NEAR = 0.2
#: A text that is cut at the end of a sentence keeps at least this part of the permitted length.
SHORTEST_CUT = 0.5

_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*(?=\s)|[。！？]")
_CHOICE = re.compile(r"'((?:[^'\\]|\\.)*)'")
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")

Path = tuple[int | str, ...]


def repair(value: Any, errors: Sequence[ErrorDetails]) -> int:
    """Repair *errors* in *value*, parsed JSON; return how many were repaired."""
    return sum(_repair(value, error) for error in errors)


def drop(value: Any, errors: Sequence[ErrorDetails]) -> int:
    """Remove the innermost list items and the optional fields with *errors* from *value*; return how many.

    Returns 0, and removes nothing, if a list would lose more than half of its items.
    """
    paths = {_droppable(value, error["loc"]) for error in errors}
    by_holder = Counter(path[:-1] for path in paths)
    if () in paths or any(_halved(_at(value, holder), count) for holder, count in by_holder.items()):
        return 0
    # from the last item to the first and from the inside out, so that indexes stay valid
    for path in sorted(paths, key=lambda path: [str(part).zfill(6) for part in path], reverse=True):
        del _at(value, path[:-1])[path[-1]]
    return len(paths)


def _halved(holder: Any, count: int) -> bool:
    return isinstance(holder, list) and 2 * count > len(holder)


def without_duplicates(value: Any) -> Any:
    """Return *value* without repeated objects in lists."""
    if isinstance(value, dict):
        return {name: without_duplicates(part) for name, part in value.items()}
    if not isinstance(value, list):
        return value
    # only objects: equal texts and numbers may be intended, such as the points of three options
    parts = [without_duplicates(part) for part in value]
    return [part for n, part in enumerate(parts) if not isinstance(part, dict) or part not in parts[:n]]


def cut(text: str, limit: int) -> str:
    """Return *text* cut to at most *limit* characters, at the end of a sentence if possible, else after a word."""
    if len(text) <= limit:
        return text
    ends = [found.end() for found in _SENTENCE_END.finditer(text[: limit + 1]) if found.end() <= limit]
    if ends and ends[-1] >= SHORTEST_CUT * limit:
        return text[: ends[-1]]
    words = text[: max(limit - 1, 0)].rsplit(maxsplit=1)[0].rstrip(" ,;:-") if limit > 1 else ""
    return f"{words}…"[:limit]


def nearest(text: str, known: Iterable[str]) -> str | None:
    """Return the one of *known* that *text* means, None if there is none.

    That is the one that differs only in case, blanks and punctuation; else the only one that *text* contains, as in
    "2.3 Lease"; else the most similar.
    """
    by_form = {_form(each): each for each in known}
    words = f" {_form(text)} "
    if words.strip() in by_form:
        return by_form[words.strip()]
    held = [form for form in by_form if f" {form} " in words]
    # similar numbers are not the same number
    alike = [form for form in by_form if re.findall(r"\d+", form) == re.findall(r"\d+", words)]
    found = held if len(held) == 1 else get_close_matches(words.strip(), alike, 1, ALIKE)
    return by_form[found[0]] if found else None


@lru_cache(maxsize=4096)
def _form(text: str) -> str:
    return re.sub(r"(?<!\d)0+(?=\d)", "", re.sub(r"[\W_]+", " ", text.casefold()).strip())


def _repair(value: Any, error: ErrorDetails) -> bool:
    path, kind = error["loc"], error["type"]
    if not path or kind not in REPAIRS:
        return False
    try:
        holder = _at(value, path[:-1])
        before = holder[path[-1]]
        after = REPAIRS[kind](before, error.get("ctx", {}))
    except (KeyError, IndexError, TypeError, ValueError):
        return False
    if after is None or after == before:
        return False
    holder[path[-1]] = after
    return True


def _to_choice(value: Any, context: Mapping[str, Any]) -> str | None:
    return nearest(str(value), _CHOICE.findall(context["expected"]))


def _to_pattern(value: str, context: Mapping[str, Any]) -> str | None:
    words = re.findall(r"[^\W_]+", value)
    forms = (value.strip(), *(sign.join(words) for sign in ("-", "_", ".", "")))
    found = (form for each in forms for form in (each, each.lower(), each.upper()) if form)
    return next((form for form in found if re.search(context["pattern"], form)), None)


def _to_bound(value: float, context: Mapping[str, Any]) -> float | None:
    bound: float = context.get("ge", context.get("le"))
    return bound if abs(value - bound) <= max(1, NEAR * abs(bound)) else None


def _to_day(value: Any, _: Mapping[str, Any]) -> str | None:
    """Return the date of a date with a time; a day after the end of its month becomes the last one."""
    found = _DAY.match(str(value))
    if not found:
        return None
    year, month, day = map(int, found.groups())
    return f"{found[1]}-{found[2]}-{min(day, calendar.monthrange(year, month)[1]):02}" if day <= 31 else None


#: Repairs by Pydantic error type: from the value and the context of the error to a valid value, or None.
REPAIRS: dict[str, Callable[[Any, Mapping[str, Any]], Any]] = {
    "string_too_long": lambda value, context: cut(value, context["max_length"]),
    "too_long": lambda value, context: value[: context["max_length"]],
    "literal_error": _to_choice,
    "string_pattern_mismatch": _to_pattern,
    "greater_than_equal": _to_bound,
    "less_than_equal": _to_bound,
    "int_from_float": lambda value, _: round(value),
    "date_from_datetime_parsing": _to_day,
    "date_from_datetime_inexact": _to_day,
    "date_parsing": _to_day,
    "string_type": lambda value, _: str(value) if isinstance(value, int | float) else None,
    "list_type": lambda value, _: [value] if isinstance(value, str | dict) else None,
}


def _droppable(value: Any, path: Path) -> Path:
    """Return the path of the innermost list item around *path*, else of the field itself; () if it does not exist."""
    items = [n for n, part in enumerate(path) if isinstance(part, int)]
    found = path[: items[-1] + 1] if items else path
    try:
        _at(value, found)
    except (KeyError, IndexError, TypeError):
        return ()
    return found


def _at(value: Any, path: Path) -> Any:
    for part in path:
        value = value[part]
    return value
