"""Give rows their ids and leave out duplicates."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from planloom.planes.strategic.spine.fields import words
from planloom.planes.strategic.spine.rows import Row

RowT = TypeVar("RowT", bound=Row)


def numbered(letter: str, rows: Iterable[RowT], said: Callable[[RowT], str]) -> tuple[RowT, ...]:
    """Return *rows* with ids, without rows whose text is the same as that of an earlier one."""
    kept: dict[object, RowT] = {}
    for row in rows:
        kept.setdefault(tuple(words(said(row))) or said(row), row)
    return tuple(row.model_copy(update={"id": f"{letter}{n}"}) for n, row in enumerate(kept.values(), 1))
