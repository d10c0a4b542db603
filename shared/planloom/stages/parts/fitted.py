"""Build the rows of an outline so that texts composed from others keep within the bounds of their fields."""

from typing import Any, TypeVar

from annotated_types import MaxLen

from planloom.domain.frozen import Answer
from planloom.knowledge.quoting import clip

A = TypeVar("A", bound=Answer)


def fitted(kind: type[A], /, **values: Any) -> A:
    """Return ``kind(**values)``, each text cut at a word to its field's longest and each list to its most items.

    What an outline says is composed of titles and sentences of a prompt, which may be of any length.
    """
    return kind(**{name: _within(_most(kind, name), value) for name, value in values.items()})


def _most(kind: type[Answer], name: str) -> int | None:
    return next((bound.max_length for bound in kind.model_fields[name].metadata if isinstance(bound, MaxLen)), None)


def _within(most: int | None, value: Any) -> Any:
    if most is None:
        return value
    return clip(value, most) if isinstance(value, str) else value[:most]
