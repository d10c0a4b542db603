"""Shortening by rule: whole lines, then whole sentences of prose, and shares that leave nothing unused."""

from hypothesis import given
from hypothesis import strategies as st

from planloom.domain.shorten import shares, shorten

PROSE = "The loan is due in March. The lease waits for it. Nobody signs before."


def test_what_fits_is_left_as_it_is() -> None:
    assert shorten(PROSE, len(PROSE)) == PROSE


def test_prose_ends_at_a_sentence() -> None:
    assert shorten(PROSE, 50) == "The loan is due in March.\n[shortened]"


def test_a_sentence_of_a_language_without_spaces_ends_at_its_stop() -> None:
    text = "予算は240万円です。" + "開店は五月です。" * 4

    assert shorten(text, 34) == "予算は240万円です。 開店は五月です。\n[shortened]"


def test_a_row_is_kept_whole_or_not_at_all() -> None:
    rows = "Post | Work\nBaker | Bakes. Then cleans.\nCook | Cooks. Then serves."

    assert shorten(rows, 55) == "Post | Work\nBaker | Bakes. Then cleans.\n[shortened]"


def test_where_no_sentence_fits_only_the_mark_is_left() -> None:
    assert shorten("a" * 60, 40) == "[shortened]"


def test_what_one_does_not_use_is_left_to_the_others() -> None:
    assert shares([10, 500, 500], 100) == [10, 45, 45]
    assert shares([30, 20], 100) == [30, 20]
    assert shares([], 100) == []


@given(st.lists(st.integers(0, 10_000), max_size=12), st.integers(0, 10_000))
def test_shares_never_pass_the_limit_nor_what_is_asked(lengths: list[int], limit: int) -> None:
    granted = shares(lengths, limit)

    assert sum(granted) <= limit
    assert all(got <= asked for got, asked in zip(granted, lengths, strict=True))


@given(st.text(max_size=400), st.integers(20, 400))
def test_nothing_is_longer_than_asked(text: str, limit: int) -> None:
    assert len(shorten(text, limit)) <= limit
