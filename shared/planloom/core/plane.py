"""A plane: a family of operations with an MCP endpoint of its own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from planloom.core.endpoint import Endpoint
from planloom.core.entities import Entity
from planloom.core.errors import PlanloomError
from planloom.core.tasks import LongTool


@dataclass(frozen=True)
class Prompt:
    """An MCP prompt: a text that a person starts.

    *text* makes it; its name is the prompt's, its docstring the description. *arguments* describes each of its
    parameters, all of which are required. *state* names the endpoint whose ``text`` comes first, as it is when the
    prompt is read; it gets those arguments that are fields of its request.
    """

    title: str
    text: Callable[..., str]
    arguments: Mapping[str, str]
    state: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Plane:
    """Everything that transports need to know of a plane.

    ``name`` prefixes idempotency keys and OpenAPI operation ids. ``error_statuses`` holds the HTTP status of each error
    that only this plane raises. ``check_body`` is called with the bytes of each HTTP body before it is parsed, and
    raises where they must not be. ``open_world``: its operations reach services outside, such as language models.
    ``extensions`` are advertised among the capabilities of its MCP server. ``entities`` are what programs can read and
    call; their operations are the endpoints and those of ``operations``, which only programs call. Calls of
    ``long_tools``, by the names of endpoints, continue as tasks for MCP clients that can poll them.
    """

    name: str
    title: str
    mcp_path: str
    server_name: str
    instructions: str
    endpoints: tuple[Endpoint, ...]
    error_statuses: Mapping[type[PlanloomError], int] = field(default_factory=dict)
    check_body: Callable[[bytes], None] | None = None
    open_world: bool = False
    prompts: tuple[Prompt, ...] = ()
    extensions: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    entities: tuple[Entity, ...] = ()
    operations: tuple[Endpoint, ...] = ()
    long_tools: Mapping[str, LongTool] = field(default_factory=dict)
