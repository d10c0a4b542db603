"""MCP tool results: structured, and the same JSON as text for clients that read only text."""

import json
from typing import Any

from mcp.types import CallToolResult, TextContent

from planloom.core.endpoint import MarkdownResponse
from planloom.core.errors import PlanloomError
from planloom.transports.errors import error_body


def result_of(response: Any) -> CallToolResult:
    """Return the response of an endpoint as a result."""
    if isinstance(response, MarkdownResponse):
        # its text as it is, its facts beside the result
        text = TextContent(type="text", text=response.run_markdown)
        return CallToolResult(content=[text], structured_content=response.model_dump(mode="json"), _meta=response.meta)
    return value_result({} if response is None else response.model_dump(mode="json", exclude_unset=True))


def value_result(value: dict[str, Any], *, is_error: bool = False) -> CallToolResult:
    """Return *value*, a JSON object, as a result."""
    text = TextContent(type="text", text=json.dumps(value, ensure_ascii=False))
    return CallToolResult(content=[text], structured_content=value, is_error=is_error)


def error_result(error: PlanloomError, *, is_error: bool = True) -> CallToolResult:
    """Return *error* as a result (plan interface, 9.1); *is_error* False where 9.2 says so."""
    found = value_result({"error": error_body(error)}, is_error=is_error)
    return found.model_copy(update={"meta": meta}) if (meta := getattr(error, "meta", None)) else found
