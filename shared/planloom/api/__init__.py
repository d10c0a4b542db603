"""Two mouths, one service: HTTP under /v1 and MCP under /mcp."""
