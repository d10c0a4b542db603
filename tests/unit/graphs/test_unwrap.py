"""Results of tools without the layers around them, and errors wherever a server puts them."""

from types import SimpleNamespace
from typing import Any

import pytest

from planloom.tools.unwrap import ToolFailed, unwrap

IMAGE = {"type": "image", "data": "aGk=", "mimeType": "image/png"}


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("plain", "plain"),
        (7, 7),
        (None, None),
        ([1, 2], [1, 2]),
        ({"a": 1}, {"a": 1}),
        ({"content": [text("hello")]}, "hello"),
        ({"content": [text("one"), text("two")], "isError": False}, "one\ntwo"),
        ({"content": [text('{"a": [1]}')]}, {"a": [1]}),
        ({"content": [text("[1, 2]")]}, [1, 2]),
        ({"content": [text("{not json")]}, "{not json"),
        ({"content": [text("12")]}, "12"),
        ({"content": [IMAGE]}, IMAGE),
        ({"content": [text("see"), IMAGE]}, ["see", IMAGE]),
        ({"content": [text("x")], "structuredContent": {"rows": [1]}}, {"rows": [1]}),
        ({"content": [text("x")], "structuredContent": {"result": [1, 2]}}, [1, 2]),
        ({"content": {"content": [text('{"content": [{"type": "text", "text": "deep"}]}')]}}, "deep"),
        ({"success": True, "result": {"content": [text("inner")]}}, "inner"),
        (SimpleNamespace(content=[text("object")], isError=False), "object"),
        (
            {"content": [text("Error: is the first word of this file")], "isError": False},
            "Error: is the first word of this file",
        ),
        ({"error": None, "rows": 1}, {"error": None, "rows": 1}),
        ({"content": []}, {"content": []}),
    ],
)
def test_the_value_comes_out_of_its_layers(answer: Any, value: Any) -> None:
    assert unwrap(answer) == value


@pytest.mark.parametrize("odd", ['{"a": "\\ud800"}', "[" * 100_000, "[" * 900 + "]" * 900, "[" * 101 + "]" * 101])
def test_json_that_cannot_be_kept_stays_text(odd: str) -> None:
    assert unwrap({"content": [text(odd)]}) == odd


def test_a_value_of_a_hundred_levels_is_kept() -> None:
    assert unwrap({"content": [text("[" * 100 + "]" * 100)]}) != "[" * 100 + "]" * 100


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"structuredContent": {"a": "\ud800"}}, "no text"),
        ({"content": [text("half a pair: \ud800")]}, "no text"),
        ({"content": [text("no such file")], "isError": True}, "no such file"),
        ({"isError": True}, "The tool failed and said nothing."),
        (SimpleNamespace(content=[text("gone")], isError=True), "gone"),
        ({"error": "broken"}, "broken"),
        ({"success": False, "error": {"code": 3, "message": "denied"}}, "denied"),
        ({"content": [text('{"error": "inside"}')]}, "inside"),
        ("Error: no route", "Error: no route"),
        ([{"type": "text", "text": "Error executing tool x"}], "Error executing tool x"),
    ],
)
def test_errors_are_found(answer: Any, message: str) -> None:
    with pytest.raises(ToolFailed, match=message):
        unwrap(answer)
