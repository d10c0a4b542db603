"""The stub's replies and errors, in the wire format that was asked in."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bench.stub_requests import Asked, Wire

#: What Bedrock calls the errors that it answers with.
BEDROCK_ERRORS = {400: "ValidationException", 429: "ThrottlingException", 500: "InternalServerException"}

STOP_REASONS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "guardrail_intervened"}


@dataclass(frozen=True)
class Tokens:
    """As the stub counts them; ``cached`` and ``written`` are parts of ``input``."""

    input: int = 0
    cached: int = 0
    written: int = 0
    output: int = 0


def reply(asked: Asked, message: Mapping[str, Any], finish: str, tokens: Tokens) -> bytes:
    """Return the body of an answer: *message* in OpenAI's form, its text as a call of the tool where one was sent."""
    return (
        _converse(asked, message, finish, tokens)
        if asked.wire == "converse"
        else _openai(asked, message, finish, tokens)
    )


def error(wire: Wire, status: int, message: str) -> tuple[list[str], bytes]:
    """Return headers and body of an error."""
    if wire == "converse":
        return [f"x-amzn-errortype: {BEDROCK_ERRORS[status]}"], json.dumps({"message": message}).encode()
    return [], json.dumps({"error": {"message": message, "type": "stub"}}).encode()


def _openai(asked: Asked, message: Mapping[str, Any], finish: str, tokens: Tokens) -> bytes:
    said = str(message.get("content") or "")
    if asked.mode == "tool" and said:
        call = {"id": "1", "type": "function", "function": {"name": asked.tool, "arguments": said}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    usage = {
        "prompt_tokens": tokens.input,
        "completion_tokens": tokens.output,
        "total_tokens": tokens.input + tokens.output,
        "prompt_tokens_details": {"cached_tokens": tokens.cached},
    }
    choice = {"index": 0, "message": message, "finish_reason": finish}
    whole = {"id": "stub", "object": "chat.completion", "created": 0, "model": asked.model, "choices": [choice]}
    return json.dumps(whole | {"usage": usage}).encode()


def _converse(asked: Asked, message: Mapping[str, Any], finish: str, tokens: Tokens) -> bytes:
    said, reason = str(message.get("content") or ""), STOP_REASONS[finish]
    if message.get("refusal"):
        said, reason = str(message["refusal"]), STOP_REASONS["content_filter"]
    block: dict[str, Any] = {"text": said}
    called = _object(said) if asked.mode == "tool" else None
    # a tool's input is an object on this wire: what is none is said as text
    if called is not None:
        block = {"toolUse": {"toolUseId": "1", "name": asked.tool, "input": called}}
        reason = "tool_use" if reason == "end_turn" else reason
    usage = {
        "inputTokens": tokens.input - tokens.cached - tokens.written,
        "cacheReadInputTokens": tokens.cached,
        "cacheWriteInputTokens": tokens.written,
        "outputTokens": tokens.output,
        "totalTokens": tokens.input + tokens.output,
    }
    output = {"message": {"role": "assistant", "content": [block]}}
    return json.dumps({"output": output, "stopReason": reason, "usage": usage, "metrics": {"latencyMs": 1}}).encode()


def _object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
