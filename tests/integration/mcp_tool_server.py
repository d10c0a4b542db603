"""A tool server for tests: ``python mcp_tool_server.py stdio`` or ``... http PORT``."""

import asyncio
import os
import sys

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

server = MCPServer("tools for tests", log_level="ERROR")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def rows(count: int) -> dict[str, list[int]]:
    """Return so many rows."""
    return {"rows": list(range(count))}


@server.tool()
def leave() -> str:
    """End the server without an answer."""
    os._exit(1)


@server.tool()
async def note(text: str, seconds: float = 0) -> str:
    """Append a line to the file that the variable CALLS names, then sleep."""
    _append(f"{text}\n")
    await asyncio.sleep(seconds)
    return text


@server.tool(annotations=ToolAnnotations(destructive_hint=True))
def erase(what: str) -> str:
    """Erase something."""
    return f"{what} erased"


@server.tool()
def refuse() -> str:
    """Fail."""
    raise ValueError("no")


def _append(line: str) -> None:
    with open(os.environ["CALLS"], "a", encoding="utf-8") as calls:
        calls.write(line)


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run(transport="stdio")
    else:
        server.run(transport="streamable-http", port=int(sys.argv[2]))
