"""`planloom mcp` as a process: an MCP client that starts it gets the service's tools and saves a plan's files."""

import asyncio
import hashlib
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client

from tests.e2e.conftest import Running


def proxied(service: Running, folder: Path, protocol: str, work: Callable[[Client], Awaitable[Any]]) -> Any:
    """Start the proxy before *service*, do *work* with a client of it, and return what that returns."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "planloom_cli", "mcp"],
        env={
            "PLANLOOM_URL": service.address.http_url,
            "PLANLOOM_KEY": service.address.key,
            "PLANEXE_PATH": str(folder),
        },
    )

    async def connected() -> Any:
        async with Client(stdio_client(server), mode=protocol) as client:
            return await work(client)

    return asyncio.run(connected())


@pytest.mark.parametrize("protocol", ["legacy", "auto"])
def test_6_7_a_client_of_either_era_lists_calls_and_downloads_over_standard_streams(
    service: Running, drafted: str, folder: Path, protocol: str
) -> None:
    async def work(client: Client) -> dict[str, Any]:
        listed = await client.list_tools()
        status = await client.call_tool("plan_status", {"plan_id": drafted})
        saved = await client.call_tool("plan_download", {"plan_id": drafted})
        unknown = await client.call_tool("plan_poem", {})
        return {
            "instructions": client.instructions,
            "extensions": client.server_capabilities.extensions,
            "tools": [tool.name for tool in listed.tools],
            "status": status.structured_content,
            "saved": saved.structured_content,
            "unknown": (unknown.is_error, unknown.structured_content),
        }

    seen = proxied(service, folder, protocol, work)

    remote = service.do(lambda open_: open_.client.list_tools())
    assert seen["tools"] == [*(tool.name for tool in remote.tools), "plan_download"]
    assert "plan_download" in seen["instructions"]
    # protocol 2025-11-25 knows no extensions
    interface = {"planexe/interface": {"planexe.version": "1.0"}}
    assert seen["extensions"] == (interface if protocol == "auto" else None)
    assert seen["status"]["state"] == "completed"
    saved = Path(seen["saved"]["saved_path"])
    assert saved == folder / f"{drafted}-030-report.html"
    assert hashlib.sha256(saved.read_bytes()).hexdigest() == seen["saved"]["sha256"]
    assert seen["unknown"][0]
    assert seen["unknown"][1]["error"]["code"] == "INVALID_TOOL"
