"""What a request to the stub asks, read from either wire format: OpenAI's chat completions or Bedrock's Converse."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Literal

Wire = Literal["openai", "converse"]


@dataclass(frozen=True)
class Asked:
    """One request. ``messages`` are in OpenAI's form, whichever wire they came by.

    ``caches``: the prompt's beginning may be cached, which Converse does only on request.
    """

    wire: Wire
    model: str
    messages: tuple[dict[str, Any], ...]
    schema: dict[str, Any]
    mode: str
    tool: str
    limit: int | None
    caches: bool = True

    @property
    def system(self) -> str:
        """What all calls of a plan share."""
        return str(self.messages[0]["content"])

    @property
    def shown(self) -> str:
        """The call's own part."""
        return next(str(message["content"]) for message in self.messages if message["role"] == "user")

    @property
    def key(self) -> str:
        """The same for every attempt at the same question, whichever model it goes to."""
        return hashlib.sha256((self.system + self.shown + json.dumps(self.schema)).encode()).hexdigest()

    @property
    def characters(self) -> int:
        """Prompt characters, without the schema."""
        return sum(len(str(message.get("content") or "")) for message in self.messages)

    @property
    def schema_characters(self) -> int:
        """Characters of the schema beside them."""
        return len(json.dumps(self.schema))


def asked(path: str, body: dict[str, Any]) -> Asked:
    """Read a request to *path*; raise KeyError, StopIteration or ValueError for what is none of ours."""
    parts = path.split("/")
    if parts[-1] == "converse":
        # the SDK escapes what a model's name may contain
        return _of_converse(parts[-2].replace("%3A", ":").replace("%2F", "/"), body)
    return _of_openai(body)


def _of_openai(body: dict[str, Any]) -> Asked:
    messages = tuple(body["messages"])
    limit = body.get("max_tokens") or body.get("max_completion_tokens")
    shape = body.get("response_format", {})
    schema, mode, tool = _stated_schema(messages), "prompted", ""
    if body.get("tools"):
        function = body["tools"][0]["function"]
        schema, mode, tool = function["parameters"], "tool", function["name"]
    elif shape.get("type") == "json_schema":
        schema, mode = shape["json_schema"]["schema"], "native"
    return Asked("openai", body["model"], messages, schema or {}, mode, tool, limit)


def _of_converse(model: str, body: dict[str, Any]) -> Asked:
    system = [block["text"] for block in body.get("system", []) if "text" in block]
    messages: list[dict[str, Any]] = [{"role": "system", "content": text} for text in system]
    for message in body["messages"]:
        # what is shown before what is asked, with a mark of the prompt cache between them
        texts = [block["text"] for block in message["content"] if "text" in block]
        messages.append({"role": message["role"], "content": "\n\n".join(texts)})
    schema, mode, tool = _stated_schema(tuple(messages)), "prompted", ""
    if body.get("toolConfig"):
        spec = body["toolConfig"]["tools"][0]["toolSpec"]
        schema, mode, tool = spec["inputSchema"]["json"], "tool", spec["name"]
    elif body.get("outputConfig"):
        schema, mode = json.loads(body["outputConfig"]["textFormat"]["structure"]["jsonSchema"]["schema"]), "native"
    caches = any("cachePoint" in block for block in body.get("system", []))
    limit = body["inferenceConfig"].get("maxTokens")
    return Asked("converse", model, tuple(messages), schema or {}, mode, tool, limit, caches)


def _stated_schema(messages: tuple[dict[str, Any], ...]) -> dict[str, Any] | None:
    """Return the schema that a system message states in words, if one does."""
    for message in messages:
        content = str(message["content"])
        if message["role"] == "system" and '"properties"' in content:
            found: dict[str, Any] = json.loads(content[content.index("{") : content.rindex("}") + 1])
            return found
    return None
