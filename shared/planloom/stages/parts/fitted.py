"""Build the rows of an outline so that texts composed from others keep within the bounds of their fields."""

from typing import Any, TypeVar

from annotated_types import MaxLen, MinLen

from planloom.domain.frozen import Answer
from planloom.facts.quoting import clip

A = TypeVar("A", bound=Answer)


def fitted(kind: type[A], /, **values: Any) -> A:
    """Return ``kind(**values)``, each text cut at a word to its field's longest and each list to its most items.

    What an outline says is composed of titles and sentences of a prompt or a model, which may be of any length: a text
    that is too short ends in ellipses.
    """
    return kind(**{name: _within(kind, name, value) for name, value in values.items()})


def _within(kind: type[Answer], name: str, value: Any) -> Any:
    for bound in kind.model_fields[name].metadata:
        if isinstance(bound, MaxLen):
            value = clip(value, bound.max_length) if isinstance(value, str) else value[: bound.max_length]
        if isinstance(bound, MinLen) and isinstance(value, str):
            value = value.ljust(bound.min_length, "…")
    return value
