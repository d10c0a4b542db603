"""How endpoints are called: over HTTP and over MCP."""
