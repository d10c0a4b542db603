"""The Range header, read as RFC 9110 asks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.api.byte_range import part_of
from planloom.core.errors import RangeNotSatisfiable


@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("bytes=0-4", (0, 5)),
        ("bytes=4-4", (4, 1)),
        ("bytes=0-", (0, 10)),
        ("bytes=7-99", (7, 3)),
        ("bytes=-3", (7, 3)),
        ("bytes=-30", (0, 10)),
        (f"bytes=3-{'9' * 5000}", (3, 7)),
        (f"bytes=-{'9' * 5000}", (0, 10)),
        (f"bytes={'0' * 5000}3-", (3, 7)),
        ("Bytes = 2 - 3", (2, 2)),
        (None, None),
        ("", None),
        ("bytes=-", None),
        ("bytes=5-2", None),
        ("bytes=a-b", None),
        ("bytes=0-1,4-5", None),
        ("pages=1-2", None),
        ("bytes=-1-2", None),
        ("bytes=١-٢", None),
    ],
)
def test_a_range_is_a_part_and_what_is_none_means_the_whole(header: str | None, part: tuple[int, int] | None) -> None:
    assert part_of(header, 10) == part


@pytest.mark.parametrize(
    ("header", "size"),
    [("bytes=10-", 10), ("bytes=99-100", 10), ("bytes=-0", 10), (f"bytes={'9' * 5000}-", 10), ("bytes=0-", 0)],
)
def test_a_range_behind_the_end_is_refused_with_the_size(header: str, size: int) -> None:
    with pytest.raises(RangeNotSatisfiable) as refused:
        part_of(header, size)
    assert refused.value.details == {"size": size}


@given(st.text(alphabet="bytes=0123456789-, ", max_size=20), st.integers(0, 50))
def test_whatever_is_asked_a_part_lies_within_the_file(header: str, size: int) -> None:
    try:
        part = part_of(header, size)
    except RangeNotSatisfiable:
        return
    assert part is None or (part[1] >= 1 and part[0] >= 0 and part[0] + part[1] <= size)
