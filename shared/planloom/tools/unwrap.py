"""What a tool answered, without the layers that servers and clients put around it; errors inside are found."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from planloom.core.json_text import deeper_than, is_text

#: Layers are taken off at most so often.
DEEPEST = 8
#: Lists and objects of a value are nested at most so deep: what writes and reads values cannot follow any depth.
DEEPEST_VALUE = 100
#: Beside an error, an answer that failed holds nothing else.
_OF_ERRORS = {"error", "code", "message", "details", "success", "isError", "is_error"}
#: Beside its content, a result of MCP holds nothing that matters.
_OF_RESULTS = {"content", "isError", "is_error", "_meta", "structuredContent", "resultType"}


class ToolFailed(Exception):
    """The tool answered that it failed; the message is its own."""


def unwrap(answer: Any) -> Any:
    """Return the value in *answer*: of content blocks, ``structuredContent``, JSON in text, and wrappers of these.

    Raises ToolFailed where the answer says that the call failed, or cannot be kept.
    """
    value = answer
    stated = False
    for _ in range(DEEPEST):
        value = _plain(value)
        _check(value, stated)
        # a server that says that nothing failed is believed, whatever its text begins with
        stated = stated or (isinstance(value, Mapping) and value.get("isError") is False)
        inner = _inner(value)
        if inner is value:
            break
        value = inner
    if not _can_be_kept(value):
        raise ToolFailed(f"The tool's answer is nested more than {DEEPEST_VALUE} deep, or no text.")
    return value


def _can_be_kept(value: Any) -> bool:
    return not deeper_than(value, DEEPEST_VALUE) and is_text(value)


def _plain(value: Any) -> Any:
    """Return objects of client libraries as the JSON values that they carry."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(value, list):
        return [_plain(each) for each in value]
    content = getattr(value, "content", None)
    if content is not None and not isinstance(value, Mapping | str | bytes):
        failed = bool(getattr(value, "isError", False) or getattr(value, "is_error", False))
        structured = getattr(value, "structuredContent", None)
        return {"content": _plain(content), "isError": failed, "structuredContent": structured}
    return value


def _check(value: Any, stated: bool) -> None:
    """Raise ToolFailed where *value* says so; texts are not judged where the answer *stated* that it succeeded."""
    if isinstance(value, Mapping):
        said = value.get("error")
        if said and set(value) <= _OF_ERRORS:
            raise ToolFailed(_message(said))
        if value.get("isError") is True or value.get("is_error") is True:
            raise ToolFailed(_message(value.get("content") or said or value.get("structuredContent")))
        if value.get("success") is False and said:
            raise ToolFailed(_message(said))
    elif isinstance(value, str) and not stated and value.startswith(("Error:", "Error executing tool", "ERROR:")):
        raise ToolFailed(value)


def _message(said: Any) -> str:
    if isinstance(said, list):
        return "\n".join(_message(each) for each in said) or "The tool failed and said nothing."
    if isinstance(said, Mapping):
        text = said.get("message") or said.get("text") or said.get("error")
        return _message(text) if text else json.dumps(said, ensure_ascii=False)
    return str(said) if said else "The tool failed and said nothing."


def _inner(value: Any) -> Any:
    """Return what is one layer further in, *value* itself where it is no wrapper."""
    if isinstance(value, Mapping):
        return _of_mapping(value)
    if _is_blocks(value):
        return _of_blocks(value)
    if isinstance(value, str):
        return _of_text(value)
    return value


def _of_mapping(value: Mapping[str, Any]) -> Any:
    structured = value.get("structuredContent")
    if structured is not None:
        # servers wrap a value that is no object as {"result": value}
        return structured["result"] if isinstance(structured, Mapping) and set(structured) == {"result"} else structured
    if _is_blocks(value.get("content")) and set(value) <= _OF_RESULTS:
        return value["content"]
    if set(value) == {"content"} and isinstance(value["content"], str | Mapping):
        return value["content"]
    if "result" in value and set(value) <= {"result", "success", "isError", "error"} and not value.get("error"):
        return value["result"]
    return value


def _is_blocks(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(each, Mapping) and isinstance(each.get("type"), str) for each in value)
        and all(each["type"] in ("text", "image", "audio", "resource", "resource_link") for each in value)
    )


def _of_blocks(blocks: list[Mapping[str, Any]]) -> Any:
    """Return the text of text blocks, joined by lines, or the blocks themselves where some are none."""
    if all(block["type"] == "text" for block in blocks):
        return "\n".join(str(block.get("text", "")) for block in blocks)
    if len(blocks) == 1:
        return dict(blocks[0])
    return [_of_text(str(block.get("text", ""))) if block["type"] == "text" else dict(block) for block in blocks]


def _of_text(text: str) -> Any:
    """Return the JSON in *text*; the text itself where it is none, or a number or word that only looks like it."""
    if text[:1] not in "{[" or not text:
        return text
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found if _can_be_kept(found) else text
