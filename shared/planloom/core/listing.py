"""Pages of a list of which only some rows are wanted, over a list that cannot filter."""

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

#: Rows that are read at once, and about how many are read for one page.
BATCH, MOST = 100, 2_000


def page_of(
    read: Callable[[int, str | None], Sequence[tuple[str, T]]],
    limit: int,
    before: str | None,
    keep: Callable[[T], bool] = lambda _: True,
    until: Callable[[T], bool] = lambda _: False,
    batch: int = BATCH,
) -> tuple[list[T], str | None]:
    """Return at most *limit* rows that *keep* keeps, and the position of the next page, None after the last.

    *read* returns so many rows after a position, at most *batch*, each with its own. Nothing is read after a row of
    which *until* is true. A page may have fewer rows and not be the last one.
    """
    found: list[T] = []
    seen, size = 0, limit
    while seen < MOST:
        rows = read(size, before)
        for position, row in rows:
            before = position
            if until(row):
                return found, None
            if keep(row):
                found.append(row)
            if len(found) == limit:
                return found, before
        if len(rows) < size:
            return found, None
        seen, size = seen + len(rows), batch
    return found, before
