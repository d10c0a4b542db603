"""Register tools on an MCP server: each with its title, its docstring as description, and what it does to the world."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)


def register_tools(server: MCPServer[Any], tools: Iterable[tuple[Callable[..., Any], str, ToolAnnotations]]) -> None:
    """Add *tools*, each a function, its title and its annotations, in the order in which an agent needs them."""
    for tool, title, annotations in tools:
        server.add_tool(tool, title=title, description=inspect.getdoc(tool), annotations=annotations)
