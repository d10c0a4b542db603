"""A tool server for benchmarks, with one tool that sleeps: ``python -m bench.sleeping_server PORT``."""

import asyncio
import sys

from mcp.server.mcpserver import MCPServer

server = MCPServer("sleeping", log_level="ERROR")


@server.tool()
async def sleep(seconds: float = 0) -> float:
    """Sleep, and return for how long."""
    await asyncio.sleep(seconds)
    return seconds


if __name__ == "__main__":
    server.run(transport="streamable-http", port=int(sys.argv[1]))
