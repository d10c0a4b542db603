"""Configuration of MCP clients, to copy and paste."""

import json

from planloom_cli.service import Address


def client_config(address: Address) -> str:
    """Return the configuration for Claude, Cursor and VS Code as text.

    There is no space after the colon of a header, because mcp-remote splits it at spaces.
    """
    headers = {"X-API-Key": address.key}
    cursor = {"mcpServers": {"planloom": {"url": address.mcp_url, "headers": headers}}}
    code = {"servers": {"planloom": {"type": "http", "url": address.mcp_url, "headers": headers}}}
    desktop = {
        "mcpServers": {
            "planloom": {
                "command": "npx",
                "args": ["-y", "mcp-remote", address.mcp_url, "--header", "X-API-Key:${PLANLOOM_KEY}"],
                "env": {"PLANLOOM_KEY": address.key},
            }
        }
    }
    return "\n".join(
        [
            "Claude Code:",
            f'  claude mcp add --transport http planloom "{address.mcp_url}" --header "X-API-Key:{address.key}"',
            "Claude Desktop (claude_desktop_config.json):",
            f"  {json.dumps(desktop)}",
            "Cursor (~/.cursor/mcp.json):",
            f"  {json.dumps(cursor)}",
            "VS Code (.vscode/mcp.json):",
            f"  {json.dumps(code)}",
        ]
    )
