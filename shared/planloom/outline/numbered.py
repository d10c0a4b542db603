"""Give rows their ids, each said once."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from planloom.spine.fields import words
from planloom.spine.rows import Row

RowT = TypeVar("RowT", bound=Row)


def numbered(letter: str, rows: Iterable[RowT], said: Callable[[RowT], str]) -> tuple[RowT, ...]:
    """Return *rows* with ids, each that says the same as an earlier one left out."""
    kept: dict[object, RowT] = {}
    for row in rows:
        kept.setdefault(tuple(words(said(row))) or said(row), row)
    return tuple(row.model_copy(update={"id": f"{letter}{n}"}) for n, row in enumerate(kept.values(), 1))
