"""A tool as its server describes it."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class NotReached(ConnectionError):
    """The server could not be reached: the call was certainly not made."""


class Tool(BaseModel):
    """A tool of one server. The hints are the server's own word, None where it gives none (MCP tool annotations)."""

    model_config = ConfigDict(frozen=True)

    name: str
    server: str = ""
    description: str = ""
    input_schema: dict[str, Any] = Field(default_factory=dict)
    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None

    @property
    def repeatable(self) -> bool:
        """Whether a call may be made twice without harm, by the server's own word."""
        return bool(self.read_only or self.idempotent)


class Catalog:
    """The tools that a graph may call, by name; several servers may have a tool of one name."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self.tools: tuple[Tool, ...] = tuple(tools)
        self._by_name: dict[str, list[Tool]] = {}
        for tool in self.tools:
            self._by_name.setdefault(tool.name, []).append(tool)

    def __bool__(self) -> bool:
        return bool(self.tools)

    @property
    def names(self) -> Sequence[str]:
        """The names, each once, in the order of the servers."""
        return tuple(self._by_name)

    @property
    def by_name(self) -> Mapping[str, Sequence[Tool]]:
        """All tools of each name."""
        return self._by_name

    def find(self, name: str, server: str | None = None) -> Sequence[Tool]:
        """Return the tools called *name*, of *server* where it is given."""
        found = self._by_name.get(name, [])
        return found if server is None else [tool for tool in found if tool.server == server]


def schema_hash(tool: Tool) -> str:
    """Return a hash of what a graph relies on: the input schema of *tool* and its hints."""
    known = tool.model_dump(mode="json", exclude={"description"})
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()
