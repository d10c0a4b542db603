"""Pages of the wanted rows of a list that cannot filter."""

from hypothesis import given
from hypothesis import strategies as st

from planloom.core.listing import page_of

ROWS = [(f"{number:03}", number) for number in range(250)]


def read(limit: int, before: str | None) -> list[tuple[str, int]]:
    return [row for row in ROWS if before is None or row[0] > before][: min(limit, 100)]


@given(limit=st.integers(1, 100), step=st.integers(1, 60), last=st.integers(0, 300))
def test_pages_have_every_wanted_row_once_and_none_after_the_last(limit: int, step: int, last: int) -> None:
    found: list[int] = []
    before, pages = None, 0
    while pages == 0 or before is not None:
        rows, before = page_of(read, limit, before, lambda row: row % step == 0, lambda row: row > last)
        assert len(rows) <= limit
        found += rows
        pages += 1
    assert found == [row for _, row in ROWS if row % step == 0 and row <= last]


def test_a_page_reads_a_bounded_number_of_rows() -> None:
    endless = iter(range(10**6))

    def more(limit: int, _: str | None) -> list[tuple[str, int]]:
        return [(str(number), number) for number in (next(endless) for _ in range(limit))]

    rows, before = page_of(more, 10, None, lambda _: False)
    assert (rows, next(endless) < 3_000, before is not None) == ([], True, True)
