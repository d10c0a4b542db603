"""Answers as MCP tool results: structured, and the same JSON as text for clients that read only text."""

import json
from typing import Any

from mcp.types import CallToolResult, TextContent

from planloom.api.answers import AnswerModel
from planloom.api.error_map import error_body
from planloom.domain.errors import PlanloomError


def result(answer: AnswerModel) -> CallToolResult:
    """Return *answer* as a result; fields that were not set stay away."""
    return _result(answer.model_dump(mode="json", exclude_unset=True), is_error=False)


def empty_result() -> CallToolResult:
    """Return ``{}``: not an error, but nothing to show yet."""
    return _result({}, is_error=False)


def value_result(value: dict[str, Any]) -> CallToolResult:
    """Return *value*, JSON by itself, as a result."""
    return _result(value, is_error=False)


def error_result(error: PlanloomError, *, is_error: bool = True) -> CallToolResult:
    """Return *error* as a result (specification, 9.1); *is_error* False where 9.2 says so."""
    return _result({"error": error_body(error)}, is_error=is_error)


def _result(body: dict[str, Any], *, is_error: bool) -> CallToolResult:
    text = TextContent(type="text", text=json.dumps(body, ensure_ascii=False))
    return CallToolResult(content=[text], structured_content=body, is_error=is_error)
