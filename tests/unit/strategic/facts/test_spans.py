"""Quotes are found in the goal as it was written, and sentences have exact spans."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.planes.strategic.facts.spans import MOST_READ, ReadSpans, locate, outside, plain, sentences


@pytest.mark.parametrize(
    ("goal", "quote", "found"),
    [
        ("We need €5 million.", "€5 million", "€5 million"),
        ("We need\n  €5\xa0million.", "need €5 million", "need\n  €5\xa0million"),
        ("the “new” centre’s roof", '"new" centre\'s', "“new” centre’s"),
        ("from 2 – 3 sites", "2 - 3 sites", "2 – 3 sites"),
        ("The BUDGET is 5", "the budget", "The BUDGET"),
        ("The budget is **€5** a year", "is €5 a year", "is **€5** a year"),
        ("1５ Tage", "15 Tage", "1５ Tage"),
        ("numbers of members, member", "member", "member"),
        ("15 million or 5 million", "5 million", "5 million"),
        ("  spaced  ", "spaced ", "spaced"),
    ],
)
def test_a_quote_is_found_as_the_goal_writes_it(goal: str, quote: str, found: str) -> None:
    span = locate(goal, quote)

    assert span is not None
    assert goal[slice(*span)] == found


@pytest.mark.parametrize(
    ("goal", "quote"),
    [
        ("15 million", "5 million"),
        ("€1,500", "€1"),
        ("€1,500", "500"),
        ("The budget is five", "The … five"),
        ("The budget is five", "The ... five"),
        ("The budget", ""),
        ("The budget", "  "),
        ("The budget", "another budget"),
    ],
)
def test_what_the_goal_does_not_say_is_not_found(goal: str, quote: str) -> None:
    assert locate(goal, quote) is None


def test_the_whole_word_is_preferred_to_a_part_of_one() -> None:
    assert locate("unmade, made", "made") == (8, 12)
    assert locate("unmade", "made") == (2, 6)


def test_no_more_than_the_limit_is_read() -> None:
    assert locate("x " * MOST_READ + "end", "end") is None


SENTENCES = [
    ("One. Two! Three?", ["One.", "Two!", "Three?"]),
    ("Dr. No has approx. 3 Mio. Euro. Two", ["Dr. No has approx. 3 Mio. Euro.", "Two"]),
    ("Bis 1. Mai 2028 fertig. Dann Pause.", ["Bis 1. Mai 2028 fertig.", "Dann Pause."]),
    ("Goals:\n- first thing\n- second thing", ["Goals:", "first thing", "second thing"]),
    ("1. First thing\n2. Second thing", ["First thing", "Second thing"]),
    ("予算は2400万円。期限は5月。", ["予算は2400万円。", "期限は5月。"]),
    ("See no. 7 of it. No.", ["See no. 7 of it.", "No."]),
    ("It opens at 9 a.m. The rest follows.", ["It opens at 9 a.m.", "The rest follows."]),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), SENTENCES)
def test_sentences_are_told_apart(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == expected


def test_what_is_taken_is_left_out() -> None:
    first, second = Span(0, 4), Span(6, 9)

    assert outside((first, second), (Span(3, 5),)) == (second,)
    assert not ReadSpans((first,)).overlaps(4, 6)


class Span:
    """A span of a text."""

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end


@given(st.text())
def test_plain_text_has_the_same_length(text: str) -> None:
    assert len(plain(text)) == len(text)


@given(st.text(min_size=1), st.data())
def test_a_part_of_a_text_is_found_unless_it_cuts_a_number(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    quote = text[start:end].strip()

    found = locate(text, quote)

    assert found is not None or not quote or quote[0].isdecimal() or quote[-1].isdecimal()
    assert found is None or text[slice(*found)] == quote


@given(st.text(st.sampled_from("aA1 .!?\n-*。é…")))
def test_sentences_are_in_order_and_leave_out_white_space_alone(text: str) -> None:
    spans = sentences(text)

    assert all(text[start:end].strip() for start, end in spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
