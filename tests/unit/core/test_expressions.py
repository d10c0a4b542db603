"""Conditions: values, comparisons, and errors with a place instead of exceptions."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planloom.core.expressions import Column, ExpressionInvalid, parse

VARIABLES = {"status": "ready", "items": [1, 2], "a": {"b": [{"c": 3}]}, "inside": 1, "order": 5, "none": None}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ('status = "ready" and count(items) > 1', True),
        ("status == 'ready'", True),
        ("a.b[0].c = 3", True),
        ("not (a.b.0.c = 3)", False),
        ('status in ["ready", "done"]', True),
        ("items contains 2", True),
        ('status contains "ead"', True),
        ("exists(a.x)", False),
        ("exists(none)", False),
        ("a.x = null", True),
        ("inside = 1 or order = 4", True),
        ("order != 5", False),
        ('lower("A") = "a"', True),
        ("true", True),
        ("1 = true", False),
        ("-1 < order and order <= 5.0", True),
        ('"text" < 3', False),
        ("items", True),
        ("[]", False),
    ],
)
def test_an_expression_holds_or_does_not(text: str, holds: bool) -> None:
    assert parse(text).holds(VARIABLES) is holds


def test_it_names_the_paths_that_it_reads() -> None:
    assert parse('a.b = 1 and not count(c[0]) in [d, "e"]').names == ("a.b", "c[0]", "d")


@pytest.mark.parametrize(
    ("text", "column"), [("status =", 9), ("a and", 6), ("a b", 3), ("= 1", 1), ("(a", 3), ("a = 'x", 5), ("", 1)]
)
def test_what_cannot_be_read_is_said_with_its_column(text: str, column: int) -> None:
    with pytest.raises(ExpressionInvalid) as raised:
        parse(text)
    assert raised.value.column == column


@settings(max_examples=300)
@given(st.text(alphabet="ab01. ()[]\"'=<>!,andorotin\\", max_size=40))
def test_any_text_is_an_expression_or_an_error(text: str) -> None:
    with suppress(ExpressionInvalid):
        parse(text).value({"a": {"b": [1, "0"]}})


@given(
    st.lists(st.none() | st.booleans() | st.integers(0, 3) | st.text("ab", max_size=1) | st.lists(st.integers(0, 1)))
)
def test_a_column_has_what_a_list_of_its_values_has(values: list[object]) -> None:
    column = Column(values)
    for value in (*values, None, True, 1, 0.0, "a", [], [1], {}):
        expected = parse("v in whole").holds({"v": value, "whole": values})
        assert parse("v in whole").holds({"v": value, "whole": column}) is expected
